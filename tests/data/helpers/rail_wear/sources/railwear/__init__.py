"""Names of the places on a rail and where they lie on a scan, from gauge side over the crown to the field side."""
from dataclasses import dataclass

#: start and width of each zone as shares of the scan
LAYOUT = {
    "foot-gauge": (0.02, 0.14), "web-gauge": (0.16, 0.18),
    "head-gauge": (0.34, 0.12), "head-crown": (0.44, 0.14), "head-field": (0.56, 0.12),
    "web-field": (0.68, 0.18), "foot-field": (0.84, 0.14),
}


@dataclass(frozen=True)
class Zone:
    name: str

    @property
    def part(self):
        return self.name.split("-")[0]

    @property
    def side(self):
        return self.name.split("-")[-1]

    @property
    def key(self):
        return self.name.replace("-", "_")

    @property
    def is_corner(self):
        """The two sides of the head, which touch the flange of a wheel."""
        return self.name.startswith("head-") and self.side in ("gauge", "field")

    def bounds(self, samples):
        start, width = LAYOUT[self.name]
        lo = int(start * samples)
        return lo, lo + max(4, int(width * samples))


@dataclass(frozen=True)
class InspectionOrder:
    rail: str = "60E1"
    zones: tuple = ("head-gauge", "head-crown", "web-gauge", "foot-field")
    channels: int = 8
    passes: int = 3
    samples: int = 112
    doubt: str = "head"  # which parts are reported with a doubt
    datum: str = "web-field"  # never worn: the scan is laid on the nominal rail there

    def __post_init__(self):
        unknown = [name for name in (*self.zones, self.datum) if name not in LAYOUT]
        if unknown:
            raise ValueError(f"no such zone on a rail: {unknown}")
