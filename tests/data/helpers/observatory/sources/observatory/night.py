"""What the observer set for a night; a file that only the instrument's computer reads."""
import json
import math
import pathlib
from dataclasses import dataclass, field


def settings():
    return json.loads((pathlib.Path(__file__).parent / "night.json").read_text())


@dataclass
class Grid:
    height: int = 8
    width: int = 8
    names: dict = field(default_factory=dict)

    def __post_init__(self):
        self.cells = math.prod((self.height, self.width))
        self.names.setdefault("rows", "Row" + str(self.height))
        self.names.update(cells=str("cell"))

    def labels(self):
        names = self.names.copy()
        rows = names.pop("rows", None)
        kept = [name.upper() for name in names.keys()]
        kept.extend([rows.lower()])
        return kept
