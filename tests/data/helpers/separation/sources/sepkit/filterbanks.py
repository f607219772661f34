import math

import torch
from torch import nn
from torch.nn import functional as F


def overlap_add(frames, hop):
    """Sums frames of 2 * hop samples: (..., n_frames, 2 * hop) -> (..., (n_frames + 1) * hop)."""
    first, second = torch.split(frames, hop, dim=-1)
    first = F.pad(first, (0, 0, 0, 1))
    second = F.pad(second, (0, 0, 1, 0))
    return (first + second).flatten(-2)


class Filterbank(nn.Module):
    def __init__(self, n_filters, kernel_size, stride=None, sample_rate=8000.0):
        super().__init__()
        self.n_filters, self.kernel_size, self.sample_rate = n_filters, kernel_size, sample_rate
        self.stride = stride if stride else kernel_size // 2

    def filters(self):
        """Returns the filters, (n_filters, 1, kernel_size)."""
        raise NotImplementedError


class FreeFB(Filterbank):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self._filters = nn.Parameter(torch.ones(self.n_filters, 1, self.kernel_size))
        nn.init.xavier_normal_(self._filters)

    def filters(self):
        return self._filters


class ParamSincFB(Filterbank):
    """Windowed band passes, of which only both cut-off frequencies are learned; cosine and sine phase of each."""

    def __init__(self, *args, min_low_hz=50.0, min_band_hz=50.0, **kwargs):
        super().__init__(*args, **kwargs)
        self.min_low_hz, self.min_band_hz = min_low_hz, min_band_hz
        self.half = self.kernel_size // 2
        cutoff = self.n_filters // 2
        self.low_hz_ = nn.Parameter(torch.linspace(30.0, self.sample_rate / 2 - 130.0, cutoff).view(-1, 1))
        self.band_hz_ = nn.Parameter(torch.ones(cutoff, 1) * 100.0)
        self.register_buffer("window_", 0.54 - 0.46 * torch.cos(torch.linspace(0.0, math.pi, self.half)))
        self.register_buffer("n_", 2 * math.pi * torch.arange(1, self.half + 1).view(1, -1) / self.sample_rate)

    def band_edges(self):
        low = self.min_low_hz + torch.abs(self.low_hz_)
        high = torch.clamp(low + self.min_band_hz + torch.abs(self.band_hz_), self.min_low_hz, self.sample_rate / 2)
        return low, high

    def make_filters(self, low, high, filt_type):
        ft_low, ft_high = torch.matmul(low, self.n_), torch.matmul(high, self.n_)
        if filt_type == "cos":
            side, sign = torch.sin(ft_high) - torch.sin(ft_low), 1.0
        else:
            side, sign = torch.cos(ft_low) - torch.cos(ft_high), -1.0
        left = side / (self.n_ / 2) * self.window_
        right = sign * torch.flip(left, dims=[1])
        band = torch.cat([left, right], dim=1)
        return (band / (2 * (high - low))).unsqueeze(1)

    def filters(self):
        low, high = self.band_edges()
        return torch.cat([self.make_filters(low, high, kind) for kind in ("cos", "sin")], dim=0)


class Encoder(nn.Module):
    def __init__(self, filterbank, padding=0):
        super().__init__()
        self.filterbank = filterbank
        self.padding = padding

    def forward(self, waveform):
        return F.conv1d(waveform, self.filterbank.filters(), stride=self.filterbank.stride, padding=self.padding)


class Decoder(nn.Module):
    """Synthesis frame by frame, for any number of dimensions before (filters, frames)."""

    def __init__(self, filterbank):
        super().__init__()
        self.filterbank = filterbank

    def synthesize(self, spec):
        basis = self.filterbank.filters().squeeze(1)
        return torch.matmul(spec.transpose(-1, -2), basis)

    def forward(self, spec):
        lead = spec.shape[:-2]
        frames = self.synthesize(spec.reshape(-1, *spec.shape[-2:]))
        wav = overlap_add(frames, self.filterbank.stride)
        return wav.view(*lead, -1)


def make_enc_dec(fb_name, n_filters, kernel_size, stride=None, **kwargs):
    fb_class = get(fb_name)
    enc = Encoder(fb_class(n_filters, kernel_size, stride=stride, **kwargs))
    dec = Decoder(FreeFB(n_filters, kernel_size, stride=stride))
    return enc, dec


free, param_sinc = FreeFB, ParamSincFB


def get(identifier):
    cls = globals().get(identifier) if isinstance(identifier, str) else identifier
    if cls is None:
        raise ValueError(f"Could not interpret filterbank identifier: {identifier}")
    return cls
