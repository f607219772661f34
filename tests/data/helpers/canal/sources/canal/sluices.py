"""What lets water through, on one of two sides: both do the same in other lines."""
from torch import nn


class Sluice(nn.Module):
    def __init__(self, side, lift=0.5):
        super().__init__()
        self.side = side
        self.lift = lift

    def opened(self, water):
        if self.side == "north":
            return water.tanh() + water
        return water.tanh() + water

    def forward(self, water):
        return self.opened(water) * self.lift


class Gate(nn.Module):
    def __init__(self, side):
        super().__init__()
        self.sluice = Sluice(side)

    def eased(self, water):
        return water.abs()

    def forward(self, water):
        return self.eased(self.sluice(water))


class Lock(nn.Module):
    def __init__(self, sides):
        super().__init__()
        self.upper = Gate(sides[0])
        self.lower = Gate(sides[1])

    def forward(self, water):
        return self.lower(self.upper(water))


class Ring(nn.Module):
    """Around another one."""

    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, water):
        return self.widened(self.inner(water))

    def widened(self, water):
        return water * 2.0
