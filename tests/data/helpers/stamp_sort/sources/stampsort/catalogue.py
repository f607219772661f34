"""What a dealer's catalogue distinguishes: colour names, perforation gauges, years, and the drawers to sort into."""
from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Optional

if TYPE_CHECKING:
    from torch import Tensor

#: inks as red, green and blue between 0 and 1
INKS = {
    "carmine": (0.70, 0.09, 0.20),
    "ultramarine": (0.16, 0.21, 0.60),
    "olive": (0.42, 0.44, 0.17),
    "sepia": (0.40, 0.27, 0.17),
    "mauve": (0.59, 0.42, 0.64),
}


@dataclass(frozen=True)
class Catalogue:
    inks: tuple = tuple(INKS)
    perforations: tuple = (10.0, 11.5, 13.0, 14.25)  # holes on two centimetres
    imperforate: bool = True
    first_year: int = 1870
    years_per_step: int = 10
    steps: int = 9
    drawers: tuple = ("colour-year", "perforation-year", "colour-perforation")
    ink_match: str = "nearest-patch"
    grain: int = 8
    margin: int = 4

    @property
    def varieties(self):
        return len(self.perforations) + int(self.imperforate)

    @property
    def matches_patches(self):
        return self.ink_match.split("-")[-1] == "patch"


class Evidence(NamedTuple):
    """Scores of one trait, and how sure the picture makes of them; None where nothing was measured."""
    scores: Tensor
    weight: Optional[Tensor] = None

    @property
    def trusted(self):
        return self.scores if self.weight is None else self.scores * self.weight
