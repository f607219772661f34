"""Things that are not about networks: dictionaries with attributes, objects by name, checks, decorators."""
import contextlib
import functools
import importlib
import warnings
from typing import Any

import torch


class EasyDict(dict):
    """Convenience class that behaves like a dict but allows access with the attribute syntax."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name)

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value

    def __delattr__(self, name: str) -> None:
        del self[name]


def get_obj_by_name(name: str) -> Any:
    module_name, _, obj_name = name.rpartition(".")
    return getattr(importlib.import_module(module_name), obj_name)


def construct_class_by_name(*args, class_name: str, **kwargs) -> Any:
    return get_obj_by_name(class_name)(*args, **kwargs)


def assert_shape(tensor, ref_shape):
    if tensor.ndim != len(ref_shape):
        raise AssertionError(f"Wrong number of dimensions: got {tensor.ndim}, expected {len(ref_shape)}")
    for idx, (size, ref_size) in enumerate(zip(tensor.shape, ref_shape)):
        if ref_size is not None and size != ref_size:
            raise AssertionError(f"Wrong size for dimension {idx}: got {size}, expected {ref_size}")


@contextlib.contextmanager
def suppress_tracer_warnings():
    flt = ("ignore", None, Warning, None, 0)
    warnings.filters.insert(0, flt)
    yield
    warnings.filters.remove(flt)


def profiled_function(fn):
    @functools.wraps(fn)
    def decorator(*args, **kwargs):
        with torch.autograd.profiler.record_function(fn.__name__):
            return fn(*args, **kwargs)
    return decorator


def persistent_class(orig_class):
    """Remembers with which arguments an object was made, so that it can be made again."""

    class Decorator(orig_class):
        _orig_class_name = orig_class.__name__

        def __init__(self, *args, **kwargs):
            self._init_args, self._init_kwargs = args, EasyDict(kwargs)
            super().__init__(*args, **kwargs)

        @property
        def init_kwargs(self):
            return EasyDict(self._init_kwargs)

    Decorator.__name__ = orig_class.__name__
    return Decorator
