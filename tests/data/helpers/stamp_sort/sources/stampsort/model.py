"""Sorts stamps into drawers by colour, perforation and year."""
import torch
from torch import nn

from .catalogue import Catalogue
from .specimen import Specimen
from .traits import examiners


class Cabinet(nn.Module):
    """Every drawer is kept by two traits; a stamp goes where both of them point at the same shelf."""

    def __init__(self, catalogue, shelves=6):
        super().__init__()
        self.rules = catalogue.drawers
        widths = {"colour": len(catalogue.inks), "perforation": catalogue.varieties, "year": catalogue.steps}
        self.fit = nn.ModuleDict({trait: nn.Linear(width, shelves) for trait, width in widths.items()})
        self.favoured = [torch.full((1, 1), 0.9 ** n) for n in range(len(self.rules))]

    def shelf(self, rule, evidence):
        one, other = (torch.softmax(self.fit[trait](evidence[trait].trusted), dim=-1) for trait in rule.split("-"))
        return one * other

    def forward(self, evidence):
        shelves = {rule: self.shelf(rule, evidence) for rule in self.rules if all(t in evidence for t in rule.split("-"))}
        totals = [shelves[rule].sum(-1, keepdim=True) * liked for rule, liked in zip(self.rules, self.favoured) if rule in shelves]
        drawer = torch.cat(totals, dim=-1)
        return shelves, drawer, drawer.max(dim=-1).indices


class Model(nn.Module):
    def __init__(self, catalogue=Catalogue()):
        super().__init__()
        self.catalogue = catalogue
        self.examiners = nn.ModuleDict(examiners(catalogue))
        self.cabinet = Cabinet(catalogue)

    def ask(self, trait, *args, **options):
        """A trait can be switched off in the catalogue's drawers; nobody is asked about it then."""
        if not any(trait in rule for rule in self.catalogue.drawers):
            return None, None
        return self.examiners[trait](*args, **options)

    def examine(self, specimen, **options):
        evidence = {}
        for trait in self.examiners:
            found, news = self.ask(trait, specimen, **options)
            if news is not None:
                options["colours"] = news
            if found is not None:
                evidence[trait] = found
        return evidence

    def forward(self, picture):
        evidence = self.examine(Specimen(picture, self.catalogue.margin), keep_edges=3)
        shelves, drawer, chosen = self.cabinet(evidence)
        report = {"shelves": shelves, "drawer": drawer, "chosen": chosen}
        if "year" in evidence:
            report["year"] = self.examiners["year"].years(evidence["year"].scores)
        return report


def example():
    return [((1, 3, 56, 48), "uint8")]
