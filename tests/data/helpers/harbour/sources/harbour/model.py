import torch
from torch import nn

from .weather import dimmed, drifted, shaded


class Quay(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.width = width
        self.crane = nn.Linear(width, width)

    def forward(self, ships, fog: torch.Tensor | None = None, tide: torch.Tensor | None = None, pilot=None):
        loads = dimmed(self.crane(ships), fog)
        return drifted(loads, tide, pilot)


class Model(nn.Module):
    def __init__(self, width=12):
        super().__init__()
        self.quay = Quay(width)
        self.shade = nn.Parameter(torch.randn(width))

    def forward(self, ships, fog: torch.Tensor | None = None, tide: torch.Tensor | None = None, pilot=None):
        ships = self.quay(ships, fog=fog, tide=tide, pilot=pilot)
        return shaded(ships, self.shade, fog)


def made():
    return Model()
