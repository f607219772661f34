"""From the raw counts of a mat to traits of each foot region."""
from typing import Optional

import torch
import torch.nn as nn
import torch.nn.functional as F

from .settings import FootAtlas, ShoeSpec


def springiness(wanted):
    """Accepts the name of a response curve, a module class or any function of a tensor."""
    if isinstance(wanted, str):
        if wanted == "springy":
            return lambda push: push * torch.sigmoid(1.5 * push)
        elif wanted == "stiff":
            return F.relu
        raise ValueError(f"no response curve is called {wanted!r}")
    if isinstance(wanted, type) and issubclass(wanted, nn.Module):
        return wanted()
    assert callable(wanted), "springiness takes a name, a class or a function"
    return wanted


class NeighbourConv(nn.Conv2d):
    """Looks at the four nearest sensors only: diagonal crosstalk of the wiring stays out."""

    def __init__(self, incoming: int, outgoing: int):
        super().__init__(incoming, outgoing, 3, padding=1)
        cross = torch.zeros(3, 3)
        cross[1] = 1.0
        cross[:, 1] = 1.0
        self.register_buffer("wired", cross)

    def wired_kernel(self):
        return self.weight * self.wired

    def forward(self, sheet):
        return F.conv2d(sheet, self.wired_kernel(), self.bias, self.stride, self.padding)


class LoadNorm(nn.LayerNorm):
    """A layer norm whose gain cannot turn a load into a pull."""

    def forward(self, traits):
        return F.layer_norm(traits, self.normalized_shape, self.weight.abs(), self.bias, self.eps)


class CountScale(nn.Module):
    def __init__(self, spec: ShoeSpec):
        super().__init__()
        self.newton_per_count = nn.Parameter(torch.ones(spec.mat_rows, spec.mat_columns))
        self.rest_count = nn.Parameter(torch.zeros(spec.mat_rows, spec.mat_columns))
        self.warm_drift = nn.Parameter(torch.zeros(1))

    def newtons(self, counts, warmth: Optional[torch.Tensor] = None):
        loaded = F.relu(counts - self.rest_count) * self.newton_per_count
        if warmth is None:
            return loaded
        return loaded / self._softening(warmth)

    def _softening(self, warmth):
        # foam gives way as the shoe warms up
        return (1.0 + F.softplus(self.warm_drift) * torch.tanh(warmth))[:, :, None, None]


class MatReading:
    def __init__(self, traits, region_newtons):
        self.traits, self.region_newtons = traits, region_newtons

    @property
    def shares(self):
        return self.region_newtons / (self.region_newtons.sum(dim=-1, keepdim=True) + 1.0)

    def __add__(self, other: "MatReading"):
        return torch.cat([self.shares.amax(dim=1), other.shares.amax(dim=1)], dim=-1)


class SoleMat(nn.Module):
    zones = ("heel", "arch", "ball", "toes")

    def __init__(self, spec: ShoeSpec, atlas: FootAtlas):
        super().__init__()
        self.atlas = atlas
        self.scale = CountScale(spec)
        self.neighbours = NeighbourConv(1, spec.traits)
        self.even = LoadNorm(spec.traits)
        self.respond = springiness(spec.springiness)

    def arrange(self, counts, warmth=None):
        """(batch, time, rows, columns) in counts to the same in newtons."""
        return self.scale.newtons(counts, warmth)

    def _region_traits(self, sheet):
        return torch.stack([self.atlas.average(sheet, name) for name in self.zones], dim=1)

    def forward(self, counts, warmth=None):
        newtons = self.arrange(counts, warmth)
        batch, instants, rows, columns = newtons.shape
        sheet = self.neighbours(newtons.reshape(batch * instants, 1, rows, columns))
        traits = self.respond(self.even(self._region_traits(sheet)))
        newtons = torch.stack([self.atlas.average(newtons, name) for name in self.zones], dim=-1)
        return MatReading(traits.reshape(batch, instants, -1), newtons)


class MirroredSoleMat(SoleMat):
    """The right mat is wired like a left one that has been turned over."""

    zones = ("hindfoot", "arch", "ball", "toes")

    def arrange(self, counts, warmth=None):
        return super().arrange(counts.flip(-1), warmth)
