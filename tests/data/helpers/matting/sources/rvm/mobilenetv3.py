from functools import partial
from typing import Callable, List, Optional

import torch
from torch import Tensor, nn
from torch.nn import functional as F


def _make_divisible(v: float, divisor: int = 8, min_value: Optional[int] = None) -> int:
    if min_value is None:
        min_value = divisor
    new_v = max(min_value, int(v + divisor / 2) // divisor * divisor)
    if new_v < 0.9 * v:
        new_v += divisor
    return new_v


class BneckConf:
    """One row of the table in the MobileNetV3 paper."""

    def __init__(self, in_chs: int, kernel: int, expanded_chs: int, out_chs: int, use_se: bool, activation: str,
                 stride: int, dilation: int, width_mult: float = 1.0):
        self.in_chs = self.adjust_channels(in_chs, width_mult)
        self.kernel = kernel
        self.expanded_chs = self.adjust_channels(expanded_chs, width_mult)
        self.out_chs = self.adjust_channels(out_chs, width_mult)
        self.use_se = use_se
        self.use_hs = activation == "HS"
        self.stride = stride
        self.dilation = dilation

    @staticmethod
    def adjust_channels(channels: int, width_mult: float) -> int:
        return _make_divisible(channels * width_mult, 8)


class ConvBNActivation(nn.Sequential):
    def __init__(self, in_chs, out_chs, kernel_size=3, stride=1, groups=1, dilation=1,
                 norm_layer: Optional[Callable[..., nn.Module]] = None,
                 activation_layer: Optional[Callable[..., nn.Module]] = None):
        padding = (kernel_size - 1) // 2 * dilation
        norm_layer = norm_layer or nn.BatchNorm2d
        activation_layer = activation_layer or nn.ReLU
        layers = [nn.Conv2d(in_chs, out_chs, kernel_size, stride, padding, dilation=dilation, groups=groups, bias=False),
                  norm_layer(out_chs)]
        if activation_layer is not nn.Identity:
            layers.append(activation_layer(inplace=True))
        super().__init__(*layers)
        self.out_channels = out_chs


class SqueezeExcitation(nn.Module):
    def __init__(self, channels: int, squeeze_factor: int = 4):
        super().__init__()
        squeezed = _make_divisible(channels // squeeze_factor, 8)
        self.fc1 = nn.Conv2d(channels, squeezed, 1)
        self.relu = nn.ReLU(inplace=True)
        self.fc2 = nn.Conv2d(squeezed, channels, 1)

    def _scale(self, x: Tensor, inplace: bool) -> Tensor:
        scale = F.adaptive_avg_pool2d(x, 1)
        scale = self.fc1(scale)
        scale = self.relu(scale)
        scale = self.fc2(scale)
        return F.hardsigmoid(scale, inplace=inplace)

    def forward(self, x: Tensor) -> Tensor:
        scale = self._scale(x, True)
        return scale * x


class Bneck(nn.Module):
    def __init__(self, cnf: BneckConf, norm_layer: Callable[..., nn.Module],
                 se_layer: Callable[..., nn.Module] = SqueezeExcitation):
        super().__init__()
        if not 1 <= cnf.stride <= 2:
            raise ValueError("illegal stride value")
        self.use_res_connect = cnf.stride == 1 and cnf.in_chs == cnf.out_chs
        layers: List[nn.Module] = []
        act = nn.Hardswish if cnf.use_hs else nn.ReLU

        if cnf.expanded_chs != cnf.in_chs:
            layers.append(ConvBNActivation(cnf.in_chs, cnf.expanded_chs, kernel_size=1,
                                           norm_layer=norm_layer, activation_layer=act))
        stride = 1 if cnf.dilation > 1 else cnf.stride
        layers.append(ConvBNActivation(cnf.expanded_chs, cnf.expanded_chs, kernel_size=cnf.kernel, stride=stride,
                                       dilation=cnf.dilation, groups=cnf.expanded_chs,
                                       norm_layer=norm_layer, activation_layer=act))
        if cnf.use_se:
            layers.append(se_layer(cnf.expanded_chs))
        layers.append(ConvBNActivation(cnf.expanded_chs, cnf.out_chs, kernel_size=1,
                                       norm_layer=norm_layer, activation_layer=nn.Identity))
        self.block = nn.Sequential(*layers)
        self.out_channels = cnf.out_chs

    def forward(self, x: Tensor) -> Tensor:
        result = self.block(x)
        if self.use_res_connect:
            result += x
        return result


def build_conf(width_mult: float = 1.0) -> List[BneckConf]:
    conf = partial(BneckConf, width_mult=width_mult)
    return [
        conf(16, 3, 16, 16, False, "RE", 1, 1),
        conf(16, 3, 64, 24, False, "RE", 2, 1),
        conf(24, 5, 72, 40, True, "RE", 2, 1),
        conf(40, 3, 120, 80, False, "HS", 2, 1),
        conf(80, 5, 240, 80, False, "HS", 1, 2),
    ]


class MobileNetV3Encoder(nn.Module):
    STAGES = {1: "f1", 2: "f2", 3: "f3"}

    def __init__(self, width_mult: float = 1.0, last_chs: int = 96):
        super().__init__()
        norm_layer = partial(nn.BatchNorm2d, eps=0.001, momentum=0.01)
        confs = build_conf(width_mult)
        layers = [ConvBNActivation(3, confs[0].in_chs, stride=2, norm_layer=norm_layer, activation_layer=nn.Hardswish)]
        layers += [Bneck(cnf, norm_layer) for cnf in confs]
        layers.append(ConvBNActivation(confs[-1].out_chs, last_chs, kernel_size=1,
                                       norm_layer=norm_layer, activation_layer=nn.Hardswish))
        self.features = nn.ModuleList(layers)
        self.mean = [0.485, 0.456, 0.406]
        self.std = [0.229, 0.224, 0.225]
        self.channels = [confs[0].out_chs, confs[1].out_chs, confs[2].out_chs, last_chs]

    def normalize(self, tensor: Tensor) -> Tensor:
        channels = [(c - m) / s for c, m, s in zip(tensor.split(1, dim=-3), self.mean, self.std)]
        return _cat_channels(channels)

    def forward_single_frame(self, x):
        x = self.normalize(x)
        collected = {}
        for i, layer in enumerate(self.features):
            x = layer(x)
            if i in self.STAGES:
                collected[self.STAGES[i]] = x
        return [collected["f1"], collected["f2"], collected["f3"], x]

    def forward_time_series(self, x):
        B, T = x.shape[:2]
        features = self.forward_single_frame(x.flatten(0, 1))
        return [f.unflatten(0, (B, T)) for f in features]

    def forward(self, x):
        if x.ndim == 5:
            return self.forward_time_series(x)
        else:
            return self.forward_single_frame(x)


def _cat_channels(parts):
    return torch.cat(parts, dim=-3)
