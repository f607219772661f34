from typing import Any, Dict, Optional, Tuple, Union

import torch
import torch.nn.functional as F
from torch import nn

from .attention import ATTENTION_REGISTRY, Attention, ForwardOptions, RMSNorm
from .model_args import ModelArgs
from .rope import RotaryEmbedding


class FeedForward(nn.Module):
    def __init__(self, dim: int, hidden_dim: int):
        super().__init__()
        self.w1 = nn.Linear(dim, hidden_dim, bias=False)
        self.w2 = nn.Linear(hidden_dim, dim, bias=False)
        self.w3 = nn.Linear(dim, hidden_dim, bias=False)

    def forward(self, x):
        return self.w2(F.silu(self.w1(x)) * self.w3(x))


class ConditionalFeedForward(nn.Module):
    def __init__(self, args: ModelArgs):
        super().__init__()
        self.dim = args.dim
        self.num_experts = args.num_experts
        self.w1 = nn.Parameter(torch.randn(args.num_experts, args.hidden_dim, self.dim))
        self.w2 = nn.Parameter(torch.randn(args.num_experts, args.hidden_dim, self.dim))
        self.w3 = nn.Parameter(torch.randn(args.num_experts, args.hidden_dim, self.dim))

    def forward(self, x, expert_indices):
        w1_weights = self.w1[expert_indices].transpose(-1, -2)
        w3_weights = self.w3[expert_indices].transpose(-1, -2)
        w2_weights = self.w2[expert_indices]
        x1 = F.silu(torch.einsum("ti,taio -> tao", x, w1_weights))
        x3 = torch.einsum("ti, taio -> tao", x, w3_weights)
        return torch.einsum("tao, taoi -> tai", x1 * x3, w2_weights)


class MOEFeedForward(nn.Module):
    def __init__(self, config) -> None:
        super().__init__()
        self.gate = nn.Linear(config.dim, config.num_experts, bias=False)
        self.cond_ffn = ConditionalFeedForward(config)
        self.dim = config.dim
        self.k = config.num_activated_experts

    def route(self, x):
        scores = self.gate(x)
        expert_weights, expert_indices = torch.topk(scores, self.k, dim=-1)
        return expert_weights.softmax(dim=-1), expert_indices

    def forward(self, x):
        x = x.view(-1, self.dim)
        expert_weights, expert_indices = self.route(x)
        expert_outs = self.cond_ffn(x, expert_indices)
        return torch.einsum("tai,ta -> ti", expert_outs, expert_weights)


class TransformerBlock(nn.Module):
    def __init__(self, args: ModelArgs, attention: Attention, moe: bool = False):
        super().__init__()
        self.dim = args.dim
        self.attention = attention
        if moe:
            self.block_sparse_moe = MOEFeedForward(args)
        else:
            self.feed_forward = FeedForward(dim=args.dim, hidden_dim=args.hidden_dim)
        self.attention_norm = RMSNorm(args.dim, eps=args.norm_eps)
        self.ffn_norm = RMSNorm(args.dim, eps=args.norm_eps)

    @classmethod
    def from_args(cls, layer_id, args: ModelArgs, rope) -> "TransformerBlock":
        if args.attention_type not in ATTENTION_REGISTRY:
            raise ValueError(f"Unknown attention type: {args.attention_type}. Available: {list(ATTENTION_REGISTRY.keys())}")
        make = ATTENTION_REGISTRY[args.attention_type]
        attention = make(args, layer_id, rope, **args.attention_kwargs)
        return TransformerBlock(args, attention, moe=args.moe and layer_id % 2 == 1)

    def _ffn(self, h):
        if hasattr(self, "block_sparse_moe"):
            return self.block_sparse_moe(self.ffn_norm(h)).view_as(h)
        return self.feed_forward(self.ffn_norm(h))

    def forward(self, x, freqs_cos, freqs_sin, attn_options: ForwardOptions):
        h, attn_options_update = self.attention(self.attention_norm(x), freqs_cos, freqs_sin, **attn_options)
        if attn_options_update is not None:
            attn_options = {**attn_options, **attn_options_update}
        h = x + h
        out = h + self._ffn(h)
        return out, attn_options_update


class Transformer(nn.Module):
    def __init__(self, params: ModelArgs, layers: nn.ModuleList, rope):
        super().__init__()
        self.params = params
        self.vocab_size = params.vocab_size
        self.n_layers = params.n_layers
        self.apply_embedding = True
        self.tok_embeddings = nn.Embedding(params.vocab_size, params.dim) if self.apply_embedding else None
        self.layers = layers
        self.rope = rope
        self.norm = RMSNorm(params.dim, eps=params.norm_eps)
        self.output = nn.Linear(params.dim, params.vocab_size, bias=False)
        self.use_kv_cache = params.use_kv_cache
        self.generate_full_logits = params.generate_full_logits

    def _last(self, h, seqlen):
        if self.generate_full_logits:
            return h
        return h[:, seqlen - 1, :]

    def forward(self, tokens=None, attn_options: Optional[ForwardOptions] = None, h: Optional[torch.Tensor] = None):
        if (tokens is None) ^ (h is not None):
            raise ValueError("You cannot specify both tokens and h at the same time, and must specify either one")
        if self.apply_embedding and tokens is not None and h is None:
            h = self.tok_embeddings(tokens)
        if attn_options is None:
            attn_options = {}
        seqlen = h.shape[1]
        freqs_cos, freqs_sin = self.rope.get_freqs(attn_options.get("input_pos"), seqlen)

        attn_options_ = attn_options.copy() if attn_options is not None else {}
        attn_options_update = None
        for layer in self.layers:
            h, attn_options_update = layer(h, freqs_cos, freqs_sin, attn_options_)
            if attn_options_update is not None:
                attn_options_.update(**attn_options_update)
        h = self._last(h, seqlen)
        h = self.norm(h)
        logits = self.output(h)
        if attn_options_update is not None:
            return logits, attn_options_update
        return logits


def construct_transformer(model_args: ModelArgs) -> Transformer:
    rope = RotaryEmbedding(model_args)
    layers = nn.ModuleList()
    for layer_id in range(model_args.n_layers):
        layers.append(TransformerBlock.from_args(layer_id, model_args, rope))
    return Transformer(model_args, layers, rope)


class Model(nn.Module):
    """Two of them: one reads the prompt with a cache, the other drafts without."""

    def __init__(self):
        super().__init__()
        self.main = construct_transformer(ModelArgs(n_kv_heads=2, use_kv_cache=True, moe=True, use_qk_norm=True))
        self.draft = construct_transformer(ModelArgs(n_layers=1, dim=8, n_heads=2, use_hf_rope=True, partial_rotary_factor=0.5, generate_full_logits=True))

    def forward(self, tokens, draft_tokens):
        return self.main(tokens, {"input_pos": 2}), self.draft(draft_tokens)


def example():
    return [(1, 3), (1, 5)]
