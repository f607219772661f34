import math
import typing as tp

import torch
from torch import nn
from torch.nn import functional as F

CONV_NORMALIZATIONS = frozenset(["none", "weight_norm", "time_group_norm"])


def get_extra_padding_for_conv1d(x: torch.Tensor, kernel_size: int, stride: int, padding_total: int = 0) -> int:
    length = x.shape[-1]
    n_frames = (length - kernel_size + padding_total) / stride + 1
    ideal_length = (math.ceil(n_frames) - 1) * stride + (kernel_size - padding_total)
    return ideal_length - length


def pad1d(x: torch.Tensor, paddings: tp.Tuple[int, int], mode: str = "constant", value: float = 0.):
    """F.pad, but reflection also works for inputs that are shorter than the padding."""
    length = x.shape[-1]
    padding_left, padding_right = paddings
    assert padding_left >= 0 and padding_right >= 0, (padding_left, padding_right)
    if mode == "reflect":
        max_pad = max(padding_left, padding_right)
        extra_pad = 0
        if length <= max_pad:
            extra_pad = max_pad - length + 1
            x = F.pad(x, (0, extra_pad))
        padded = F.pad(x, paddings, mode)
        end = padded.shape[-1] - extra_pad
        return padded[..., :end]
    return F.pad(x, paddings, mode, value)


def unpad1d(x: torch.Tensor, paddings: tp.Tuple[int, int]):
    padding_left, padding_right = paddings
    end = x.shape[-1] - padding_right
    return x[..., padding_left:end]


class WeightNormMixin:
    """Weight given as a direction and a magnitude."""

    def split_weight(self):
        shape = self.weight.shape
        self.weight_g = nn.Parameter(torch.ones(shape[0], 1, 1))
        self.weight_v = nn.Parameter(torch.randn(shape))
        del self.weight
        return self

    @property
    def normed_weight(self):
        v = self.weight_v
        norm = v.pow(2).sum(dim=(1, 2), keepdim=True).sqrt()
        return v * (self.weight_g / norm)


class WNConv1d(WeightNormMixin, nn.Conv1d):
    def __init__(self, *args, **kwargs):
        nn.Conv1d.__init__(self, *args, **kwargs)
        self.split_weight()

    def forward(self, x):
        return F.conv1d(x, self.normed_weight, self.bias, self.stride, self.padding, self.dilation, self.groups)


class WNConvTranspose1d(WeightNormMixin, nn.ConvTranspose1d):
    def __init__(self, *args, **kwargs):
        nn.ConvTranspose1d.__init__(self, *args, **kwargs)
        self.split_weight()

    def forward(self, x):
        return F.conv_transpose1d(x, self.normed_weight, self.bias, self.stride)


def get_conv(norm: str, transposed: bool = False):
    assert norm in CONV_NORMALIZATIONS
    if norm == "weight_norm":
        return WNConvTranspose1d if transposed else WNConv1d
    return nn.ConvTranspose1d if transposed else nn.Conv1d


def get_norm_module(module, norm: str = "none", **norm_kwargs):
    if norm == "time_group_norm":
        return nn.GroupNorm(1, module.out_channels, **norm_kwargs)
    return nn.Identity()


class NormConv1d(nn.Module):
    def __init__(self, *args, norm: str = "none", norm_kwargs: tp.Dict[str, tp.Any] = {}, **kwargs):
        super().__init__()
        self.conv = get_conv(norm)(*args, **kwargs)
        self.norm = get_norm_module(self.conv, norm, **norm_kwargs)

    def forward(self, x):
        return self.norm(self.conv(x))


class NormConvTranspose1d(nn.Module):
    def __init__(self, *args, norm: str = "none", norm_kwargs: tp.Dict[str, tp.Any] = {}, **kwargs):
        super().__init__()
        self.convtr = get_conv(norm, transposed=True)(*args, **kwargs)
        self.norm = get_norm_module(self.convtr, norm, **norm_kwargs)

    def forward(self, x):
        return self.norm(self.convtr(x))


class SConv1d(nn.Module):
    """Conv1d that pads itself, causally or on both sides."""

    def __init__(self, in_channels: int, out_channels: int, kernel_size: int, stride: int = 1, dilation: int = 1,
                 groups: int = 1, bias: bool = True, causal: bool = False, norm: str = "none", pad_mode: str = "reflect"):
        super().__init__()
        self.conv = NormConv1d(in_channels, out_channels, kernel_size, stride, dilation=dilation, groups=groups,
                               bias=bias, norm=norm)
        self.causal = causal
        self.pad_mode = pad_mode

    def _pad(self, x):
        kernel_size, stride = self.conv.conv.kernel_size[0], self.conv.conv.stride[0]
        kernel_size = (kernel_size - 1) * self.conv.conv.dilation[0] + 1
        padding_total = kernel_size - stride
        extra_padding = get_extra_padding_for_conv1d(x, kernel_size, stride, padding_total)
        if self.causal:
            return pad1d(x, (padding_total, extra_padding), mode=self.pad_mode)
        padding_right = padding_total // 2
        padding_left = padding_total - padding_right
        return pad1d(x, (padding_left, padding_right + extra_padding), mode=self.pad_mode)

    def forward(self, x):
        return self.conv(self._pad(x))


class SConvTranspose1d(nn.Module):
    def __init__(self, in_channels: int, out_channels: int, kernel_size: int, stride: int = 1, causal: bool = False,
                 norm: str = "none", trim_right_ratio: float = 1.):
        super().__init__()
        self.convtr = NormConvTranspose1d(in_channels, out_channels, kernel_size, stride, norm=norm)
        self.causal = causal
        self.trim_right_ratio = trim_right_ratio

    def forward(self, x):
        padding_total = self.convtr.convtr.kernel_size[0] - self.convtr.convtr.stride[0]
        y = self.convtr(x)
        ratio = self.trim_right_ratio if self.causal else 0.5
        padding_right = math.ceil(padding_total * ratio)
        return unpad1d(y, (padding_total - padding_right, padding_right))
