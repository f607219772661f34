# What a run needs of the script and of the model: the script's module, the model, its inputs.


def place_of(error):
    """Where in the user's files: " (net.py, line 12)"; "" if nowhere."""
    libraries = os.path.dirname(os.__file__)  # and the packages below it
    own = [frame for frame in traceback.extract_tb(error.__traceback__) if not frame.filename.startswith(libraries)]
    own = [frame for frame in own if frame.filename.endswith(".py") and "site-packages" not in frame.filename]
    return f" ({Path(own[-1].filename).name}, line {own[-1].lineno})" if own else ""


def root_of(error):
    """What caused it first: packages wrap errors of their imports."""
    while isinstance(error, ImportError) and error.__cause__ is not None:
        error = error.__cause__
    return error


def missing_module(what, error):
    package = error.name.split(".")[0] if error.name else "it"
    return Problem("model", f"{what}: there is no module {error.name}{place_of(error)}", "install it", pip(package))


def load_script(options):
    path = Path(options["script"])
    text = options["source"] if "source" in options else path.read_text(encoding="utf-8")
    # As if Python had been started with it.
    sys.path[:] = [str(path.parent)] + [entry for entry in sys.path if entry]
    sys.argv[:] = [str(path)]
    script = types.ModuleType(path.stem)
    script.__file__ = str(path)
    sys.modules[path.stem] = script
    try:
        exec(compile(text, str(path), "exec"), script.__dict__)
    except SyntaxError as error:
        raise Problem("script", f"{error.filename}, line {error.lineno}: {error.msg}", "correct it")
    except Exception as error:
        root, what = root_of(error), f"{path.name} cannot be imported"
        if isinstance(root, ModuleNotFoundError):
            raise missing_module(what, root)
        raise Problem("model", f"{what}: {one_line(root)}{place_of(error)}", "correct it")
    missing = [name for name in ("make_model", "example_inputs", "main") if not callable(getattr(script, name, None))]
    if missing:
        raise Problem("script", f"{path} has no {', '.join(missing)}", "move it away, and etlens writes it again")
    return script, ast.parse(text)


def unfilled(tree, function):
    """Names that are still `...` in a function of the script."""
    bodies = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == function]
    return [
        target.id
        for body in bodies
        for node in ast.walk(body)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and node.value.value is ...
        for target in node.targets
        if isinstance(target, ast.Name)
    ]


def make_model(torch, script, tree, options):
    names = unfilled(tree, "make_model")
    if names:
        where = f"make_model() of {options['script']}"
        remedy = f"fill in {where}" if "source" not in options else "run the command once, which writes the script; then fill it in"
        raise Problem("script", f"{where} lacks {', '.join(names)}", remedy)
    try:
        model = script.make_model()
    except Exception as error:
        root, what = root_of(error), "the model cannot be made"
        if isinstance(root, ModuleNotFoundError):
            raise missing_module(what, root)
        raise Problem("model", f"{what}: {one_line(root)}{place_of(error)}", f"correct make_model() of {options['script']}")
    if not isinstance(model, torch.nn.Module):
        raise Problem("script", f"make_model() of {options['script']} returns no torch.nn.Module", "correct it")
    return model


def needed_arguments(model):
    parameters = inspect.signature(model.forward).parameters.values()
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    names = [one.name for one in parameters if one.default is one.empty and one.kind in positional]
    return names or [one.name for one in parameters if one.kind is inspect.Parameter.VAR_POSITIONAL]


def one_input(torch, text):
    shape, _, kind = text.partition(":")
    dtype = getattr(torch, kind or "float32", None)
    try:
        sizes = [int(size) for size in shape.split("x")] if shape else []
    except ValueError:
        sizes = [-1]
    if any(size < 0 for size in sizes) or not isinstance(dtype, torch.dtype):
        raise Problem("input", f"--input {text} is not a shape and a type", "give one like 1x3x224x224 or 1x16:int64")
    if dtype.is_floating_point or dtype.is_complex:
        return torch.randn(sizes, dtype=dtype)
    return torch.randint(0, 2, sizes).to(dtype)


def shape_of(value):
    """As --input has it; "" for what is not a tensor."""
    if not hasattr(value, "dtype") or not hasattr(value, "shape"):
        return ""
    return "x".join(map(str, value.shape)) + ":" + str(value.dtype).split(".")[-1]


def image_size(model):
    """What the model was made for, if a part of it knows; else 224."""
    for part in model.modules():
        for owner in (part, getattr(part, "config", None)):
            for name in ("image_size", "img_size"):
                size = getattr(owner, name, None)
                size = (size, size) if isinstance(size, int) else size
                if isinstance(size, (tuple, list)) and len(size) == 2 and all(isinstance(one, int) for one in size):
                    return "x".join(map(str, size))
    return "224x224"


