"""The instruments of a buoy as layers."""
import torch
from torch import nn
import torch.nn.functional as F

from .settings import keeps_settings


class SwellConv(nn.Conv1d):
    """Its filters answer with the same strength wherever the buoy floats."""

    def forward(self, motion):
        return self._conv_forward(self.lengthened(motion), self.levelled(), self.bias)

    def levelled(self):
        strength = (self.weight * self.weight).sum((1, 2), keepdim=True).sqrt()
        return self.weight / (strength + 1e-5)

    def lengthened(self, motion):
        reach = self.kernel_size[0] - self.stride[0]
        return F.pad(motion, (reach // 2, reach - reach // 2))


class Moorings(nn.Module):
    """Where each sample lies along the mooring line: asks its guest for nothing but a length."""

    def __init__(self, samples, width):
        super().__init__()
        self.line = nn.Parameter(torch.zeros(samples, width))

    def forward(self, motion):
        return self.stretched(motion.shape[-1])

    def stretched(self, samples):
        line = self.line[:samples].transpose(0, 1)
        return line.unsqueeze(0) * 0.5


class TideTable(nn.Module):
    """All hulls read one table; nobody calls it."""

    def __init__(self, width):
        super().__init__()
        self.register_buffer("highs", torch.zeros(width))
        self.register_buffer("lows", torch.zeros(width))

    def span(self):
        return self.highs - self.lows

    def levelled(self, motion):
        return (motion - self.lows) / self.span()


class Hull(nn.Module):
    defaults = dict(width=6, edges=(2, 4), tides=None)

    @keeps_settings
    def __init__(self, width, edges, tides):
        super().__init__()
        self.roll = nn.Linear(width, width)
        self.tides = tides

    def bands(self, motion):
        """One piece between each two edges."""
        low, high = self.band_edges
        return motion[..., :low], motion[..., low:high], motion[..., high:]

    def forward(self, motion):
        calm, swell, chop = self.bands(self.tides.levelled(self.roll(motion)))
        return torch.cat([calm.tanh(), swell * self.settings.width, F.logsigmoid(chop)], dim=-1)
