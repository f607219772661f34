"""How a bell is struck."""
from torch import nn

from .register import CLAPPERS


class Clapper(nn.Module):
    def __init__(self, width, strength=1.0):
        super().__init__()
        self.strike = nn.Linear(width, width)
        self.strength = strength

    def rung(self, air):
        return self.damped(self.strike(air)) * self.strength

    def damped(self, air):
        return air.tanh()


@CLAPPERS.makes()
class Tenor(Clapper):
    def forward(self, air):
        return air + self.rung(air)


@CLAPPERS.makes("light")
class Treble(Clapper):
    def damped(self, air):
        return air.sigmoid()

    def forward(self, air):
        return self.rung(air) - air
