"""Goes along the loss from either end, as the wheel that made it did, and smooths what is only noise."""
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils import checkpoint


class Buff(nn.Module):
    """One stroke along the samples takes chips off, fewer where the steel is hard."""

    def __init__(self, channels, length):
        super().__init__()
        self.stroke = nn.Conv1d(channels, 2 * channels, length, padding=length // 2)

    def ground(self, line):
        chips, hardness = self.stroke(line).chunk(2, dim=1)
        return F.relu(chips) / (1.0 + hardness.abs())

    def forward(self, line):
        return line - self.ground(line)

    def agree(self, there, back):
        """The last stroke judges both ways at once instead of one of them."""
        return there + back - self.ground(0.5 * (there + back))


class TwoWaySweep(nn.Module):
    def __init__(self, channels, passes, saves_memory=False):
        super().__init__()
        self.blocks = nn.ModuleList([Buff(channels, 7 - 2 * n) for n in range(passes)])
        self.saves_memory = saves_memory

    def forward(self, line):
        half = len(self.blocks) // 2
        there = self.travel(self.blocks[: half + 1], line)
        back = self.travel(reversed(self.blocks), line.flip(-1)).flip(-1)
        return self.blocks[-1].agree(there, back)

    def travel(self, blocks, line):
        def stroke(block, state):
            if self.training and self.saves_memory:
                return checkpoint.checkpoint(block, state, use_reentrant=False)
            return F.relu(block(state)) if state.ndim == 3 else block(state)

        for block in blocks:
            line = stroke(block, line)
        return line
