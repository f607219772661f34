"""Millstones and sieves."""
import os

import torch
from torch import nn
import torch.nn.functional as F

try:
    from quickmill import ground
except ImportError:
    ground = None


def polish():
    """The workshop's mill may be set otherwise than the exported one."""
    if os.environ.get("MILL_SOFT"):
        return F.gelu
    return torch.sigmoid


def gap():
    return int(os.environ.get("MILL_GAP", "1"))


class Sieve(nn.Conv1d):
    """Holes are never negative, and the ends are closed."""

    def _conv_forward(self, grain, weight, bias):
        return F.conv1d(self.closed(grain), weight.abs(), bias, self.stride)

    def closed(self, grain):
        reach = self.kernel_size[0] - 1
        return F.pad(grain, (reach, 0))


class Stone(nn.Module):
    def __init__(self, width, levelled=nn.LayerNorm, kind="coarse", marks=("fine",)):
        super().__init__()
        self.level = levelled(width)
        self.turn = nn.Linear(width, width)
        self.kind = kind
        self.marks = marks
        self.dust = None
        self.polish = polish()
        self.gap = gap()

    def turned(self, grain):
        grain = self.turn(self.level(grain))
        if "fine" in self.kind or self.kind in self.marks:
            grain = grain.tanh()
        return grain if self.dust is None else grain - self.dust

    def forward(self, grain):
        ground_ = self.polish(self.turned(grain))
        return ground_[:, self.gap:], self.rest(ground_)

    def rest(self, ground_):
        if not self.training:
            return ground_[:, : self.gap].abs()
        return ground_
