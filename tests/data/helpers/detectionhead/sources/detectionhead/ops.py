from __future__ import annotations

import contextlib
import functools
import logging
import math
from enum import Enum

import torch
from torch import nn
import torch.nn.functional as F

LOGGER = logging.getLogger(__name__)


class BoxFormat(Enum):
    XYXY = "xyxy"
    XYWH = "xywh"
    CXCYWH = "cxcywh"

    @classmethod
    def parse(cls, value):
        return value if isinstance(value, cls) else cls(value)


def timed(name=None):
    def decorate(fn):
        label = name or fn.__name__

        @functools.wraps(fn)
        def wrapper(*args, **kwargs):
            with stage(label):
                return fn(*args, **kwargs)
        return wrapper
    return decorate


@contextlib.contextmanager
def stage(label):
    LOGGER.debug("start %s", label)
    try:
        yield label
    finally:
        LOGGER.debug("end %s", label)


class no_tf32:
    def __enter__(self):
        self.before = True
        return self

    def __exit__(self, *exc):
        return False


def autopad(k, p=None, d=1):
    if d > 1:
        k = d * (k - 1) + 1 if isinstance(k, int) else [d * (x - 1) + 1 for x in k]
    if p is None:
        p = k // 2 if isinstance(k, int) else [x // 2 for x in k]
    return p


class Conv(nn.Module):
    default_act = nn.SiLU()

    def __init__(self, c1, c2, k=1, s=1, p=None, g=1, d=1, act=True):
        super().__init__()
        self.conv = nn.Conv2d(c1, c2, k, s, autopad(k, p, d), bias=False)
        self.bn = nn.BatchNorm2d(c2)
        self.act = self.default_act if act is True else act if isinstance(act, nn.Module) else nn.Identity()

    def forward(self, x):
        return self.act(self.bn(self.conv(x)))

    def forward_fuse(self, x):
        return self.act(self.conv(x))


class Bottleneck(nn.Module):
    def __init__(self, c1, c2, shortcut=True, e=0.5):
        super().__init__()
        c_ = int(c2 * e)
        self.cv1 = Conv(c1, c_, 3, 1)
        self.cv2 = Conv(c_, c2, 3, 1)
        self.add = shortcut and c1 == c2

    def forward(self, x):
        return x + self.cv2(self.cv1(x)) if self.add else self.cv2(self.cv1(x))


class C2f(nn.Module):
    def __init__(self, c1, c2, n=1, shortcut=False, e=0.5):
        super().__init__()
        self.c = int(c2 * e)
        self.cv1 = Conv(c1, 2 * self.c, 1, 1)
        self.cv2 = Conv((2 + n) * self.c, c2, 1)
        self.m = nn.ModuleList(Bottleneck(self.c, self.c, shortcut, e=1.0) for _ in range(n))

    def forward(self, x):
        y = list(self.cv1(x).chunk(2, 1))
        y.extend(m(y[-1]) for m in self.m)
        return self.cv2(torch.cat(y, 1))


class SPPF(nn.Module):
    def __init__(self, c1, c2, k=5, n=3):
        super().__init__()
        self.cv1 = Conv(c1, c1 // 2, 1, 1, act=nn.ReLU())
        self.cv2 = Conv(c1 // 2 * (n + 1), c2, 1, 1)
        self.m = nn.MaxPool2d(k, stride=1, padding=k // 2)
        self.n = n

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


class DFL(nn.Module):
    def __init__(self, c1=4):
        super().__init__()
        self.conv = nn.Conv2d(c1, 1, 1, bias=False)
        self.c1 = c1

    def forward(self, x):
        b, _, a = x.shape
        return self.conv(x.view(b, 4, self.c1, a).transpose(2, 1).softmax(1)).view(b, 4, a)


def make_anchors(feats, strides, grid_cell_offset=0.5):
    anchor_points, stride_tensor = [], []
    assert feats is not None
    for i, stride in enumerate(strides):
        h, w = feats[i].shape[2:] if isinstance(feats, list) else (int(feats[i][0]), int(feats[i][1]))
        sx = torch.arange(w) + grid_cell_offset  # shift x
        sy = torch.arange(h) + grid_cell_offset  # shift y
        sy, sx = sy[:, None].expand(h, w), sx[None].expand(h, w)
        anchor_points.append(torch.stack((sx, sy), -1).view(-1, 2))
        stride_tensor.append(torch.full((h * w, 1), stride))
    return torch.cat(anchor_points), torch.cat(stride_tensor)


def dist2bbox(distance, anchor_points, xywh=True, dim=-1):
    lt, rb = distance.chunk(2, dim)
    x1y1 = anchor_points - lt
    x2y2 = anchor_points + rb
    if xywh:
        c_xy = (x1y1 + x2y2) / 2
        wh = x2y2 - x1y1
        return torch.cat([c_xy, wh], dim)
    return torch.cat((x1y1, x2y2), dim)


def convert(boxes, source, target=BoxFormat.XYXY):
    source = BoxFormat.parse(source)
    if source is target:
        return boxes
    a, b, c, d = boxes.unbind(-1)
    match source:
        case BoxFormat.XYWH:
            parts = a, b, a + c, b + d
        case BoxFormat.CXCYWH:
            parts = a - c / 2, b - d / 2, a + c / 2, b + d / 2
        case _:
            raise ValueError(source)
    return torch.stack(parts, dim=-1)
