from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Self

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from .config import Stage


@dataclass(frozen=True, slots=True)
class ImageBatch:
    pixels: Tensor
    mean: Tensor
    std: Tensor

    @property
    def size(self) -> tuple[int, int]:
        return self.pixels.shape[-2], self.pixels.shape[-1]

    @property
    def normalized(self) -> Tensor:
        return (self.pixels - self._per_channel(self.mean)) / self._per_channel(self.std)

    @staticmethod
    def _per_channel(values: Tensor) -> Tensor:
        return values.view(1, -1, 1, 1)


@dataclass(frozen=True, slots=True)
class FeaturePyramid:
    maps: Mapping[Stage, Tensor]
    image_size: tuple[int, int]

    def __getitem__(self, stage: Stage) -> Tensor:
        return self.maps[stage]

    def __iter__(self) -> Iterator[tuple[Stage, Tensor]]:
        yield from self.maps.items()

    def map(self, fn: Callable[[Tensor], Tensor]) -> Self:
        return replace(self, maps={stage: fn(x) for stage, x in self})

    def __sub__(self, other: FeaturePyramid) -> Self:
        return replace(self, maps={stage: x - other[stage] for stage, x in self})

    def squared(self) -> Self:
        return self.map(lambda x: x**2)

    def unit(self) -> Self:
        return self.map(lambda x: F.normalize(x, dim=1))

    @property
    def largest(self) -> tuple[int, int]:
        return max((tuple(x.shape[-2:]) for x in self.maps.values()), key=lambda hw: hw[0] * hw[1])

    def aligned(self) -> list[Tensor]:
        """All maps at the resolution of the largest one."""
        target = self.largest
        return [resize(x, target) for _, x in self]

    def stacked(self) -> Tensor:
        return torch.cat(self.aligned(), dim=1)


def resize(x: Tensor, size: tuple[int, int]) -> Tensor:
    if tuple(x.shape[-2:]) == tuple(size):
        return x
    return F.interpolate(x, size=size, mode="bilinear", align_corners=False)


class BasicBlock(nn.Module):
    def __init__(self, in_channels: int, channels: int, stride: int = 1) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(in_channels, channels, 3, stride=stride, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(channels)
        self.conv2 = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(channels)
        self.downsample = (
            nn.Conv2d(in_channels, channels, 1, stride=stride, bias=False)
            if stride != 1 or in_channels != channels
            else None
        )

    def _identity(self, x: Tensor) -> Tensor:
        return x if self.downsample is None else self.downsample(x)

    def forward(self, x: Tensor) -> Tensor:
        out = F.relu(self.bn1(self.conv1(x)), inplace=True)
        out = self.bn2(self.conv2(out))
        return F.relu(out + self._identity(x), inplace=True)


class Backbone(nn.Module):
    """A small residual trunk that hands out its intermediate maps by stage."""

    def __init__(self, widths: Mapping[Stage, int], stages: tuple[Stage, ...]) -> None:
        super().__init__()
        self.stages = stages
        stem = widths[Stage.STEM]
        self.body = nn.ModuleDict(
            {
                Stage.STEM.value: nn.Sequential(
                    nn.Conv2d(3, stem, 5, stride=2, padding=2, bias=False),
                    nn.BatchNorm2d(stem),
                    nn.ReLU(inplace=True),
                ),
                Stage.LOW.value: BasicBlock(stem, widths[Stage.LOW]),
                Stage.MID.value: BasicBlock(widths[Stage.LOW], widths[Stage.MID], stride=2),
                Stage.HIGH.value: BasicBlock(widths[Stage.MID], widths[Stage.HIGH], stride=2),
            }
        )

    @property
    def deepest(self) -> Stage:
        order = list(Stage)
        return max(self.stages, key=order.index)

    def walk(self, x: Tensor) -> Iterator[tuple[Stage, Tensor]]:
        for name, block in self.body.items():
            x = block(x)
            yield (stage := Stage(name)), x
            if stage is self.deepest:
                return

    def intermediate(self, batch: ImageBatch) -> FeaturePyramid:
        maps = {stage: x for stage, x in self.walk(batch.normalized) if stage in self.stages}
        return FeaturePyramid(maps, batch.size)

    def forward(self, batch: ImageBatch) -> FeaturePyramid:
        return self.intermediate(batch)
