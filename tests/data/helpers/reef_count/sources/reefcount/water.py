"""Takes the sea out of the picture: how far each row looks, and what the water took on the way."""
import torch
from torch import nn


class WaterColumn:
    """Losses per metre of water for the three colour bands, measured with a grey card and not trained."""
    LOSS = {"blue-oceanic": (0.36, 0.08, 0.04), "green-coastal": (0.52, 0.14, 0.21), "brown-estuary": (0.61, 0.33, 0.48)}
    HAZE = (0.05, 0.19, 0.16)

    def __init__(self, water):
        self.water = water
        self.loss = torch.tensor(self.LOSS[water]).view(1, 3, 1, 1)
        self.haze = [torch.tensor([share]) for share in self.HAZE]

    @property
    def is_hazy(self):
        return "coastal" in self.water or self.water.startswith("brown")

    def restore(self, strip, metres):
        seen = strip - self.scattered(metres) if self.is_hazy else strip
        return seen * torch.exp(metres * self.loss).clamp(max=6.0)

    def scattered(self, metres):
        """The haze grows with the way through the water, in each band to its own limit."""
        limit = torch.stack(self.haze, dim=0).view(1, -1, 1, 1)
        return limit * (1.0 - torch.exp(-metres * 0.7))


class SlantRange(nn.Module):
    """Metres to the reef for each place of a strip. Of the strip it reads nothing but its sides."""

    def __init__(self, rows, columns):
        super().__init__()
        self.lean = nn.Parameter(torch.zeros(2))
        self.altitude = nn.Parameter(torch.ones(1))
        self.register_buffer("row_angle", torch.linspace(-0.35, 0.35, rows), persistent=False)
        self.register_buffer("column_angle", torch.linspace(-0.9, 0.9, columns), persistent=False)

    def forward(self, strip):
        return self.sheet(*strip.shape[-2:], strip.dtype)

    def sheet(self, rows, columns, dtype):
        down, aside = torch.meshgrid(self.middle(self.row_angle, rows), self.middle(self.column_angle, columns), indexing="ij")
        pitch, roll = self.lean.unbind(0)
        foreshortened = torch.cos(down + pitch) * torch.cos(aside + roll)
        return (self.altitude / foreshortened.clamp(min=0.2)).to(dtype)[None, None]

    @staticmethod
    def middle(angles, count):
        """A camera that was cropped keeps the angles around its axis."""
        spare = angles.numel() - count
        if spare == 0:
            return angles
        lo = spare // 2
        return angles[lo : lo + count]
