"""Building blocks of the mobile backbone."""
from __future__ import annotations

from typing import Sequence

import torch.nn.functional as F
from torch import Tensor, nn

from .config import Activation, StageConfig


def make_divisible(channels: float, divisor: int = 4) -> int:
    rounded = max(divisor, int(channels + divisor / 2) // divisor * divisor)
    return rounded + divisor if rounded < 0.9 * channels else rounded


def make_activation(activation: Activation) -> nn.Module:
    if activation is Activation.HARD_SWISH:
        return nn.Hardswish(inplace=True)
    return nn.ReLU6(inplace=True)


def conv_bn_act(
    in_channels: int,
    out_channels: int,
    kernel_size: int = 1,
    stride: int = 1,
    groups: int = 1,
    activation: Activation | None = Activation.RELU6,
) -> nn.Sequential:
    layers: list[nn.Module] = [
        nn.Conv2d(in_channels, out_channels, kernel_size, stride, kernel_size // 2, groups=groups, bias=False),
        nn.BatchNorm2d(out_channels),
    ]
    if activation is not None:
        layers.append(make_activation(activation))
    return nn.Sequential(*layers)


class SqueezeExcite(nn.Module):
    def __init__(self, channels: int, reduction: int = 4) -> None:
        super().__init__()
        hidden = make_divisible(channels / reduction)
        self.reduce = nn.Conv2d(channels, hidden, 1)
        self.expand = nn.Conv2d(hidden, channels, 1)

    def _gate(self, x: Tensor) -> Tensor:
        pooled = x.mean(dim=(2, 3), keepdim=True)
        return F.hardsigmoid(self.expand(F.relu(self.reduce(pooled))))

    def forward(self, x: Tensor) -> Tensor:
        return x * self._gate(x)


class InvertedResidual(nn.Module):
    def __init__(self, in_channels: int, config: StageConfig) -> None:
        super().__init__()
        hidden = make_divisible(in_channels * config.expansion)
        self.expand = conv_bn_act(in_channels, hidden, activation=config.activation)
        self.depthwise = conv_bn_act(hidden, hidden, 3, config.stride, groups=hidden, activation=config.activation)
        self.se = SqueezeExcite(hidden) if config.use_se else nn.Identity()
        self.project = conv_bn_act(hidden, config.out_channels, activation=None)
        self._has_residual = config.stride == 1 and in_channels == config.out_channels

    def forward(self, x: Tensor) -> Tensor:
        out = self.project(self.se(self.depthwise(self.expand(x))))
        return x + out if self._has_residual else out


class MobileBackbone(nn.Module):
    """Returns one feature map per stage, finest first."""

    def __init__(self, stem_channels: int, stages: Sequence[StageConfig]) -> None:
        super().__init__()
        self.stem = conv_bn_act(3, stem_channels, 3, stride=2)
        channels = [stem_channels, *(stage.out_channels for stage in stages)]
        self.stages = nn.ModuleList([InvertedResidual(c, stage) for c, stage in zip(channels, stages)])
        self.out_channels = tuple(channels[1:])

    def forward(self, image: Tensor) -> list[Tensor]:
        features: list[Tensor] = []
        x = self.stem(image)
        for stage in self.stages:
            x = stage(x)
            features.append(x)
        return features


class FusionNeck(nn.Module):
    def __init__(self, fine_channels: int, coarse_channels: int, out_channels: int) -> None:
        super().__init__()
        self.lateral = conv_bn_act(fine_channels, out_channels, activation=None)
        self.top_down = conv_bn_act(coarse_channels, out_channels, activation=None)
        self.smooth = conv_bn_act(out_channels, out_channels, 3, groups=out_channels)

    @staticmethod
    def _resize_like(x: Tensor, reference: Tensor) -> Tensor:
        return F.interpolate(x, size=reference.shape[-2:], mode="bilinear", align_corners=False)

    def forward(self, fine: Tensor, coarse: Tensor) -> Tensor:
        lateral = self.lateral(fine)
        return self.smooth(lateral + self._resize_like(self.top_down(coarse), lateral))
