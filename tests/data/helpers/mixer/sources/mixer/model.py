import functools
import operator

import torch
import torch.nn as nn
import torch.nn.functional as F

from . import base as B
from .base import Base, Shaped

EPS = 1e-5
GAIN, SHIFT = 1.5, 0.25


def traced(fn):
    @functools.wraps(fn)
    def run(self, *args, **kwargs):
        out = fn(self, *args, **kwargs)
        return out * GAIN
    return run


def scaled(by, *, offset=None):
    def outer(fn):
        def inner(*args):
            y = fn(*args) * by
            return y if offset is None else y + offset
        return inner
    return outer


@scaled(0.5, offset=SHIFT)
def softsign(x):
    return x / (1 + x.abs())


def normalize(x, dim=-1, eps=EPS):
    m = x.mean(dim, keepdim=True)
    centred = x - m
    v = (centred * centred).mean(dim, keepdim=True)
    return centred * (v + eps).rsqrt()


class TokenMix(Base, Shaped):
    group = 2

    def __init__(self, tokens, width):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(tokens, tokens))
        self.bias = nn.Parameter(torch.zeros(tokens))
        self.gate = nn.Linear(width, width)

    def before(self, x):
        return normalize(super().before(x))

    @traced
    def inner(self, x, mask=None, **_):
        y = x.transpose(1, 2) @ self.weight + self.bias
        y = y.transpose(1, 2)
        if mask is not None:
            y = y * mask
        y = self.ungrouped(softsign(self.grouped(y)))
        return self.clip(y, high=2.0) * torch.sigmoid(self.gate(x))


class ChannelMix(Shaped, Base):
    def __init__(self, width, hidden, act="gelu", residual=0.7):
        super().__init__()
        self.up, self.down = nn.Linear(width, hidden), nn.Linear(hidden, width)
        self.act = getattr(F, act)
        self.residual_scale = residual

    def before(self, x):
        return normalize(x, eps=1e-6)

    def inner(self, x, **options):
        parts = self.up(x).chunk(self.fan // 4, dim=-1)
        return self.down(torch.cat([self.act(p) for p in parts], dim=-1))


class Block(nn.Sequential):
    def __init__(self, tokens, width):
        super().__init__(TokenMix.make(tokens, width), ChannelMix.make(width, 2 * width))

    def forward(self, x, mask=None):
        for i, stage in enumerate(self):
            x = stage(x, mask=mask) if i == 0 else stage(x)
        return x


class Head(nn.Module):
    def __init__(self, width, classes, pool="mean_pool"):
        super().__init__()
        self.pool = B.POOL[pool]
        self.norm = nn.LayerNorm(width)
        self.fc = nn.Linear(width, classes)

    def forward(self, x):
        logits = self.fc(self.pool(self.norm(x)))
        return self._finish(logits)

    def _finish(self, logits):
        top, = (logits,)
        m = top.amax(-1, keepdim=True)
        e = (top - m).exp()
        return e / e.sum(-1, keepdim=True)


class Model(nn.Module):
    def __init__(self, depth=3, tokens=8, width=16, classes=5):
        super().__init__()
        self.embed = nn.Linear(6, width)
        self.blocks = nn.ModuleList(Block(tokens, width) for _ in range(depth))
        self.skips = nn.ModuleDict({f"skip{i}": nn.Linear(width, width) for i in range(depth - 1)})
        self.head = Head(width, classes)

    def _mask(self, x):
        return (x.sum(-1, keepdim=True) > 0).float()

    def forward(self, x):
        mask = self._mask(x)
        x = self.embed(x)
        kept = []
        for i, block in reversed(list(enumerate(self.blocks))):
            x = block(x, mask)
            if f"skip{i}" in self.skips:
                kept.append(self.skips[f"skip{i}"](x))
        x = functools.reduce(operator.add, kept, x)
        for a, b in zip(kept[:-1], kept[1:]):
            x = x - a * b
        return self.head(x)


def example():
    return [(1, 8, 6)]
