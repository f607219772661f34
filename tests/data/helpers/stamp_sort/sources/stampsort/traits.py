"""One examiner per trait of a stamp. Each hands back evidence and what others may want to know of it."""
import math

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.checkpoint import checkpoint

from .catalogue import INKS, Evidence
from .specimen import CancelMask


class InkCase:
    """The ink samples that a picture is held against."""

    def __init__(self, names):
        self.samples = [torch.tensor(INKS[name]) for name in names]

    def distances(self, colours):
        """Of every colour (in the last dimension) to every ink."""
        away = [(colours - ink).square().sum(-1) for ink in self.samples]
        return torch.stack(away, dim=-1)


class ColourExaminer(nn.Module):
    def __init__(self, catalogue, lattice=3):
        super().__init__()
        self.case, self.lattice = InkCase(catalogue.inks), lattice
        self.by_patch = catalogue.matches_patches
        self.keenness = nn.Parameter(torch.ones(1))
        self.pigment = nn.Linear(3, 4)

    def forward(self, specimen, **unused):
        colours = specimen.patches(self.lattice) if self.by_patch else specimen.printed.mean((2, 3)).unsqueeze(1)
        away = self.case.distances(colours)
        nearest, _ = away.min(dim=1)
        margin = torch.topk(nearest, 2, dim=-1, largest=False)[0]
        best, second = margin.unbind(-1)
        return Evidence(-nearest * self.keenness, torch.tanh(second - best).unsqueeze(-1)), colours

    def project(self, colours):
        return torch.tanh(self.pigment(colours)).mean(1)


class Comb:
    """Waves of every gauge along an edge; a comb of pins left one of them in the paper."""

    def __init__(self, gauges, longest, samples_per_mm=2.0):
        turns = [gauge / 20.0 / samples_per_mm for gauge in gauges]
        self.waves = {
            "even": torch.tensor([[math.cos(2 * math.pi * t * n) for n in range(longest)] for t in turns]),
            "odd": torch.tensor([[math.sin(2 * math.pi * t * n) for n in range(longest)] for t in turns]),
        }

    def response(self, edge):
        length = edge.size(-1)
        level = edge - edge.mean(-1, keepdim=True)
        parts = {name: (level.unsqueeze(1) * wave[:, :length]).sum(-1) / length for name, wave in self.waves.items()}
        return (parts["even"] ** 2 + parts["odd"] ** 2).sqrt()


class PerforationExaminer(nn.Module):
    def __init__(self, catalogue, longest=64):
        super().__init__()
        self.catalogue = catalogue
        self.comb = Comb(catalogue.perforations, longest)
        self.cut = nn.Parameter(torch.zeros(1))

    def forward(self, specimen, keep_edges=3, **unused):
        strengths = torch.stack([self.comb.response(edge) for edge in specimen.edges()], dim=1)
        kept = self.untorn(strengths, keep_edges)
        scores = kept.mean(1)
        if self.catalogue.imperforate:
            scores = torch.cat((scores, self.cut - scores.amax(-1, keepdim=True)), dim=-1)
        return Evidence(scores), None

    @staticmethod
    def untorn(strengths, keep):
        """Short teeth on one edge say nothing of the comb: the weakest answers are left out."""
        if keep >= strengths.shape[1]:
            return strengths
        return torch.sort(strengths, dim=1, descending=True).values[:, :keep]


class Etch(nn.Module):
    """Looks at lines of one direction and at the flat tints between them."""

    def __init__(self, grain, direction):
        super().__init__()
        size = (1, 3) if direction == "across" else (3, 1)
        self.line = nn.Conv2d(grain, grain, size, padding=(size[0] // 2, size[1] // 2))

    def forward(self, tints):
        return tints + F.relu(self.line(tints))


class YearExaminer(nn.Module):
    """Year from the engraving, and from the pigment, on which it asks the examiner of colours."""

    def __init__(self, catalogue, colourist):
        super().__init__()
        self.catalogue, self.colourist_ref = catalogue, [colourist]
        self.postmark = CancelMask(64, 56)
        self.plate = nn.Conv2d(3, catalogue.grain, 3, stride=2)
        self.blocks = nn.ModuleList([Etch(catalogue.grain, way) for way in ("across", "down", "across")])
        self.age = nn.Linear(2 * catalogue.grain + colourist.pigment.out_features, catalogue.steps + 1)

    def forward(self, specimen, colours=None, **unused):
        printed = specimen.printed
        told = self.engraving(printed * (1.0 - self.postmark(printed)))
        if colours is not None:
            told.append(self.colourist_ref[0].project(colours))
        later, doubt = self.age(torch.cat(told, dim=-1)).split((self.catalogue.steps, 1), dim=-1)
        return Evidence(torch.sigmoid(later), torch.sigmoid(-doubt)), None

    def engraving(self, printed):
        """Fine lines are followed in order, then once more the other way round on half the size."""
        half = len(self.blocks) // 2
        tints = self.follow(self.blocks[: half + 1], F.relu(self.plate(printed)))
        if tints.size(-1) >= 16:
            tints = self.follow(reversed(self.blocks), F.avg_pool2d(tints, 2))
        return [tints.mean((2, 3)), tints.amax((2, 3))]

    def follow(self, blocks, tints):
        for block in blocks:
            tints = checkpoint(block, tints, use_reentrant=False) if self.training else block(tints)
        return tints

    def years(self, later):
        """Each step says whether the stamp is younger than it; all of them together make a date."""
        return self.catalogue.first_year + self.catalogue.years_per_step * later.sum(-1)


def examiners(catalogue):
    """In the order in which they have to be asked."""
    colourist = ColourExaminer(catalogue)
    return {"colour": colourist, "perforation": PerforationExaminer(catalogue), "year": YearExaminer(catalogue, colourist)}
