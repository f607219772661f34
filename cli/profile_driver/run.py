# The run itself: the script's main(), watched, in a folder of its own whose files take their places together.

_INT8 = ("int8", "int8dyn")


def quantized(torch, export, model, inputs, kind):
    try:
        return quantized_with_xnnpack(torch, export, model, inputs, kind) if kind in _INT8 else quantized_weights(torch, model)
    except ImportError as error:
        raise Problem("package", f"--quantize {kind} needs torchao ({one_line(error)})", "install it", pip("torchao"))


def quantized_with_xnnpack(torch, export, model, inputs, kind):
    from executorch.backends.xnnpack.quantizer.xnnpack_quantizer import XNNPACKQuantizer, get_symmetric_quantization_config
    from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e

    config = get_symmetric_quantization_config(is_per_channel=True, is_dynamic=kind == "int8dyn")
    program = export(model, inputs)
    # The quantizer does not know the calls that check guards, which torch adds since 2.10.
    guards = {"check_guards": False} if "check_guards" in inspect.signature(program.module).parameters else {}
    prepared = prepare_pt2e(program.module(**guards), XNNPACKQuantizer().set_global(config))
    prepared(*inputs)  # calibrated with the example alone: times are right, values need real inputs
    return convert_pt2e(prepared)


def quantized_weights(torch, model, group=32):
    """Weights of 4 bits in groups, activations of 8 bits at run time: what XNNPACK runs."""
    from torchao.quantization import quantize_
    from torchao.quantization.granularity import PerGroup
    from torchao.quantization.quant_api import Int8DynamicActivationIntxWeightConfig
    from torchao.utils import unwrap_tensor_subclass

    def fits(layer, _):
        return isinstance(layer, torch.nn.Linear) and layer.in_features % group == 0

    layers = [layer for layer in model.modules() if isinstance(layer, torch.nn.Linear)]
    count = sum(fits(layer, "") for layer in layers)
    if not count:
        raise Problem("model", f"no Linear of the model has inputs that are a multiple of {group}", "use --quantize int8 or int8dyn")
    if count < len(layers):
        say(f"{count} of {len(layers)} Linear layers have 4-bit weights: the inputs of the others are not a multiple of {group}")
    quantize_(model, Int8DynamicActivationIntxWeightConfig(weight_dtype=torch.int4, weight_granularity=PerGroup(group)), fits)
    unwrap_tensor_subclass(model)
    return model


class Phases:
    """Prints what begins, and keeps how long it took."""

    def __init__(self):
        self.times = {}
        self.now = ""

    @contextlib.contextmanager
    def phase(self, name, more=""):
        say(f"{name}{more} \u2026")
        begin = time.monotonic()
        outer, self.now = self.now, name
        yield
        # An exception leaves the name of the phase that failed.
        self.now = outer
        self.times[name] = self.times.get(name, 0) + time.monotonic() - begin

    def around(self, call, name, more=""):
        @functools.wraps(call)
        def watched(*args, **kwargs):
            with self.phase(name, more):
                return call(*args, **kwargs)

        return watched

    def report(self):
        for name, seconds in self.times.items():
            answer("phase", name, f"{seconds:.3f}")
        if self.times:
            say(", ".join(f"{name} {seconds:.1f} s" for name, seconds in self.times.items()))


def watch_export(torch, phases, options):
    original, strict = torch.export.export, options["strict"]

    def plain(model, inputs, **kwargs):
        kwargs["strict"] = kwargs.get("strict", False) if strict == "auto" else strict == "true"
        try:
            return original(model, inputs, **kwargs)
        except Exception as error:
            if strict != "auto" or not kwargs["strict"]:
                raise
            say(f"strict=True failed ({type(error).__name__}); exporting with strict=False")
            return original(model, inputs, **{**kwargs, "strict": False})

    def export(model, args=(), *more, **kwargs):
        if phases.now or more:  # quantizers and partitioners export patterns of their own
            return original(model, args, *more, **kwargs)
        if options["quantize"] != "none":
            with phases.phase("quantizing"):
                model = quantized(torch, functools.partial(plain, **kwargs), model, args, options["quantize"])
        with phases.phase("exporting"):
            return plain(model, args, **kwargs)

    torch.export.export = export


def watch_lowering(script, phases, partitioner):
    original = getattr(script, "to_edge_transform_and_lower", None)
    if not callable(original):
        return

    def lower(*args, **kwargs):
        if partitioner is not None:
            kwargs["partitioner"] = partitioner
        with phases.phase("lowering"):
            edge = original(*args, **kwargs)
        edge.to_executorch = phases.around(edge.to_executorch, "writing the program")
        return edge

    script.to_edge_transform_and_lower = lower


def set_constant(script, name, value, option):
    if not hasattr(script, name):
        raise Problem("script", f"{script.__file__} has no {name}, so {option} has no effect", "move it away, and etlens writes it again")
    setattr(script, name, value)


