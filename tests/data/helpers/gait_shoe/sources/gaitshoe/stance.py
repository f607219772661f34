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
        self.width = width
        self.listen = RegionLinear(regions, traits, width)
        self.touch = nn.Linear(width, 1)
        self.leak = nn.Parameter(torch.zeros(width))

    def at_rest(self, batch: int, carried: Optional[Stance] = None) -> Stance:
        if carried is not None:
            return carried
        return Stance(torch.zeros(batch, self.width), torch.zeros(batch, 1))

    def advance(self, heard, was: Stance) -> Stance:
        kept = torch.exp(-F.softplus(self.leak)) * was.lean
        lean = kept + heard * (1.0 - 0.5 * was.ground)
        return Stance(lean, torch.sigmoid(self.touch(lean)))

    def follow(self, traits, carried: Optional[Stance] = None):
        batch, instants, _ = traits.shape
        now = self.at_rest(batch, carried)
        heard = torch.tanh(self.listen(traits))
        leans = torch.zeros(batch, instants, self.width)
        grounds = []
        for t in range(instants):
            now = self.advance(heard[:, t], now)
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
