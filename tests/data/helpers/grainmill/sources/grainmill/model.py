"""From the weights along a mill's belt to sorts of flour."""
import functools

import torch
from torch import nn
import torch.nn.functional as F

from . import bins as b
from .stones import Sieve, Stone, gap, ground


def stones(width):
    yield Stone(width)
    yield Stone(width, nn.Identity, "fine meal")
    yield Stone(width, kind="bolted", marks=("bolted", "hulled"))


class Model(nn.Module):
    def __init__(self, width=6):
        super().__init__()
        self.hopper = b.Hopper(gap())
        self.sieve = Sieve(width, width, 3)
        self.stones = nn.ModuleList(stones(width))
        self.doors = nn.ModuleList([nn.Linear(width, width), None, nn.Linear(width, width), None])

    def ground(self, grain):
        heaps = []
        for stone in self.stones:
            grain, rest = stone(grain)
            heaps.extend(heap.mean(1) for heap in (grain, rest))
        heaps += [grain.amax(1)]
        return grain, heaps

    def doored(self, grain):
        for door in self.doors:
            grain = grain if door is None else door(grain).relu()
        return grain

    def softened(self, flour):
        if ground is not None:
            flour = ground(flour)
        return self.hopper.poured(getattr(F, "SOFTPLUS".lower())(flour))

    def weighed(self, heaps):
        first, *others = heaps
        return functools.reduce(torch.maximum, others, first)

    def binned(self, grain, heaps):
        bins = b.sorted_out(grain.sum(1), heaps[-1])
        kept, bran, nothing = b.emptied(bins.poured({"dust": heaps[0] * 2}))
        if nothing is not None:
            bran = bran + nothing
        sorts = b.named(kept)
        return [sorts[name].exp() for name in b.Bins(sorts).heaviest(2)] + [bran.sin()]

    def forward(self, grain):
        sieved = self.sieve(grain.transpose(1, 2)).transpose(1, 2)
        grain, heaps = self.ground(sieved)
        grain = self.softened(self.doored(grain))
        return self.weighed(heaps), torch.stack(self.binned(grain, heaps))


def example():
    return [(2, 8, 6)]
