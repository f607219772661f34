"""A ring of bells, built from a plan."""
from torch import nn

from .register import CLAPPERS, ROPES

PLAN = dict(rope="call", bells=[dict(kind="tenor", width=4), dict(kind="light", width=4, strength=0.5), dict(kind="tenor", width=4)])


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.bells = nn.ModuleList(CLAPPERS.build(bell) for bell in PLAN["bells"])
        self.pull = ROPES[PLAN["rope"]]

    def heard(self, air):
        airs = []
        for bell in self.bells:
            air = bell(air)
            airs.append(air.abs())
        return airs

    def forward(self, air):
        return self.pull(self.heard(air)).mean(-1)


def example():
    return [(2, 4)]
