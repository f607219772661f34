from dataclasses import dataclass
from typing import Optional, Tuple

import torch
import torch.nn as nn
from torch import Tensor
from torch.nn import functional as F

from .cache import KVCache, SlidingKVCache
from .rope import apply_rotary_emb, precompute_freqs_cis
from .sampling import sample, softcap


def find_multiple(n: int, k: int) -> int:
    return n if n % k == 0 else n + k - (n % k)


@dataclass
class ModelArgs:
    block_size: int = 2048
    vocab_size: int = 32000
    n_layer: int = 32
    n_head: int = 32
    dim: int = 4096
    intermediate_size: Optional[int] = None
    n_local_heads: int = -1
    head_dim: int = 64
    rope_base: float = 10000.0
    norm_eps: float = 1e-5
    sliding_window: Optional[int] = None
    sliding_every: int = 2  # of so many layers the last one sees everything
    use_qk_norm: bool = False
    logit_cap: Optional[float] = None

    def __post_init__(self):
        if self.n_local_heads == -1:
            self.n_local_heads = self.n_head
        if self.intermediate_size is None:
            self.intermediate_size = find_multiple(int(2 * 4 * self.dim / 3), 256)
        self.head_dim = self.dim // self.n_head

    def is_sliding(self, layer_idx: int) -> bool:
        return self.sliding_window is not None and (layer_idx + 1) % self.sliding_every != 0

    @classmethod
    def from_name(cls, name: str) -> "ModelArgs":
        if name in transformer_configs:
            return cls(**transformer_configs[name])
        # fuzzy search
        config = [c for c in transformer_configs if c.lower() in name.lower()]
        assert len(config) == 1, name
        return cls(**transformer_configs[config[0]])


transformer_configs = {
    "stories15M": dict(n_layer=6, n_head=6, dim=288),
    "7B": dict(n_layer=32, n_head=32, dim=4096),
    "debug": dict(block_size=64, vocab_size=512, n_layer=2, n_head=4, n_local_heads=2, dim=64, sliding_window=16,
                  use_qk_norm=True, logit_cap=30.0),
}


class Transformer(nn.Module):
    def __init__(self, config: ModelArgs) -> None:
        super().__init__()
        self.config = config
        self.tok_embeddings = nn.Embedding(config.vocab_size, config.dim)
        self.layers = nn.ModuleList(TransformerBlock(config, i) for i in range(config.n_layer))
        self.norm = RMSNorm(config.dim, eps=config.norm_eps)
        self.output = nn.Linear(config.dim, config.vocab_size, bias=False)
        self.max_batch_size = -1
        self.max_seq_length = -1

    def setup_caches(self, max_batch_size: int, max_seq_length: int) -> None:
        cfg = self.config
        max_seq_length = find_multiple(max_seq_length, 8)
        self.max_seq_length, self.max_batch_size = max_seq_length, max_batch_size
        for i, b in enumerate(self.layers):
            if cfg.is_sliding(i):
                b.attention.kv_cache = SlidingKVCache(max_batch_size, cfg.sliding_window, cfg.n_local_heads, cfg.head_dim)
            else:
                b.attention.kv_cache = KVCache(max_batch_size, max_seq_length, cfg.n_local_heads, cfg.head_dim)
        self.register_buffer("freqs_cis", precompute_freqs_cis(cfg.block_size, cfg.head_dim, cfg.rope_base))
        self.register_buffer("causal_mask", torch.tril(torch.ones(max_seq_length, max_seq_length, dtype=torch.bool)))

    def forward(self, idx: Tensor, input_pos: Tensor) -> Tensor:
        freqs_cis = self.freqs_cis[input_pos]
        x = self.tok_embeddings(idx)
        for layer in self.layers:
            x = layer(x, input_pos, freqs_cis, self.causal_mask)
        return self._unembed(x)

    def _unembed(self, x: Tensor) -> Tensor:
        logits = self.output(self.norm(x))
        return logits if self.config.logit_cap is None else softcap(logits, self.config.logit_cap)


class TransformerBlock(nn.Module):
    def __init__(self, config: ModelArgs, layer_idx: int) -> None:
        super().__init__()
        self.attention = Attention(config)
        self.feed_forward = FeedForward(config)
        self.ffn_norm = RMSNorm(config.dim, config.norm_eps)
        self.attention_norm = RMSNorm(config.dim, config.norm_eps)

    def forward(self, x: Tensor, input_pos: Tensor, freqs_cis: Tensor, causal_mask: Tensor) -> Tensor:
        h = x + self.attention(self.attention_norm(x), freqs_cis, causal_mask, input_pos)
        return h + self.feed_forward(self.ffn_norm(h))


