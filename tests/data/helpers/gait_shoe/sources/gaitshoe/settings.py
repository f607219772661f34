"""What a pair of measuring shoes looks like and what is asked of it."""
from dataclasses import dataclass, field
from enum import Enum, Flag, auto
from typing import Dict, List, Tuple

import torch


class Region(Enum):
    HEEL = "heel"
    ARCH = "arch"
    BALL = "ball"
    TOES = "toes"


class Readout(Flag):
    LOAD = auto()
    STEPS = auto()
    ROLL = auto()
    CLINIC = LOAD | STEPS | ROLL
    SPORT = LOAD | STEPS


@dataclass
class ShoeSpec:
    """The sensor mat runs from heel (row 0) to toes."""

    mat_rows: int = 8
    mat_columns: int = 4
    traits: int = 6
    gait_width: int = 8
    springiness: object = "springy"
    readout: Readout = Readout.SPORT
    rows_of: Dict[Region, int] = field(
        default_factory=lambda: {Region.HEEL: 2, Region.ARCH: 2, Region.BALL: 3, Region.TOES: 1}
    )
    spans: List[Tuple[str, int, int]] = field(default_factory=list)

    def __post_init__(self):
        row = 0
        for region, height in self.rows_of.items():
            self.spans.append((region.value, row, row + height))
            row += height
        assert row == self.mat_rows, "the regions have to cover the mat"


class FootAtlas:
    """Stencils of the foot regions; a lookup table, nothing in it is trained."""

    def __init__(self, spec: ShoeSpec):
        self.stencils, self.heel_distance = {}, []
        for name, first, last in spec.spans:
            stencil = torch.zeros(spec.mat_rows, spec.mat_columns)
            stencil[first:last] = 1.0 / ((last - first) * spec.mat_columns)
            self.stencils[name] = stencil
            self.heel_distance.append(torch.full((1,), (first + last) / (2.0 * spec.mat_rows)))
        self.aliases = {"hindfoot": "heel"}

    def average(self, sheet, name: str):
        """Mean of the mat values that lie within one region."""
        try:
            stencil = self.stencils[name]
        except KeyError:
            stencil = self.stencils[self.aliases[name]]
        return (sheet * stencil).sum(dim=(-2, -1))

    def roll_point(self, shares):
        """Where along the foot the load sits, 0 at the heel and 1 at the toes."""
        return sum(share * distance for distance, share in zip(self.heel_distance, shares))
