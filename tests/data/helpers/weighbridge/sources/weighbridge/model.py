"""From a truck's strain gauges to the weight of each axle."""
import torch
from torch import nn

from . import helpers, plan
from .scales import Axle, Cell, Peak


class Ledger:
    """Where sums are written, under names that come with them."""

    def __init__(self):
        self.first = None

    def enter(self, name, value):
        if not hasattr(self, name):
            setattr(self, name, value)
        return getattr(self, name, None)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.options = plan.options(width=8)
        width = self.options.width
        self.axles = nn.ModuleList(Axle(width) for _ in range(self.options.stages))
        self.folded = nn.ModuleList(Axle(width) for _ in range(2))
        for axle in self.folded:
            axle.fold()
        self.cells = nn.ModuleList([Cell(width, "gelu"), Cell(width, 0.25, name="zero"), Cell(width, torch.sigmoid), Cell(width, None)])
        self.peak = Peak(width)
        for place, lane in enumerate(self.options.lanes):
            self.add_module("lane_" + lane + str(place), nn.Linear(width, width))

    def lanes(self, load):
        return [getattr(self, f"lane_{lane}{place}")(load) for place, lane in enumerate(self.options.lanes)]

    def axled(self, load):
        for place, axle in enumerate(self.axles):
            load = load + axle(load, place % 2, plan.damping(place), side="left")
        for axle in self.folded:
            load = axle(load, gain=0.5)
        return load

    def celled(self, load):
        answers = [cell(load) for cell in self.cells]
        return plan.by_lane(answers)

    def totals(self, lanes):
        ledger = Ledger()
        for name in sorted(lanes, reverse=True):
            total = sum(lanes[name])
            if ledger.enter(name, total) is total and type(ledger) is Ledger:
                total = total.cos()
            yield total

    def forward(self, load):
        load = helpers.cleaned(self.axled(load), self.options.flags)
        lanes = self.celled(load)
        totals = list(self.totals(lanes))
        nested = {"lanes": self.lanes(load), "totals": (totals, None)}
        found = helpers.swapped(helpers.leaves(nested))
        values, _ = helpers.strongest(self.peak(load), plan.pieces(load.shape[1], 2))
        kept = helpers.present([None] * 2 + helpers.sides(helpers.counted(found)))
        return torch.cat(kept, dim=1).amax(1), values, helpers.window(load, 2)


def example():
    return [(2, 6, 8)]
