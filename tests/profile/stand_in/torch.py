"""As much of torch as `etlens profile` touches."""
import contextlib
from types import SimpleNamespace


class dtype:
    def __init__(self, name):
        self.name = name
        self.is_floating_point = name.startswith("float")
        self.is_complex = False

    def __str__(self):
        return f"torch.{self.name}"


float32, int64 = dtype("float32"), dtype("int64")


class Tensor:
    def __init__(self, sizes, kind):
        self.shape, self.dtype = tuple(sizes), kind

    def to(self, kind):
        return Tensor(self.shape, kind)


def randn(*sizes, dtype=float32):
    return Tensor(sizes[0] if isinstance(sizes[0], list) else sizes, dtype)


def randint(low, high, sizes):
    return Tensor(sizes, int64)


def manual_seed(seed):
    pass


no_grad = contextlib.nullcontext


class Module:
    def eval(self):
        return self

    def named_modules(self):
        yield "", self
        for name, value in vars(self).items():
            if isinstance(value, Module):
                yield name, value

    def modules(self):
        return (module for _, module in self.named_modules())


def _layer(name):
    def __init__(self, size):
        self.in_channels = self.in_features = self.num_embeddings = self.input_size = size

    return type(name, (Module,), {"__init__": __init__})


nn = SimpleNamespace(
    Module=Module, **{name: _layer(name) for name in ("Embedding", "Conv1d", "Conv2d", "Conv3d", "Linear", "LSTM", "GRU", "RNN")}
)


def _export(model, args, kwargs=None, *, strict=False):
    if strict and getattr(model, "is_dynamic", False):
        raise RuntimeError("cannot be traced strictly\nmore lines")
    model.forward(*args)
    return SimpleNamespace(strict=strict)


export = SimpleNamespace(export=_export)
