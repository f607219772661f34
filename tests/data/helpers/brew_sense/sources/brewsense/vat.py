"""What goes on in the vat: sugar becomes alcohol and gas while the yeast grows and tires."""
from dataclasses import dataclass, field, replace
from typing import List, NamedTuple, Optional

import torch
import torch.nn as nn
import torch.nn.functional as F

from .probes import UnitLinear


class Turnover(NamedTuple):
    eaten: torch.Tensor
    grown: torch.Tensor


@dataclass
class VatState:
    sugar: torch.Tensor
    yeast: torch.Tensor
    alcohol: Optional[torch.Tensor] = None
    diary: List[torch.Tensor] = field(default_factory=list)

    def __post_init__(self):
        if self.alcohol is None:
            self.alcohol = torch.zeros_like(self.sugar)

    def __add__(self, turnover: Turnover) -> "VatState":
        left = F.relu(self.sugar - turnover.eaten)
        self.diary.append(left)
        return replace(self, sugar=left, yeast=self.yeast + turnover.grown, alcohol=self.alcohol + 0.51 * turnover.eaten)


class YeastStrain(nn.Module):
    base_appetite = 0.5

    def __init__(self, senses: int):
        super().__init__()
        self.mood = UnitLinear(senses, 2)

    def hindrance(self, state: VatState):
        return 1.0 / (1.0 + state.alcohol)

    def turnover(self, felt, state: VatState, pitch=None) -> Turnover:
        appetite, vigour = torch.sigmoid(self.mood(felt)).chunk(2, dim=-1)
        eaten = self.base_appetite * appetite * state.sugar * state.yeast * self.hindrance(state)
        if pitch is None:
            return Turnover(eaten, 0.1 * eaten * vigour)
        return Turnover(eaten, 0.1 * eaten * vigour + pitch)

    def forward(self, felt, state, pitch=None):
        return state + self.turnover(felt, state, pitch)


class LagerStrain(YeastStrain):
    base_appetite = 0.2

    def hindrance(self, state):
        return super().hindrance(state) * torch.tanh(state.sugar * 4.0)


STRAINS = {"ale": YeastStrain, "lager": LagerStrain}


class Fermentation(nn.Module):
    def __init__(self, strain: str, senses: int):
        super().__init__()
        self.strain = STRAINS[strain](senses)
        self.first_guess = nn.Linear(senses, 2)

    def run(self, felt, pitch=None):
        sugar, yeast = F.softplus(self.first_guess(felt[:, 0])).split(1, dim=-1)
        state, tempers = VatState(sugar, yeast), []
        for hour in range(1, felt.shape[1]):
            state = self.strain(felt[:, hour], state, pitch if hour == 1 else None)
            tempers.append(state.yeast)
        return state, tempers

    def forward(self, felt, pitch=None):
        state, tempers = self.run(felt, pitch)
        return {"vat": {"state": state, "yeast": tempers}, "curve": (torch.cat(state.diary, dim=-1), None)}
