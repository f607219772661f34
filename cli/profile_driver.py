# SPDX-License-Identifier: Apache-2.0
# What `etlens profile` runs with the user's Python: checks that all is there, finds the inputs, runs the script that
# `etlens init` wrote, and puts its files into place together. Needs Python 3.9. Arguments: NAME=VALUE.
import contextlib
import importlib.util
import os
import sys
import tempfile
import time
from importlib import metadata
from pathlib import Path


class Refused(Exception):
    """A sentence for the user: nothing can be run."""


def say(text):
    print(f"etlens: {text}", file=sys.stderr, flush=True)


def release_of(package):
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def numbers(release):
    parts = [part for part in release.split("+")[0].split(".")[:2] if part.isdigit()]
    return tuple(int(part) for part in parts)


def check_environment(backend):
    torch_release, release = release_of("torch"), release_of("executorch")
    pip = f"{sys.executable} -m pip install"
    if release is None:
        raise Refused(f"{sys.executable} has no executorch; install it with `{pip} executorch`, or name another Python with --python")
    if torch_release is None:
        raise Refused(f"{sys.executable} has no torch; install it with `{pip} torch`")
    if numbers(release) < (1, 0):
        raise Refused(f"executorch {release} is too old: profiles need 1.0 or later; install it with `{pip} -U executorch`")
    if numbers(release) < (1, 5):
        say(f"executorch {release} from pip has no event tracer, so its dumps are empty; unless you built it yourself, run `{pip} -U executorch`")
    if release_of("etlens") is None and importlib.util.find_spec("etlens") is None:
        say(f"the Python package etlens is not installed: lines of helpers may be left out; install it with `{pip} etlens`")
    try:
        from executorch.runtime import Runtime

        registered = Runtime.get().backend_registry.registered_backend_names
    except ImportError as error:
        raise Refused(f"executorch {release} has no runtime for Python: {error}; reinstall it with `{pip} --force-reinstall executorch`")
    wanted = {"xnnpack": "XnnpackBackend"}.get(backend)
    if wanted is not None and wanted not in registered:
        raise Refused(f"executorch {release} has no backend {wanted}; it has: {', '.join(registered) or 'none'}; use --backend portable")
    say(f"Python {sys.version.split()[0]}, torch {torch_release}, executorch {release}; backends: {', '.join(registered) or 'none'}")


def load_script(path):
    # The script stands in for the main program's folder, as if Python had been started with it.
    sys.path[:] = [str(path.parent)] + [entry for entry in sys.path if entry]
    spec = importlib.util.spec_from_file_location(path.stem, path)
    script = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = script
    try:
        spec.loader.exec_module(script)
    except SyntaxError as error:
        raise Refused(f"{error.filename}, line {error.lineno}: {error.msg}")
    missing = [name for name in ("make_model", "example_inputs", "main") if not callable(getattr(script, name, None))]
    if missing:
        raise Refused(f"{path} has no {', '.join(missing)}; move it away, and etlens writes it again")
    return script


def one_input(torch, text):
    shape, _, kind = text.partition(":")
    kind = kind or "float32"
    dtype = getattr(torch, kind, None)
    if not isinstance(dtype, torch.dtype):
        raise Refused(f"--input {text}: {kind} is not a type of torch, such as float32 or int64")
    try:
        sizes = [int(size) for size in shape.split("x")] if shape else []
    except ValueError:
        raise Refused(f"--input {text} is not a shape; give one like 1x3x224x224 or 1x16:int64")
    if dtype.is_floating_point or dtype.is_complex:
        return torch.randn(sizes, dtype=dtype)
    return torch.randint(0, 2, sizes).to(dtype)


def needed_arguments(model):
    import inspect

    parameters = inspect.signature(model.forward).parameters.values()
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [one.name for one in parameters if one.default is one.empty and one.kind in kinds]


def guess(torch, model):
    """A tensor for the first layer with a known input, and a text about it; None if there is no such layer."""
    for name, layer in model.named_modules():
        if isinstance(layer, torch.nn.Embedding):
            return torch.randint(0, layer.num_embeddings, (1, 16)), "1x16:int64", name
        if isinstance(layer, torch.nn.Conv2d):
            return torch.randn(1, layer.in_channels, 224, 224), f"1x{layer.in_channels}x224x224", name
        if isinstance(layer, torch.nn.Conv1d):
            return torch.randn(1, layer.in_channels, 128), f"1x{layer.in_channels}x128", name
        if isinstance(layer, torch.nn.Linear):
            return torch.randn(1, layer.in_features), f"1x{layer.in_features}", name
    return None


