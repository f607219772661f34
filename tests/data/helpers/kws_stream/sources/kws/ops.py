"""Stateless building blocks. Everything here takes and returns tensors of shape [B, C, T] or [B, C, F, T]."""

import math
from typing import List, NamedTuple, Tuple

import torch
import torch.nn.functional as F

EPS = 1e-6


class StreamState(NamedTuple):
    samples: torch.Tensor  # overlap of the last chunk, [B, win - hop]
    floor: torch.Tensor  # running per-band floor, [B, n_mels, 1]
    context: torch.Tensor  # left context of the temporal convs, [B, C, T_ctx]
    hidden: torch.Tensor  # [B, H]


# ---------------------------------------------------------------- frontend
def dft_basis(n_fft: int, win: int) -> torch.Tensor:
    """Windowed real and imaginary rows of a DFT, laid out as conv1d kernels."""
    k = torch.arange(n_fft // 2 + 1).float()
    n = torch.arange(win).float()
    phase = 2 * math.pi * torch.outer(k, n) / n_fft
    window = torch.hann_window(win)
    basis = torch.cat([torch.cos(phase) * window, -torch.sin(phase) * window], dim=0)
    return basis[:, None, :]


def hz_to_mel(f: float) -> float:
    return 2595.0 * math.log10(1.0 + f / 700.0)


def mel_filters(n_mels: int, n_fft: int, sr: int, fmin: float, fmax: float) -> torch.Tensor:
    lo, hi = hz_to_mel(fmin), hz_to_mel(fmax)
    pts = 700.0 * (10 ** (torch.linspace(lo, hi, n_mels + 2) / 2595.0) - 1.0)
    freqs = torch.linspace(0, sr / 2, n_fft // 2 + 1)
    up = (freqs[:, None] - pts[None, :-2]) / (pts[1:-1] - pts[:-2])
    down = (pts[None, 2:] - freqs[:, None]) / (pts[2:] - pts[1:-1])
    return torch.where(up < down, up, down).clamp(0.0)


def power_spectrogram(wav: torch.Tensor, basis: torch.Tensor, hop: int) -> torch.Tensor:
    spec = F.conv1d(wav.unsqueeze(1), basis, stride=hop)
    re, im = spec.chunk(2, dim=1)
    return re * re + im * im


def log_compress(x: torch.Tensor, eps: float = EPS) -> torch.Tensor:
    return torch.log(x.clamp_min(eps))


def preemphasis(wav: torch.Tensor, coef: float = 0.97) -> torch.Tensor:
    shifted = F.pad(wav, (1, 0))[:, :-1]
    return wav - coef * shifted


def ema(prev: torch.Tensor, new: torch.Tensor, alpha: float) -> torch.Tensor:
    return prev + alpha * (new - prev)


def pcen_like(x: torch.Tensor, floor: torch.Tensor, gain: torch.Tensor, alpha: float) -> Tuple[torch.Tensor, torch.Tensor]:
    """Per-channel normalization with one smoother step per frame."""
    smoothed: List[torch.Tensor] = []
    for t in range(x.shape[-1]):
        floor = ema(floor, x[..., t : t + 1], alpha)
        smoothed.append(floor)
    m = torch.cat(smoothed, dim=-1)

    def compress(v, bias=2.0):
        return torch.sqrt(v + bias) - math.sqrt(bias)

    return compress(x * torch.exp(-torch.sigmoid(gain) * log_compress(m))), floor


# ---------------------------------------------------------------- network
def push_context(ctx: torch.Tensor, x: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
    """Prepend the left context, and give back what the next chunk needs of this one."""
    full = torch.cat([ctx, x], dim=-1)
    return full, full[..., -ctx.shape[-1] :]


def subspectral_norm(x: torch.Tensor, bands: int, weight, bias, mean, var, eps: float = 1e-5) -> torch.Tensor:
    b, c, f, t = x.shape
    x = x.view(b, c * bands, f // bands, t)
    scale = weight * torch.rsqrt(var + eps)
    shift = bias - mean * scale
    x = x * scale[:, None, None] + shift[:, None, None]
    return x.view(b, c, f, t)


def channel_shuffle(x: torch.Tensor, groups: int) -> torch.Tensor:
    b, c, f, t = x.size()
    return x.view(b, groups, c // groups, f, t).transpose(1, 2).reshape(b, c, f, t)


def broadcast_residual(x: torch.Tensor, y2d: torch.Tensor, y1d: torch.Tensor) -> torch.Tensor:
    return F.relu(x + y2d + y1d)


def gru_step(x, h, w_ih, w_hh, b_ih, b_hh):
    xr, xz, xn = F.linear(x, w_ih, b_ih).chunk(3, dim=-1)
    hr, hz, hn = F.linear(h, w_hh, b_hh).chunk(3, dim=-1)
    r = torch.sigmoid(xr + hr)
    z = torch.sigmoid(xz + hz)
    n = torch.tanh(xn + r * hn)
    return (1 - z) * n + z * h


def attend_pool(x: torch.Tensor, score: torch.Tensor) -> torch.Tensor:
    w = F.softmax(score, dim=-1)
    return (x * w).sum(dim=-1)


def max_smooth(prob: torch.Tensor, k: int) -> torch.Tensor:
    top, _ = prob.topk(k, dim=-1)
    return top.mean(dim=-1, keepdim=True)
