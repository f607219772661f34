# SPDX-License-Identifier: Apache-2.0
"""Models of other architectures than models.py has, with the same interface: to see how rules do on what they were not made with."""

import torch
from torch import nn
from torch.nn import functional as F

LONGEST = 128


class SharedCacheLayer(nn.Module):
    """Attention with rotary positions, shared keys (2 for 6 heads), RMS norms and a feed-forward net of GELU."""

    def __init__(self, width=144, heads=6, shared=2):
        super().__init__()
        self.heads, self.shared, self.size = heads, shared, width // heads
        self.norm1, self.norm2 = nn.RMSNorm(width), nn.RMSNorm(width)
        self.q, self.out = nn.Linear(width, width, bias=False), nn.Linear(width, width, bias=False)
        self.k, self.v = (nn.Linear(width, shared * self.size, bias=False) for _ in range(2))
        self.up, self.down = nn.Linear(width, 3 * width), nn.Linear(3 * width, width)
        self.register_buffer("keys", torch.zeros(1, shared, LONGEST, self.size))
        self.register_buffer("values", torch.zeros(1, shared, LONGEST, self.size))

    def turned(self, x, angles):
        a, b = x.chunk(2, -1)
        return torch.cat([a * angles.cos() - b * angles.sin(), b * angles.cos() + a * angles.sin()], -1)

    def forward(self, x, positions, angles):
        n, y = x.shape[1], self.norm1(x)
        q = self.turned(self.q(y).view(1, n, self.heads, self.size).transpose(1, 2), angles)
        k = self.turned(self.k(y).view(1, n, self.shared, self.size).transpose(1, 2), angles)
        self.keys.index_copy_(2, positions, k)
        self.values.index_copy_(2, positions, self.v(y).view(1, n, self.shared, self.size).transpose(1, 2))
        seen = torch.arange(LONGEST)[None, :] <= positions[:, None]
        bias = torch.where(seen, 0.0, -1e9)
        keys, values = (c.repeat_interleave(self.heads // self.shared, 1) for c in (self.keys, self.values))
        mixed = torch.softmax(q @ keys.transpose(2, 3) * self.size ** -0.5 + bias, -1) @ values
        x = x + self.out(mixed.transpose(1, 2).reshape(1, n, -1))
        return x + self.down(F.gelu(self.up(self.norm2(x))))


class Rotary(nn.Module):
    def __init__(self, width=144, layers=2, vocabulary=800):
        super().__init__()
        self.embed = nn.Embedding(vocabulary, width)
        self.layers = nn.ModuleList(SharedCacheLayer(width) for _ in range(layers))
        self.norm, self.head = nn.RMSNorm(width), nn.Linear(width, vocabulary, bias=False)

    def forward(self, tokens, positions):
        angles = positions[:, None] * torch.pow(10000.0, -torch.arange(12) / 12)
        x = self.embed(tokens)
        for layer in self.layers:
            x = layer(x, positions, angles)
        return self.head(self.norm(x[:, -1:]))

    def inputs(self, size, at=0):
        return torch.randint(0, 800, (1, size)), torch.arange(at, at + size)

    def example(self):
        return self.inputs(6)

    def dynamic(self, dim):
        n = dim("n", min=1, max=LONGEST - 1)
        return {1: n}, {0: n}


class Speech(nn.Module):
    """Frames of features: convolutions that halve them, then attention over what is left."""

    def __init__(self, width=80, layers=2):
        super().__init__()
        self.first, self.second = nn.Conv1d(40, width, 3, 1, 1), nn.Conv1d(width, width, 3, 2, 1)
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(layers))
        self.mix = nn.ModuleList(nn.MultiheadAttention(width, 4, batch_first=True) for _ in range(layers))
        self.feeds = nn.ModuleList(nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width)) for _ in range(layers))
        self.head = nn.Linear(width, 60)

    def forward(self, x):
        x = F.gelu(self.second(F.gelu(self.first(x)))).transpose(1, 2)
        for norm, mix, feed in zip(self.norms, self.mix, self.feeds):
            y = norm(x)
            x = x + mix(y, y, y, need_weights=False)[0]
            x = x + feed(x)
        return torch.log_softmax(self.head(x), -1)

    def inputs(self, size, at=0):
        return (torch.randn(1, 40, size),)

    def example(self):
        return self.inputs(48)

    def dynamic(self, dim):
        return ({2: 2 * dim("f", min=4, max=128)},)


