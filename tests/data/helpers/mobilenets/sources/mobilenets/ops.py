"""Functions without state, and the thin classes around them."""
import torch
import torch.nn.functional as F
from torch import nn

try:
    from fastkernels import h_swish as _fast_h_swish
except ImportError:
    _fast_h_swish = None


def _make_divisible(v, divisor, min_value=None):
    if min_value is None:
        min_value = divisor
    new_v = max(min_value, int(v + divisor / 2) // divisor * divisor)
    if new_v < 0.9 * v:
        new_v += divisor
    return new_v


class Functional:
    """Calls that exporters like better than modules."""

    INPLACE = False

    @staticmethod
    def relu(x):
        return torch.nn.functional.relu(x, inplace=Functional.INPLACE)

    @staticmethod
    def relu6(x):
        return F.relu6(x)

    @classmethod
    def hsigmoid(cls, x):
        return cls.relu6(x + 3.0) / 6.0

    @classmethod
    def hswish(cls, x):
        if _fast_h_swish is not None:
            return _fast_h_swish(x)
        return x * cls.hsigmoid(x)

    @staticmethod
    def identity(x):
        return x

    @staticmethod
    def global_pool(x, keepdim=True):
        return x.mean((2, 3), keepdim=keepdim)


class HSwish(nn.Module):
    def forward(self, x):
        return Functional.hswish(x)


class HSigmoid(nn.Module):
    def __init__(self, inplace=True):
        super().__init__()
        self.inplace = inplace

    def forward(self, x):
        return Functional.hsigmoid(x)


NON_LINEARITY = {"RE": Functional.relu, "HS": Functional.hswish, "ID": Functional.identity}


def channel_shuffle(x, groups: int):
    b, c, h, w = x.shape
    x = x.view(b, groups, c // groups, h, w)
    x = torch.transpose(x, 1, 2).contiguous()
    return x.view(b, c, h, w)


def same_pad(x, k, s, d=(1, 1), value=0.0):
    ih, iw = x.shape[-2:]
    ph, pw = (max((-(-n // s) - 1) * s + (k - 1) * e + 1 - n, 0) for n, e in zip((ih, iw), d))
    if ph > 0 or pw > 0:
        x = F.pad(x, [pw // 2, pw - pw // 2, ph // 2, ph - ph // 2], value=value)
    return x


def fold_norm(x, weight, bias, mean, var, eps=1e-5):
    inv = torch.rsqrt(var + eps) * weight
    shift = bias - mean * inv
    return x * inv.view(1, -1, 1, 1) + shift.view(1, -1, 1, 1)
