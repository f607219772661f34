from abc import ABC, abstractmethod
from typing import Any, Callable, Dict, Optional, Tuple, Type, TypedDict

import torch
import torch.nn as nn
import torch.nn.functional as F

from .model_args import ModelArgs
from .rope import Rope


class ForwardOptions(TypedDict, total=False):
    """Optional inputs that an attention implementation may ask for."""

    mask: Optional[torch.Tensor]
    input_pos: Optional[torch.Tensor]
    freqs_cos_override: Optional[torch.Tensor]
    freqs_sin_override: Optional[torch.Tensor]


class Attention(nn.Module):
    """Abstract base class for attention mechanisms."""

    def forward(self, x: torch.Tensor, freqs_cos: torch.Tensor, freqs_sin: torch.Tensor, **kwargs: ForwardOptions):
        raise NotImplementedError


ATTENTION_REGISTRY: Dict[str, Type[Attention]] = {}


def register_attention(name: str):
    """Decorator to register attention classes"""

    def decorator(cls: Type[Attention]):
        ATTENTION_REGISTRY[name.lower()] = cls
        return cls

    return decorator


class RMSNorm(torch.nn.Module):
    def __init__(self, dim: int, eps: float = 1e-6, add_unit_offset: bool = False):
        super().__init__()
        self.dim = dim
        self.eps = eps
        self.add_unit_offset = add_unit_offset
        self.weight = nn.Parameter(torch.ones(dim))

    def _norm(self, x):
        return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + self.eps)

    def forward(self, x):
        output = self._norm(x.float()).type_as(x)
        if self.add_unit_offset:
            return output * (1.0 + self.weight)
        return output * self.weight


class KVCache(nn.Module):
    def __init__(self, max_batch_size: int, max_context_length: int, n_heads: int, head_dim: int, dtype=torch.float32):
        super().__init__()
        self.max_context_length = max_context_length
        cache_shape = (max_batch_size, n_heads, max_context_length, head_dim)
        self.max_batch_size = max_batch_size
        self.n_heads = n_heads
        self.head_dim = head_dim
        self.register_buffer("k_cache", torch.zeros(cache_shape, dtype=dtype, device="cpu"))
        self.register_buffer("v_cache", torch.zeros(cache_shape, dtype=dtype, device="cpu"))

    def update(self, input_pos: torch.Tensor, k_val: torch.Tensor, v_val: torch.Tensor):
        # input_pos: [S], k_val: [B, H, S, D]
        k_out = self.k_cache
        v_out = self.v_cache
        k_out[:, :, input_pos] = k_val
        v_out[:, :, input_pos] = v_val
        return k_out, v_out

    def get_mask(self, mask: torch.Tensor, input_pos: torch.Tensor) -> torch.Tensor:
        return mask[None, None, input_pos]


class CachePositionsManager(nn.Module):
    """Remembers which position of the text each slot of the ring buffer holds."""

    def __init__(self, max_context_length: int):
        super().__init__()
        self.max_context_length = max_context_length
        self.register_buffer("cache_positions", torch.full((max_context_length,), -1))

    def calculate_positions_and_update_indices(self, input_pos: torch.Tensor) -> torch.Tensor:
        indices = input_pos % self.max_context_length
        self.cache_positions[indices] = input_pos.float()
        return indices


class RingKVCache(KVCache):
    def __init__(self, max_batch_size, window_size, n_heads, head_dim, dtype=torch.float32):
        # Twice the window, so that a whole chunk of prefill always finds its window.
        super().__init__(max_batch_size, window_size * 2, n_heads, head_dim, dtype)
        self.window_size = window_size
        self.cache_positions_manager = CachePositionsManager(self.max_context_length)

    @staticmethod
    def create_causal_mask_for_ring_buffer(cache_positions: torch.Tensor, window_size: int, input_pos: torch.Tensor):
        pos_q = input_pos.view(-1, 1)
        delta = pos_q - cache_positions
        attn_mask = (cache_positions >= 0) & (delta >= 0) & (delta < window_size)
        return torch.where(attn_mask == True, 0, float("-inf"))  # noqa E712

    def update(self, input_pos, k_val, v_val):
        indices = self.cache_positions_manager.calculate_positions_and_update_indices(input_pos)
        return super().update(indices, k_val, v_val)

    def get_mask(self, mask, input_pos):
        positions = self.cache_positions_manager.cache_positions
        return self.create_causal_mask_for_ring_buffer(positions, self.window_size, input_pos)


