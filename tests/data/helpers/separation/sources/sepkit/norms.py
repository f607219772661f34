import torch
from torch import nn


def z_norm(x, dims, eps: float = 1e-8):
    mean = x.mean(dim=dims, keepdim=True)
    centered = x - mean
    power = torch.mean(torch.pow(centered, 2), dim=dims, keepdim=True)
    return centered / torch.sqrt(power + eps)


class _BaseNorm(nn.Module):
    """Normalizations of (batch, chan, *) with a gain and a bias per channel."""

    def __init__(self, channel_size):
        super().__init__()
        self.channel_size = channel_size
        self.gamma = nn.Parameter(torch.ones(channel_size))
        self.beta = nn.Parameter(torch.zeros(channel_size))

    def per_channel(self, parameter, x):
        return parameter.view(1, -1, *[1] * (x.ndim - 2))

    def apply_gain_and_bias(self, normed_x):
        return normed_x * self.per_channel(self.gamma, normed_x) + self.per_channel(self.beta, normed_x)


class GlobLN(_BaseNorm):
    """Over all but the batch."""

    def forward(self, x, eps: float = 1e-8):
        return self.apply_gain_and_bias(z_norm(x, list(range(1, x.ndim)), eps))


class ChanLN(_BaseNorm):
    """Over the channels."""

    def forward(self, x, eps: float = 1e-8):
        return self.apply_gain_and_bias(z_norm(x, [1], eps))


gLN = GlobLN
cLN = ChanLN
bN = nn.BatchNorm1d


def get(identifier):
    """Norm class of this name ("gLN", "cLN", "GlobLN", ...)."""
    if identifier is None or callable(identifier):
        return identifier
    cls = globals().get(identifier) if isinstance(identifier, str) else None
    if cls is None:
        raise ValueError("Could not interpret normalization identifier: " + str(identifier))
    return cls
