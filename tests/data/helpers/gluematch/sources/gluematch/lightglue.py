from types import SimpleNamespace
from typing import Callable, Optional

import torch
import torch.nn.functional as F
from torch import nn

from .utils import normalize_keypoints


def rotate_half(x: torch.Tensor) -> torch.Tensor:
    x = x.unflatten(-1, (-1, 2))
    x1, x2 = x.unbind(dim=-1)
    return torch.stack((-x2, x1), dim=-1).flatten(start_dim=-2)


def apply_cached_rotary_emb(freqs: torch.Tensor, t: torch.Tensor) -> torch.Tensor:
    return (t * freqs[0]) + (rotate_half(t) * freqs[1])


class LearnableFourierPositionalEncoding(nn.Module):
    def __init__(self, M: int, dim: int, gamma: float = 1.0):
        super().__init__()
        self.gamma = gamma
        self.Wr = nn.Linear(M, dim // 2, bias=False)
        nn.init.normal_(self.Wr.weight.data, mean=0, std=self.gamma ** -2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        projected = self.Wr(x)
        emb = torch.stack([torch.cos(projected), torch.sin(projected)], 0).unsqueeze(-3)
        return emb.repeat_interleave(2, dim=-1)


class TokenConfidence(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.token = nn.Sequential(nn.Linear(dim, 1), nn.Sigmoid())

    def forward(self, desc0: torch.Tensor, desc1: torch.Tensor):
        return tuple(self.token(d.detach()).squeeze(-1) for d in (desc0, desc1))


class Attention(nn.Module):
    def __init__(self, allow_flash: bool):
        super().__init__()
        self.has_sdp = allow_flash and hasattr(F, "scaled_dot_product_attention")

    def forward(self, q, k, v, mask: Optional[torch.Tensor] = None) -> torch.Tensor:
        if self.has_sdp:
            return F.scaled_dot_product_attention(*[x.contiguous() for x in (q, k, v)], attn_mask=mask)
        s = q.shape[-1] ** -0.5
        sim = torch.einsum("bhid,bhjd->bhij", q, k) * s
        attn = F.softmax(sim, -1)
        return torch.einsum("bhij,bhjd->bhid", attn, v)


def _ffn(dim: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(2 * dim, 2 * dim), nn.LayerNorm(2 * dim, elementwise_affine=True), nn.GELU(),
                         nn.Linear(2 * dim, dim))


class SelfBlock(nn.Module):
    def __init__(self, embed_dim: int, num_heads: int, flash: bool = False):
        super().__init__()
        self.num_heads = num_heads
        self.Wqkv = nn.Linear(embed_dim, 3 * embed_dim)
        self.inner_attn = Attention(flash)
        self.out_proj = nn.Linear(embed_dim, embed_dim)
        self.ffn = _ffn(embed_dim)

    def forward(self, x: torch.Tensor, encoding: torch.Tensor, mask=None) -> torch.Tensor:
        qkv = self.Wqkv(x).unflatten(-1, (self.num_heads, -1, 3)).transpose(1, 2)
        q, k, v = qkv[..., 0], qkv[..., 1], qkv[..., 2]
        q = apply_cached_rotary_emb(encoding, q)
        k = apply_cached_rotary_emb(encoding, k)
        context = self.inner_attn(q, k, v, mask=mask)
        message = self.out_proj(context.transpose(1, 2).flatten(start_dim=-2))
        return x + self.ffn(torch.cat([x, message], -1))


class CrossBlock(nn.Module):
    def __init__(self, embed_dim: int, num_heads: int):
        super().__init__()
        self.heads = num_heads
        self.scale = (embed_dim // num_heads) ** -0.5
        self.to_qk = nn.Linear(embed_dim, embed_dim)
        self.to_v = nn.Linear(embed_dim, embed_dim)
        self.to_out = nn.Linear(embed_dim, embed_dim)
        self.ffn = _ffn(embed_dim)

    def map_(self, func: Callable, x0: torch.Tensor, x1: torch.Tensor):
        return func(x0), func(x1)

    def bidirectional(self, qk0, qk1, v0, v1):
        qk0, qk1 = qk0 * self.scale ** 0.5, qk1 * self.scale ** 0.5
        sim = torch.einsum("bhid,bhjd->bhij", qk0, qk1)
        attn01 = F.softmax(sim, dim=-1)
        attn10 = F.softmax(sim.transpose(-2, -1).contiguous(), dim=-1)
        m0 = torch.einsum("bhij,bhjd->bhid", attn01, v1)
        m1 = torch.einsum("bhji,bhjd->bhid", attn10.transpose(-2, -1), v0)
        return m0, m1

    def forward(self, x0: torch.Tensor, x1: torch.Tensor):
        qk0, qk1 = self.map_(self.to_qk, x0, x1)
        v0, v1 = self.map_(self.to_v, x0, x1)
        qk0, qk1, v0, v1 = map(lambda t: t.unflatten(-1, (self.heads, -1)).transpose(1, 2), (qk0, qk1, v0, v1))
        m0, m1 = self.bidirectional(qk0, qk1, v0, v1)
        m0, m1 = self.map_(lambda t: t.transpose(1, 2).flatten(start_dim=-2), m0, m1)
        m0, m1 = self.map_(self.to_out, m0, m1)
        x0 = x0 + self.ffn(torch.cat([x0, m0], -1))
        x1 = x1 + self.ffn(torch.cat([x1, m1], -1))
        return x0, x1


class TransformerLayer(nn.Module):
    def __init__(self, *args, **kwargs):
        super().__init__()
        self.self_attn = SelfBlock(*args, **kwargs)
        self.cross_attn = CrossBlock(*args)

    def forward(self, desc0, desc1, encoding0, encoding1):
        desc0 = self.self_attn(desc0, encoding0)
        desc1 = self.self_attn(desc1, encoding1)
        return self.cross_attn(desc0, desc1)


def sigmoid_log_double_softmax(sim: torch.Tensor, z0: torch.Tensor, z1: torch.Tensor) -> torch.Tensor:
    b, m, n = sim.shape
    certainties = F.logsigmoid(z0) + F.logsigmoid(z1).transpose(1, 2)
    scores0 = F.log_softmax(sim, 2)
    scores1 = F.log_softmax(sim.transpose(-1, -2).contiguous(), 2).transpose(-1, -2)
    scores = sim.new_full((b, m + 1, n + 1), 0)
    scores[:, :m, :n] = scores0 + scores1 + certainties
    scores[:, :-1, -1] = F.logsigmoid(-z0.squeeze(-1))
    scores[:, -1, :-1] = F.logsigmoid(-z1.squeeze(-1))
    return scores


class MatchAssignment(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.dim = dim
        self.matchability = nn.Linear(dim, 1)
        self.final_proj = nn.Linear(dim, dim)

    def forward(self, desc0: torch.Tensor, desc1: torch.Tensor):
        mdesc0, mdesc1 = self.final_proj(desc0), self.final_proj(desc1)
        d = mdesc0.shape[-1]
        mdesc0, mdesc1 = mdesc0 / d ** 0.25, mdesc1 / d ** 0.25
        sim = torch.einsum("bmd,bnd->bmn", mdesc0, mdesc1)
        z0, z1 = self.matchability(desc0), self.matchability(desc1)
        return sigmoid_log_double_softmax(sim, z0, z1), sim


def filter_matches(scores: torch.Tensor, th: float):
    """Mutual matches above a threshold."""
    max0, max1 = scores[:, :-1, :-1].max(2), scores[:, :-1, :-1].max(1)
    m0, m1 = max0.indices, max1.indices
    indices0 = torch.arange(m0.shape[1], device=m0.device)[None]
    mutual0 = indices0 == m1.gather(1, m0)
    zero = torch.zeros_like(max0.values)
    mscores0 = torch.where(mutual0, max0.values.exp(), zero)
    valid0 = mutual0 & (mscores0 > th)
    return torch.where(valid0, m0, -1), mscores0


class LightGlue(nn.Module):
    default_conf = {"name": "lightglue", "input_dim": 32, "descriptor_dim": 24, "n_layers": 1, "num_heads": 2,
                    "flash": True, "filter_threshold": 0.1}

    def __init__(self, features: str = "superpoint", **conf):
        super().__init__()
        self.conf = conf = SimpleNamespace(**{**self.default_conf, **conf})
        head_dim = conf.descriptor_dim // conf.num_heads
        self.input_proj = nn.Linear(conf.input_dim, conf.descriptor_dim) \
            if conf.input_dim != conf.descriptor_dim else nn.Identity()
        self.posenc = LearnableFourierPositionalEncoding(2, head_dim)
        h, n, d = conf.num_heads, conf.n_layers, conf.descriptor_dim
        self.transformers = nn.ModuleList([TransformerLayer(d, h, flash=conf.flash) for _ in range(n)])
        self.log_assignment = nn.ModuleList([MatchAssignment(d) for _ in range(n)])
        self.token_confidence = TokenConfidence(d)

    def _prepare(self, feats, size):
        kpts = normalize_keypoints(feats["keypoints"], size).clone()
        return self.input_proj(feats["descriptors"]), self.posenc(kpts)

    def forward(self, data: dict) -> dict:
        desc0, encoding0 = self._prepare(data["feats0"], data["size"])
        desc1, encoding1 = self._prepare(data["feats1"], data.get("size1"))
        for layer in self.transformers:
            desc0, desc1 = layer(desc0, desc1, encoding0, encoding1)
        scores, _ = self.log_assignment[-1](desc0, desc1)
        m0, mscores0 = filter_matches(scores, self.conf.filter_threshold)
        confidence0, _ = self.token_confidence(desc0, desc1)
        return {"matches0": m0, "matching_scores0": mscores0 * confidence0}
