from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, singledispatch

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from .config import Distance, PatchSpec
from .features import FeaturePyramid

Metric = Callable[[Tensor, Tensor], Tensor]


@singledispatch
def patchify(source: object, spec: PatchSpec) -> Tensor:
    """Neighbourhoods of every place: (N, C, H, W) -> (N, H' * W', C * k * k)."""
    raise TypeError(f"cannot take patches of {type(source).__name__}")


@patchify.register
def _(source: FeaturePyramid, spec: PatchSpec) -> Tensor:
    height, width = source.largest
    return torch.cat([_neighbourhoods(x, spec) for x in source.aligned()], dim=-1)


def _neighbourhoods(x: Tensor, spec: PatchSpec) -> Tensor:
    match spec:
        case PatchSpec(size=1, stride=1):
            return x.flatten(2).transpose(1, 2)
        case PatchSpec(size=k, stride=s):
            p = spec.padding
            padded = F.pad(x, (p, p, p, p), mode="reflect")
            windows = padded.unfold(2, k, s).unfold(3, k, s)
            n, c, h, w = windows.shape[:4]
            return windows.permute(0, 2, 3, 1, 4, 5).reshape(n, h * w, c * k * k)


def squared_distance(a: Tensor, b: Tensor) -> Tensor:
    aa = a.pow(2).sum(dim=-1, keepdim=True)
    bb = b.pow(2).sum(dim=-1, keepdim=True)
    return (aa - 2.0 * (a @ b.mT) + bb.mT).clamp_min(0.0)


def metric_for(kind: Distance) -> Metric:
    match kind:
        case Distance.SQUARED:
            return squared_distance
        case Distance.EUCLIDEAN:
            return lambda a, b: squared_distance(a, b).sqrt()
        case Distance.COSINE:
            return lambda a, b: 1.0 - F.normalize(a, dim=-1) @ F.normalize(b, dim=-1).mT
        case _:
            raise ValueError(kind)


@dataclass(slots=True)
class Neighbours:
    distances: Tensor
    indices: Tensor

    @property
    def nearest(self) -> Tensor:
        return self.distances[..., 0]

    @property
    def nearest_index(self) -> Tensor:
        return self.indices[..., 0]

    def at(self, places: Tensor) -> tuple[Tensor, Tensor]:
        """Distance and index of the nearest neighbour at one place of each image."""
        column = places[:, None]
        return (
            self.nearest.gather(1, column).squeeze(1),
            self.nearest_index.gather(1, column).squeeze(1),
        )


class MemoryBank(nn.Module):
    entries: Tensor

    def __init__(self, size: int, dim: int, kind: Distance) -> None:
        super().__init__()
        self.kind = kind
        self.register_buffer("entries", torch.randn(size, dim))

    @cached_property
    def metric(self) -> Metric:
        return metric_for(self.kind)

    def __len__(self) -> int:
        return self.entries.shape[0]

    def search(self, queries: Tensor, k: int) -> Neighbours:
        n, p, d = queries.shape
        distances = self.metric(queries.reshape(n * p, d), self.entries)
        values, indices = distances.topk(min(k, len(self)), dim=-1, largest=False)
        return Neighbours(values.view(n, p, -1), indices.view(n, p, -1))

    def lookup(self, indices: Tensor) -> Tensor:
        return self.entries.index_select(0, indices)


class PatchScorer(nn.Module):
    def __init__(self, bank: MemoryBank, in_dim: int, out_dim: int, k: int) -> None:
        super().__init__()
        self.bank = bank
        self.k = k
        self.project = nn.Linear(in_dim, out_dim, bias=False)

    def embed(self, patches: Tensor) -> Tensor:
        return F.layer_norm(self.project(patches), (self.project.out_features,))

    def _reweight(self, score: Tensor, query: Tensor, support: Tensor) -> Tensor:
        """A patch far from dense parts of the bank counts more."""
        around = self.bank.metric(query[:, None], support).squeeze(1)
        weights = 1.0 - F.softmax(around, dim=1)[..., 0]
        return weights * score

    def image_score(self, patches: Tensor, found: Neighbours) -> Tensor:
        worst = found.nearest.argmax(dim=1)
        score, index = found.at(worst)
        wide = worst[:, None, None].expand(-1, 1, patches.shape[-1])
        query = patches.gather(1, wide).squeeze(1)
        nearest = self.bank.lookup(index)
        ids = self.bank.search(nearest[:, None], self.k).indices
        support = self.bank.lookup(ids.flatten()).view(len(query), -1, query.shape[-1])
        return self._reweight(score, query, support)

    def forward(self, patches: Tensor) -> tuple[Tensor, Tensor]:
        patches = self.embed(patches)
        found = self.bank.search(patches, self.k)
        return found.nearest, self.image_score(patches, found)
