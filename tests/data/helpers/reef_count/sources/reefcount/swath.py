"""Reads both camera strips with the same silhouettes and lays the second over the first."""
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.checkpoint import checkpoint

from . import Swath


class Silhouette(nn.Module):
    """Half of the tints look along the way fish swim, the other half across it."""

    def __init__(self, tint, reach):
        super().__init__()
        half = tint // 2
        self.flank = nn.Conv2d(half, half, (1, reach), padding=(0, reach // 2))
        self.girth = nn.Conv2d(half, half, (3, 1), padding=(1, 0))
        self.weld = nn.Sequential(nn.Conv2d(tint, tint, 1, bias=False), nn.BatchNorm2d(tint))

    def outline(self, strip):
        along, across = strip.chunk(2, dim=1)
        along = self.flank(along)
        return torch.cat((along, self.girth(across) - along), dim=1)

    def forward(self, strip):
        return F.relu(strip + self.weld(self.outline(strip)))


class StripReader(nn.Module):
    def __init__(self, plan):
        super().__init__()
        self.plan = plan
        self.lens = nn.Sequential(nn.Conv2d(3, plan.tint, 3, stride=2, padding=1), nn.ReLU())
        self.blocks = nn.ModuleList([Silhouette(plan.tint, reach) for reach in plan.fin_reaches])
        self.badge = nn.Conv2d(plan.tint, 6, 1)

    def forward(self, strip):
        near = len(self.blocks) // 2
        fine = self.run(self.blocks[:near], self.lens(strip))
        return fine, self.run(self.blocks[near:], F.avg_pool2d(fine, 2))

    def run(self, blocks, strip):
        for block in blocks:
            thrifty = self.plan.thrifty and not torch.jit.is_scripting()
            strip = checkpoint(block, strip, use_reentrant=False) if thrifty else block(strip)
        return strip

    def project(self, strip):
        """A short badge of each place, of length one, by which two strips are compared."""
        return F.normalize(self.badge(strip), dim=1)


class DriftFinder(nn.Module):
    """Fish swim on between both exposures: weighs a few shifts of the second strip against the first."""

    def __init__(self, plan, reader):
        super().__init__()
        self.plan = plan
        self.reader_ref = (reader,)  # in a tuple, so that it stays the child of one module only
        self.trust = nn.Parameter(torch.ones(1))

    def forward(self, here, there):
        shifted = list(self.shifts(there))
        weights = self.weigh(here, shifted)
        parts = [share.view(-1, 1, 1, 1) * strip for share, strip in zip(weights.unbind(-1), shifted)]
        return sum(parts[1:], parts[0]), weights

    def shifts(self, strip):
        width, span = strip.size(-1), self.plan.swim_span
        roomy = F.pad(strip, (span, span, 0, 0))
        for lo in self.plan.drifts():
            yield roomy[:, :, :, lo : lo + width]

    def weigh(self, here, shifted):
        reader = self.reader_ref[0]
        mine = reader.project(here)

        def agreement(other):
            return (mine * reader.project(other)).sum(1).mean((1, 2))

        return torch.softmax(torch.stack([agreement(s) for s in shifted], dim=-1) * self.trust, dim=-1)


def align(strips, plan):
    """The starboard camera of a mirrored rig hangs the other way round."""
    first, second = (strips[side] for side in plan.sides)
    return first, second.flip(-1) if plan.is_mirrored else second


def overlay(first, second, finder):
    """Two strips of two resolutions each become one swath; only the coarse ones have to be searched."""
    (fine, coarse), (other_fine, other_coarse) = first, second
    if fine.numel() < 256:
        return Swath(fine + other_fine, coarse + other_coarse, None)
    laid, drift = finder(coarse, other_coarse)
    return Swath(torch.maximum(fine, other_fine), 0.5 * (coarse + laid), drift)
