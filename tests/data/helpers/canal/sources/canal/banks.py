"""Banks are never called themselves; only their method is."""
from torch import nn

from .sluices import Sluice


class NorthBank(nn.Module):
    def __init__(self):
        super().__init__()
        self.sluice = Sluice("north")

    def let_through(self, water):
        return self.sluice(water).exp()


class SouthBank(nn.Module):
    def __init__(self):
        super().__init__()
        self.sluice = Sluice("south")

    def let_through(self, water):
        return self.sluice(water).sigmoid()
