"""The rail as it was rolled, and how far a scan is away from it."""
import math

import torch
from torch import nn


def rolled_height(at, crown, foot):
    """A smooth stand-in for the drawing: a foot on either side and a crown in the middle, in millimetres."""
    return foot + (crown - foot) * math.exp(-(((at - 0.5) / 0.16) ** 2))


class NominalRail:
    """Heights of an unworn rail; constants that no training touches."""
    DRAWINGS = {"60E1": (172.0, 11.5), "54E1": (159.0, 11.0), "49E1": (149.0, 10.5)}  # crown, foot

    def __init__(self, rail, samples, datum):
        crown, foot = self.DRAWINGS[rail]
        self.samples, self.datum = samples, datum
        places = [n / (samples - 1) for n in range(samples)]
        self.heights = torch.tensor([rolled_height(at, crown, foot) for at in places])
        self.ramps = [torch.tensor([(2 * at - 1) ** power for at in places]) for power in (0, 1)]

    def crop(self, table, samples):
        skipped = (self.samples - samples) // 2
        return table[skipped : skipped + samples] if skipped else table

    def unlevel(self, gap, lo, hi):
        """Height and lean of the trolley, read where nothing wears: a share of the gap for each of the ramps."""
        found = []
        for ramp in self.ramps:
            held = self.crop(ramp, gap.size(-1))[lo:hi]
            found.append((gap[..., lo:hi] * held).sum(-1, keepdim=True) / (held * held).sum(-1, keepdim=True))
        return found

    def loss(self, scan):
        """Material that is missing at each sample, and what was taken off the scan to see it."""
        samples = scan.size(-1)
        gap = self.crop(self.heights, samples) - scan
        taken = self.unlevel(gap, *self.datum.bounds(samples))
        for share, ramp in zip(taken, self.ramps):
            gap = gap - share * self.crop(ramp, samples)
        return gap, taken


class SampleTable(nn.Module):
    """What is known of a sample from its place alone; of the scan only its sizes are read."""

    def __init__(self, channels, samples):
        super().__init__()
        self.side = nn.Parameter(torch.zeros(2, channels, 1))
        self.place = nn.Parameter(torch.zeros(channels, samples))

    def forward(self, scan):
        rows, samples = scan.shape[0], scan.shape[-1]
        return self.rows(rows, *self.window(samples), like=scan.dtype)

    def window(self, samples):
        lo = (self.place.shape[1] - samples) // 2
        return lo, samples

    def rows(self, rows, lo, width, like):
        both = self.side + self.place[:, lo : lo + width]
        return both.repeat(rows // 2, 1, 1).to(like)
