import torch
import torch.nn as nn


class Transpose(nn.Module):
    def __init__(self, dim0, dim1):
        super(Transpose, self).__init__()
        self.dim0 = dim0
        self.dim1 = dim1

    def forward(self, x):
        return x.transpose(self.dim0, self.dim1)


class Interpolate(nn.Module):
    """Interpolation as a module, for use in nn.Sequential."""

    def __init__(self, scale_factor, mode, align_corners=False):
        super(Interpolate, self).__init__()
        self.interp = nn.functional.interpolate
        self.scale_factor = scale_factor
        self.mode = mode
        self.align_corners = align_corners

    def forward(self, x):
        return self.interp(x, scale_factor=self.scale_factor, mode=self.mode, align_corners=self.align_corners)


def _make_scratch(in_shape, out_shape, groups=1, expand=False):
    scratch = nn.Module()
    for i, width in enumerate(in_shape):
        out = out_shape * 2**i if expand else out_shape
        layer = nn.Conv2d(width, out, kernel_size=3, stride=1, padding=1, bias=False, groups=groups)
        setattr(scratch, f"layer{i + 1}_rn", layer)
    return scratch


def resize(x, size=None, scale_factor=None, align_corners=True):
    modifier = {"scale_factor": 2} if size is None and scale_factor is None else {"size": size, "scale_factor": scale_factor}
    return nn.functional.interpolate(x, **modifier, mode="bilinear", align_corners=align_corners)


class ResidualConvUnit(nn.Module):
    """Residual convolution module.

    Args:
        features (int): number of features
        activation (nn.Module): used before both convolutions
        bn (bool): with batch norms
    """

    def __init__(self, features, activation, bn):
        super().__init__()
        self.bn = bn
        self.conv1 = nn.Conv2d(features, features, kernel_size=3, stride=1, padding=1, bias=not bn)
        self.conv2 = nn.Conv2d(features, features, kernel_size=3, stride=1, padding=1, bias=not bn)
        if self.bn:
            self.bn1 = nn.BatchNorm2d(features)
            self.bn2 = nn.BatchNorm2d(features)
        self.activation = activation
        self.skip_add = nn.quantized.FloatFunctional()

    def _unit(self, x, conv, bn):
        out = conv(self.activation(x))
        return out if bn is None else bn(out)

    def forward(self, x):
        out = self._unit(x, self.conv1, self.bn1 if self.bn else None)
        out = self._unit(out, self.conv2, self.bn2 if self.bn else None)
        return self.skip_add.add(out, x)


class FeatureFusionBlock(nn.Module):
    """Joins the path from the coarser level with the features of this one and doubles the size."""

    def __init__(self, features, activation, bn=False, expand=False, align_corners=True, size=None):
        super(FeatureFusionBlock, self).__init__()
        self.align_corners = align_corners
        out_features = features // 2 if expand else features
        self.out_conv = nn.Conv2d(features, out_features, kernel_size=1, stride=1, padding=0, bias=True)
        self.resConfUnit1 = ResidualConvUnit(features, activation, bn)
        self.resConfUnit2 = ResidualConvUnit(features, activation, bn)
        self.skip_add = nn.quantized.FloatFunctional()
        self.size = size

    def forward(self, *xs, size=None):
        output = xs[0]
        if len(xs) == 2:
            res = self.resConfUnit1(xs[1])
            output = self.skip_add.add(output, res)

        output = self.resConfUnit2(output)
        output = resize(output, size or self.size, align_corners=self.align_corners)
        return self.out_conv(output)


def _make_fusion_block(features, use_bn, size=None):
    return FeatureFusionBlock(features, nn.ReLU(False), bn=use_bn, expand=False, align_corners=True, size=size)
