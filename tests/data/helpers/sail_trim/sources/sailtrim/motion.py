"""How she rolls: an estimate of heel that runs along with the measured one."""
from dataclasses import dataclass, field
from typing import List, Optional

import torch
import torch.nn as nn
import torch.nn.functional as F

from .rig import Righting


@dataclass
class Roll:
    heel: torch.Tensor
    rate: Optional[torch.Tensor] = None
    surprises: List[torch.Tensor] = field(default_factory=list)

    def __post_init__(self):
        if self.rate is None:
            self.rate = torch.zeros_like(self.heel)

    def meet(self, measured, trust):
        surprise = measured - self.heel
        self.surprises.append(surprise)
        self.heel = self.heel + trust * surprise


class RollObserver(nn.Module):
    def __init__(self, signals: int, righting: Righting):
        super().__init__()
        self.righting = righting
        self.capsizing = nn.Linear(signals, 1)
        self.clinometer_trust = nn.Parameter(torch.zeros(1))

    def _swell(self, push, sea: Optional[torch.Tensor] = None):
        if sea is None:
            return push
        return push * (1.0 + F.relu(sea))

    def _swing(self, roll: Roll, push, sea=None):
        moment = self._swell(push, sea) - self.righting.moment(roll.heel)
        roll.rate = 0.8 * roll.rate + 0.2 * moment
        roll.heel = roll.heel + roll.rate

    def watch(self, signals, measured, sea=None):
        pushes = torch.tanh(self.capsizing(signals))
        trust = torch.sigmoid(self.clinometer_trust)
        roll, course = Roll(measured[:, 0]), torch.zeros_like(measured)
        for t in range(measured.shape[1]):
            self._swing(roll, pushes[:, t], sea)
            roll.meet(measured[:, t], trust)
            course[:, t] = roll.heel
        return roll, course

    def forward(self, signals, measured, sea=None):
        roll, course = self.watch(signals, measured, sea)
        return {"roll": roll, "log": {"heel": course, "surprise": torch.stack(roll.surprises, dim=1)}}
