from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import add, mul
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from .config import DetectorConfig, Fusion
from .features import Backbone, FeaturePyramid, ImageBatch, resize
from .matching import MemoryBank, PatchScorer, patchify


class Prediction(NamedTuple):
    score: Tensor
    anomaly_map: Tensor
    mask: Tensor


@dataclass(slots=True)
class Discrepancy:
    """How far the student is from its teacher, stage by stage."""

    teacher: FeaturePyramid
    student: FeaturePyramid

    @property
    def layers(self) -> FeaturePyramid:
        gap = self.teacher.unit() - self.student.unit()
        return gap.squared().map(lambda x: 0.5 * x.sum(dim=1, keepdim=True))

    def fused(self, how: Fusion) -> Tensor:
        maps = [resize(x, self.teacher.image_size) for _, x in self.layers]
        match how:
            case Fusion.SUM:
                return reduce(add, maps) / len(maps)
            case Fusion.PRODUCT:
                return reduce(mul, maps)
            case Fusion.MAX:
                return reduce(torch.maximum, maps)


class GaussianBlur(nn.Module):
    kernel: Tensor

    def __init__(self, sigma: float, channels: int = 1) -> None:
        super().__init__()
        self.radius = max(1, math.ceil(2 * sigma))
        self.channels = channels
        self.register_buffer("kernel", self._kernel(self.radius, sigma).expand([channels, 1, -1, -1]))

    @staticmethod
    def _kernel(radius: int, sigma: float) -> Tensor:
        places = torch.arange(2 * radius + 1) - radius
        line = torch.exp(-(places**2) / (2 * sigma**2))
        line = line / line.sum()
        return (line[:, None] * line[None, :])[None, None]

    def forward(self, x: Tensor) -> Tensor:
        r = self.radius
        return F.conv2d(F.pad(x, (r, r, r, r), mode="reflect"), self.kernel, groups=self.channels)


class RunningRange(nn.Module):
    """Brings raw scores to 0..1 around the threshold that calibration found."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("low", torch.zeros(1))
        self.register_buffer("high", torch.ones(1))
        self.register_buffer("threshold", torch.zeros(1))

    @property
    def spread(self) -> Tensor:
        return (self.high - self.low).clamp(min=1e-6)

    def forward(self, x: Tensor) -> Tensor:
        return ((x - self.threshold) / self.spread + 0.5).clamp(0.0, 1.0)


class Model(nn.Module):
    def __init__(self, config: DetectorConfig | None = None) -> None:
        super().__init__()
        self.config = config = config or DetectorConfig()
        self.teacher = Backbone(config.widths, config.stages).eval()
        self.student = Backbone(config.widths, config.stages)
        self.bank = MemoryBank(config.bank_size, config.target_dim, config.distance)
        self.scorer = PatchScorer(self.bank, self.patch_dim, config.target_dim, config.neighbours)
        self.blur = GaussianBlur(config.blur_sigma)
        self.pixel_range = RunningRange()
        self.image_range = RunningRange()
        self.register_buffer("mean", torch.tensor(config.mean))
        self.register_buffer("std", torch.tensor(config.std))
        for p in self.teacher.parameters():
            p.requires_grad_(False)

    @cached_property
    def patch_dim(self) -> int:
        return sum(self.config.widths[s] for s in self.config.stages) * self.config.patch.size**2

    def batch(self, pixels: Tensor) -> ImageBatch:
        return ImageBatch(pixels, self.mean, self.std)

    def compare(self, batch: ImageBatch) -> Discrepancy:
        with torch.no_grad():
            reference = self.teacher(batch)
        return Discrepancy(reference, self.student(batch))

    def patch_map(self, pyramid: FeaturePyramid) -> tuple[Tensor, Tensor]:
        patches = patchify(pyramid, self.config.patch)
        nearest, score = self.scorer(patches)
        grid = nearest.unflatten(1, pyramid.largest).unsqueeze(1)
        return resize(grid, pyramid.image_size), score

    def forward(self, pixels: Tensor) -> Prediction:
        compared = self.compare(self.batch(pixels))
        by_student = compared.fused(self.config.fusion)
        by_patch, score = self.patch_map(compared.teacher)

        anomaly_map = self.pixel_range(self.blur(by_student + by_patch))
        score = self.image_range(score + by_student.amax(dim=(1, 2, 3)))
        return Prediction(score, anomaly_map, anomaly_map > 0.5)


def example() -> list[tuple[int, ...]]:
    return [(1, 3, 32, 32)]