def repeat_kv(x: Tensor, n_rep: int) -> Tensor:
    """torch.repeat_interleave(x, dim=1, repeats=n_rep)"""
    if n_rep == 1:
        return x
    bs, n_kv_heads, slen, head_dim = x.shape
    return x[:, :, None].expand(bs, n_kv_heads, n_rep, slen, head_dim).reshape(bs, n_kv_heads * n_rep, slen, head_dim)


class Attention(nn.Module):
    def __init__(self, config: ModelArgs):
        super().__init__()
        assert config.dim % config.n_head == 0
        self.n_head, self.n_local_heads = config.n_head, config.n_local_heads
        self.head_dim, self.dim = config.head_dim, config.dim
        # key, query, value projections for all heads, but in a batch
        total_head_dim = (config.n_head + 2 * config.n_local_heads) * config.head_dim
        self.wqkv = nn.Linear(config.dim, total_head_dim, bias=False)
        self.wo = nn.Linear(config.dim, config.dim, bias=False)
        self.q_norm = RMSNorm(config.head_dim, config.norm_eps) if config.use_qk_norm else None
        self.k_norm = RMSNorm(config.head_dim, config.norm_eps) if config.use_qk_norm else None
        self.kv_cache = None

    def _project(self, x: Tensor) -> Tuple[Tensor, Tensor, Tensor]:
        bsz, seqlen, _ = x.shape
        kv_size = self.n_local_heads * self.head_dim
        q, k, v = self.wqkv(x).split([self.dim, kv_size, kv_size], dim=-1)
        q = q.view(bsz, seqlen, self.n_head, self.head_dim)
        k = k.view(bsz, seqlen, self.n_local_heads, self.head_dim)
        v = v.view(bsz, seqlen, self.n_local_heads, self.head_dim)
        if self.q_norm is not None:
            q, k = self.q_norm(q), self.k_norm(k)
        return q, k, v

    def forward(self, x: Tensor, freqs_cis: Tensor, causal_mask: Tensor, input_pos: Tensor) -> Tensor:
        bsz, seqlen, _ = x.shape
        q, k, v = self._project(x)
        q = apply_rotary_emb(q, freqs_cis)
        k = apply_rotary_emb(k, freqs_cis)
        q, k, v = map(lambda t: t.transpose(1, 2), (q, k, v))

        k, v = self.kv_cache.update(input_pos, k, v)
        n_rep = self.n_head // self.n_local_heads
        k, v = repeat_kv(k, n_rep), repeat_kv(v, n_rep)
        mask = self.kv_cache.mask(causal_mask, input_pos)
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, dropout_p=0.0)

        y = y.transpose(1, 2).contiguous().view(bsz, seqlen, self.dim)
        return self.wo(y)


class FeedForward(nn.Module):
    def __init__(self, config: ModelArgs) -> None:
        super().__init__()
        self.w1 = nn.Linear(config.dim, config.intermediate_size, bias=False)
        self.w3 = nn.Linear(config.dim, config.intermediate_size, bias=False)
        self.w2 = nn.Linear(config.intermediate_size, config.dim, bias=False)

    def _gate(self, x: Tensor) -> Tensor:
        return F.silu(self.w1(x)) * self.w3(x)

    def forward(self, x: Tensor) -> Tensor:
        return self.w2(self._gate(x))


class RMSNorm(nn.Module):
    def __init__(self, dim: int, eps: float = 1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))

    def _norm(self, x: Tensor) -> Tensor:
        return x * torch.rsqrt(torch.mean(x * x, dim=-1, keepdim=True) + self.eps)

    def forward(self, x: Tensor) -> Tensor:
        output = self._norm(x.float()).type_as(x)
        return output * self.weight


def decode_one_token(model: Transformer, x: Tensor, input_pos: Tensor, noise: Tensor, **sampling_kwargs):
    logits = model(x, input_pos)
    return sample(logits, noise, **sampling_kwargs)


class Model(nn.Module):
    """The step that is exported: tokens, their positions and random numbers in, next token and its odds out."""

    def __init__(self, name: str = "debug", temperature: float = 0.8, top_k: int = 40) -> None:
        super().__init__()
        self.sampling = dict(temperature=temperature, top_k=top_k)
        self.transformer = Transformer(ModelArgs.from_name(name))
        self.transformer.setup_caches(max_batch_size=1, max_seq_length=60)

    def forward(self, tokens: Tensor, input_pos: Tensor, noise: Tensor):
        return decode_one_token(self.transformer, tokens, input_pos, noise, **self.sampling)


def example():
    return [(1, 4), (4,), (1, 512)]
