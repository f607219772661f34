"""Weirs are told where they stand by objects and by functions."""
from torch import nn


class Plan:
    def __init__(self, side):
        self.side = side


def pouring(side):
    def poured(water):
        if side == "north":
            return water.cos()
        return water.cos()

    return poured


class PlannedWeir(nn.Module):
    def __init__(self, plan):
        super().__init__()
        self.plan = plan

    def run_over(self, water):
        if self.plan.side == "north":
            return water.sin()
        return water.sin()

    def forward(self, water):
        return self.run_over(water) - water


class PouringWeir(nn.Module):
    def __init__(self, pour):
        super().__init__()
        self.pour = pour

    def forward(self, water):
        return self.pour(water) - water