def watch_run(script, phases, options):
    """Gives what the command line asks for to the script, which runs with the Python package etlens or without."""
    if options["runner"] != "python":
        script.run = lambda *_: None
        return
    if not callable(getattr(script, "run", None)):
        raise Problem("script", f"{script.__file__} has no run(): it was written for another runner", "move it away, or give the --runner")
    package = getattr(script, "etlens", None)
    count = int(options.get("executions", 0))
    if count:
        set_constant(script, "EXECUTIONS", count, "--executions")
    if "method" in options:
        set_constant(script, "METHOD", options["method"], "--method")
    more = f" {getattr(script, 'EXECUTIONS', '')} \u00d7" if package is None or count else " until the time is known"
    if package is not None and count:
        if "executions" not in inspect.signature(package.profile).parameters:
            raise Problem("package", "this release of the Python package etlens has no executions=", "install a newer one", pip("-U", "etlens"))
        package.profile = functools.partial(package.profile, executions=count)
    script.run = phases.around(script.run, "running", more)


def log_values(script, inputs, folder, method):
    """Runs once more, with every value in a file: values/model.etdp and values/model.bin."""
    from executorch.runtime import Runtime

    (folder / "values").mkdir()
    program = Runtime.get().load_program(folder / "model.pte", enable_etdump=True, debug_buffer_size=256 << 20)
    program.load_method(method).execute(inputs)
    program.write_etdump_result_to_file(str(folder / "values" / "model.etdp"), str(folder / "values" / "model.bin"))


def put_into_place(made, folder):
    """All of the files, whatever the user presses meanwhile. What an earlier run wrote about its own files goes."""
    files = sorted(file.relative_to(made) for file in made.rglob("*") if file.is_file())
    names = {str(file) for file in files}
    before = [signal.signal(one, signal.SIG_IGN) for one in _ends()]
    try:
        for file in files:
            (folder / file).parent.mkdir(exist_ok=True)
            os.replace(made / file, folder / file)
        for about, of in (("model.etdp.json", "model.etdp"), ("model.sources.json", "model.pte")):
            if of in names and about not in names:
                (folder / about).unlink(missing_ok=True)
    finally:
        for one, handler in zip(_ends(), before):
            signal.signal(one, handler)


def run_script(script, model, inputs, phases, options):
    """The script's main() in a folder of its own. Returns the dump, or None."""
    folder = Path(script.FOLDER)
    with tempfile.TemporaryDirectory(prefix=".etlens-profile-", dir=folder) as temporary:
        script.FOLDER = made = Path(temporary)
        script.main()
        if options["runner"] == "python":
            dumps = [file for file in made.iterdir() if file.suffix == ".etdp" and file.stat().st_size > 0]
            if not dumps:
                raise Problem("tracer", "the runtime wrote no ETDump", "use a runtime that was built with the event tracer")
            if options.get("values"):
                with phases.phase("logging values"):
                    log_values(script, inputs, made, options.get("method", "forward"))
            answer("dump", folder / sorted(dumps, key=lambda file: (file.name != "model.etdp", file.name))[0].name)
        put_into_place(made, folder)


def _ends():
    return [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


def prepare(options, phases):
    """Script, model and inputs of a run; what the probe looks at, too."""
    partitioner = check_environment(options)
    import torch

    torch.manual_seed(0)
    script, tree = load_script(options)
    model = make_model(torch, script, tree, options)
    folder = getattr(script, "FOLDER", None)
    if options["mode"] == "probe":
        if folder is not None:
            answer("dump", Path(folder) / "model.etdp")
        find_inputs(torch, script, model, options).report()
        return
    inputs = choose_inputs(torch, script, model, options)
    if folder is None:
        raise Problem("script", f"{script.__file__} has no FOLDER, where its files go", "run it with Python, or move it away")
    script.make_model = lambda: model
    script.example_inputs = lambda: inputs
    watch_export(torch, phases, options)
    watch_lowering(script, phases, partitioner)
    watch_run(script, phases, options)
    if options.get("values"):
        if getattr(script, "etlens", None) is None:
            raise Problem("package", "--values needs the Python package etlens, which writes the reference", "install it", pip("etlens"))
        script.etlens.export.recording = functools.partial(script.etlens.export.recording, reference=True)
    run_script(script, model, inputs, phases, options)


def interrupt(*_):
    raise KeyboardInterrupt


def profile(options):
    phases = Phases()
    sys.dont_write_bytecode |= options["mode"] == "probe"  # which writes nothing
    for one in _ends():
        signal.signal(one, interrupt)
    try:
        prepare(options, phases)
    except Problem as problem:
        problem.report(options)
        return 0 if options["mode"] == "probe" else 1
    except KeyboardInterrupt:
        say("interrupted; no file was changed")
        return 1
    except SystemExit as end:  # of the script: a sentence, or a status
        if isinstance(end.code, str):
            say(end.code)
        return 1 if end.code else 0
    except Exception as error:
        traceback.print_exc()
        say(f"{phases.now or 'the script'} failed: {one_line(error)}{place_of(error)}; no file was changed")
        return 1
    phases.report()
    return 0


# Python decodes arguments by the locale, and etlens writes UTF-8.
sys.exit(profile(dict(os.fsencode(argument).decode("utf-8", "replace").split("=", 1) for argument in sys.argv[1:])))
