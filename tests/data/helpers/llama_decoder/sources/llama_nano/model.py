# Please refer to README.md in the same folder for more information.

from typing import Any, Dict, Optional

import torch
import torch.nn.functional as F
from torch import nn

from .attention import ATTENTION_REGISTRY, Attention, ForwardOptions, RMSNorm
from .model_args import ModelArgs
from .rope import Rope


class FeedForward(nn.Module):
    def __init__(self, dim: int, hidden_dim: int):
        super().__init__()
        self.w1 = nn.Linear(dim, hidden_dim, bias=False)
        self.w2 = nn.Linear(hidden_dim, dim, bias=False)
        self.w3 = nn.Linear(dim, hidden_dim, bias=False)

    def forward(self, x):
        return self.w2(F.silu(self.w1(x)) * self.w3(x))


class TransformerBlock(nn.Module):
    def __init__(self, args: ModelArgs, attention: Attention):
        super().__init__()
        self.dim = args.dim
        self.attention = attention
        self.feed_forward = FeedForward(dim=args.dim, hidden_dim=args.hidden_dim)
        self.attention_norm = RMSNorm(args.dim, eps=args.norm_eps)
        self.ffn_norm = RMSNorm(args.dim, eps=args.norm_eps)

    @classmethod
    def from_type(cls, layer_id: int, args: ModelArgs, rope: Rope) -> "TransformerBlock":
        if args.attention_type not in ATTENTION_REGISTRY:
            raise ValueError(f"Unknown attention type: {args.attention_type}.")
        attention_cls = ATTENTION_REGISTRY[args.attention_type]
        return TransformerBlock(args, attention_cls(args, layer_id, rope))

    def forward(self, x, freqs_cos, freqs_sin, attn_options: ForwardOptions):
        h = x + self.attention.forward(self.attention_norm(x), freqs_cos, freqs_sin, **attn_options)
        return h + self.feed_forward(self.ffn_norm(h))


def apply_logit_softcapping(logits: torch.Tensor, cap: float) -> torch.Tensor:
    logits = logits / cap
    logits = torch.tanh(logits)
    return logits * cap


class Transformer(nn.Module):
    def __init__(self, params: ModelArgs, layers: nn.ModuleList, rope: Rope):
        super().__init__()
        self.params = params
        self.vocab_size = params.vocab_size
        self.n_layers = params.n_layers
        self.tok_embeddings = nn.Embedding(params.vocab_size, params.dim)
        self.layers = layers
        self.rope = rope
        self.norm = RMSNorm(params.dim, eps=params.norm_eps)
        self.output = nn.Linear(params.dim, params.vocab_size, bias=False)
        self.use_kv_cache = params.use_kv_cache
        self.generate_full_logits = params.generate_full_logits

    def _embed(self, tokens: torch.Tensor) -> torch.Tensor:
        return self.params.embedding_scale_factor * self.tok_embeddings(tokens)

    def _logits(self, h: torch.Tensor) -> torch.Tensor:
        if not self.generate_full_logits:
            # Only the last logit is used for the new generated token
            h = h[:, -1, :]
        logits = self.output(self.norm(h))
        if self.params.final_logit_softcapping:
            logits = apply_logit_softcapping(logits, self.params.final_logit_softcapping)
        return logits

    def forward(self, tokens: torch.LongTensor, input_pos: Optional[torch.Tensor] = None) -> torch.Tensor:
        h = self._embed(tokens)
        attn_options: Dict[str, Any] = {"input_pos": input_pos}
        freqs_cos, freqs_sin = self.rope.get_freqs(input_pos, tokens.shape[1])

        for layer in self.layers:
            h = layer(h, freqs_cos, freqs_sin, attn_options)
        return self._logits(h)


def construct_layers(model_args: ModelArgs, rope: Rope) -> nn.ModuleList:
    layers = nn.ModuleList()
    for layer_id in range(model_args.n_layers):
        layers.append(TransformerBlock.from_type(layer_id, model_args, rope))
    return layers


class Model(Transformer):
    """What the export script instantiates: the checkpoint's params.json, or these if there is none."""

    DEFAULTS: Dict[str, Any] = dict(
        n_kv_heads=2,
        use_kv_cache=True,
        use_qk_norm=True,
        use_hf_rope=False,
        sliding_window=8,
        layer_types=["sliding_attention", "full_attention"],
        embedding_scale_factor=8.0,
        final_logit_softcapping=30.0,
    )

    def __init__(self, **overrides: Any):
        params = ModelArgs(**{**self.DEFAULTS, **overrides})
        rope = Rope(params)
        super().__init__(params, construct_layers(params, rope), rope)


def example():
    return [((1, 4), "int64"), ((4,), "int64")]
