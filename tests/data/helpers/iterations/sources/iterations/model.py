"""Every loop of this model walks what itertools gives."""
import functools
import itertools
import operator

import torch
from torch import nn

TILES = (0, 4)


def tiles(x):
    """The tiles of an image, row by row."""
    return [x[:, :, top:top + 4, left:left + 4] for top, left in itertools.product(TILES, repeat=2)]


def differences(items):
    return [b - a for a, b in itertools.pairwise(items)]


def interactions(items):
    return [a * b for a, b in itertools.combinations(items, 2)]


def with_itself(items):
    return [a + b.sigmoid() for a, b in itertools.combinations_with_replacement(items, 2)]


def ordered(items):
    return [a / b.cos() for a, b in itertools.permutations(items, 2)]


def running(items):
    return list(itertools.accumulate(items, operator.add))


def padded(items, others):
    return [a if b is None else a - b.tanh() for a, b in itertools.zip_longest(items, others)]


def scaled(items, factors):
    return list(itertools.starmap(operator.mul, zip(items, factors)))


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.mix = nn.Conv2d(3, 3, 1)

    def pooled(self, parts):
        return [part.mean((2, 3)) for part in itertools.islice(parts, 1, None)]

    def joined(self, *groups):
        return torch.cat(list(itertools.chain.from_iterable(groups)), dim=1)

    def forward(self, x):
        parts = tiles(self.mix(x))
        means = self.pooled(parts)
        changed = differences(parts)
        pairs = interactions(means[:2]) + with_itself(means[:2])
        kept = padded(ordered(means[:2]), pairs[:1])
        heights = scaled(running(means), itertools.repeat(0.5, 3))
        total = functools.reduce(operator.add, (c.amax((2, 3)) for c in itertools.chain(changed, parts[:1])))
        return self.joined(kept, heights, [total], pairs)


def example():
    return [(2, 3, 8, 8)]
