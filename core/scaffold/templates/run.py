def run(inputs: tuple) -> None:
    # Needs a runtime with the event tracer: from pip that of ExecuTorch 1.5 or later, else a build with
    # EXECUTORCH_ENABLE_EVENT_TRACER=ON.
    if etlens is not None:
        # Runs until the time is known well enough, and saves model.etdp.json: hashes of what ran, and the machine.
        with etlens.profile(FOLDER / "model.pte", inputs, method=METHOD) as profile:
            print(profile)
        return
    from executorch.runtime import Runtime

    program = Runtime.get().load_program(FOLDER / "model.pte", enable_etdump=True)
    method = program.load_method(METHOD)
    for _ in range(EXECUTIONS):
        method.execute(inputs)
    dump = FOLDER / "model.etdp"
    program.write_etdump_result_to_file(str(dump), None)
    if not dump.exists() or dump.stat().st_size == 0:
        sys.exit("The runtime wrote no ETDump; build it with EXECUTORCH_ENABLE_EVENT_TRACER=ON")
    (FOLDER / "model.etdp.json").unlink(missing_ok=True)  # of an earlier run