def stage(a, b, stride):
    return nn.Sequential(nn.Conv2d(a, b, 3, stride, 1, bias=False), nn.BatchNorm2d(b), nn.SiLU())


class Pyramid(nn.Module):
    """A detector: pooling of several sizes, two levels joined by concatenation, boxes and scores decoded."""

    def __init__(self, width=10):
        super().__init__()
        self.stages = nn.ModuleList(stage(a, b, 2) for a, b in ((3, width), (width, 2 * width), (2 * width, 4 * width), (4 * width, 6 * width)))
        self.pooled = stage(18 * width, 6 * width, 1)
        self.joined = stage(10 * width, 4 * width, 1)
        self.heads = nn.ModuleList((nn.Conv2d(4 * width, 24, 1), nn.Conv2d(6 * width, 24, 1)))

    def forward(self, x):
        levels = []
        for part in self.stages:
            x = part(x)
            levels.append(x)
        a = F.max_pool2d(x, 5, 1, 2)
        x = self.pooled(torch.cat([x, a, F.max_pool2d(a, 5, 1, 2)], 1))
        fine = self.joined(torch.cat([levels[2], F.interpolate(x, scale_factor=2.0)], 1))
        told = torch.cat([head(level).flatten(2) for head, level in zip(self.heads, (fine, x))], 2)
        boxes, scores = told.split((4, 20), 1)
        return torch.exp(boxes), torch.sigmoid(scores)

    def inputs(self, size, at=0):
        return (torch.rand(1, 3, size, size),)

    def example(self):
        return self.inputs(128)

    def dynamic(self, dim):
        return ({2: 16 * dim("h", min=3, max=20), 3: 16 * dim("w", min=3, max=20)},)


class Segments(nn.Module):
    """A mask as large as the image: down, up, and what went down beside it. All of it is XNNPACK's, but for the last step."""

    def __init__(self, width=8):
        super().__init__()
        self.down = nn.ModuleList(stage(a, b, s) for a, b, s in ((3, width, 1), (width, 2 * width, 2), (2 * width, 4 * width, 2)))
        self.up = nn.ModuleList(stage(a, b, 1) for a, b in ((6 * width, 2 * width), (3 * width, width)))
        self.last = nn.Conv2d(width, 5, 1)

    def forward(self, x):
        levels = []
        for part in self.down:
            x = part(x)
            levels.append(x)
        for part, level in zip(self.up, (levels[1], levels[0])):
            x = part(torch.cat([F.interpolate(x, scale_factor=2.0, mode="nearest"), level], 1))
        return self.last(x).argmax(1)

    def inputs(self, size, at=0):
        return (torch.rand(1, 3, size, size),)

    def example(self):
        return self.inputs(64)

    def dynamic(self, dim):
        return ({2: 8 * dim("h", min=4, max=24), 3: 8 * dim("w", min=4, max=24)},)


class Mixer(nn.Module):
    """A static net of linear layers, softmax and sums, with portable kernels beside XNNPACK's."""

    def __init__(self, width=96, tokens=48):
        super().__init__()
        self.tokens, self.width = tokens, width
        self.across = nn.ModuleList(nn.Linear(tokens, tokens) for _ in range(3))
        self.along = nn.ModuleList(nn.Linear(width, 2 * width) for _ in range(3))

    def forward(self, x):
        for across, along in zip(self.across, self.along):
            x = x + torch.tanh(across(x.transpose(1, 2))).transpose(1, 2)
            a, b = along(x).chunk(2, -1)
            x = x + a * torch.cumsum(torch.softmax(b, -1), 1)
        return x.mean(1).topk(5).values

    def inputs(self, size, at=0):
        return (torch.randn(1, self.tokens, self.width),)

    def example(self):
        return self.inputs(1)

    def dynamic(self, dim):
        return None


OTHER_MODELS = {"rotary": Rotary, "speech": Speech, "pyramid": Pyramid, "segments": Segments, "mixer": Mixer}
