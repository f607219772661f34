import torch
from torch import nn

from .logs import Log
from .masks import forward_mask, open_mask
from .settings import Settings


def half_turned(x):
    first, second = x[..., : x.shape[-1] // 2], x[..., x.shape[-1] // 2 :]
    return torch.cat((-second, first), dim=-1)


def turned(x, cos, sin):
    share = cos.shape[-1]
    moving, still = x[..., :share], x[..., share:]
    return torch.cat([(moving * cos) + (half_turned(moving) * sin), still], dim=-1)


class Bearings(nn.Module):
    def __init__(self, settings):
        super().__init__()
        self.lamp = nn.Embedding(settings.signals, settings.width)
        self.place = nn.Parameter(torch.randn(16, settings.width))

    def forward(self, signals):
        return self.lamp(signals) + self.place[: signals.shape[1]]


class Beam(nn.Module):
    def __init__(self, settings, number):
        super().__init__()
        self.heads = settings.heads
        self.number = number
        self.ask = nn.Linear(settings.width, settings.width)
        self.see = nn.Linear(settings.width, settings.width)
        self.tell = nn.Linear(settings.width, settings.width)

    def split(self, x):
        return x.view(*x.shape[:-1], self.heads, -1).transpose(1, 2)

    def forward(self, x, mask, turns, log=None):
        asked, seen, told = self.split(self.ask(x)), self.split(self.see(x)), self.split(self.tell(x))
        asked, seen = turned(asked, *turns), turned(seen, *turns)
        out = nn.functional.scaled_dot_product_attention(asked, seen, told, attn_mask=mask)
        return out.transpose(1, 2).reshape(*x.shape)


class Model(nn.Module):
    def __init__(self, settings: Settings):
        super().__init__()
        self.settings = settings
        self.bearings = Bearings(settings)
        self.beams = nn.ModuleList(Beam(settings, number) for number in range(settings.layers))

    def forward(self, signals, padding=None, log=None):
        keeps_log = self.settings.keeps_log and not self.settings.looks_ahead
        if keeps_log and log is None:
            log = Log(settings=self.settings)
        seen = log.length(0) if log is not None else 0
        x = self.bearings(signals)
        mask = self.mask_of(x, padding, log)
        turns = self.turns(x, seen)
        for beam in self.beams:
            x = x + beam(x, mask, turns, log)
        return x

    def turns(self, x, seen):
        angles = torch.arange(x.shape[1], device=x.device) + seen
        angles = angles[:, None].float() * torch.linspace(0.1, 1.0, 12, device=x.device)
        return angles.cos(), angles.sin()

    def mask_of(self, x, padding, log):
        if self.settings.looks_ahead:
            return open_mask(settings=self.settings, x=x, padding=padding)
        return forward_mask(settings=self.settings, x=x, padding=padding, log=log)


def made():
    return Model(Settings())
