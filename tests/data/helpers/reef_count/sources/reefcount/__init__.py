"""What a dive team sets before a transect, and the records that travel between the stages."""
from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Optional

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True)
class TransectPlan:
    rig: str = "port-starboard-mirrored"
    water: str = "green-coastal"
    shoals: tuple = ("parrotfish", "grunt", "wrasse", "surgeonfish")
    tint: int = 12
    fin_reaches: tuple = (3, 5, 7)
    swim_span: int = 4  # columns a shoal may drift between both exposures
    quadrat: int = 8
    quadrat_step: int = 5
    evidence: tuple = ("peak", "even")
    strongest: int = 4
    length_bins_cm: tuple = (6.0, 12.0, 20.0, 32.0, 50.0)
    thrifty: bool = True

    @property
    def sides(self):
        """Names of both cameras; the last word of the rig says how they are hung."""
        return self.rig.split("-")[:2]

    @property
    def is_mirrored(self):
        return self.rig.split("-")[-1] == "mirrored"

    def drifts(self):
        return range(0, 2 * self.swim_span + 1, self.swim_span)


class Swath(NamedTuple):
    """Both strips laid on one another, in two resolutions."""
    fine: Tensor
    coarse: Tensor
    drift: Optional[Tensor]
