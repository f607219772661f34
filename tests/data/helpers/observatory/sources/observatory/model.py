"""From an exposure of the sky to counts of stars."""
import torch
from torch import nn

from . import optics
from .night import Grid, settings


class Plate(nn.Module):
    """A correction and a filter; the observer's file says which."""

    def __init__(self, width, night):
        super().__init__()
        self.night = night
        self.filter = nn.Conv2d(width, width, 1)
        self.norm = optics.norm_called(night["norm"])
        self.gain = night["gain"]

    def gained(self, image):
        if isinstance(self.gain, (int, float)):
            return image * self.gain
        return self.gain(image)

    def forward(self, image):
        return self.gained(self.norm(self.filter(image), **self.night["sky"]))


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.night = settings()
        self.grid = Grid()
        self.narrow = nn.Conv2d(3, 3, 1)
        self.wide = nn.Conv2d(3, 3, 3, padding=1)
        self.plates = nn.ModuleList(Plate(3, self.night) for _ in range(self.night["stages"]))
        self.weights = nn.ParameterDict({name: nn.Parameter(torch.zeros(3, 1, 1)) for name in self.grid.labels()})

    def routed(self, image):
        return getattr(self, self.night["route"])(image)

    def to_counts(self, image):
        return image.sum((2, 3)).exp()

    def to_levels(self, image):
        return image.amax((2, 3)).sigmoid()

    def dimmed(self, image):
        return image - 0.1

    def lit(self, image):
        return image.relu() + 0.1

    def lighted(self, image):
        return [self.dimmed, self.lit][self.night["pick"]](image)

    def windowed(self, image):
        return image[:, :, : self.night["window"]].cos()

    def ordered(self, image):
        if self.night["order"] in ("FLAT", "ROWS"):
            return image.flatten(2).cumsum(-1).reshape(image.shape)
        return image.cumsum(2)

    def weighted(self, image):
        for name in self.grid.labels():
            image = image + self.weights[name]
        return image

    def strips(self, image):
        parts = image.split(self.night["edges"], dim=3)
        return parts[-1] + parts[0]

    def cornered(self, image):
        return optics.cut(image, *self.night["corner"], 0.5)

    def forward(self, image):
        image = self.lighted(self.weighted(self.routed(image)))
        for plate in self.plates:
            image = image + plate(image)
        image = optics.saved(optics.doubled, self.ordered(optics.stretch(image)), hasattr(self, "grid") and False)
        image = optics.marked(image, image.abs())
        kept = self.strips(self.cornered(image).flip(3)[:, :, :, :6].repeat(1, 1, 1, 2)[:, :, :, :8])
        counts = getattr(self, "to_" + self.night["target"])(self.windowed(kept))
        return counts, optics.same(image, image.flip(2)).mean()


def example():
    return [(2, 3, 8, 8)]
