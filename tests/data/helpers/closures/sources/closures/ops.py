from functools import partial, reduce

import torch
import torch.nn.functional as F


def compose(*steps):
    def run(x):
        return reduce(lambda value, step: step(value), steps, x)

    return run


def scaled(factor):
    def apply(x):
        return x * factor

    return apply


def residual(inner, scale=None):
    def wrapped(x, *args, **kwargs):
        y = inner(x, *args, **kwargs)
        if scale is not None:
            y = y * scale
        return x + y

    return wrapped


def clip(x, low, high):
    x = x.clamp(min=low)
    return x.clamp(max=high)


def rms(x, eps=1e-6):
    mean = (x * x).mean(-1, keepdim=True)
    return x * torch.rsqrt(mean + eps)


def gate(x, name):
    table = {"silu": F.silu, "gelu": F.gelu, "soft": lambda t: torch.sigmoid(t) * t}
    return table[name](x)


squash = partial(clip, low=-3.0, high=3.0)
polish = compose(squash, scaled(0.5), torch.tanh)