def guess(torch, model):
    """The input of the first layer with a known one, and the layer; None if there is no such layer."""
    nn = torch.nn
    for name, layer in model.named_modules():
        shape = None
        if isinstance(layer, nn.Embedding):
            shape = "1x16:int64"
        elif isinstance(layer, nn.Conv3d):
            shape = f"1x{layer.in_channels}x16x112x112:float32"
        elif isinstance(layer, nn.Conv2d):
            shape = f"1x{layer.in_channels}x{image_size(model)}:float32"
        elif isinstance(layer, nn.Conv1d):
            shape = f"1x{layer.in_channels}x128:float32"
        elif isinstance(layer, (nn.LSTM, nn.GRU, nn.RNN)):
            shape = f"1x16x{layer.input_size}:float32"
        elif isinstance(layer, nn.Linear):
            shape = f"1x{layer.in_features}:float32"
        if shape:
            return shape, f"the layer {name or 'itself'} ({type(layer).__name__})"
    return None


def offered_inputs(script, model):
    """What the model's own file or class has, and where; None without."""
    module = sys.modules.get(type(model).__module__)
    for owner, title in ((model, type(model).__name__), (module, getattr(module, "__name__", ""))):
        for name in ("example_inputs", "get_example_inputs"):
            found = getattr(owner, name, None)
            if found is None or module is script:
                continue
            source = f"{name}() of {title}"
            try:
                inputs = found() if callable(found) else found
            except Exception as error:
                raise Problem("model", f"{source} fails: {one_line(error)}{place_of(error)}", "correct it")
            return (tuple(inputs) if isinstance(inputs, (tuple, list)) else (inputs,)), source
    return None


class Inputs:
    """What a run takes. `values` is None while nothing is known, or a guess has to be confirmed."""

    def __init__(self, names, values, origin="", source="", guess=""):
        self.names, self.values, self.origin, self.source, self.guess = names, values, origin, source, guess

    def report(self):
        answer("needs_inputs", int(self.values is None))
        shapes = [shape_of(value) for value in self.values or ()]
        for i, name in enumerate(self.names):
            shape = shapes[i] if i < len(shapes) else self.guess if len(self.names) == 1 else ""
            answer("input", name, shape, self.origin if shape or self.values else "", self.source)


def find_inputs(torch, script, model, options):
    names = needed_arguments(model)
    try:
        own = script.example_inputs()
    except Exception as error:
        raise Problem("script", f"example_inputs() of {options['script']} fails: {one_line(error)}", "correct it")
    if not any(given is ... for given in own) and (own or not names):
        return Inputs(names, tuple(own), "script", f"example_inputs() of {Path(options['script']).name}")
    offered = offered_inputs(script, model)
    if offered is not None:
        return Inputs(names, offered[0], "model", offered[1])
    guessed = guess(torch, model) if len(names) == 1 else None
    if guessed is None:
        return Inputs(names, None)
    return Inputs(names, None, "layer", guessed[1], guessed[0])


def given_inputs(torch, model, texts):
    try:
        inspect.signature(model.forward).bind(*texts)
    except TypeError:
        text = f"forward takes {', '.join(needed_arguments(model))}, and the number of inputs that are given is {len(texts)}"
        raise Problem("input", text, "give --input once for each, in this order")
    return tuple(one_input(torch, text) for text in texts)


def confirmed(question, options):
    if options.get("yes"):
        return True
    if not sys.stdin or not sys.stdin.isatty():
        return False
    print(f"etlens: {question} [Y/n] ", end="", file=sys.stderr, flush=True)
    line = sys.stdin.readline()
    return line.strip().lower() in ("", "y", "yes") and line != ""


def choose_inputs(torch, script, model, options):
    if options.get("input"):
        return given_inputs(torch, model, options["input"].split(","))
    found = find_inputs(torch, script, model, options)
    if found.values is not None:
        if found.origin == "model":
            say(f"inputs are those of {found.source}")
        return found.values
    names = ", ".join(found.names)
    remedy = f"give --input once for each, like --input 1x3x224x224, or fill in example_inputs() of {options['script']}"
    if not found.guess:
        raise Problem("input", f"the inputs of {type(model).__name__} are unknown: {names}", remedy)
    guessed = f"{names} is guessed as {found.guess}, from {found.source}"
    if not confirmed(f"{guessed}. Run it with that?", options):
        raise Problem("input", guessed, f"take it with --yes, or {remedy}")
    say(guessed)
    return (one_input(torch, found.guess),)
