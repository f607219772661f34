"""Scales of a lane as layers."""
import torch
from torch import nn
import torch.nn.functional as F


class Beam(nn.Linear):
    """Its own weight is taken off."""

    def forward(self, load):
        return F.linear(load, self.weight - self.weight.mean(), self.bias)


class Axle(nn.Module):
    """Read with a step and a side; `fold` makes one layer of two."""

    def __init__(self, width):
        super().__init__()
        self.left = Beam(width, width)
        self.right = Beam(width, width)
        self.both = nn.Linear(width, width)

    def sided(self, load, side):
        if side == "left":
            return self.left(load)
        return self.right(load) if side == "right" else load

    def forward(self, load, step=0, gain=1.0, side=None):
        load = load * gain
        while step > 0:
            load = load.tanh()
            step -= 1
        return self.sided(load, side)

    def read_folded(self, load, step=0, gain=1.0, side=None):
        return self.both(load).relu() * gain

    def fold(self):
        self.forward = self.read_folded


def weigher(kind):
    """Classes of scales that differ by what they do at last."""
    last = {"peak": torch.amax, "sum": torch.sum, "mean": torch.mean}[kind]

    class Weigher(nn.Module):
        def __init__(self, width):
            super().__init__()
            self.mix = nn.Linear(width, width)

        def settle(self, load):
            return last(self.mix(load).abs(), dim=1)

        def forward(self, load):
            return self.settle(load)

    return Weigher


Peak = weigher("peak")


class Cell(nn.Module):
    """What it does is an attribute's name, its class's business, or a callable."""

    def __init__(self, width, answer, name="drift"):
        super().__init__()
        self.answer = answer
        self.name = name
        self.drift = nn.Linear(width, width)
        self.zero = nn.Linear(width, width)

    def answered(self, load):
        if isinstance(self.answer, str):
            return getattr(F, self.answer)(load)
        if isinstance(self.answer, (int, float)):
            return load * self.answer
        return self.answer(load) if callable(self.answer) else load

    def forward(self, load):
        layer = getattr(self, self.name)
        return self.answered(layer(load))
