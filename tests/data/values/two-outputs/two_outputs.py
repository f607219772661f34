import torch


class TwoOutputs(torch.nn.Module):
    """One delegate call whose two outputs are read on the CPU."""

    def __init__(self):
        super().__init__()
        self.mix = torch.nn.Linear(8, 6)

    def forward(self, x):
        mixed = self.mix(x)
        bent = torch.tanh(mixed)
        return torch.cumsum(bent, 1) + torch.cumsum(mixed, 1)