def _repeat_kv(x: torch.Tensor, n_rep: int) -> torch.Tensor:
    return x if n_rep == 1 else x.repeat_interleave(n_rep, dim=1)


class SDPA(nn.Module):
    def __init__(self, dim: int, head_dim: int, n_rep: int):
        super().__init__()
        self.dim = dim
        self.head_dim = head_dim
        self.n_rep = n_rep

    def forward(self, q, k, v, bsz, seqlen, mask) -> torch.Tensor:
        # TODO(kimishpatel): This should not be necessary because scaled_dot_product_attention
        # can natively support GQA now. But needs enable_gqa=True
        k = _repeat_kv(k, self.n_rep)
        v = _repeat_kv(v, self.n_rep)
        y = self._attend(q, k, v, mask)
        return y.transpose(1, 2).reshape(bsz, seqlen, self.dim)

    def _attend(self, q, k, v, mask):
        return F.scaled_dot_product_attention(q, k, v, attn_mask=mask, dropout_p=0.0)


@register_attention("mha")
class AttentionMHA(Attention):
    def __init__(self, args: ModelArgs, layer_id: int, rope: Rope):
        super().__init__()
        self.use_kv_cache = args.use_kv_cache
        self.n_heads = args.n_heads
        self.n_kv_heads = args.n_kv_heads
        assert self.n_heads % self.n_kv_heads == 0
        self.n_rep = self.n_heads // self.n_kv_heads
        self.head_dim = args.head_dim
        self.layer_id = layer_id
        self.rope = rope

        self.use_qk_norm = args.use_qk_norm
        if self.use_qk_norm:
            self.q_norm_fn = RMSNorm(self.head_dim, eps=args.norm_eps)
            self.k_norm_fn = RMSNorm(self.head_dim, eps=args.norm_eps)

        self.wq = nn.Linear(args.dim, self.n_heads * self.head_dim, bias=False)
        self.wk = nn.Linear(args.dim, self.n_kv_heads * self.head_dim, bias=False)
        self.wv = nn.Linear(args.dim, self.n_kv_heads * self.head_dim, bias=False)
        self.wo = nn.Linear(self.n_heads * self.head_dim, args.dim, bias=False)

        causal_mask = torch.triu(torch.full((args.max_context_len, args.max_context_len), float("-inf")), diagonal=1)
        self.register_buffer("mask", causal_mask, persistent=False)

        if self.use_kv_cache:
            if args.layer_types[layer_id] == "sliding_attention":
                self.kv_cache = RingKVCache(1, args.sliding_window, self.n_kv_heads, self.head_dim)
            else:
                self.kv_cache = KVCache(1, args.max_context_len, self.n_kv_heads, self.head_dim)
        self.SDPA = SDPA(dim=self.n_heads * self.head_dim, head_dim=self.head_dim, n_rep=self.n_rep)

    def _project_qkv(self, x: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        bsz, seqlen, _ = x.shape
        q, k, v = self.wq(x), self.wk(x), self.wv(x)
        # We need view_copy elimination
        q = q.view(bsz, seqlen, self.n_heads, self.head_dim)
        k = k.view(bsz, seqlen, self.n_kv_heads, self.head_dim)
        v = v.view(bsz, seqlen, self.n_kv_heads, self.head_dim)
        return q, k, v

    def forward(self, x: torch.Tensor, freqs_cos: torch.Tensor, freqs_sin: torch.Tensor, **kwargs: ForwardOptions):
        input_pos = kwargs.get("input_pos")
        bsz, seqlen, _ = x.shape

        q, k, v = self._project_qkv(x)
        if self.use_qk_norm:
            q = self.q_norm_fn(q)
            k = self.k_norm_fn(k)

        # RoPE relative positional embeddings
        q, k = self.rope.forward(q, k, freqs_cos, freqs_sin)
        q, k, v = (t.transpose(1, 2) for t in (q, k, v))

        if self.use_kv_cache:
            assert input_pos is not None
            k, v = self.kv_cache.update(input_pos, k, v)
            attn_mask = self.kv_cache.get_mask(self.mask, input_pos)
        else:
            attn_mask = self.mask[:seqlen, :seqlen]
        return self.wo(self.SDPA(q, k, v, bsz, seqlen, attn_mask))
