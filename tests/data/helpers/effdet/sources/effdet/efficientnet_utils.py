"""Helpers for building EfficientNet and EfficientDet: parameters, block strings, activations and padded layers."""
import collections
import math
import re
from functools import partial

import torch
from torch import nn
from torch.nn import functional as F

GlobalParams = collections.namedtuple("GlobalParams", [
    "width_coefficient", "depth_coefficient", "image_size", "num_classes", "batch_norm_momentum",
    "batch_norm_epsilon", "drop_connect_rate", "depth_divisor", "min_depth"])

BlockArgs = collections.namedtuple("BlockArgs", [
    "num_repeat", "kernel_size", "stride", "expand_ratio", "input_filters", "output_filters", "se_ratio", "id_skip"])

GlobalParams.__new__.__defaults__ = (None,) * len(GlobalParams._fields)
BlockArgs.__new__.__defaults__ = (None,) * len(BlockArgs._fields)


def swish(x, inplace: bool = False):
    return x.mul_(x.sigmoid()) if inplace else x.mul(x.sigmoid())


def drop_connect(inputs, p, training):
    if not training:
        return inputs
    keep_prob = 1 - p
    random_tensor = keep_prob + torch.rand([inputs.shape[0], 1, 1, 1])
    return inputs / keep_prob * torch.floor(random_tensor)


class Swish(nn.Module):
    def __init__(self, inplace: bool = False):
        super().__init__()
        self.inplace = inplace

    def forward(self, x):
        return swish(x, self.inplace)


def round_filters(filters, global_params):
    multiplier = global_params.width_coefficient
    if not multiplier:
        return filters
    divisor = global_params.depth_divisor
    min_depth = global_params.min_depth or divisor
    filters *= multiplier
    new_filters = max(min_depth, int(filters + divisor / 2) // divisor * divisor)
    if new_filters < 0.9 * filters:
        new_filters += divisor
    return int(new_filters)


def round_repeats(repeats, global_params):
    multiplier = global_params.depth_coefficient
    return int(math.ceil(multiplier * repeats)) if multiplier else repeats


def calc_same_pad(size, kernel, stride, dilation=1):
    return max((math.ceil(size / stride) - 1) * stride + (kernel - 1) * dilation + 1 - size, 0)


def pad_same(x, k, s, d=(1, 1), value: float = 0):
    ih, iw = x.size()[-2:]
    pad_h, pad_w = calc_same_pad(ih, k[0], s[0], d[0]), calc_same_pad(iw, k[1], s[1], d[1])
    if pad_h > 0 or pad_w > 0:
        x = F.pad(x, [pad_w // 2, pad_w - pad_w // 2, pad_h // 2, pad_h - pad_h // 2], value=value)
    return x


def conv2d_same(x, weight, bias=None, stride=(1, 1), dilation=(1, 1), groups=1):
    x = pad_same(x, weight.shape[-2:], stride, dilation)
    return F.conv2d(x, weight, bias, stride, (0, 0), dilation, groups)


class Conv2dDynamicSamePadding(nn.Conv2d):
    """2D convolutions like TensorFlow, for a dynamic image size."""

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, dilation=1, groups=1, bias=True):
        super().__init__(in_channels, out_channels, kernel_size, stride, 0, dilation, groups, bias)
        self.stride = self.stride if len(self.stride) == 2 else [self.stride[0]] * 2

    def forward(self, x):
        return conv2d_same(x, self.weight, self.bias, self.stride, self.dilation, self.groups)


class Conv2dStaticSamePadding(nn.Conv2d):
    """2D convolutions like TensorFlow, for a fixed image size."""

    def __init__(self, in_channels, out_channels, kernel_size, image_size=None, **kwargs):
        super().__init__(in_channels, out_channels, kernel_size, **kwargs)
        assert image_size is not None
        ih, iw = image_size if isinstance(image_size, (list, tuple)) else [image_size, image_size]
        kh, kw = self.weight.size()[-2:]
        sh, sw = self.stride
        pad_h, pad_w = calc_same_pad(ih, kh, sh), calc_same_pad(iw, kw, sw)
        if pad_h > 0 or pad_w > 0:
            self.static_padding = nn.ZeroPad2d((pad_w // 2, pad_w - pad_w // 2, pad_h // 2, pad_h - pad_h // 2))
        else:
            self.static_padding = nn.Identity()

    def forward(self, x):
        x = self.static_padding(x)
        x = F.conv2d(x, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups)
        return x


def get_same_padding_conv2d(image_size=None):
    if image_size is None:
        return Conv2dDynamicSamePadding
    else:
        return partial(Conv2dStaticSamePadding, image_size=image_size)


class MaxPool2dSame(nn.Module):
    def __init__(self, kernel_size, stride):
        super().__init__()
        self.kernel_size = [kernel_size] * 2
        self.stride = [stride] * 2

    def forward(self, x):
        x = pad_same(x, self.kernel_size, self.stride, value=-float("inf"))
        return F.max_pool2d(x, self.kernel_size, self.stride)


class BlockDecoder(object):
    """Reads the block strings of the TensorFlow repository."""

    @staticmethod
    def _decode_block_string(block_string):
        assert isinstance(block_string, str)
        options = {}
        for op in block_string.split("_"):
            splits = re.split(r"(\d.*)", op)
            if len(splits) >= 2:
                key, val = splits[:2]
                options[key] = val
        return BlockArgs(
            num_repeat=int(options["r"]),
            kernel_size=int(options["k"]),
            stride=[int(options["s"][0])],
            expand_ratio=int(options["e"]),
            input_filters=int(options["i"]),
            output_filters=int(options["o"]),
            se_ratio=float(options["se"]) if "se" in options else None,
            id_skip="noskip" not in block_string)

    @staticmethod
    def decode(string_list):
        return [BlockDecoder._decode_block_string(s) for s in string_list]


def efficientnet(width_coefficient=None, depth_coefficient=None, drop_connect_rate=0.2, image_size=None):
    blocks_args = BlockDecoder.decode([
        "r1_k3_s11_e1_i32_o16_se0.25",
        "r1_k3_s22_e6_i16_o24",
        "r2_k5_s22_e6_i24_o40_se0.25",
        "r1_k3_s22_e6_i40_o80",
    ])
    global_params = GlobalParams(
        batch_norm_momentum=0.99, batch_norm_epsilon=1e-3, drop_connect_rate=drop_connect_rate,
        width_coefficient=width_coefficient, depth_coefficient=depth_coefficient, depth_divisor=8, min_depth=None,
        image_size=image_size)
    return blocks_args, global_params


def get_model_params(model_name, override_params=None):
    params = {"efficientnet-b0": (1.0, 1.0, 96), "efficientnet-b0-half": (0.5, 1.0, None)}
    if not model_name.startswith("efficientnet"):
        raise NotImplementedError("model name is not pre-defined: %s" % model_name)
    w, d, s = params[model_name]
    blocks_args, global_params = efficientnet(width_coefficient=w, depth_coefficient=d, image_size=s)
    if override_params:
        global_params = global_params._replace(**override_params)
    return blocks_args, global_params
