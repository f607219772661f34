from collections import namedtuple
from typing import Callable, List, Optional

import torch
from torch import nn, Tensor
from torch.nn import functional as F

from . import ops
from .ops import Functional as FX, NON_LINEARITY, _make_divisible

BlockArgs = namedtuple("BlockArgs", "kernel exp out se nl stride")


class ConvBN(nn.Sequential):
    def __init__(self, inp, oup, kernel=3, stride=1, groups=1, act: Optional[Callable[..., nn.Module]] = ops.HSwish):
        layers = [nn.Conv2d(inp, oup, kernel, stride, (kernel - 1) // 2, groups=groups, bias=False), nn.BatchNorm2d(oup)]
        if act is not None:
            layers.append(act())
        super().__init__(*layers)
        self.out_channels = oup


class SELayer(nn.Module):
    def __init__(self, channel, reduction=4):
        super().__init__()
        squeezed = _make_divisible(channel // reduction, 4)
        self.fc1 = nn.Conv2d(channel, squeezed, 1)
        self.fc2 = nn.Conv2d(squeezed, channel, 1)
        self.gate = ops.HSigmoid()

    def _scale(self, x: Tensor) -> Tensor:
        scale = FX.global_pool(x)
        scale = FX.relu(self.fc1(scale))
        return self.gate(self.fc2(scale))

    def forward(self, x: Tensor) -> Tensor:
        return self._scale(x) * x


class Norm(nn.Module):
    """Batch normalization that is folded where the device does not know it."""

    def __init__(self, n, folded=True):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(n))
        self.bias = nn.Parameter(torch.zeros(n))
        self.register_buffer("running_mean", torch.zeros(n))
        self.register_buffer("running_var", torch.ones(n))
        self.folded = folded

    def forward(self, x):
        if self.training or not self.folded:
            return F.batch_norm(x, self.running_mean, self.running_var, self.weight, self.bias, self.training)
        return ops.fold_norm(x, self.weight, self.bias, self.running_mean, self.running_var)


class InvertedResidual(nn.Module):
    def __init__(self, inp, args: BlockArgs, tf_padding=False):
        super().__init__()
        assert args.stride in (1, 2) and 1 <= args.kernel <= 7, "stride %d, kernel %d" % (args.stride, args.kernel)
        self.identity = args.stride == 1 and inp == args.out
        self.kernel, self.stride, self.tf_padding = args.kernel, args.stride, tf_padding
        if args.exp != inp:
            self.expand = nn.Conv2d(inp, args.exp, 1, bias=False)
            self.bn0 = Norm(args.exp)
        else:
            self.expand = None
        self.depthwise = nn.Conv2d(args.exp, args.exp, args.kernel, args.stride, 0 if tf_padding else args.kernel // 2, groups=args.exp, bias=False)
        self.bn1 = Norm(args.exp)
        self.se = SELayer(args.exp) if args.se else nn.Identity()
        self.project = nn.Conv2d(args.exp, args.out, 1, bias=False)
        self.bn2 = Norm(args.out)
        self.act = NON_LINEARITY[args.nl]

    def _expand(self, x):
        if self.expand is None:
            return x
        return self.act(self.bn0(self.expand(x)))

    def _depthwise(self, x):
        if self.tf_padding:
            x = ops.same_pad(x, self.kernel, self.stride)
        return self.act(self.bn1(self.depthwise(x)))

    def _residual(self, x):
        out = self._expand(x)
        out = self._depthwise(out)
        out = self.se(out)
        return self.bn2(self.project(out))

    def forward(self, x):
        if self.identity:
            return x + self._residual(x)
        else:
            return self._residual(x)


class ShuffleUnit(nn.Module):
    def __init__(self, inp, oup, stride):
        super().__init__()
        if not (1 <= stride <= 3):
            raise ValueError("illegal stride value")
        self.stride = stride
        branch_features = oup // 2
        if self.stride > 1:
            self.branch1 = nn.Sequential(self.depthwise_conv(inp, inp, 3, stride, 1), nn.BatchNorm2d(inp), nn.Conv2d(inp, branch_features, 1, bias=False), nn.ReLU(inplace=True))
        else:
            self.branch1 = nn.Sequential()
        self.branch2 = nn.Sequential(
            nn.Conv2d(inp if stride > 1 else branch_features, branch_features, 1, bias=False), nn.BatchNorm2d(branch_features), nn.ReLU(inplace=True),
            self.depthwise_conv(branch_features, branch_features, 3, stride, 1), nn.BatchNorm2d(branch_features),
        )

    @staticmethod
    def depthwise_conv(i, o, kernel_size, stride=1, padding=0, bias=False):
        return nn.Conv2d(i, o, kernel_size, stride, padding, bias=bias, groups=i)

    def forward(self, x: Tensor) -> Tensor:
        if self.stride == 1:
            x1, x2 = x.chunk(2, dim=1)
            out = torch.cat((x1, self.branch2(x2)), dim=1)
        else:
            out = torch.cat((self.branch1(x), self.branch2(x)), dim=1)
        out = ops.channel_shuffle(out, 2)
        return out


class GhostModule(nn.Module):
    """Half of the channels are made from the other half by cheap operators."""

    def __init__(self, inp, oup, ratio=2, relu=True):
        super().__init__()
        self.oup = oup
        init_channels = -(-oup // ratio)
        new_channels = init_channels * (ratio - 1)
        self.primary_conv = nn.Sequential(nn.Conv2d(inp, init_channels, 1, bias=False), nn.BatchNorm2d(init_channels), nn.ReLU() if relu else nn.Sequential())
        self.cheap_operation = nn.Sequential(nn.Conv2d(init_channels, new_channels, 3, 1, 1, groups=init_channels, bias=False), nn.BatchNorm2d(new_channels))

    def forward(self, x):
        x1 = self.primary_conv(x)
        x2 = self.cheap_operation(x1)
        out = torch.cat([x1, x2], dim=1)
        return out[:, :self.oup, :, :]


class CoordAttention(nn.Module):
    def __init__(self, channels, reduction=4):
        super().__init__()
        mip = max(4, channels // reduction)
        self.conv1 = nn.Conv2d(channels, mip, 1)
        self.heads = nn.ModuleDict({axis: nn.Conv2d(mip, channels, 1) for axis in "hw"})

    def _pooled(self, x):
        x_h = x.mean(dim=3, keepdim=True)
        x_w = x.mean(dim=2, keepdim=True).permute(0, 1, 3, 2)
        return torch.cat([x_h, x_w], dim=2)

    def forward(self, x):
        identity = x
        n, c, h, w = x.size()
        y = FX.hswish(self.conv1(self._pooled(x)))
        x_h, x_w = torch.split(y, [h, w], dim=2)
        x_w = x_w.permute(0, 1, 3, 2)
        gates = {a: self.heads[a](t).sigmoid() for a, t in (("h", x_h), ("w", x_w))}
        identity = identity * gates["w"] * gates["h"]
        del gates, y
        return identity
