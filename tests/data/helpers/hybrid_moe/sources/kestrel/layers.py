from typing import List, NamedTuple, Optional, Tuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from . import ops
from .args import BlockType, KestrelArgs, MoeArgs
from .ops import rearrange


class LayerState(NamedTuple):
    conv: Optional[Tensor] = None
    rnn: Optional[Tensor] = None


def empty(*shape: int) -> nn.Parameter:
    return nn.Parameter(torch.empty(*shape))


class RMSNorm(nn.Module):
    def __init__(self, dim: int, eps: float):
        super().__init__()
        self.eps = eps
        self.weight = empty(dim)

    def forward(self, x: Tensor) -> Tensor:
        return ops.rms_norm(x, self.weight, self.eps)


class GatedLRU(nn.Module):
    """Block-diagonal gates around a diagonal linear recurrence."""

    C = 8.0

    def __init__(self, args: KestrelArgs):
        super().__init__()
        w, h = args.lru_width, args.n_heads
        self.n_heads = h
        self.a_param = empty(w)
        self.w_gates = empty(2, h, w // h, w // h)
        self.b_gates = empty(2, h, w // h)

    def gates(self, x: Tensor) -> Tuple[Tensor, Tensor]:
        x = rearrange(x, "b t (h i) -> b t h i", h=self.n_heads)
        both = torch.einsum("bthi,ghij->gbthj", x, self.w_gates) + self.b_gates[:, None, None]
        both = torch.sigmoid(rearrange(both, "g b t h j -> g b t (h j)"))
        return both[0], both[1]

    @staticmethod
    def discretize(log_a: Tensor, x: Tensor) -> Tuple[Tensor, Tensor]:
        a = torch.exp(log_a)
        return a, torch.sqrt(1 - a**2 + 1e-6) * x

    def forward(self, x: Tensor, h0: Tensor) -> Tuple[Tensor, Tensor]:
        gate_x, gate_a = self.gates(x)
        log_a = -self.C * gate_a * F.softplus(self.a_param)
        return ops.linear_scan(*self.discretize(log_a, x * gate_x), h0)


class RecurrentMixer(nn.Module):
    def __init__(self, args: KestrelArgs):
        super().__init__()
        self.w_in = empty(2, args.dim, args.lru_width)
        self.w_out = empty(args.lru_width, args.dim)
        self.conv_w, self.conv_b = empty(args.conv_width, args.lru_width), empty(args.lru_width)
        self.lru = GatedLRU(args)

    def project_in(self, x: Tensor) -> Tuple[Tensor, Tensor]:
        y, x = torch.einsum("btd,kdw->kbtw", x, self.w_in).unbind(0)
        return F.gelu(y, approximate="tanh"), x

    def forward(self, x: Tensor, state: LayerState, freqs) -> Tuple[Tensor, LayerState]:
        y, x = self.project_in(x)
        x, conv = ops.causal_conv1d(x, self.conv_w, self.conv_b, state.conv)
        x, rnn = self.lru(x, state.rnn)
        return torch.einsum("btw,wd->btd", x * y, self.w_out), LayerState(conv, rnn)


class LocalAttention(nn.Module):
    """Multi-query attention over a short window."""

    def __init__(self, args: KestrelArgs):
        super().__init__()
        self.n_heads, self.head_dim, self.window = args.n_heads, args.head_dim, args.window
        self.wqkv = nn.Linear(args.dim, (args.n_heads + 2) * args.head_dim, bias=False)
        self.wo = nn.Linear(args.n_heads * args.head_dim, args.dim, bias=False)

    def split_qkv(self, x: Tensor) -> Tuple[Tensor, Tensor, Tensor]:
        d = self.head_dim
        q, k, v = self.wqkv(x).split([self.n_heads * d, d, d], dim=-1)
        return rearrange(q, "b t (h d) -> b t h d", d=d), k, v

    def forward(self, x: Tensor, state: LayerState, freqs) -> Tuple[Tensor, LayerState]:
        q, k, v = self.split_qkv(x)
        q, k = ops.apply_rope(q, freqs), ops.apply_rope(k.unsqueeze(2), freqs).squeeze(2)
        out = ops.attend(q, k, v, ops.local_causal_mask(x.shape[1], self.window))
        return self.wo(rearrange(out, "b t h d -> b t (h d)")), state


class FeedForward(nn.Module):
    def __init__(self, args: KestrelArgs):
        super().__init__()
        self.w1 = nn.Linear(args.dim, args.hidden_dim, bias=False)
        self.w2 = nn.Linear(args.hidden_dim, args.dim, bias=False)
        self.w3 = nn.Linear(args.dim, args.hidden_dim, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        return self.w2(F.silu(self.w1(x)) * self.w3(x))


class MoeLayer(nn.Module):
    def __init__(self, experts: List[nn.Module], gate: nn.Module, moe_args: MoeArgs):
        super().__init__()
        assert len(experts) > 0
        self.experts = nn.ModuleList(experts)
        self.gate = gate
        self.args = moe_args

    @staticmethod
    def route(logits: Tensor, k: int) -> Tuple[Tensor, Tensor]:
        weights, selected = torch.topk(logits, k)
        return F.softmax(weights, dim=1), selected

    @staticmethod
    def share_of(expert: int, weights: Tensor, selected: Tensor) -> Tensor:
        return torch.sum(weights * (selected == expert).to(weights.dtype), dim=-1, keepdim=True)

    def forward(self, inputs: Tensor) -> Tensor:
        x = rearrange(inputs, "b t d -> (b t) d")
        weights, selected = self.route(self.gate(x), self.args.num_experts_per_tok)
        results = torch.zeros_like(x)
        for i, expert in enumerate(self.experts):
            results += self.share_of(i, weights, selected) * expert(x)
        return rearrange(results, "(b t) d -> b t d", b=inputs.shape[0])


MIXERS = {BlockType.RECURRENT: RecurrentMixer, BlockType.ATTENTION: LocalAttention}


class Block(nn.Module):
    def __init__(self, layer_id: int, kind: BlockType, args: KestrelArgs):
        super().__init__()
        self.mixer_norm = RMSNorm(args.dim, args.norm_eps)
        self.mixer = MIXERS[kind](args)
        self.ffn_norm = RMSNorm(args.dim, args.norm_eps)
        self.feed_forward = self.make_ffn(args, args.uses_moe(layer_id))

    @staticmethod
    def make_ffn(args: KestrelArgs, is_moe: bool) -> nn.Module:
        if not is_moe:
            return FeedForward(args)
        return MoeLayer(
            experts=[FeedForward(args) for _ in range(args.moe.num_experts)],
            gate=nn.Linear(args.dim, args.moe.num_experts, bias=False),
            moe_args=args.moe,
        )

    def forward(self, x: Tensor, state: LayerState, freqs) -> Tuple[Tensor, LayerState]:
        r, state = self.mixer(self.mixer_norm(x), state, freqs)
        h = x + r
        return h + self.feed_forward(self.ffn_norm(h)), state
