"""From a buoy's motion to the state of the sea."""
import importlib

import torch
from torch import nn

from . import forces
from .parts import Hull, Moorings, SwellConv, TideTable


def station(kind):
    """A station says itself which module has its report."""
    module = importlib.import_module(f"{__package__}.{kind}")
    return getattr(module, module.REPORT)


class SeaState(station("reports")):
    """What differs from other reports: the classes of the sea."""

    def classes(self, state):
        return self.scale(state).softmax(-1)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.swell = SwellConv(3, 6, 3)
        self.moorings = Moorings(16, 6)
        tides = TideTable(6)
        self.hulls = nn.ModuleList(Hull(tides=tides) for _ in range(2))
        self.report = SeaState(6)
        self.winds = [torch.ones(1, 6), torch.zeros(1, 6) + 2]

    def torque(self, motion):
        axis, force = motion[:, :, 0], motion[:, :, 1]
        return forces.lever(axis, force)

    def sizes(self, state):
        return state.shape[-2:]

    def lifted(self, state):
        return forces.drag(state, *self.sizes(state), 0.25)

    def blown(self, state):
        return [state + wind for wind in self.winds]

    def forward(self, motion):
        state = self.swell(motion)
        state = (state + self.moorings(state)).transpose(1, 2)
        for hull in self.hulls:
            state = state + hull(state)
        state = self.lifted(state)
        pieces = self.blown(state)
        sea, rough = self.report(forces.summed(pieces), forces.multiplied(pieces))
        return sea, rough, torch.stack(forces.energy(pieces)), self.torque(motion)


def example():
    return [(2, 3, 16)]
