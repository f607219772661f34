"""Stateless building blocks; everything in here takes plain tensors."""
import re
from typing import Dict, List, NamedTuple, Tuple

import torch
import torch.nn.functional as F
from torch import Tensor


def _parse(side: str) -> List[List[str]]:
    return [m[1:-1].split() if m[0] == "(" else [m] for m in re.findall(r"\([^)]*\)|\S+", side)]


def rearrange(x: Tensor, pattern: str, **sizes: int) -> Tensor:
    """Small stand-in for einops, so that inference has one dependency fewer."""
    lhs, rhs = (_parse(side) for side in pattern.split("->"))
    known: Dict[str, int] = dict(sizes)
    for n, group in zip(x.shape, lhs):
        unknown = [axis for axis in group if axis not in known]
        for axis in group:
            if axis in known:
                n //= known[axis]
        if unknown:
            known[unknown[0]] = n

    flat = [axis for group in lhs for axis in group]
    order = [axis for group in rhs for axis in group]
    if any(len(group) > 1 for group in lhs):
        x = x.reshape([known[axis] for axis in flat])
    if order != flat:
        x = x.permute([flat.index(axis) for axis in order])
    if any(len(group) > 1 for group in rhs):
        shape = []
        for group in rhs:
            n = 1
            for axis in group:
                n *= known[axis]
            shape.append(n)
        x = x.reshape(shape)
    return x


def rms_norm(x: Tensor, weight: Tensor, eps: float) -> Tensor:
    x = x * torch.rsqrt(torch.mean(x.square(), dim=-1, keepdim=True) + eps)
    return x * weight


def precompute_freqs(dim: int, length: int, theta: float) -> Tuple[Tensor, Tensor]:
    inv = 1.0 / (theta ** (torch.arange(0, dim, 2).float() / dim))
    freqs = torch.outer(torch.arange(length).float(), inv)
    return torch.cos(freqs), torch.sin(freqs)


def apply_rope(x: Tensor, freqs: Tuple[Tensor, Tensor]) -> Tensor:
    cos, sin = (f[: x.shape[1], None, :] for f in freqs)
    a, b = x.chunk(2, dim=-1)
    return torch.cat((a * cos - b * sin, a * sin + b * cos), dim=-1)


def local_causal_mask(length: int, window: int) -> Tensor:
    pos = torch.arange(length)
    delta = pos[:, None] - pos[None, :]
    return (delta >= 0) & (delta < window)


def attend(q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> Tensor:
    scores = torch.einsum("bthd,bsd->bhts", q, k) * q.shape[-1] ** -0.5
    probs = scores.masked_fill(~mask, float("-inf")).softmax(dim=-1)
    return torch.einsum("bhts,bsd->bthd", probs, v)


def causal_conv1d(x: Tensor, w: Tensor, b: Tensor, cache: Tensor) -> Tuple[Tensor, Tensor]:
    """Depthwise convolution over time as a sum of shifted copies of x."""
    width, length = w.shape[0], x.shape[1]
    x = torch.cat([cache, x], dim=1)
    taps = (x[:, i : i + length] * w[i] for i in range(width))
    return sum(taps, start=b), x[:, -(width - 1) :]


class Affine(NamedTuple):
    """h -> a * h + b for every time step; ``first @ then`` composes two of them."""

    a: Tensor
    b: Tensor

    def __matmul__(self, then: "Affine") -> "Affine":
        return Affine(self.a * then.a, then.a * self.b + then.b)

    def __call__(self, h: Tensor) -> Tensor:
        return self.a * h[:, None] + self.b

    def shift(self, n: int) -> "Affine":
        def delay(x: Tensor, fill: float) -> Tensor:
            return F.pad(x[:, :-n], (0, 0, n, 0), value=fill)

        return Affine(delay(self.a, 1.0), delay(self.b, 0.0))


def linear_scan(a: Tensor, b: Tensor, h0: Tensor) -> Tuple[Tensor, Tensor]:
    """h[t] = a[t] * h[t - 1] + b[t] in log2(T) steps."""
    step, n = Affine(a, b), 1
    while n < a.shape[1]:
        step = step.shift(n) @ step
        n *= 2
    h = step(h0)
    return h, h[:, -1]
