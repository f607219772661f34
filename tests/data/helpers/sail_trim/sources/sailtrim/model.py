"""Wind, heel and speed of a yacht to advice for each of her sheets."""
import torch
import torch.nn as nn

from .motion import RollObserver
from .rig import Breeze, Keelboat, SpeedCard, jib_track_of, righting_of
from .trimmers import crew_for


class Cockpit(nn.Module):
    def __init__(self, yacht, signals: int):
        super().__init__()
        self.crew = crew_for(yacht.sheets, jib_track_of(yacht), signals)

    def orders(self, view, heel):
        given, reef = {}, None

        def shout(order):
            nonlocal reef
            sheet, given[sheet], wanted = order
            if wanted is not None:
                reef = wanted if reef is None else torch.maximum(reef, wanted)

        for trimmer in self.crew.values():
            shout(trimmer(view, heel, given.get(trimmer.waits_for)))
        return given, reef

    def forward(self, view, heel):
        given, reef = self.orders(view, heel)
        return [(sheet.value, length) for sheet, length in given.items()], (reef, None)


class Model(nn.Module):
    seen = 5

    def __init__(self, yacht=Keelboat()):
        super().__init__()
        self.card = SpeedCard()
        self.observer = RollObserver(3, righting_of(yacht))
        self.cockpit = Cockpit(yacht, self.seen)

    def _felt_on_deck(self, vane, speed):
        apparent = Breeze.from_vane(vane) + speed.squeeze(-1)
        return apparent, torch.stack(apparent.signals(), dim=-1)

    def _view(self, signals, lag, log):
        unrest = log["surprise"].abs().mean(dim=1)
        return torch.cat([signals[:, -1], lag.mean(dim=1, keepdim=True), unrest], dim=-1)

    def forward(self, vane, heel, speed, sea=None):
        apparent, signals = self._felt_on_deck(vane, speed)
        told = self.observer(signals, heel, sea)
        lag = self.card.shortfall(apparent.force, speed.squeeze(-1))
        lengths, (reef, _) = self.cockpit(self._view(signals, lag, told["log"]), told["roll"].heel)
        return {**dict(lengths), "reef": reef, "heel": told["log"]["heel"]}


def example():
    return [(2, 4, 2), (2, 4, 1), (2, 4, 1)]
