from functools import partial
from typing import Optional, Tuple

import torch

from .model_args import ModelArgs


def precompute_freqs_cis(dim: int, end: int, theta: float = 10000.0):
    freqs = 1.0 / (theta ** (torch.arange(0, dim, 2)[: (dim // 2)].float() / dim))
    t = torch.arange(end)
    freqs = torch.outer(t, freqs).float()
    return torch.cos(freqs), torch.sin(freqs)


def hf_precompute_freqs_cis(dim: int, end: int, theta: float, partial_rotary_factor: float = 1.0):
    dim = int(dim * partial_rotary_factor)
    freqs = 1.0 / (theta ** (torch.arange(0, dim, 2).float() / dim))
    t = torch.arange(end)
    freqs = torch.outer(t, freqs)
    emb = torch.cat((freqs, freqs), dim=-1)
    return torch.cos(emb), torch.sin(emb)


def reshape_for_broadcast(freqs_cis: torch.Tensor, x: torch.Tensor):
    ndim = x.ndim
    freqs_cis_ndim = freqs_cis.ndim
    if freqs_cis_ndim == 3:
        assert freqs_cis.shape == (x.shape[-3], x.shape[-2], x.shape[-1])
        shape = [d if (i == ndim - 3 or i == ndim - 2 or i == ndim - 1) else 1 for i, d in enumerate(x.shape)]
    else:
        assert 0 <= 1 < ndim
        assert freqs_cis.shape == (x.shape[1], x.shape[-1])
        shape = [d if i == 1 or i == ndim - 1 else 1 for i, d in enumerate(x.shape)]
    return freqs_cis.view(shape)


def _pairs(x):
    return x.float().reshape(x.shape[:-1] + (-1, 2)).unbind(-1)


def apply_rotary_emb(xq: torch.Tensor, xk: torch.Tensor, freqs_cos: torch.Tensor, freqs_sin: torch.Tensor):
    xq_r, xq_i = _pairs(xq)
    xk_r, xk_i = _pairs(xk)
    freqs_cos = reshape_for_broadcast(freqs_cos, xq_r)
    freqs_sin = reshape_for_broadcast(freqs_sin, xq_r)

    def turn(r, i):
        out_r = r * freqs_cos - i * freqs_sin
        out_i = r * freqs_sin + i * freqs_cos
        return torch.stack([out_r, out_i], dim=-1).flatten(3)

    return turn(xq_r, xq_i).type_as(xq), turn(xk_r, xk_i).type_as(xk)


def rotate_half(x):
    x1 = x[..., : x.shape[-1] // 2]
    x2 = x[..., x.shape[-1] // 2 :]
    return torch.cat((-x2, x1), dim=-1)


def hf_apply_rotary_emb(q, k, cos, sin, position_ids=None, unsqueeze_dim=1):
    cos = cos.unsqueeze(unsqueeze_dim)
    sin = sin.unsqueeze(unsqueeze_dim)
    rotary_dim = cos.shape[-1]
    q_rot, q_pass = q[..., :rotary_dim], q[..., rotary_dim:]
    k_rot, k_pass = k[..., :rotary_dim], k[..., rotary_dim:]
    q_embed = torch.cat([(q_rot * cos) + (rotate_half(q_rot) * sin), q_pass], dim=-1)
    k_embed = torch.cat([(k_rot * cos) + (rotate_half(k_rot) * sin), k_pass], dim=-1)
    return q_embed, k_embed


class RotaryEmbedding(torch.nn.Module):
    def __init__(self, params: ModelArgs):
        super().__init__()
        self.params = params
        if self.params.use_hf_rope:
            self.precompute_freqs_cis = partial(hf_precompute_freqs_cis, partial_rotary_factor=self.params.partial_rotary_factor)
            self.apply_rotary_emb = hf_apply_rotary_emb
        else:
            self.precompute_freqs_cis = precompute_freqs_cis
            self.apply_rotary_emb = apply_rotary_emb
        freqs_cos, freqs_sin = self.precompute_freqs_cis(self.params.head_dim, self.params.max_seq_len, self.params.rope_freq_base)
        self.register_buffer("freqs_cos", freqs_cos, persistent=False)
        self.register_buffer("freqs_sin", freqs_sin, persistent=False)

    def forward(self, q, k, freqs_cos, freqs_sin):
        return self.apply_rotary_emb(q, k, freqs_cos, freqs_sin)

    def get_freqs(self, input_pos: Optional[torch.Tensor], seq_len: int):
        if self.params.use_kv_cache:
            assert input_pos is not None, "input_pos must be provided when use_kv_cache is True"
            start = 0 if self.params.generate_full_logits else input_pos
            freqs_cos = self.freqs_cos.narrow(0, start, seq_len)
            freqs_sin = self.freqs_sin.narrow(0, start, seq_len)
        else:
            assert input_pos is None, "input_pos is unused when use_kv_cache is False"
            freqs_cos = self.freqs_cos[:seq_len]
            freqs_sin = self.freqs_sin[:seq_len]
        return freqs_cos, freqs_sin
