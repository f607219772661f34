"""The yacht as built: sheets, what rights her, and how fast she should be."""
from dataclasses import dataclass
from enum import Enum
from typing import Protocol, Tuple

import torch


class Sheet(Enum):
    MAIN = "mainsheet"
    JIB = "jibsheet"
    TRAVELLER = "traveller"


class JibTrack(Enum):
    SIDE_DECK = 1
    SELF_TACKING = 2


@dataclass
class Keelboat:
    draught: float = 2.1
    jib_track: JibTrack = JibTrack.SELF_TACKING
    sheets: Tuple[Sheet, ...] = (Sheet.MAIN, Sheet.JIB, Sheet.TRAVELLER)


@dataclass
class Dinghy:
    crew_arm: float = 1.4
    sheets: Tuple[Sheet, ...] = (Sheet.MAIN, Sheet.JIB)


class Righting(Protocol):
    def moment(self, heel: torch.Tensor) -> torch.Tensor: ...


class FinKeel:
    """Lead under the hull; the arms come from the inclining test."""

    def __init__(self, depth: str):
        self.arms = {"shoal": torch.full((1,), 0.6), "deep": torch.full((1,), 0.9)}
        self.depth = depth

    def moment(self, heel):
        return self.arms[self.depth] * torch.sin(heel)


class HikingCrew:
    def __init__(self, arm: float):
        self.arm = arm

    def moment(self, heel):
        return self.arm * torch.cos(heel) * torch.tanh(6.0 * heel)


def righting_of(yacht) -> Righting:
    match yacht:
        case Keelboat(draught=draught) if draught > 2.0:
            return FinKeel("deep")
        case Keelboat():
            return FinKeel("shoal")
        case Dinghy(crew_arm=arm):
            return HikingCrew(arm)
    raise TypeError(f"{yacht!r} is no yacht")


def jib_track_of(yacht) -> JibTrack:
    try:
        return yacht.jib_track
    except AttributeError:
        return JibTrack.SIDE_DECK


class Breeze:
    """Air that moves over the deck, along and across the boat."""

    def __init__(self, along, across):
        self.along, self.across = along, across

    @classmethod
    def from_vane(cls, vane):
        force, angle = vane.unbind(-1)
        return cls(force * torch.cos(angle), force * torch.sin(angle))

    def __add__(self, headway):
        return Breeze(self.along + headway, self.across)

    @property
    def force(self):
        return torch.sqrt(self.along.square() + self.across.square() + 1e-4)

    def signals(self):
        force = self.force
        return [force, self.along / force, self.across.abs() / force]


class SpeedCard:
    """Target speeds for a few wind forces, as they are taped to the bulkhead."""

    def __init__(self, forces=(6.0, 12.0, 20.0)):
        self.forces = forces
        self.targets = [torch.full((1,), 0.5 * force ** 0.8) for force in forces]

    def shortfall(self, force, speed):
        expected, nearness = None, None
        for centre, target in zip(self.forces, self.targets):
            near = torch.exp(-((force - centre) * 0.2).square())
            expected = near * target if expected is None else expected + near * target
            nearness = near if nearness is None else nearness + near
        return expected / (nearness + 0.01) - speed
