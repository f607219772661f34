import torch
from torch import nn
import torch.nn.functional as F

from patterns.rearrange import rearrange, reduced


def exists(value):
    return value is not None


def default(value, other):
    return value if exists(value) else other() if callable(other) else other


def l2norm(t):
    return t / t.pow(2).sum(-1, keepdim=True).sqrt()


class PreNorm(nn.Module):
    def __init__(self, dim, fn):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.fn = fn

    def forward(self, x, **kwargs):
        return self.fn(self.norm(x), **kwargs)


class Attention(nn.Module):
    def __init__(self, dim, heads=4, context_dim=None):
        super().__init__()
        self.heads = heads
        self.to_q = nn.Linear(dim, dim, bias=False)
        self.to_kv = nn.Linear(default(context_dim, dim), dim * 2, bias=False)
        self.to_out = nn.Sequential(nn.Linear(dim, dim), nn.Dropout(0.1))

    def forward(self, x, context=None):
        h = self.heads
        q = self.to_q(x)
        k, v = self.to_kv(default(context, x)).chunk(2, dim=-1)
        q, k, v = map(lambda t: rearrange(t, "b n (h d) -> b h n d", h=h), (q, k, v))
        q, k = map(l2norm, (q, k))
        attention = (q @ k.transpose(-1, -2)).softmax(dim=-1)
        return self.to_out(rearrange(attention @ v, "b h n d -> b n (h d)"))


class GEGLU(nn.Module):
    def forward(self, x):
        x, gates = x.chunk(2, dim=-1)
        return x * F.gelu(gates)


def FeedForward(dim, mult=2):
    return nn.Sequential(nn.Linear(dim, dim * mult * 2), GEGLU(), nn.Linear(dim * mult, dim))


class Model(nn.Module):
    def __init__(self, dim=16, depth=2):
        super().__init__()
        self.latents = nn.Parameter(torch.randn(4, dim))
        self.layers = nn.ModuleList([])
        for _ in range(depth):
            self.layers.append(nn.ModuleList([
                PreNorm(dim, Attention(dim)),
                PreNorm(dim, FeedForward(dim)),
            ]))

    def start(self, x):
        return self.latents.unsqueeze(0).expand(x.shape[0], -1, -1)

    def forward(self, x):
        tokens = rearrange(x, "b c h w -> b (h w) c")
        latents = self.start(tokens)
        for attend, feed in self.layers:
            latents = attend(latents, context=tokens) + latents
            latents = feed(latents) + latents
        return reduced(latents, 1, "mean")


def example():
    return [(1, 16, 3, 3)]
