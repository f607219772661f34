"""When the brewer has to be woken."""
from dataclasses import dataclass

import torch
import torch.nn.functional as F

from .vat import VatState


@dataclass(frozen=True)
class Stuck:
    patience: int = 2


@dataclass(frozen=True)
class Weak:
    goal: float


@dataclass(frozen=True)
class Runaway:
    limit: float


def read_rule(line: tuple):
    """A rule as it stands in the recipe: a word and its numbers."""
    match line:
        case ("stuck", int(patience)) if patience > 0:
            return Stuck(patience)
        case ("weak", float(goal)):
            return Weak(goal)
        case ("runaway", limit):
            return Runaway(float(limit))
        case _:
            raise ValueError(f"cannot read the rule {line!r}")


def urgency(alarm, state: VatState, curve):
    match alarm:
        case Stuck(patience=hours) if hours > 2:
            return state.sugar * torch.exp(-5.0 * (curve[:, :1] - curve[:, -1:])) / hours
        case Stuck():
            return state.sugar * torch.exp(-5.0 * (curve[:, -2:-1] - curve[:, -1:]))
        case Weak(goal=0.0):
            return torch.zeros_like(state.alcohol)
        case Weak(goal=goal):
            return F.relu(goal - state.alcohol)
        case Runaway(limit=limit):
            return F.relu((curve[:, :-1] - curve[:, 1:]).amax(dim=-1, keepdim=True) - limit).square() / limit


def night_watch(alarms, state: VatState, curve):
    """Asks every alarm, and keeps what each has said."""
    said = []

    def listen(alarm):
        said.append(urgency(alarm, state, curve))

    for alarm in alarms:
        listen(alarm)
    return torch.cat(said, dim=-1)
