import math
from dataclasses import dataclass
from collections import OrderedDict
from functools import partial
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

import torch
from torch import nn, Tensor

from .ops import _make_divisible, Conv2dNormActivation, SqueezeExcitation, stochastic_depth



_BACKBONES: Dict[str, Callable[..., "RegNet"]] = {}


def register_backbone(name: Optional[str] = None):
    def wrapper(fn):
        key = name if name is not None else fn.__name__
        if key in _BACKBONES:
            raise ValueError(f"An entry is already registered under the name '{key}'.")
        _BACKBONES[key] = fn
        return fn

    return wrapper


def get_backbone(name: str, **config: Any) -> "RegNet":
    try:
        return _BACKBONES[name](**config)
    except KeyError:
        raise ValueError(f"Unknown backbone {name}")


@dataclass
class BlockParams:
    depths: List[int]
    widths: List[int]
    group_widths: List[int]
    strides: List[int]
    se_ratio: Optional[float] = None

    @classmethod
    def from_init_params(
        cls,
        depth: int,
        w_0: int,
        w_a: float,
        w_m: float,
        group_width: int,
        se_ratio: Optional[float] = None,
    ) -> "BlockParams":
        QUANT, STRIDE = 8, 2
        widths_cont = [w_0 + w_a * i for i in range(depth)]
        block_capacity = [round(math.log(w / w_0) / math.log(w_m)) for w in widths_cont]
        block_widths = [int(round(w_0 * w_m**c / QUANT) * QUANT) for c in block_capacity]

        stage_widths = sorted(set(block_widths))
        stage_depths = [block_widths.count(w) for w in stage_widths]
        num_stages = len(stage_widths)
        group_widths = [min(group_width, w) for w in stage_widths]
        stage_widths = [_make_divisible(w, g) for w, g in zip(stage_widths, group_widths)]
        return cls(
            depths=stage_depths,
            widths=stage_widths,
            group_widths=group_widths,
            strides=[STRIDE] * num_stages,
            se_ratio=se_ratio,
        )

    def _get_expanded_params(self) -> Iterator[Tuple[int, int, int, int]]:
        yield from zip(self.widths, self.strides, self.depths, self.group_widths)


class SimpleStemIN(Conv2dNormActivation):
    def __init__(self, width_in, width_out, norm_layer, activation_layer) -> None:
        super().__init__(
            width_in, width_out, kernel_size=3, stride=2, norm_layer=norm_layer, activation_layer=activation_layer
        )


class BottleneckTransform(nn.Sequential):
    def __init__(self, width_in, width_out, stride, norm_layer, activation_layer, group_width, se_ratio) -> None:
        layers: "OrderedDict[str, nn.Module]" = OrderedDict()
        w_b, g = width_out, width_out // group_width
        layers["a"] = Conv2dNormActivation(
            width_in, w_b, kernel_size=1, stride=1, norm_layer=norm_layer, activation_layer=activation_layer
        )
        layers["b"] = Conv2dNormActivation(
            w_b, w_b, kernel_size=3, stride=stride, groups=g, norm_layer=norm_layer, activation_layer=activation_layer
        )
        if se_ratio:
            width_se_out = int(round(se_ratio * width_in))
            layers["se"] = SqueezeExcitation(w_b, width_se_out, activation=activation_layer)
        layers["c"] = Conv2dNormActivation(
            w_b, width_out, kernel_size=1, stride=1, norm_layer=norm_layer, activation_layer=None
        )
        super().__init__(layers)


class ResBottleneckBlock(nn.Module):
    def __init__(
        self, width_in, width_out, stride, norm_layer, activation_layer, group_width, se_ratio=None, sd_prob: float = 0.0
    ) -> None:
        super().__init__()
        self.proj = None
        if (width_in != width_out) or (stride != 1):
            self.proj = Conv2dNormActivation(
                width_in, width_out, kernel_size=1, stride=stride, norm_layer=norm_layer, activation_layer=None
            )
        self.f = BottleneckTransform(width_in, width_out, stride, norm_layer, activation_layer, group_width, se_ratio)
        self.sd_prob = sd_prob
        self.activation = activation_layer(inplace=True)

    def _shortcut(self, x: Tensor) -> Tensor:
        return x if self.proj is None else self.proj(x)

    def _merge(self, x: Tensor, residual: Tensor) -> Tensor:
        residual = stochastic_depth(residual, self.sd_prob, mode="row", training=self.training)
        return self._shortcut(x) + residual

    def forward(self, x: Tensor) -> Tensor:
        x = self._merge(x, self.f(x))
        return self.activation(x)


class RegNet(nn.Module):
    def __init__(
        self,
        block_params: BlockParams,
        stem_width: int = 16,
        stem_type: Callable[..., nn.Module] = SimpleStemIN,
        norm_layer: Optional[Callable[..., nn.Module]] = None,
        activation: Optional[Callable[..., nn.Module]] = None,
    ) -> None:
        super().__init__()
        if norm_layer is None:
            norm_layer = nn.BatchNorm2d
        if activation is None:
            activation = nn.ReLU

        self.stem = stem_type(3, stem_width, norm_layer, activation)
        current_width = stem_width
        stages: Dict[str, nn.Module] = {}
        self.out_channels: Dict[str, int] = {}
        for i, (width, stride, depth, group_width) in enumerate(block_params._get_expanded_params()):
            blocks = OrderedDict()
            for j in range(depth):
                blocks[f"block{i + 1}-{j}"] = ResBottleneckBlock(
                    current_width if j == 0 else width,
                    width,
                    stride if j == 0 else 1,
                    norm_layer,
                    activation,
                    group_width,
                    se_ratio=block_params.se_ratio,
                )
            stages[f"block{i + 1}"] = nn.Sequential(blocks)
            self.out_channels[f"block{i + 1}"] = current_width = width
        self.trunk_output = nn.ModuleDict(stages)

        for m in self.modules():
            if isinstance(m, nn.Conv2d):
                fan_out = m.kernel_size[0] * m.kernel_size[1] * m.out_channels
                nn.init.normal_(m.weight, mean=0.0, std=math.sqrt(2.0 / fan_out))
            elif isinstance(m, nn.BatchNorm2d):
                nn.init.ones_(m.weight)
                nn.init.zeros_(m.bias)

    def forward(self, x: Tensor) -> Dict[str, Tensor]:
        x = self.stem(x)
        out: Dict[str, Tensor] = OrderedDict()
        for name, stage in self.trunk_output.items():
            x = stage(x)
            out[name] = x
        return out


def _regnet(block_params: BlockParams, **kwargs: Any) -> RegNet:
    norm_layer = kwargs.pop("norm_layer", partial(nn.BatchNorm2d, eps=1e-05, momentum=0.1))
    return RegNet(block_params, norm_layer=norm_layer, **kwargs)


@register_backbone()
def regnet_x_nano(**kwargs: Any) -> RegNet:
    params = BlockParams.from_init_params(depth=4, w_0=24, w_a=18.0, w_m=2.2, group_width=8)
    return _regnet(params, **kwargs)


@register_backbone()
def regnet_y_nano(**kwargs: Any) -> RegNet:
    params = BlockParams.from_init_params(depth=4, w_0=24, w_a=18.0, w_m=1.7, group_width=8, se_ratio=0.25)
    return _regnet(params, **kwargs)