def confirmed(question, options):
    if options.get("yes"):
        return True
    if not sys.stdin.isatty():
        return False
    print(f"{question} [Y/n] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("", "y", "yes")


def offered_inputs(script, model):
    """What the model's own file offers."""
    module = sys.modules.get(type(model).__module__)
    for owner in (module, model):
        for name in ("example_inputs", "get_example_inputs"):
            found = getattr(owner, name, None)
            if found is None or owner is script:
                continue
            inputs = found() if callable(found) else found
            return inputs if isinstance(inputs, tuple) else (inputs,), f"{getattr(owner, '__name__', type(model).__name__)}.{name}"
    return None


def choose_inputs(torch, script, model, options):
    if options.get("input"):
        return tuple(one_input(torch, text) for text in options["input"].split(","))
    own = script.example_inputs()
    if not any(given is ... for given in own):
        return own
    offered = offered_inputs(script, model)
    if offered is not None:
        say(f"inputs are those of {offered[1]}()")
        return offered[0]
    names = needed_arguments(model)
    remedy = f"give --input once for {', '.join(names)}, like --input 1x3x224x224, or fill in example_inputs() of {options['script']}"
    guessed = guess(torch, model) if len(names) == 1 else None
    if guessed is None:
        raise Refused(f"the inputs of {type(model).__name__} are not known; {remedy}")
    tensor, text, layer = guessed
    if not confirmed(f"etlens: {names[0]} is guessed as {text}, from the layer {layer or 'itself'}: run it with that?", options):
        raise Refused(f"{names[0]} may be {text}, by the layer {layer}; take it with --yes, or {remedy}")
    say(f"{names[0]} is {text}, guessed from the layer {layer}")
    return (tensor,)


def quantized(torch, export, model, inputs, kind):
    from executorch.backends.xnnpack.quantizer.xnnpack_quantizer import XNNPACKQuantizer, get_symmetric_quantization_config
    from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e

    config = get_symmetric_quantization_config(is_per_channel=True, is_dynamic=kind == "int8dyn")
    prepared = prepare_pt2e(export(model, inputs, strict=False).module(), XNNPACKQuantizer().set_global(config))
    prepared(*inputs)  # calibrated with the example alone: times are right, values need real inputs
    return convert_pt2e(prepared)


class Phases:
    """Prints what begins, and keeps how long it took."""

    def __init__(self):
        self.times = {}
        self.is_open = False

    @contextlib.contextmanager
    def phase(self, name):
        say(f"{name} …")
        begin = time.monotonic()
        outer, self.is_open = self.is_open, True
        try:
            yield
        finally:
            self.is_open = outer
            self.times[name] = self.times.get(name, 0) + time.monotonic() - begin

    def around(self, owner, name, phase):
        original = getattr(owner, name, None)
        if not callable(original):
            return

        def call(*args, **kwargs):
            with self.phase(phase):
                return original(*args, **kwargs)

        setattr(owner, name, call)

    def __str__(self):
        return ", ".join(f"{name} {seconds:.1f} s" for name, seconds in self.times.items())


def watch_export(torch, phases, options):
    original = torch.export.export
    strict = options["strict"]

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
        if phases.is_open or more:  # quantizers and partitioners export patterns of their own
            return original(model, args, *more, **kwargs)
        if options["quantize"] != "none":
            with phases.phase("quantizing"):
                model = quantized(torch, original, model, args, options["quantize"])
        with phases.phase("exporting"):
            return plain(model, args, **kwargs)

    torch.export.export = export


def run(options):
    path = Path(options["script"])
    check_environment(options["backend"])
    import torch

    torch.manual_seed(0)
    script = load_script(path)
    model = script.make_model()
    inputs = choose_inputs(torch, script, model, options)
    phases = Phases()
    script.make_model = lambda: model
    script.example_inputs = lambda: inputs
    if options.get("executions"):
        script.EXECUTIONS = int(options["executions"])
    watch_export(torch, phases, options)
    phases.around(script, "to_edge_transform_and_lower", "lowering")
    phases.around(script, "run", "running")
    folder = getattr(script, "FOLDER", None)
    if folder is None:
        script.main()  # it writes where its user wants
        return phases
    with tempfile.TemporaryDirectory(prefix=".etlens-profile-", dir=folder) as temporary:
        script.FOLDER = Path(temporary)
        script.main()
        made = sorted(script.FOLDER.iterdir())
        if not any(file.suffix == ".etdp" and file.stat().st_size > 0 for file in made):
            raise Refused("the runtime wrote no ETDump; it was built without the event tracer")
        for file in made:
            os.replace(file, Path(folder) / file.name)
    return phases


def main():
    options = dict(argument.split("=", 1) for argument in sys.argv[1:])
    try:
        phases = run(options)
    except Refused as refused:
        say(refused)
        return 1
    except KeyboardInterrupt:
        say("interrupted; nothing was written")
        return 1
    except SystemExit as end:  # of the script: a sentence, or a status
        if isinstance(end.code, str):
            say(end.code)
        return 1 if end.code else 0
    except Exception as error:
        import traceback

        traceback.print_exc()
        say(f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else 'no message'}; nothing was written")
        return 1
    say(str(phases))
    return 0


if __name__ == "__main__":
    sys.exit(main())
