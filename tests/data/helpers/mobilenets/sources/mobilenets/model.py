from functools import reduce

import torch
from torch import nn

from .blocks import BlockArgs, ConvBN, CoordAttention, GhostModule, InvertedResidual, ShuffleUnit
from .ops import Functional as FX, _make_divisible

CFGS = {
    # k, t, c, SE, HS, s
    "small": [[3, 1, 8, True, "RE", 2], [5, 3, 12, False, "RE", 1], [5, 4, 12, True, "HS", 1]],
    "large": [[3, 1, 8, False, "RE", 1], [3, 4, 12, False, "RE", 2]],
}
STAGES = ["S8", "S12", "G12", "A", "M"]


def make_layers(cfg, in_channels, width_mult=1.0):
    layers = []
    for k, t, c, se, nl, s in cfg:
        out = _make_divisible(c * width_mult, 4)
        layers.append(InvertedResidual(in_channels, BlockArgs(k, _make_divisible(in_channels * t, 4), out, se, nl, s), tf_padding=s == 2))
        in_channels = out
    return nn.Sequential(*layers), in_channels


def make_tail(names, in_channels):
    layers = []
    for name in names:
        if name == "M":
            layers += [nn.MaxPool2d(2, 2)]
        elif name == "A":
            layers += [CoordAttention(in_channels)]
        else:
            kind, width = name[0], int(name[1:])
            layers += [ShuffleUnit(in_channels, width, 2 if width != in_channels else 1) if kind == "S" else GhostModule(in_channels, width)]
            in_channels = width
    return nn.Sequential(*layers), in_channels


class FeatureFusion(nn.Module):
    """Features of several scales, each with a learned weight."""

    def __init__(self, channels, width, count):
        super().__init__()
        self.weights = nn.Parameter(torch.ones(count))
        self.align = nn.ModuleList([nn.Conv2d(c, width, 1, bias=False) for c in channels])
        self.eps = 1e-4

    def normalized(self):
        w = FX.relu(self.weights)
        return w / (w.sum(0, keepdim=True) + self.eps)

    def forward(self, *feats):
        assert len(feats) == len(self.align), f"{len(feats)} features for {len(self.align)} layers"
        w = self.normalized().unbind(0)
        size = feats[0].shape[-2:]
        aligned = [conv(f) if tuple(f.shape[-2:]) == tuple(size) else nn.functional.interpolate(conv(f), size=size, mode="nearest") for conv, f in zip(self.align, feats)]
        return reduce(torch.add, (a * b for a, b in zip(aligned, w)))


class MobileNet(nn.Module):
    def __init__(self, mode="small", num_classes=7, width_mult=1.0):
        super().__init__()
        input_channel = _make_divisible(8 * width_mult, 4)
        self.stem = ConvBN(3, input_channel, 3, 2)
        self.features, mid = make_layers(CFGS[mode], input_channel, width_mult)
        self.tail, last = make_tail(STAGES, mid)
        self.fusion = FeatureFusion((mid, last), 10, 2)
        self.head_conv = ConvBN(10, 16, 1)
        self.classifier = nn.Sequential(nn.Linear(16, 20), nn.Dropout(0.2), nn.Linear(20, num_classes))
        self._initialize_weights()

    def _initialize_weights(self):
        for m in self.modules():
            if isinstance(m, nn.Conv2d):
                n = m.weight.shape[0]
            elif isinstance(m, nn.BatchNorm2d):
                m.eps = 1e-3

    def forward_features(self, x):
        x = self.stem(x)
        mid = self.features(x)
        return mid, self.tail(mid)

    def forward_head(self, x, pre_logits: bool = False):
        x = FX.global_pool(self.head_conv(x), keepdim=False)
        if pre_logits:
            return x
        for i, layer in enumerate(self.classifier):
            x = layer(x)
            if i == 0:
                x = FX.hswish(x)
        return x

    def forward(self, x):
        if torch.jit.is_scripting():
            raise RuntimeError("not here")
        fused = self.fusion(*self.forward_features(x))
        return self.forward_head(fused)


class Normalized:
    """Wraps a model with the mean and the deviation of its images; everything else is the model's."""

    def __init__(self, model, mean=0.45, std=0.22):
        self.model, self.mean, self.std = model, mean, std

    def __call__(self, x):
        x = x - self.mean
        x /= self.std
        return self.model(x)

    def __getattr__(self, name):
        return getattr(self.model, name)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = MobileNet()
        self.test_time_flip = True

    def _views(self, x):
        yield x
        if self.test_time_flip:
            yield x.flip(-1)

    def forward(self, x):
        net = Normalized(self.net)
        logits = [net(v) for v in self._views(x)]
        total = sum(logits[1:], logits[0])
        return total / len(logits)


def example():
    return [(1, 3, 31, 31)]
