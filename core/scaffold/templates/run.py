def run(inputs: tuple) -> None:
    # Needs a runtime that was built with EXECUTORCH_ENABLE_EVENT_TRACER=ON.
    from executorch.runtime import Runtime

    program = Runtime.get().load_program(FOLDER / "model.pte", enable_etdump=True)
    method = program.load_method("forward")
    for _ in range(EXECUTIONS):
        method.execute(inputs)
    dump = FOLDER / "model.etdp"
    program.write_etdump_result_to_file(str(dump), None)
    if not dump.exists() or dump.stat().st_size == 0:
        sys.exit("The runtime wrote no ETDump; build it with EXECUTORCH_ENABLE_EVENT_TRACER=ON")


