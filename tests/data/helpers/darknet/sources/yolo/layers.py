import torch
import torch.nn as nn
import torch.nn.functional as F

from .boxes import make_grid


def mish(x):
    return x * torch.tanh(F.softplus(x))


class Mish(nn.Module):
    def forward(self, x):
        return mish(x)


class Swish(nn.Module):
    def forward(self, x):
        return x.mul(x.sigmoid())


ACTIVATIONS = {
    "leaky": lambda: nn.LeakyReLU(0.1, inplace=True),
    "relu": lambda: nn.ReLU(inplace=True),
    "logistic": nn.Sigmoid,
    "mish": Mish,
    "swish": Swish,
}


def autopad(kernel, padding=None):
    if padding is None:
        padding = kernel // 2 if isinstance(kernel, int) else [k // 2 for k in kernel]
    return padding


class RoutedLayer(nn.Module):
    """A layer that reads outputs of earlier ones, by their index."""

    def __init__(self, layers):
        super().__init__()
        self.layers = layers

    def sources(self, outputs):
        return [outputs[i] for i in self.layers]


class FeatureConcat(RoutedLayer):
    def __init__(self, layers, groups=1, group_id=0):
        super().__init__(layers)
        self.groups, self.group_id = groups, group_id
        self.multiple = len(layers) > 1

    def _group(self, x):
        return x.chunk(self.groups, dim=1)[self.group_id] if self.groups > 1 else x

    def forward(self, x, outputs):
        found = self.sources(outputs)
        return torch.cat([self._group(f) for f in found], 1) if self.multiple else self._group(found[0])


class WeightedFeatureFusion(RoutedLayer):
    """The shortcut of darknet: a sum of two or more layers, weighted on demand."""

    def __init__(self, layers, weights_type="none", activation="linear"):
        super().__init__(layers)
        self.n = len(layers) + 1
        self.weight = weights_type != "none"
        if self.weight:
            self.w = nn.Parameter(torch.zeros(self.n))
        self.act = ACTIVATIONS[activation]() if activation != "linear" else None

    def _weights(self):
        return torch.sigmoid(self.w) * (2 / self.n)

    @staticmethod
    def _accumulate(x, a):
        nx, na = x.shape[1], a.shape[1]
        if nx == na:
            return x + a
        if nx > na:  # the other one is narrower
            x[:, :na] = x[:, :na] + a
            return x
        return x + a[:, :nx]

    def forward(self, x, outputs):
        w = self._weights() if self.weight else None
        if w is not None:
            x = x * w[0]
        for i, a in enumerate(self.sources(outputs), 1):
            x = self._accumulate(x, a * w[i] if w is not None else a)
        return x if self.act is None else self.act(x)


class ScaleChannels(RoutedLayer):
    def forward(self, x, outputs):
        return x.expand_as(outputs[self.layers[0]]) * outputs[self.layers[0]]


class YOLOLayer(nn.Module):
    def __init__(self, anchors, nc, stride, scale_x_y=1.0, new_coords=False):
        super().__init__()
        self.stride, self.scale_x_y, self.new_coords = stride, scale_x_y, new_coords
        self.na, self.nc = len(anchors), nc
        self.no = nc + 5
        anchor_vec = torch.tensor([c for a in anchors for c in a]).view(len(anchors), 2) / stride
        self.register_buffer("anchor_vec", anchor_vec)

    @property
    def anchor_wh(self):
        return self.anchor_vec.view(1, self.na, 1, 1, 2)

    def forward(self, p):
        bs, _, ny, nx = p.shape
        p = p.view(bs, self.na, self.no, ny, nx).permute(0, 1, 3, 4, 2).contiguous()
        if self.training:
            return p, None
        return p, self.decode(p, make_grid(nx, ny))

    def decode(self, p, grid):
        xy, wh, conf = p.split([2, 2, self.no - 4], dim=-1)
        xy = (self._activate(xy) * self.scale_x_y - 0.5 * (self.scale_x_y - 1) + grid) * self.stride
        wh = self._decode_wh(wh) * self.stride
        io = torch.cat((xy, wh, self._activate(conf)), dim=-1)
        return io.view(p.shape[0], -1, self.no)

    def _decode_wh(self, wh):
        if self.new_coords:
            return (torch.sigmoid(wh) * 2) ** 2 * self.anchor_wh
        return torch.exp(wh) * self.anchor_wh

    def _activate(self, x):
        return torch.sigmoid(x)
