import torch
from torch import nn
import torch.nn.functional as F

from . import normalise, register


class Scaled:
    factor = 0.5

    @property
    def twice(self):
        return 2 * self.factor

    def scale(self, x):
        return x * self.twice + self.offset(x)

    def offset(self, x):
        return x.mean(-1, keepdim=True)


class Base(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.inner = nn.Linear(width, width)

    def _prepare(self, x):
        return self.norm(x)

    @staticmethod
    def _activate(x):
        return F.relu(x)

    @classmethod
    def _finish(cls, x):
        return cls._activate(x) + x

    def _forward_impl(self, x):
        x = self._prepare(x)
        x = self.inner(x)
        return self._finish(x)

    def forward(self, x):
        return self._forward_impl(x)


@register("plain")
class Plain(Base):
    pass


@register("wide")
class Wide(Scaled, Base):
    def __init__(self, width):
        super().__init__(width)
        self.extra = nn.Linear(width, width, bias=False)

    @staticmethod
    def _activate(x):
        return x * torch.sigmoid(x)

    def _prepare(self, x):
        return self.scale(super()._prepare(x))

    def forward(self, x):
        y = super().forward(x)
        return normalise(self.extra(y)) + x


@register("narrow")
class Narrow(Wide):
    factor = 0.25

    def offset(self, x):
        low, high = x.chunk(2, dim=-1)
        return (low - high).sum(-1, keepdim=True)
