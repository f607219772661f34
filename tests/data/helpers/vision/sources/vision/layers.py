import torch
from torch import nn
import torch.nn.functional as F


def conv_bn(i, o, k=3, stride=1, act=nn.ReLU):
    layers = [nn.Conv2d(i, o, k, stride=stride, padding=k // 2, bias=False), nn.BatchNorm2d(o)]
    if act is not None:
        layers.append(act(inplace=True))
    return nn.Sequential(*layers)


def drop_path(x, prob=0.0, training=False):
    if prob == 0.0 or not training:
        return x
    keep = 1 - prob
    return x / keep


def hard_swish(x):
    return x * (x + 3.0).clamp(0.0, 6.0) / 6.0


def channel_shuffle(x, groups):
    b, c, h, w = x.shape
    x = x.view(b, groups, c // groups, h, w)
    x = x.transpose(1, 2)
    return x.reshape(b, -1, h, w)


class SqueezeExcite(nn.Module):
    def __init__(self, channels, ratio=4):
        super().__init__()
        self.fc1 = nn.Conv2d(channels, channels // ratio, 1)
        self.fc2 = nn.Conv2d(channels // ratio, channels, 1)

    def _scale(self, x):
        scale = x.mean((2, 3), keepdim=True)
        scale = F.relu(self.fc1(scale))
        return torch.sigmoid(self.fc2(scale))

    def forward(self, x):
        return x * self._scale(x)


class Block(nn.Module):
    expansion = 2

    def __init__(self, i, o, stride=1, se=False, swish=False, groups=2):
        super().__init__()
        hidden = i * self.expansion
        self.expand = conv_bn(i, hidden, 1)
        self.depth = conv_bn(hidden, hidden, 3, stride, act=None)
        self.se = SqueezeExcite(hidden) if se else nn.Identity()
        self.project = conv_bn(hidden, o, 1, act=None)
        self.shortcut = None if stride == 1 and i == o else conv_bn(i, o, 1, stride, act=None)
        self.swish = swish
        self.groups = groups

    def act(self, x):
        return hard_swish(x) if self.swish else F.relu(x)

    def branch(self, x):
        y = self.expand(x)
        y = channel_shuffle(y, self.groups)
        y = self.act(self.depth(y))
        y = self.se(y)
        return self.project(y)

    def skip(self, x):
        if self.shortcut is None:
            return x
        return self.shortcut(x)

    def forward(self, x):
        y = drop_path(self.branch(x), 0.1, self.training)
        return self.act(y + self.skip(x))
