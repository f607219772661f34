"""One trimmer for each sheet; all work in the same order, each in its own way."""
from typing import NamedTuple, Optional

import torch
import torch.nn as nn
import torch.nn.functional as F

from .rig import JibTrack, Sheet


class SheetOrder(NamedTuple):
    sheet: Sheet
    length: torch.Tensor
    reef: Optional[torch.Tensor] = None


class ShareLinear(nn.Linear):
    @property
    def shares(self):
        return self.weight.softmax(dim=-1)

    def forward(self, signals):
        return F.linear(signals, self.shares, self.bias)


class Trimmer(nn.Module):
    sheet: Sheet
    longest = 1.0
    waits_for: Optional[Sheet] = None

    def __init__(self, signals: int, hands: int = 4):
        super().__init__()
        self.notice = ShareLinear(signals, hands)
        self.pull = nn.Linear(hands, 1)

    def propose(self, view, neighbour=None):
        noticed = torch.tanh(self.notice(view))
        return self.pull(noticed if neighbour is None else noticed * neighbour)

    def ease(self, pull, heel):
        return pull

    def limit(self, pull):
        return self.longest * torch.sigmoid(pull)

    def advise(self, view, heel, neighbour=None):
        return self.limit(self.ease(self.propose(view, neighbour), heel))

    def forward(self, view, heel, neighbour=None):
        return SheetOrder(self.sheet, self.advise(view, heel, neighbour))


class MainTrimmer(Trimmer):
    sheet = Sheet.MAIN
    longest = 9.0
    comfortable_heel = 0.35

    def ease(self, pull, heel):
        return pull + F.relu(heel.abs() - self.comfortable_heel)

    def forward(self, view, heel, neighbour=None):
        order = super().forward(view, heel, neighbour)
        return order._replace(reef=torch.sigmoid(8.0 * (heel.abs() - 0.6)))


class JibTrimmer(Trimmer):
    sheet = Sheet.JIB
    longest = 5.0
    waits_for = Sheet.MAIN


class TravellerTrimmer(MainTrimmer):
    sheet = Sheet.TRAVELLER
    longest = 1.2
    comfortable_heel = 0.25
    waits_for = Sheet.MAIN

    def ease(self, pull, heel):
        return -super().ease(pull, heel)

    forward = Trimmer.forward


def limit_on_rail(pull):
    """A self-tacking jib runs on a short rail with a stop at either end."""
    return torch.clamp(0.5 + 0.1 * pull, 0.0, 1.0)


def crew_for(sheets, track: JibTrack, signals: int):
    trained = {kind.sheet: kind for kind in (MainTrimmer, JibTrimmer, TravellerTrimmer)}
    crew = nn.ModuleDict({sheet.value: trained[sheet](signals) for sheet in sheets})
    if track is JibTrack.SELF_TACKING:
        crew[Sheet.JIB.value].limit = limit_on_rail
    return crew
