import math
from functools import lru_cache
from typing import Tuple

import torch
import torch.nn.functional as F
from torch import Tensor

# hard-coded audio hyperparameters
SAMPLE_RATE = 8000
N_FFT = 64
HOP_LENGTH = 32
N_SAMPLES = 640  # one (very short) chunk
N_FRAMES = N_SAMPLES // HOP_LENGTH


def pad_or_trim(audio: Tensor, length: int = N_SAMPLES, *, axis: int = -1) -> Tensor:
    """
    Make the audio exactly `length` samples long, as the encoder expects.
    """
    n = audio.shape[axis]

    if n > length:
        audio = audio.narrow(axis, 0, length)

    if n < length:
        widths = [(0, 0)] * audio.ndim
        widths[axis] = (0, length - n)
        audio = F.pad(audio, [w for pair in reversed(widths) for w in pair])

    return audio


@lru_cache(maxsize=None)
def mel_filters(n_mels: int, n_fft: int = N_FFT) -> Tensor:
    """
    Triangles that project the power spectrum onto the mel scale, (n_mels, n_fft // 2 + 1)
    """
    top = 2595.0 * math.log10(1.0 + SAMPLE_RATE / 2 / 700.0)
    edges = [700.0 * (10.0 ** (top * i / (n_mels + 1) / 2595.0) - 1.0) for i in range(n_mels + 2)]
    bins = [SAMPLE_RATE * i / n_fft for i in range(n_fft // 2 + 1)]

    rows = []
    for lo, mid, hi in zip(edges, edges[1:], edges[2:]):
        rows.append([max(0.0, min((f - lo) / (mid - lo), (hi - f) / (hi - mid))) for f in bins])
    return torch.tensor(rows)


@lru_cache(maxsize=None)
def fourier_basis(n_fft: int = N_FFT) -> Tensor:
    """
    Windowed cosines and (negative) sines side by side, (n_fft, n_fft + 2)
    """
    angles = torch.outer(torch.arange(n_fft), torch.arange(n_fft // 2 + 1)) * (2 * math.pi / n_fft)
    return torch.hann_window(n_fft)[:, None] * torch.cat([angles.cos(), -angles.sin()], dim=1)


def frame_signal(audio: Tensor, n_fft: int, hop_length: int) -> Tensor:
    half = n_fft // 2
    centered = F.pad(audio[:, None], (half, half), mode="reflect")[:, 0]
    return centered.unfold(-1, n_fft, hop_length)


def stft_parts(audio: Tensor, basis: Tensor, hop_length: int = HOP_LENGTH) -> Tuple[Tensor, Tensor]:
    frames = frame_signal(audio, basis.shape[0], hop_length)
    real, imag = torch.chunk(frames @ basis, 2, dim=-1)
    return real, imag


def log_mel_spectrogram(audio: Tensor, filters: Tensor, basis: Tensor, padding: int = 0) -> Tensor:
    """
    Parameters
    ----------
    audio: Tensor, shape = (batch, n_samples)
    filters: Tensor, shape = (n_mels, n_bins)
    basis: Tensor, shape = (n_fft, 2 * n_bins)
    padding: int
        number of zeros to append

    Returns
    -------
    Tensor, shape = (batch, n_mels, n_frames)
    """
    if padding > 0:
        audio = F.pad(audio, (0, padding))

    real, imag = stft_parts(audio, basis)
    magnitudes = (real**2 + imag**2)[:, :-1]

    mel_spec = filters @ magnitudes.transpose(1, 2)

    log_spec = torch.clamp(mel_spec, min=1e-10).log10()
    log_spec = torch.maximum(log_spec, log_spec.max() - 8.0)
    log_spec = (log_spec + 4.0) / 4.0
    return log_spec
