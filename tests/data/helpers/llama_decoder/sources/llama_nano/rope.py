# Different RoPE implementations

import math
from functools import partial
from typing import Optional, Tuple

import torch

from .model_args import ModelArgs


# ======================== Stock Implementation ========================
def apply_scaling(freqs: torch.Tensor, scale_factor: int):
    # Values obtained from grid search
    low_freq_factor, high_freq_factor, old_context_len = 1, 4, 8192
    wavelen = 2 * math.pi / freqs
    smooth = (old_context_len / wavelen - low_freq_factor) / (high_freq_factor - low_freq_factor)
    smooth = smooth.clamp(0.0, 1.0)
    return (1 - smooth) * freqs / scale_factor + smooth * freqs


def precompute_freqs_cis(dim: int, end: int, theta: float = 10000.0, use_scaled: bool = False, scale_factor: int = 8):
    freqs = 1.0 / (theta ** (torch.arange(0, dim, 2)[: (dim // 2)].float() / dim))
    t = torch.arange(end)
    if use_scaled:
        freqs = apply_scaling(freqs, scale_factor)
    freqs = torch.outer(t, freqs).float()
    return torch.cos(freqs), torch.sin(freqs)


def reshape_for_broadcast(freqs_cis: torch.Tensor, x: torch.Tensor):
    ndim = x.ndim
    freqs_cis_ndim = freqs_cis.ndim
    if freqs_cis_ndim == 3:
        # freqs_cis: (seq_len, n_heads, head_dim // 2)
        assert freqs_cis.shape == (x.shape[-3], x.shape[-2], x.shape[-1])
        shape = [d if (i in (ndim - 3, ndim - 2, ndim - 1)) else 1 for i, d in enumerate(x.shape)]
    else:
        # freqs_cis: (seq_len, head_dim // 2)
        assert freqs_cis.shape == (x.shape[1], x.shape[-1])
        shape = [d if i == 1 or i == ndim - 1 else 1 for i, d in enumerate(x.shape)]
    return freqs_cis.view(shape)


def apply_rotary_emb_to_k(xk: torch.Tensor, freqs_cos: torch.Tensor, freqs_sin: torch.Tensor) -> torch.Tensor:
    xk_r, xk_i = xk.float().reshape(xk.shape[:-1] + (-1, 2)).unbind(-1)

    freqs_cos = reshape_for_broadcast(freqs_cos, xk_r)
    freqs_sin = reshape_for_broadcast(freqs_sin, xk_r)

    xk_out_r = xk_r * freqs_cos - xk_i * freqs_sin
    xk_out_i = xk_r * freqs_sin + xk_i * freqs_cos

    xk_out = torch.stack([xk_out_r, xk_out_i], dim=-1).flatten(3)
    return xk_out.type_as(xk)


class RotaryEmbedding(torch.nn.Module):
    def forward(self, xq, xk, freqs_cos, freqs_sin) -> Tuple[torch.Tensor, torch.Tensor]:
        return (
            apply_rotary_emb_to_k(xq, freqs_cos, freqs_sin),
            apply_rotary_emb_to_k(xk, freqs_cos, freqs_sin),
        )


# ======================= HuggingFace Implementation ========================
def hf_precompute_freqs_cis(dim: int, end: int, theta: float, partial_rotary_factor: float = 1.0):
    # Partial rotary embeddings.
    dim = int(dim * partial_rotary_factor)

    freqs = 1.0 / (theta ** (torch.arange(0, dim, 2).float() / dim))
    t = torch.arange(end)
    freqs = torch.outer(t, freqs).float()
    emb = torch.cat((freqs, freqs), dim=-1)
    return torch.cos(emb), torch.sin(emb)


def rotate_half(x):
    """Rotates half the hidden dims of the input."""
    x1 = x[..., : x.shape[-1] // 2]
    x2 = x[..., x.shape[-1] // 2 :]
    return torch.cat((-x2, x1), dim=-1)


def hf_apply_rotary_emb(q, k, cos, sin, unsqueeze_dim=1, rotary_dim: Optional[int] = None):
    cos = cos.unsqueeze(unsqueeze_dim)
    sin = sin.unsqueeze(unsqueeze_dim)

    rotary_dim = cos.shape[-1]
    q_rot, q_pass = q[..., :rotary_dim], q[..., rotary_dim:]
    k_rot, k_pass = k[..., :rotary_dim], k[..., rotary_dim:]
    q_embed = torch.cat([(q_rot * cos) + (rotate_half(q_rot) * sin), q_pass], dim=-1)
    k_embed = torch.cat([(k_rot * cos) + (rotate_half(k_rot) * sin), k_pass], dim=-1)
    return q_embed, k_embed


class Rope(torch.nn.Module):
    def __init__(self, params: ModelArgs):
        super().__init__()
        self.params = params

        # Choose the appropriate RoPE implementation
        if self.params.use_hf_rope:
            self.precompute_freqs_cis = partial(
                hf_precompute_freqs_cis, partial_rotary_factor=self.params.partial_rotary_factor
            )
            self.apply_rotary_emb = hf_apply_rotary_emb
        else:
            self.precompute_freqs_cis = partial(
                precompute_freqs_cis,
                use_scaled=self.params.use_scaled_rope,
                scale_factor=self.params.rope_scale_factor,
            )
            self.apply_rotary_emb = RotaryEmbedding()

        freqs_cos, freqs_sin = self.precompute_freqs_cis(
            self.params.head_dim,
            self.params.max_context_len if self.params.use_kv_cache else self.params.max_seq_len,
            self.params.rope_freq_base,
        )
        self.register_buffer("freqs_cos", freqs_cos, persistent=False)
        self.register_buffer("freqs_sin", freqs_sin, persistent=False)

    def forward(self, q: torch.Tensor, k: torch.Tensor, freqs_cos: torch.Tensor, freqs_sin: torch.Tensor):
        return self.apply_rotary_emb(q, k, freqs_cos, freqs_sin)

    def get_freqs(self, input_pos: Optional[torch.Tensor], seq_len: int):
        """The precomputed frequencies of the given positions, or of the first seq_len ones."""
        if self.params.use_kv_cache:
            assert input_pos is not None, "input_pos must be provided when use_kv_cache is True"
            # When not using dynamic shape, use of the .item results in
            # symints, due to querying the data from tensor.
            return self.freqs_cos[input_pos], self.freqs_sin[input_pos]

        assert input_pos is None, "input_pos is unused when use_kv_cache is False"
        return self.freqs_cos[:seq_len], self.freqs_sin[:seq_len]
