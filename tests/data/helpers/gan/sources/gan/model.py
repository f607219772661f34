from itertools import chain
from typing import NamedTuple

import torch
from torch import nn
from torch.nn import functional as F

import gan.lib as L
from gan.lib import Style, lrelu


class Out(NamedTuple):
    image: torch.Tensor
    features: list


def modulate(x, style):
    gain, bias = style
    x = L.pixel_norm(x)
    x *= gain
    x += bias
    return x


class SynthBlock(nn.Module):
    def __init__(self, i, o, up=True):
        super().__init__()
        self.conv0 = nn.Conv2d(i, o, 3, padding=1)
        self.conv1 = nn.Conv2d(o, o, 3, padding=1)
        self.rgb = nn.Conv2d(o, 3, 1)
        self.noise = nn.Parameter(torch.zeros(1, o, 1, 1))
        self.up = up

    def _epilogue(self, x, style, *, noisy=True):
        if noisy:
            x = x + self.noise
        return modulate(lrelu(x), style)

    def to_rgb(self, x, skip=None):
        y = self.rgb(x)
        return y if skip is None else y + L.upsample(skip) if self.up else y + skip

    def forward(self, x, styles, skip=None):
        first, second = styles
        if self.up:
            x = L.blur(L.upsample(x))
        x = self._epilogue(self.conv0(x), first)
        x = self._epilogue(self.conv1(x), second, noisy=False)
        return x, self.to_rgb(x, skip)


class Mapping(nn.Module):
    def __init__(self, width, depth=3):
        super().__init__()
        for i in range(depth):
            self.add_module(f"fc{i}", nn.Linear(width, width))
        self.depth = depth

    def forward(self, z):
        z = self.unit(z)
        for i in range(self.depth):
            z = lrelu(getattr(self, f"fc{i}")(z), 0.01)
        return z

    def unit(self, z):
        return z / (z.pow(2).mean(dim=1, keepdim=True) + 1e-8).sqrt()


class Model(nn.Module):
    def __init__(self, width=16, sizes=(16, 8, 4)):
        super().__init__()
        self.mapping = Mapping(width)
        self.const = nn.Parameter(torch.ones(1, sizes[0], 4, 4))
        pairs = list(zip((sizes[0],) + sizes[:-1], sizes))
        self.blocks = nn.ModuleList([SynthBlock(i, o, up=n > 0) for n, (i, o) in enumerate(pairs)])
        self.affine = nn.ModuleList(nn.Linear(width, 2 * o) for o in chain.from_iterable((s, s) for s in sizes))
        self.truncate = 0.7

    def styles(self, w):
        style = Style(w, self.affine)
        flat = [s for _, s in style]
        return [(flat[i], flat[i + 1]) for i in range(0, len(flat), 2)]

    def debug(self, x):
        print(x)

    def forward(self, z, mean):
        w = L.lerp(mean, self.mapping(z), self.truncate)
        x, rgb = self.const, None
        features = []
        for block, pair in zip(self.blocks, self.styles(w)):
            x, rgb = block(x, pair, rgb)
            features.append(x)
        return self.finish(rgb, features)

    def finish(self, rgb, features):
        image = torch.tanh(rgb) if rgb is not None else None
        if (extra := len(features)) > 2:
            image = image * (1.0 / extra)
        return Out(image=image, features=[f.mean((2, 3)) for f in features[-2:]])


def example():
    return [(1, 16), (1, 16)]
