from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, StrEnum, auto


class Distance(StrEnum):
    EUCLIDEAN = auto()
    SQUARED = auto()
    COSINE = auto()


class Fusion(Enum):
    SUM = "sum"
    PRODUCT = "product"
    MAX = "max"


class Stage(StrEnum):
    STEM = auto()
    LOW = auto()
    MID = auto()
    HIGH = auto()


@dataclass(frozen=True, slots=True)
class PatchSpec:
    size: int = 3
    stride: int = 1

    @property
    def padding(self) -> int:
        return (self.size - 1) // 2


@dataclass(frozen=True, slots=True, kw_only=True)
class DetectorConfig:
    stages: tuple[Stage, ...] = (Stage.LOW, Stage.MID)
    widths: dict[Stage, int] = field(
        default_factory=lambda: {Stage.STEM: 8, Stage.LOW: 12, Stage.MID: 16, Stage.HIGH: 24}
    )
    patch: PatchSpec = PatchSpec()
    distance: Distance = Distance.EUCLIDEAN
    fusion: Fusion = Fusion.SUM
    bank_size: int = 50
    neighbours: int = 5
    target_dim: int = 20
    blur_sigma: float = 1.0
    mean: tuple[float, float, float] = (0.485, 0.456, 0.406)
    std: tuple[float, float, float] = (0.229, 0.224, 0.225)
