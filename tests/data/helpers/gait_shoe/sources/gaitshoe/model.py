"""A pair of measuring shoes: counts of both mats to steps and load of each foot region."""
from typing import Optional

import torch
import torch.nn as nn

from .mat import MirroredSoleMat, SoleMat
from .settings import FootAtlas, Readout, ShoeSpec
from .stance import StanceTracker, landings


class Shoe(nn.Module):
    """One mat and the tracker above it."""

    def __init__(self, mat: SoleMat, spec: ShoeSpec):
        super().__init__()
        self.mat = mat
        self.tracker = StanceTracker(len(spec.spans), spec.traits, spec.gait_width)

    def forward(self, counts, warmth=None, carried=None):
        reading = self.mat(counts, warmth)
        return reading, self.tracker(reading, carried)


class WalkReport:
    """Collects what the readout asks for; the parts come from both shoes."""

    def __init__(self, readout: Readout):
        self.readout = readout
        self.pages = {}

    def asks(self, part: Readout) -> bool:
        return bool(self.readout & part)

    def add(self, part: Readout, title: str, make):
        if self.asks(part):
            self.pages[title] = make()
        return self


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
        pair = torch.cat([left_leans, right_leans], dim=-1)
        return torch.exp(self.body_mass(pair.mean(dim=1)))

    def _load(self, *readings):
        return torch.cat([reading.shares.amax(dim=1) for reading in readings], dim=-1)

    def _roll(self, reading):
        return self.atlas.roll_point(reading.shares.unbind(-1))

    def forward(self, left_counts, right_counts, warmth):
        on_left, gait_left = self.left(left_counts, warmth)
        on_right, gait_right = self.right(right_counts, warmth, gait_left["ground"]["last"])
        weight = self._body_weight(gait_left["leans"], gait_right["leans"])
        report = WalkReport(self.readout)
        report.add(Readout.LOAD, "load", lambda: self._load(on_left, on_right) * weight)
        report.add(Readout.STEPS, "steps", lambda: sum(landings(g["ground"]["each"]) for g in (gait_left, gait_right)))
        report.add(Readout.ROLL, "roll", lambda: torch.stack([self._roll(on_left), self._roll(on_right)], dim=1))
        report.add(Readout.LOAD, "limp", lambda: (on_left - on_right).abs().mean(dim=1))
        return report.pages


def example():
    return [(1, 3, 8, 4), (1, 3, 8, 4), (1, 3)]
