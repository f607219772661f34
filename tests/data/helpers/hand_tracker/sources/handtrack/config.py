"""Static configuration of the on-device hand tracker."""
from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

NUM_FINGERS = 5
JOINTS_PER_FINGER = 4
NUM_JOINTS = 1 + NUM_FINGERS * JOINTS_PER_FINGER


class Activation(str, Enum):
    RELU6 = "relu6"
    HARD_SWISH = "hard_swish"


@dataclass(frozen=True)
class StageConfig:
    out_channels: int
    expansion: int
    stride: int
    use_se: bool = False
    activation: Activation = Activation.RELU6


@dataclass(frozen=True)
class HeatmapConfig:
    size: int = 16
    temperature: float = 0.1
    min_confidence: float = 0.2


@dataclass(frozen=True)
class SmoothingConfig:
    min_gain: float = 0.15
    velocity_scale: float = 8.0


@dataclass(frozen=True)
class HandTrackerConfig:
    stem_channels: int = 8
    stages: tuple[StageConfig, ...] = (
        StageConfig(out_channels=12, expansion=2, stride=2),
        StageConfig(out_channels=12, expansion=2, stride=1, use_se=True),
        StageConfig(out_channels=24, expansion=2, stride=2, activation=Activation.HARD_SWISH),
    )
    neck_channels: int = 24
    heatmap: HeatmapConfig = field(default_factory=HeatmapConfig)
    smoothing: SmoothingConfig = field(default_factory=SmoothingConfig)
