# SPDX-License-Identifier: Apache-2.0
"""Models with dynamic sizes, small enough to be exported in seconds. Each has `example()`, `dynamic(Dim)`, and `inputs(size, at)`:
the inputs of one execution of that size; `at` is the number of tokens before it."""

import torch
from torch import nn
from torch.nn import functional as F

LONGEST = 128


class Layer(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.gate, self.up, self.down = nn.Linear(width, 2 * width), nn.Linear(width, 2 * width), nn.Linear(2 * width, width)

    def feed(self, x):
        y = self.norm2(x)
        return x + self.down(F.silu(self.gate(y)) * self.up(y))

    def split(self, x):
        n, width = x.shape[1], x.shape[2]
        return [part.view(1, n, self.heads, width // self.heads).transpose(1, 2) for part in self.qkv(self.norm1(x)).chunk(3, -1)]

    def merge(self, x, mixed):
        return x + self.out(mixed.transpose(1, 2).reshape(1, x.shape[1], x.shape[2]))


class CachedLayer(Layer):
    """A cache as transformers' StaticCache has it: written at the positions that are an input."""

    def __init__(self, width, heads):
        super().__init__(width, heads)
        self.register_buffer("keys", torch.zeros(1, heads, LONGEST, width // heads))
        self.register_buffer("values", torch.zeros(1, heads, LONGEST, width // heads))

    def forward(self, x, positions):
        q, k, v = self.split(x)
        self.keys.index_copy_(2, positions, k)
        self.values.index_copy_(2, positions, v)
        seen = torch.arange(LONGEST)[None, :] <= positions[:, None]
        scores = q @ self.keys.transpose(2, 3) / (q.shape[-1] ** 0.5)
        mixed = torch.softmax(scores.masked_fill(~seen, -1e9), -1) @ self.values
        return self.feed(self.merge(x, mixed))


class Chat(nn.Module):
    def __init__(self, width=128, layers=3, heads=4, vocabulary=512):
        super().__init__()
        self.embed = nn.Embedding(vocabulary, width)
        self.layers = nn.ModuleList(CachedLayer(width, heads) for _ in range(layers))
        self.head = nn.Linear(width, vocabulary)

    def forward(self, tokens, positions):
        x = self.embed(tokens)
        for layer in self.layers:
            x = layer(x, positions)
        return self.head(x)

    def inputs(self, size, at=0):
        return torch.randint(0, 512, (1, size)), torch.arange(at, at + size)

    def example(self):
        return self.inputs(5)

    def dynamic(self, dim):
        n = dim("n", min=1, max=LONGEST - 1)
        return {1: n}, {0: n}


class Encoder(nn.Module):
    """Whole numbers in, no cache: lengths are sizes of one model, never prefill and decode."""

    class Block(Layer):
        def forward(self, x):
            q, k, v = self.split(x)
            return self.feed(self.merge(x, torch.softmax(q @ k.transpose(2, 3), -1) @ v))

    def __init__(self, width=96, layers=3):
        super().__init__()
        self.embed = nn.Embedding(512, width)
        self.layers = nn.ModuleList(self.Block(width, 4) for _ in range(layers))

    def forward(self, tokens):
        x = self.embed(tokens)
        for layer in self.layers:
            x = layer(x)
        return x.mean(1)

    def inputs(self, size, at=0):
        return (torch.randint(0, 512, (1, size)),)

    def example(self):
        return self.inputs(9)

    def dynamic(self, dim):
        return ({1: dim("n", min=2, max=LONGEST)},)


class Detector(nn.Module):
    """A backbone, two levels of a pyramid and heads; images of any size that 16 divides."""

    def __init__(self, width=12):
        super().__init__()
        sizes = [3, width, 2 * width, 3 * width, 4 * width]
        self.stages = nn.ModuleList(
            nn.Sequential(nn.Conv2d(a, b, 3, 2, 1), nn.BatchNorm2d(b), nn.Hardswish(), nn.Conv2d(b, b, 3, 1, 1, groups=b), nn.ReLU())
            for a, b in zip(sizes, sizes[1:]))
        self.lateral = nn.Conv2d(3 * width, 4 * width, 1)
        self.boxes, self.classes = nn.Conv2d(4 * width, 12, 1), nn.Conv2d(4 * width, 30, 1)

    def forward(self, x):
        levels = []
        for stage in self.stages:
            x = stage(x)
            levels.append(x)
        fine = self.lateral(levels[-2]) + F.interpolate(levels[-1], scale_factor=2.0, mode="nearest")
        boxes = [self.boxes(level).flatten(2) for level in (fine, levels[-1])]
        classes = [torch.sigmoid(self.classes(level)).flatten(2) for level in (fine, levels[-1])]
        return torch.cat(boxes, 2), torch.cat(classes, 2).amax(1)

    def inputs(self, size, at=0):
        return (torch.rand(1, 3, size, size),)

    def example(self):
        return self.inputs(96)

    def dynamic(self, dim):
        return ({2: 16 * dim("h", min=3, max=16), 3: 16 * dim("w", min=3, max=16)},)


class Static(nn.Module):
    """No dynamic size: whatever the machine does, one group."""

    def __init__(self):
        super().__init__()
        self.net = Detector()

    def forward(self, x):
        return self.net(x)

    def inputs(self, size, at=0):
        return (torch.rand(1, 3, 96, 96),)

    def example(self):
        return self.inputs(96)

    def dynamic(self, dim):
        return None


MODELS = {"chat": Chat, "encoder": Encoder, "detector": Detector, "static": Static}
