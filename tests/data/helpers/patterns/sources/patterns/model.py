"""A mosaic: stones of a picture look along their row, then along their column, then at a frieze around them."""
import torch
from torch import nn

from patterns.rearrange import rearrange, reduced

ROWS, COLUMNS = "b c h w -> (b h) w c", "b c h w -> (b w) h c"
BACK = {ROWS: "(b h) w c -> b c h w", COLUMNS: "(b w) h c -> b c h w"}


def either(value, instead):
    if value is None:
        return instead() if callable(instead) else instead
    return value


def unit(stones):
    length = stones.pow(2).sum(-1, keepdim=True).sqrt()
    return stones / length


class Gaze(nn.Module):
    """Stones look at a frieze; without one, at each other."""

    def __init__(self, colours, eyes=4, frieze=None):
        super().__init__()
        self.eyes = eyes
        self.look = nn.Linear(colours, colours)
        self.shown = nn.Linear(either(frieze, lambda: colours), 2 * colours)
        self.seen = nn.Linear(colours, colours)

    def opened(self, *stones):
        return map(lambda each: rearrange(each, "b n (e c) -> b e n c", e=self.eyes), stones)

    def forward(self, stones, frieze=None):
        shape, colour = self.shown(either(frieze, stones)).chunk(2, dim=-1)
        mine, shape, colour = self.opened(self.look(stones), shape, colour)
        mine, shape = map(unit, (mine, shape))
        nearness = (mine @ shape.transpose(2, 3)).softmax(dim=-1)
        return stones + self.seen(rearrange(nearness @ colour, "b e n c -> b n (e c)"))


class Along(nn.Module):
    """A gaze in one direction of the picture."""

    def __init__(self, direction, gaze):
        super().__init__()
        self.direction = direction
        self.gaze = gaze

    def lines(self, picture):
        return rearrange(picture, self.direction)

    def forward(self, picture):
        b, _, h, w = picture.shape
        looked = self.gaze(self.lines(picture))
        return rearrange(looked, BACK[self.direction], **({"b": b, "h": h} if self.direction is ROWS else {"b": b, "w": w}))


def passes(colours):
    return nn.ModuleList(Along(direction, Gaze(colours)) for direction in (ROWS, COLUMNS))


class Model(nn.Module):
    def __init__(self, colours=16):
        super().__init__()
        self.frieze = nn.Parameter(torch.randn(4, colours))
        self.passes = passes(colours)
        self.around = Gaze(colours)

    def friezes(self, picture):
        return self.frieze.unsqueeze(0).expand(picture.shape[0], -1, -1)

    def forward(self, picture):
        for along in self.passes:
            picture = along(picture)
        stones = rearrange(picture, "b c h w -> b (h w) c")
        return reduced(self.around(stones, frieze=self.friezes(picture)), 1, "mean")


def example():
    return [(1, 16, 3, 3)]
