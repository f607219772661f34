"""Blocks that the rows of a model table may name."""

import math

import torch
import torch.nn as nn


def autopad(k, p=None, d=1):
    """Padding for a 'same' output at stride 1, unless p says otherwise."""
    if p is None:
        k = d * (k - 1) + 1 if d > 1 else k
        p = k // 2
    return p


def make_divisible(x, divisor=8):
    return max(divisor, math.ceil(x / divisor) * divisor)


@torch.no_grad()
def fuse_conv_and_bn(conv, bn):
    """Fold the statistics of a BatchNorm2d into the Conv2d in front of it."""
    fused = nn.Conv2d(conv.in_channels, conv.out_channels, conv.kernel_size, conv.stride, conv.padding,
                      dilation=conv.dilation, groups=conv.groups, bias=True).requires_grad_(False)
    gamma = bn.weight / torch.sqrt(bn.running_var + bn.eps)
    fused.weight.copy_(conv.weight * gamma.view(-1, 1, 1, 1))
    b = torch.zeros(conv.out_channels) if conv.bias is None else conv.bias
    fused.bias.copy_((b - bn.running_mean) * gamma + bn.bias)
    return fused


class Conv(nn.Module):
    """Conv2d + BatchNorm2d + activation: args(c1, c2, kernel, stride, padding, groups, dilation, act)."""

    default_act = nn.SiLU()

    def __init__(self, c1, c2, k=1, s=1, p=None, g=1, d=1, act=True):
        super().__init__()
        self.conv = nn.Conv2d(c1, c2, k, s, autopad(k, p, d), groups=g, dilation=d, bias=False)
        self.bn = nn.BatchNorm2d(c2)
        if isinstance(act, nn.Module):
            self.act = act
        else:
            self.act = self.default_act if act else nn.Identity()

    def forward(self, x):
        return self.act(self.bn(self.conv(x)))

    def forward_fuse(self, x):
        """Takes the place of forward once the batch norm has been folded away."""
        return self.act(self.conv(x))


class DWConv(Conv):
    def __init__(self, c1, c2, k=1, s=1, d=1, act=True):
        super().__init__(c1, c2, k, s, g=math.gcd(c1, c2), d=d, act=act)


class Bottleneck(nn.Module):
    def __init__(self, c1, c2, shortcut=True, g=1, k=(3, 3), e=0.5):
        super().__init__()
        c_ = int(c2 * e)
        self.cv1 = Conv(c1, c_, k[0], 1)
        self.cv2 = Conv(c_, c2, k[1], 1, g=g)
        self.add = shortcut and c1 == c2

    def _residual(self, x):
        return self.cv2(self.cv1(x))

    def forward(self, x):
        return x + self._residual(x) if self.add else self._residual(x)


class C2f(nn.Module):
    """CSP block that keeps what every one of its n bottlenecks gives."""

    def __init__(self, c1, c2, n=1, shortcut=False, g=1, e=0.5):
        super().__init__()
        self.c = int(c2 * e)
        self.cv1 = Conv(c1, 2 * self.c, 1, 1)
        self.cv2 = Conv((2 + n) * self.c, c2, 1)
        self.m = nn.ModuleList(Bottleneck(self.c, self.c, shortcut, g, e=1.0) for _ in range(n))

    def forward(self, x):
        y = list(self.cv1(x).chunk(2, 1))
        y.extend(m(y[-1]) for m in self.m)
        return self.cv2(torch.cat(y, 1))


class SCDown(nn.Module):
    """Halves the picture depthwise after a pointwise change of channels."""

    def __init__(self, c1, c2, k=3, s=2):
        super().__init__()
        self.cv1 = Conv(c1, c2, 1, 1)
        self.cv2 = DWConv(c2, c2, k, s, act=False)

    def forward(self, x):
        return self.cv2(self.cv1(x))


class SPPF(nn.Module):
    """Spatial pyramid pooling: one small max pool, again and again."""

    def __init__(self, c1, c2, k=5, n=3):
        super().__init__()
        c_ = c1 // 2
        self.n = n
        self.cv1 = Conv(c1, c_, 1, 1)
        self.cv2 = Conv(c_ * (n + 1), c2, 1, 1)
        self.m = nn.MaxPool2d(kernel_size=k, stride=1, padding=k // 2)

    def forward(self, x):
        y = [self.cv1(x)]
        y.extend(self.m(y[-1]) for _ in range(self.n))
        return self.cv2(torch.cat(y, 1))


class Concat(nn.Module):
    def __init__(self, dimension=1):
        super().__init__()
        self.d = dimension

    def forward(self, x):
        return torch.cat(x, self.d)
