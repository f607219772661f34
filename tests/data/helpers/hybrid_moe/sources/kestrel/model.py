from typing import List, Tuple

import torch
from torch import Tensor, nn

from .args import BlockType, KestrelArgs
from .layers import Block, LayerState, RMSNorm
from .ops import precompute_freqs

MAX_LEN = 32


class Transformer(nn.Module):
    def __init__(self, args: KestrelArgs):
        super().__init__()
        self.args = args
        self.tok_embeddings = nn.Embedding(args.vocab_size, args.dim)
        self.layers = nn.ModuleDict({str(i): Block(i, kind, args) for i, kind in enumerate(args.block_types)})
        self.norm = RMSNorm(args.dim, args.norm_eps)
        self.output = nn.Linear(args.dim, args.vocab_size, bias=False)

    @property
    def freqs(self) -> Tuple[Tensor, Tensor]:
        # cheap enough to keep it out of the state dict
        return precompute_freqs(self.args.head_dim, MAX_LEN, self.args.rope_theta)

    def embed(self, tokens: Tensor) -> Tensor:
        return self.tok_embeddings(tokens) * self.args.dim**0.5

    def prefill(self, tokens: Tensor, states: List[LayerState]) -> Tuple[Tensor, List[LayerState]]:
        h, freqs, new_states = self.embed(tokens), self.freqs, []
        for layer, state in zip(self.layers.values(), states):
            h, state = layer(h, state, freqs)
            new_states.append(state)
        return self.norm(h), new_states

    def forward(self, tokens: Tensor, states: List[LayerState]) -> Tuple[Tensor, List[LayerState]]:
        h, states = self.prefill(tokens, states)
        return self.output(h[:, -1]).log_softmax(dim=-1), states

    @staticmethod
    def from_args(params: dict) -> "Transformer":
        return Transformer(KestrelArgs.from_dict(params))


class Model(nn.Module):
    """One prefill step; the states of the recurrent layers are in- and outputs."""

    def __init__(self):
        super().__init__()
        self.lm = Transformer.from_args({"n_layers": 2, "pattern": ["recurrent", "attention"]})

    def _unflatten(self, flat: Tuple[Tensor, ...]) -> List[LayerState]:
        it = iter(flat)
        return [
            LayerState(next(it), next(it)) if kind is BlockType.RECURRENT else LayerState()
            for kind in self.lm.args.block_types
        ]

    def forward(self, tokens: Tensor, *states: Tensor):
        logprobs, new_states = self.lm(tokens, self._unflatten(states))
        return logprobs, [s for state in new_states for s in state if s is not None]


def example():
    return ((1, 8), "int64"), (1, 2, 16), (1, 16)
