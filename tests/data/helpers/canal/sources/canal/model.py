"""Modules that hold the same and do the same, but were made with something else above them."""
from torch import nn

from .banks import NorthBank, SouthBank
from .sluices import Gate, Lock, Ring, Sluice
from .weirs import Plan, PlannedWeir, PouringWeir, pouring

SIDES = ("north", "south")


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.gates = nn.ModuleList([Gate(side) for side in SIDES])
        self.first = Lock(SIDES)
        self.second = Lock(SIDES[::-1])
        self.outer = nn.Sequential(Ring(Ring(Ring(Ring(Sluice("north"))))))
        self.inner = nn.Sequential(Ring(Ring(Ring(Ring(Sluice("south"))))))
        self.planned = nn.ModuleList([PlannedWeir(Plan(side)) for side in SIDES])
        self.poured = nn.ModuleList([PouringWeir(pouring(side)) for side in SIDES])
        chain = []
        for sides in (SIDES, SIDES):
            chain.append(Lock(sides))
        self.chain = nn.ModuleList(chain)
        self.is_chain = len(chain) > 1
        self.left = NorthBank()
        self.right = SouthBank()

    def joined(self, a, b):
        return a + b

    def levelled(self, water):
        if self.is_chain:
            return water.relu()
        return water.relu()

    def forward(self, water):
        for gate in self.gates:
            water = gate(water)
        water = self.joined(self.first(water), self.second(water))
        water = self.inner(self.outer(water))
        for weir in [*self.planned, *self.poured]:
            water = weir(water)
        for lock in self.chain:
            water = lock(water)
        water = self.levelled(water)
        return self.joined(self.left.let_through(water), self.right.let_through(water))


def example():
    return [(2, 4)]
