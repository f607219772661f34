import torch
from torch import Tensor


def precompute_freqs_cis(seq_len: int, n_elem: int, base: float = 10000.0) -> Tensor:
    """cos and sin of every position and every pair of features, side by side in the last dimension."""
    inv_freq = 1.0 / (base ** (torch.arange(0, n_elem, 2).float() / n_elem))
    angles = torch.outer(torch.arange(seq_len).float(), inv_freq)
    return torch.stack([torch.cos(angles), torch.sin(angles)], dim=-1)


def _complex_mul(x: Tensor, freqs_cis: Tensor) -> Tensor:
    real, imag = x[..., 0], x[..., 1]
    cos, sin = freqs_cis[..., 0], freqs_cis[..., 1]
    return torch.stack([real * cos - imag * sin, imag * cos + real * sin], dim=-1)


def apply_rotary_emb(x: Tensor, freqs_cis: Tensor) -> Tensor:
    # x: (B, T, H, D), freqs_cis: (T, D / 2, 2)
    pairs = x.float().reshape(*x.shape[:-1], -1, 2)
    freqs_cis = freqs_cis.view(1, pairs.size(1), 1, pairs.size(3), 2)
    return _complex_mul(pairs, freqs_cis).flatten(3).type_as(x)
