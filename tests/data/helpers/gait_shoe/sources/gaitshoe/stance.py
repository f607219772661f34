"""Stance and swing of one foot, instant by instant."""
from typing import NamedTuple, Optional

import torch
import torch.nn as nn
import torch.nn.functional as F

from .mat import MatReading


class Stance(NamedTuple):
    lean: torch.Tensor
    ground: torch.Tensor


class RegionLinear(nn.Linear):
    """Every output unit listens to one region of the foot and to the regions beside it."""

    def __init__(self, regions: int, traits: int, outgoing: int):
        super().__init__(regions * traits, outgoing)
        audible = torch.zeros(outgoing, regions * traits)
        for unit in range(outgoing):
            home = unit * regions // outgoing
            audible[unit, max(home - 1, 0) * traits:(home + 2) * traits] = 1.0
        self.register_buffer("audible", audible)

    def forward(self, traits):
        return F.linear(traits, self.weight * self.audible, self.bias)


class StanceTracker(nn.Module):
    """A leaky lean of the body over the foot, held back while the foot is in the air."""

    def __init__(self, regions: int, traits: int, width: int):
        super().__init__()
        self.listen = RegionLinear(regions, traits, width)
        self.touch = nn.Linear(width, 1)
        self.leak = nn.Parameter(torch.zeros(width))

    def begin(self, batch: int, carried: Optional[Stance]) -> Stance:
        if carried is not None:
            return carried
        return Stance(torch.zeros(batch, self.touch.in_features), torch.zeros(batch, 1))

    def retained(self):
        return torch.exp(-F.softplus(self.leak))

    def advance(self, heard, was: Stance, retained) -> Stance:
        lean = was.lean * retained + heard * (1.0 - 0.5 * was.ground)
        return Stance(lean, torch.sigmoid(self.touch(lean)))

    def follow(self, traits, carried: Optional[Stance] = None):
        (batch, instants, _), grounds = traits.shape, []
        now = self.begin(batch, carried)
        heard, retained = torch.tanh(self.listen(traits)), self.retained()
        leans = torch.zeros(batch, instants, self.touch.in_features)
        for t in range(instants):
            now = self.advance(heard[:, t], now, retained)
            leans[:, t] = now.lean
            grounds.append(now.ground)
        return leans, (grounds, now)

    def forward(self, reading: MatReading, carried: Optional[Stance] = None):
        leans, (grounds, last) = self.follow(reading.traits, carried)
        return {"leans": leans, "ground": {"each": grounds, "last": last}, "spare": None}


def landings(grounds, threshold: float = 0.5):
    """Soft number of times that a foot comes down."""
    steps = None

    def compare(before, after):
        nonlocal steps
        rise = F.relu(after - before - threshold)
        steps = rise if steps is None else steps + rise

    for before, after in zip(grounds, grounds[1:]):
        compare(before, after)
    return steps
