from collections import OrderedDict

import torch
from torch import nn
from torch.nn import functional as F

from .efficientnet_utils import Conv2dDynamicSamePadding, MaxPool2dSame, Swish


class SeparableConvBlock(nn.Module):
    def __init__(self, in_channels, out_channels=None, norm=True, activation=False):
        super().__init__()
        out_channels = out_channels or in_channels
        self.depthwise_conv = Conv2dDynamicSamePadding(in_channels, in_channels, 3, groups=in_channels, bias=False)
        self.pointwise_conv = Conv2dDynamicSamePadding(in_channels, out_channels, 1)
        self.bn = nn.BatchNorm2d(out_channels, momentum=0.01, eps=1e-3) if norm else None
        self.act = Swish() if activation else None

    def forward(self, x):
        x = self.depthwise_conv(x)
        x = self.pointwise_conv(x)
        if self.bn is not None:
            x = self.bn(x)
        if self.act is not None:
            x = self.act(x)
        return x


class ResampleFeatureMap(nn.Sequential):
    def __init__(self, in_channels, out_channels, reduction_ratio=1.0):
        super().__init__()
        self.reduction_ratio = reduction_ratio
        if in_channels != out_channels:
            self.add_module("conv", Conv2dDynamicSamePadding(in_channels, out_channels, 1))
            self.add_module("bn", nn.BatchNorm2d(out_channels))
        if reduction_ratio > 1:
            self.add_module("downsample", MaxPool2dSame(int(reduction_ratio) + 1, int(reduction_ratio)))
        elif reduction_ratio < 1:
            self.add_module("upsample", nn.Upsample(scale_factor=int(1 // reduction_ratio), mode="nearest"))


class FpnCombine(nn.Module):
    def __init__(self, feature_info, fpn_channels, inputs_offsets, target_reduction, weight_method="fastattn"):
        super().__init__()
        self.inputs_offsets = inputs_offsets
        self.weight_method = weight_method
        self.resample = nn.ModuleDict()
        for offset in inputs_offsets:
            in_channels, input_reduction = feature_info[offset]
            self.resample._modules[str(offset)] = ResampleFeatureMap(
                in_channels, fpn_channels, reduction_ratio=target_reduction / input_reduction)
        if weight_method in ("attn", "fastattn"):
            self.edge_weights = nn.Parameter(torch.ones(len(inputs_offsets)))
        else:
            self.edge_weights = None
        self._weigh = {"attn": self._softmax_weights, "fastattn": self._fast_weights}.get(weight_method)

    def _softmax_weights(self, dtype):
        return torch.softmax(self.edge_weights.to(dtype=dtype), dim=0)

    def _fast_weights(self, dtype, eps=1e-4):
        edge_weights = F.relu(self.edge_weights.to(dtype=dtype))
        weights_sum = torch.sum(edge_weights)
        return edge_weights / (weights_sum + eps)

    def _resampled(self, x):
        nodes = []
        for offset, resample in zip(self.inputs_offsets, self.resample.values()):
            nodes.append(resample(x[offset]))
        return nodes

    def forward(self, x):
        nodes = self._resampled(x)
        if self._weigh is None:
            return torch.stack(nodes, dim=-1).sum(-1)
        weights = self._weigh(nodes[0].dtype)
        out = sum(node * weights[i] for i, node in enumerate(nodes))
        return out


class Fnode(nn.Module):
    """Combine, then convolve."""

    def __init__(self, combine, after_combine):
        super().__init__()
        self.combine = combine
        self.after_combine = after_combine

    def forward(self, x):
        return self.after_combine(self.combine(x))


def get_fpn_config(num_levels=3, min_level=2):
    nodes = []
    node_ids = {level: [level - min_level] for level in range(min_level, min_level + num_levels)}
    level_last_id = lambda level: node_ids[level][-1]
    level_all_ids = lambda level: node_ids[level]
    counter = num_levels

    def append(level, offsets):
        nonlocal counter
        nodes.append({"reduction": 1 << level, "inputs_offsets": offsets})
        node_ids[level].append(counter)
        counter += 1

    max_level = min_level + num_levels - 1
    for i in range(max_level - 1, min_level - 1, -1):
        append(i, [level_last_id(i), level_last_id(i + 1)])
    for i in range(min_level + 1, max_level + 1):
        append(i, level_all_ids(i) + [level_last_id(i - 1)])
    return nodes


class BiFpnLayer(nn.Module):
    def __init__(self, feature_info, fpn_channels, num_levels=3, weight_method="fastattn"):
        super().__init__()
        self.num_levels = num_levels
        self.fnode = nn.ModuleList()
        feature_info = list(feature_info)
        for cfg in get_fpn_config(num_levels):
            after_combine = OrderedDict([("act", Swish()), ("conv", SeparableConvBlock(fpn_channels))])
            self.fnode.append(Fnode(
                FpnCombine(feature_info, fpn_channels, cfg["inputs_offsets"], cfg["reduction"], weight_method),
                nn.Sequential(after_combine)))
            feature_info.append((fpn_channels, cfg["reduction"]))
        self.feature_info = feature_info[-num_levels:]

    def forward(self, x):
        for fn in self.fnode:
            x.append(fn(x))
        return x[-self.num_levels:]
