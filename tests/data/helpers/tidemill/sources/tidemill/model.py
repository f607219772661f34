"""Predicts the head of water at a tide mill from pictures of its basin."""

import torch
import torch.nn.functional as F
from torch import nn

from tidemill.basin import depths, filled_up, joined, squares, walls
from tidemill.gates import flood, opened, silted


class Intake(nn.Module):
    """Gives the water, and how large it is: numbers that no tensor carries on."""

    def __init__(self, channels, width, step):
        super().__init__()
        self.sieve = nn.Conv2d(channels, width, step, step)
        self.calm = nn.LayerNorm(width)

    def forward(self, picture):
        water = self.sieve(picture)
        _, _, rows, columns = water.shape
        water = self.calm(water.flatten(2).transpose(1, 2))
        return water, (rows, columns)


class Race(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.bed = nn.Conv2d(width, width, 3, padding=1, groups=width)

    def spread(self, water, rows, columns):
        b, _, c = water.shape
        return water.transpose(1, 2).reshape(b, c, rows, columns)

    def forward(self, water, size: tuple[int, int]):
        rows, columns = size
        wide = self.bed(self.spread(water, rows, columns))
        return wide.flatten(2).transpose(1, 2)


class Wheel(nn.Module):
    def __init__(self, width, heads, side, shift):
        super().__init__()
        self.heads, self.side, self.shift = heads, side, shift
        self.blades = nn.Linear(width, 3 * width)
        self.axle = nn.Linear(width, width)
        self.level = nn.Parameter(torch.zeros((2 * side - 1) ** 2 + 2, heads))

    def turned(self, cut, mask):
        n, m, c = cut.shape
        bias = silted(self.blades.bias, c)
        three = F.linear(cut, self.blades.weight, bias).view(n, m, 3, self.heads, c // self.heads)
        q, k, v = three.permute(2, 0, 3, 1, 4).unbind(0)
        pull = q @ k.transpose(-2, -1) + depths(m, m, self.side, self.level)
        if mask is not None:
            pull = pull.view(-1, mask.shape[0], self.heads, m, m) + mask[None, :, None]
            pull = pull.view(-1, self.heads, m, m)
        return self.axle((pull.softmax(-1) @ v).transpose(1, 2).reshape(n, m, c))

    def forward(self, water, size):
        rows, columns = size
        b, _, c = water.shape
        whole, h, w = filled_up(water.view(b, rows, columns, c), self.side)
        mask = None
        if self.shift:
            whole = torch.roll(whole, (-self.shift, -self.shift), (1, 2))
            mask = walls(h, w, self.side, self.shift, whole)
        whole = joined(self.turned(squares(whole, self.side), mask), self.side, h, w)
        if self.shift:
            whole = torch.roll(whole, (self.shift, self.shift), (1, 2))
        return water + whole[:, :rows, :columns].reshape(b, rows * columns, c)


class Mill(nn.Module):
    def __init__(self, width, heads, side, shift):
        super().__init__()
        self.race = Race(width)
        self.wheel = Wheel(width, heads, side, shift)

    def forward(self, water, size: tuple[int, int]):
        water = water + self.race(water, size)
        return self.wheel(water, size)


class Marks(nn.Embedding):
    """The marks on the wall of the basin, one for each place."""

    def forward(self, count, first=0):
        places = torch.arange(first, first + count)
        return super().forward(places.flip(0))


class Model(nn.Module):
    def __init__(self, width=16, heads=2, side=4):
        super().__init__()
        self.intake = Intake(3, width, 4)
        self.mills = nn.ModuleList(Mill(width, heads, side, shift) for shift in (0, side // 2))
        self.marks = Marks(64, width)
        self.gauge = nn.Linear(width, 4)

    def forward(self, picture, tide):
        water, size = self.intake(picture)
        water = water + self.marks(size[0] * size[1])
        for mill in self.mills:
            water = mill(water, size)
        water = opened(water, tide, 3, 9)
        return self.gauge(flood(water, (0.25, 0.5)).mean(dim=1))


def example():
    return (1, 3, 32, 32), (1, 64, 16)
