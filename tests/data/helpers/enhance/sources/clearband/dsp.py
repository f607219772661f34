"""Filter banks, complex numbers as (real, imag) pairs and the multi frame filter."""
import math
from typing import List, Tuple

import torch
from torch import Tensor

from .modules import pad_time

Pair = Tuple[Tensor, Tensor]


def to_pair(x: Tensor) -> Pair:
    """[..., 2] -> two of [...]"""
    return x[..., 0], x[..., 1]


def from_pair(x: Pair) -> Tensor:
    return torch.stack(x, dim=-1)


def c_mul(a: Pair, b: Pair) -> Pair:
    (ar, ai), (br, bi) = a, b
    return ar * br - ai * bi, ar * bi + ai * br


def c_scale(a: Pair, gain: Tensor) -> Pair:
    return tuple(part * gain for part in a)


def c_sum(a: Pair, dim: int) -> Pair:
    return a[0].sum(dim), a[1].sum(dim)


def c_power(a: Pair) -> Tensor:
    return a[0].square() + a[1].square()


def c_abs(a: Pair, eps: float = 1e-12) -> Tensor:
    return (c_power(a) + eps).sqrt()


def freq2erb(freq_hz: float) -> float:
    return 9.265 * math.log1p(freq_hz / (24.7 * 9.265))


def erb2freq(n_erb: float) -> float:
    return 24.7 * 9.265 * (math.exp(n_erb / 9.265) - 1.0)


def erb_widths(sr: int, n_freqs: int, nb_bands: int, min_nb_freqs: int = 1) -> List[int]:
    high = freq2erb(sr / 2)
    widths, prev, left_over = [], 0, 0
    for i in range(1, nb_bands + 1):
        fb = round(erb2freq(i * high / nb_bands) / (sr / 2) * n_freqs)
        nb = fb - prev - left_over
        if nb < min_nb_freqs:  # too few frequencies: take them from the next band
            left_over, nb = min_nb_freqs - nb, min_nb_freqs
        else:
            left_over = 0
        widths.append(nb)
        prev = fb
    widths[-1] += n_freqs - sum(widths)
    return widths


def erb_fb(widths: List[int], inverse: bool = False) -> Tensor:
    """Rectangular bands, [F, E], or [E, F] for the inverse"""
    n_freqs = sum(widths)
    fb = torch.zeros(n_freqs, len(widths))
    points = [sum(widths[:i]) for i in range(len(widths))]
    for i, (b, w) in enumerate(zip(points, widths)):
        fb[b : b + w, i] = 1.0 if inverse else 1.0 / w
    return fb.t() if inverse else fb


def erb_db(power: Tensor, fb: Tensor) -> Tensor:
    return 10.0 * torch.log10(torch.matmul(power, fb) + 1e-10)


def _smooth(x: Tensor, state: Tensor, alpha: float) -> Tensor:
    return x * (1.0 - alpha) + state * alpha


def band_mean_norm(x: Tensor, state: Tensor, alpha: float) -> Tensor:
    """[B, 1, T, E] minus its own running mean"""
    out = []
    for frame in torch.unbind(x, dim=2):
        state = _smooth(frame, state, alpha)
        out.append((frame - state) / 40.0)
    return torch.stack(out, dim=2)


def band_unit_norm(x: Pair, state: Tensor, alpha: float) -> Pair:
    """[B, 1, T, F] over the root of its own running magnitude"""
    states = []
    for frame in c_abs(x).unbind(2):
        state = _smooth(frame, state, alpha)
        states.append(state)
    return c_scale(x, torch.stack(states, 2).rsqrt())


def frames_of(x: Tensor, order: int, lookahead: int) -> Tensor:
    """[B, 1, T, F] -> [B, T, F, O]"""
    padded = pad_time(x, order - 1 - lookahead, lookahead)
    return padded.squeeze(1).unfold(1, order, 1)


def deep_filter(spec: Pair, coefs: Pair, order: int, lookahead: int) -> Pair:
    windows = tuple(frames_of(part, order, lookahead) for part in spec)
    filtered = c_sum(c_mul(windows, coefs), dim=-1)
    return tuple(part.unsqueeze(1) for part in filtered)
