import sys
from typing import Any, Callable, Dict

_entrypoints: Dict[str, Callable[..., Any]] = {}
_module_names: Dict[str, set] = {}


def register_model(fn: Callable[..., Any]) -> Callable[..., Any]:
    module = sys.modules[fn.__module__]
    name = fn.__name__
    if hasattr(module, "__all__"):
        module.__all__.append(name)
    _entrypoints[name] = fn
    _module_names.setdefault(fn.__module__.split(".")[-1], set()).add(name)
    return fn


def create_model(name: str, pretrained: bool = False, **kwargs):
    kwargs = {k: v for k, v in kwargs.items() if v is not None}
    if name not in _entrypoints:
        raise RuntimeError(f"Unknown model ({name})")
    return _entrypoints[name](pretrained=pretrained, **kwargs)
