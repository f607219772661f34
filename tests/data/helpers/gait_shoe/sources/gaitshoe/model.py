"""A pair of measuring shoes: counts of both mats to steps and load of each foot region."""
from typing import Optional

import torch
import torch.nn as nn

from .mat import MirroredSoleMat, SoleMat
from .settings import FootAtlas, Readout, ShoeSpec
from .stance import StanceTracker, landings


class Shoe(nn.Module):
    def __init__(self, mat: SoleMat, spec: ShoeSpec):
        super().__init__()
        self.mat = mat
        self.tracker = StanceTracker(len(spec.spans), spec.traits, spec.gait_width)

    def forward(self, counts, warmth=None, carried=None):
        reading = self.mat(counts, warmth)
        return reading, self.tracker(reading, carried)


class WalkReport:
    def __init__(self, readout: Readout):
        self.readout = readout
        self.pages = {}

    def add(self, part: Readout, title: str, make):
        if self.readout & part:
            self.pages[title] = make()


class Model(nn.Module):
    def __init__(self, spec: Optional[ShoeSpec] = None):
        super().__init__()
        spec = spec or ShoeSpec()
        self.readout = spec.readout
        self.atlas = FootAtlas(spec)
        self.left = Shoe(SoleMat(spec, self.atlas), spec)
        self.right = Shoe(MirroredSoleMat(spec, self.atlas), spec)
        self.body_mass = nn.Linear(2 * spec.gait_width, 1)

    def _body_weight(self, left_leans, right_leans):
        return torch.exp(self.body_mass(torch.cat([left_leans, right_leans], dim=-1).mean(dim=1)))

    def forward(self, left_counts, right_counts, warmth):
        on_left, gait_left = self.left(left_counts, warmth)
        # only the left shoe has a thermometer; the right foot begins in the stance that the left one ended in
        on_right, gait_right = self.right(right_counts, carried=gait_left["ground"]["last"])
        weight = self._body_weight(gait_left["leans"], gait_right["leans"])
        report = WalkReport(self.readout)
        report.add(Readout.LOAD, "load", lambda: (on_left + on_right) * weight)
        report.add(Readout.STEPS, "steps", lambda: sum(landings(g["ground"]["each"]) for g in (gait_left, gait_right)))
        report.add(Readout.ROLL, "roll", lambda: self.atlas.roll_point(on_left.shares.unbind(-1)))
        return report.pages


def example():
    return [(1, 3, 8, 4), (1, 3, 8, 4), (1, 3)]
