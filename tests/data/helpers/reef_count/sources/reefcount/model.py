"""Counts and sizes of reef fish from the strips of two cameras on one sled."""
import torch
from torch import nn

from . import TransectPlan
from .census import Census
from .swath import DriftFinder, StripReader, align, overlay
from .water import SlantRange, WaterColumn


class Model(nn.Module):
    def __init__(self, plan=TransectPlan()):
        super().__init__()
        self.plan = plan
        self.water = WaterColumn(plan.water)
        self.slant = SlantRange(40, 104)
        self.reader = StripReader(plan)
        self.finder = DriftFinder(plan, self.reader)
        self.census = Census(plan)
        self.dim_lamp = nn.Linear(3, len(plan.shoals))

    def restored(self, strips):
        """Both cameras hang at one height, so that the metres of one side hold for the other."""
        metres = self.slant(strips[self.plan.sides[0]])
        return {side: self.water.restore(strip, metres) for side, strip in strips.items()}

    def glare(self, lamp):
        """What the lamp's log (brightness, angle, soiling) hides of each shoal; None for a dive in daylight."""
        if lamp is None or not torch.is_tensor(lamp):
            return None
        return torch.sigmoid(self.dim_lamp(lamp if lamp.is_floating_point() else lamp.float()))

    def forward(self, port, starboard, lamp=None):
        strips = dict(zip(self.plan.sides, (port, starboard)))
        first, second = align(self.restored(strips), self.plan)
        swath = overlay(self.reader(first), self.reader(second), self.finder)
        tally = self.census(swath, self.glare(lamp))
        report = dict(zip(("counts", "lengths_cm", "spread_cm"), tally))
        if swath.drift is not None and not self.training:
            report["drift"] = swath.drift.max(dim=-1).indices
        return report


def example():
    return [(1, 3, 32, 96), (1, 3, 32, 96), ((1, 3), "int64")]
