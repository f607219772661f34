"""From a swath to fish: cuts it into quadrats, gathers evidence in each and counts."""
import torch
import torch.nn.functional as F
from torch import nn

EVIDENCE = {}


def evidence(name):
    return lambda gather: EVIDENCE.setdefault(name, gather)


@evidence("even")
def even(piece, **unused):
    return piece.mean((2, 3), keepdim=True)


@evidence("peak")
def peak(piece, strongest=1):
    bright, _ = torch.topk(piece.flatten(2), strongest, dim=-1)
    return bright.mean(-1, keepdim=True).unsqueeze(-1)


def gathered(kind, *args, **options):
    return EVIDENCE[kind](*args, **options)


def noted(piece, kinds, *rest, **options):
    """One row per quadrat, with what every kind of evidence says of it."""
    return torch.cat([gathered(kind, piece, *rest, **options) for kind in kinds], dim=1).flatten(1)


class QuadratCutter:
    """Overlapping quadrats along the swath; a fish that lies in two of them must not count twice."""

    def __init__(self, size, step):
        self.size, self.step = size, step
        self.halves = [torch.full((1,), 1.0), torch.full((1,), 0.5)]

    def cut(self, strip):
        return [strip[..., lo : lo + self.size] for lo in range(0, strip.size(-1) - self.size + 1, self.step)]

    def shares(self, pieces):
        """Inner quadrats lose to their neighbours what both can see."""
        whole, shared = self.halves
        last = len(pieces) - 1
        return torch.cat([whole if n in (0, last) else shared for n in range(last + 1)])


class Census(nn.Module):
    def __init__(self, plan):
        super().__init__()
        self.plan = plan
        self.cutter = QuadratCutter(plan.quadrat, plan.quadrat_step)
        told = plan.tint * len(plan.evidence)
        self.shoal_head = nn.Linear(told, len(plan.shoals))
        self.crowd_head = nn.Linear(plan.tint, len(plan.shoals), bias=False)
        self.length_head = nn.Linear(told, len(plan.shoals) * len(plan.length_bins_cm))
        self.bins = torch.tensor(plan.length_bins_cm)

    def forward(self, swath, glare=None):
        """Counts, mean lengths and their spread, each per shoal."""
        pieces = self.cutter.cut(swath.coarse)
        notes = torch.stack([noted(p, self.plan.evidence, strongest=self.plan.strongest) for p in pieces], dim=1)
        density = F.softplus(self.shoal_head(notes) + self.crowd_head(even(swath.fine).flatten(1)).unsqueeze(1))
        if glare is not None:
            density = density * glare[:, None]
        counts = (density * self.cutter.shares(pieces).view(1, -1, 1)).sum(1)
        return counts, *self.lengths(notes, density)

    def lengths(self, notes, density):
        """Read in the two quadrats where a shoal is thickest."""
        guess = self.length_head(notes).unflatten(-1, (len(self.plan.shoals), -1)).softmax(-1)
        centimetres = (guess * self.bins).sum(-1)
        thick = density.topk(min(2, density.shape[1]), dim=1)
        chosen = centimetres.gather(1, thick.indices)
        share = thick.values / thick.values.sum(1, keepdim=True)
        mean = (chosen * share).sum(1)
        return mean, chosen.max(dim=1)[0] - chosen.min(dim=1).values
