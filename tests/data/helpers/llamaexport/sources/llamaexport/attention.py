from abc import ABC, abstractmethod
from typing import Any, Callable, Dict, Optional, Tuple, Type, TypedDict

import torch
import torch.nn as nn
import torch.nn.functional as F

from .model_args import ModelArgs
from .rope import RotaryEmbedding


class ForwardOptions(TypedDict, total=False):
    mask: Optional[torch.Tensor]
    input_pos: Optional[int]
    in_cache_state: Optional[Any]


class RMSNorm(nn.Module):
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
            return output * (1.0 + self.weight.float())
        return output * self.weight


class Attention(nn.Module, ABC):
    @abstractmethod
    def forward(self, x, freqs_cos, freqs_sin, **kwargs):
        pass


ATTENTION_REGISTRY: Dict[str, Type[Attention]] = {}


def register_attention(name: str):
    def decorator(cls: Type[Attention]):
        ATTENTION_REGISTRY[name.lower()] = cls
        return cls

    return decorator


class KVCache(nn.Module):
    def __init__(self, max_batch_size: int, max_context_length: int, n_heads: int, head_dim: int):
        super().__init__()
        self.max_context_length = max_context_length
        cache_shape = (max_batch_size, n_heads, max_context_length, head_dim)
        self.register_buffer("k_cache", torch.zeros(cache_shape))
        self.register_buffer("v_cache", torch.zeros(cache_shape))

    def update(self, input_pos, k_val, v_val) -> Tuple[torch.Tensor, torch.Tensor]:
        start_pos = input_pos
        seq_length = k_val.size(2)
        assert 0 <= start_pos < self.max_context_length, f"{start_pos} is outside of {self.max_context_length}"
        narrowed_k = self.k_cache.narrow(2, start_pos, seq_length)
        narrowed_v = self.v_cache.narrow(2, start_pos, seq_length)
        narrowed_k.copy_(k_val)
        narrowed_v.copy_(v_val)
        return self.k_cache, self.v_cache


class SDPA(nn.Module):
    def __init__(self, dim: int, head_dim: int, n_rep: int, max_context_len: int):
        super().__init__()
        self.dim = dim
        self.head_dim = head_dim
        self.n_rep = n_rep
        self.max_context_len = max_context_len

    def forward(self, input_pos, q, k, v, bsz, seqlen, mask: torch.Tensor):
        k = repeat_kv(k, self.n_rep)
        v = repeat_kv(v, self.n_rep)
        if input_pos is not None:
            mask = mask.narrow(0, input_pos, seqlen)
        else:
            mask = mask[:seqlen, :seqlen]
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, dropout_p=0.0)
        return y.transpose(1, 2).contiguous().view(bsz, seqlen, self.dim)


def repeat_kv(hidden_states: torch.Tensor, n_rep: int) -> torch.Tensor:
    bs, heads, n, d = hidden_states.shape
    if n_rep == 1:
        return hidden_states
    hidden_states = hidden_states[:, :, None, :, :].expand(bs, heads, n_rep, n, d)
    return hidden_states.reshape(bs, heads * n_rep, n, d)


@register_attention("mha")
class AttentionMHA(Attention):
    def __init__(self, args: ModelArgs, layer_id: int, rope: RotaryEmbedding, **_kwargs: Any):
        super().__init__()
        self.use_kv_cache = args.use_kv_cache
        self.n_heads = args.n_heads
        self.n_kv_heads = self.n_heads if args.n_kv_heads is None else args.n_kv_heads
        assert self.n_heads % self.n_kv_heads == 0
        self.n_rep = self.n_heads // self.n_kv_heads
        self.head_dim = args.head_dim
        self.layer_id = layer_id
        self.rope = rope
        self.use_qk_norm = args.use_qk_norm
        if self.use_qk_norm:
            self.q_norm_fn = RMSNorm(self.head_dim, args.norm_eps)
            self.k_norm_fn = RMSNorm(self.head_dim, args.norm_eps)
        self.wq = nn.Linear(args.dim, self.n_heads * self.head_dim, bias=False)
        self.wk = nn.Linear(args.dim, self.n_kv_heads * self.head_dim, bias=False)
        self.wv = nn.Linear(args.dim, self.n_kv_heads * self.head_dim, bias=False)
        self.wo = nn.Linear(self.n_heads * self.head_dim, args.dim, bias=False)
        self.register_buffer("mask", torch.ones(args.max_seq_len, args.max_seq_len), persistent=False)
        if self.use_kv_cache:
            self.kv_cache = KVCache(args.max_batch_size, args.max_seq_len, self.n_kv_heads, self.head_dim)
        self.SDPA = SDPA(self.n_heads * self.head_dim, self.head_dim, self.n_rep, args.max_seq_len)

    def _project(self, x):
        bsz, seqlen, _ = x.shape
        q, k, v = self.wq(x), self.wk(x), self.wv(x)
        q = q.view(bsz, seqlen, self.n_heads, self.head_dim)
        k = k.view(bsz, seqlen, self.n_kv_heads, self.head_dim)
        v = v.view(bsz, seqlen, self.n_kv_heads, self.head_dim)
        return q, k, v

    def forward(self, x, freqs_cos, freqs_sin, **kwargs):
        input_pos = kwargs.get("input_pos")
        bsz, seqlen, _ = x.shape
        q, k, v = self._project(x)
        q, k = self.rope.forward(q, k, freqs_cos, freqs_sin)
        q, k, v = map(lambda t: t.transpose(1, 2), (q, k, v))
        if self.use_qk_norm:
            q = self.q_norm_fn(q)
            k = self.k_norm_fn(k)
        if self.use_kv_cache:
            k, v = self.kv_cache.update(input_pos, k, v)
        output = self.SDPA(input_pos, q, k, v, bsz, seqlen, self.mask)
        return self.wo(output), None
