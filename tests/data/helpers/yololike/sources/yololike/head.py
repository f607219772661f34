"""Detection head and the geometry it needs."""

import math

import torch
import torch.nn as nn

from .common import Conv


def make_anchors(feats, strides, grid_cell_offset=0.5):
    """Centres of all grid cells of all levels, and for each the stride of its level."""
    points, scales = [], []
    dtype, device = feats[0].dtype, feats[0].device
    for feat, stride in zip(feats, strides):
        *_, h, w = feat.shape
        sx = torch.arange(end=w, device=device, dtype=dtype) + grid_cell_offset
        sy = torch.arange(end=h, device=device, dtype=dtype) + grid_cell_offset
        sy, sx = torch.meshgrid(sy, sx, indexing="ij")
        points.append(torch.stack((sx, sy), -1).view(-1, 2))
        scales.append(torch.full((h * w, 1), stride, dtype=dtype, device=device))
    return torch.cat(points), torch.cat(scales)


def dist2bbox(distance, anchor_points, xywh=True, dim=-1):
    """Distances (left, top, right, bottom) from the anchor points to boxes."""
    lt, rb = distance.chunk(2, dim)
    x1y1 = anchor_points - lt
    x2y2 = anchor_points + rb
    if not xywh:
        return torch.cat((x1y1, x2y2), dim)
    return torch.cat(((x1y1 + x2y2) / 2, x2y2 - x1y1), dim)


class DFL(nn.Module):
    """Expectation of a distribution over c1 bins, as a 1x1 convolution that never learns."""

    def __init__(self, c1=16):
        super().__init__()
        self.conv = nn.Conv2d(c1, 1, 1, bias=False).requires_grad_(False)
        bins = torch.arange(c1, dtype=torch.float)
        self.conv.weight.data[:] = nn.Parameter(bins.view(1, c1, 1, 1))
        self.c1 = c1

    def forward(self, x):
        b, _, a = x.shape
        return self.conv(x.view(b, 4, self.c1, a).transpose(2, 1).softmax(1)).view(b, 4, a)


class Detect(nn.Module):
    """Decoupled, anchor-free head over several feature levels."""

    export = True  # no raw maps next to the boxes
    reg_max = 16

    def __init__(self, nc=80, strides=(8, 16, 32), ch=()):
        super().__init__()
        self.nc = nc
        self.nl = len(ch)
        self.no = nc + self.reg_max * 4
        self.stride = list(strides)
        c2, c3 = max(16, ch[0] // 4, self.reg_max * 4), max(ch[0], min(self.nc, 100))
        self.cv2 = nn.ModuleList(
            nn.Sequential(Conv(x, c2, 3), Conv(c2, c2, 3), nn.Conv2d(c2, 4 * self.reg_max, 1)) for x in ch)
        self.cv3 = nn.ModuleList(nn.Sequential(Conv(x, c3, 3), nn.Conv2d(c3, self.nc, 1)) for x in ch)
        self.dfl = DFL(self.reg_max) if self.reg_max > 1 else nn.Identity()
        self.bias_init()

    def forward(self, x):
        x = [self._level(i, xi) for i, xi in enumerate(x)]
        if self.training:
            return x
        y = self._inference(x)
        return y if self.export else (y, x)

    def _level(self, i, x):
        return torch.cat((self.cv2[i](x), self.cv3[i](x)), 1)

    def _inference(self, x):
        """One tensor (batch, 4 + classes, anchors) out of the maps of all levels."""
        b = x[0].shape[0]
        x_cat = torch.cat([xi.view(b, self.no, -1) for xi in x], 2)
        anchors, strides = (t.transpose(0, 1) for t in make_anchors(x, self.stride))
        box, cls = x_cat.split((self.reg_max * 4, self.nc), 1)
        dbox = self.decode_bboxes(self.dfl(box), anchors.unsqueeze(0)) * strides
        return torch.cat((dbox, cls.sigmoid()), 1)

    def decode_bboxes(self, bboxes, anchors, xywh=True):
        return dist2bbox(bboxes, anchors, xywh=xywh, dim=1)

    def bias_init(self):
        """Start from few, small objects: see the prior of focal loss."""
        for a, b, s in zip(self.cv2, self.cv3, self.stride):
            a[-1].bias.data[:] = 1.0
            b[-1].bias.data[: self.nc] = math.log(5 / self.nc / (640 / s) ** 2)
