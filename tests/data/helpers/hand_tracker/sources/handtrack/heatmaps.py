"""Helpers that turn dense maps into key points."""
from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from .config import HeatmapConfig


class Peaks(NamedTuple):
    coords: Tensor  # (B, J, 2), in cells
    index: Tensor  # (B, J), flattened position
    score: Tensor  # (B, J)


class Keypoints(NamedTuple):
    uv: Tensor  # (B, J, 2), normalized to [0, 1]
    depth: Tensor  # (B, J)
    confidence: Tensor  # (B, J)


def make_cell_grid(height: int, width: int, device: torch.device) -> Tensor:
    ys = torch.linspace(0.5 / height, 1 - 0.5 / height, height, device=device)
    xs = torch.linspace(0.5 / width, 1 - 0.5 / width, width, device=device)
    grid_y, grid_x = torch.meshgrid(ys, xs, indexing="ij")
    return torch.stack([grid_x, grid_y], dim=-1).reshape(-1, 2)


def spatial_softmax(logits: Tensor, temperature: float) -> Tensor:
    flat = logits.flatten(2)
    flat = flat - flat.amax(dim=-1, keepdim=True)
    return torch.softmax(flat / temperature, dim=-1)


def soft_argmax_2d(logits: Tensor, temperature: float = 1.0) -> tuple[Tensor, Tensor]:
    """Expected position under the heatmap, together with the probabilities themselves."""
    height, width = logits.shape[-2:]
    probs = spatial_softmax(logits, temperature)
    return probs @ make_cell_grid(height, width, logits.device), probs


def find_peaks(heatmaps: Tensor) -> Peaks:
    width = heatmaps.shape[-1]
    score, index = heatmaps.flatten(2).max(dim=-1)
    column = index % width
    row = torch.div(index, width, rounding_mode="floor")
    return Peaks(torch.stack([column, row], dim=-1).to(heatmaps.dtype), index, score)


def sample_at(maps: Tensor, index: Tensor) -> Tensor:
    """Reads (B, J, C, H, W) maps at one flattened position per joint."""
    channels = maps.shape[2]
    where = index[..., None, None].expand(-1, -1, channels, 1)
    return maps.flatten(3).gather(3, where).squeeze(-1)


class HeatmapDecoder:
    def __init__(self, config: HeatmapConfig) -> None:
        self._config = config

    def _refine(self, peaks: Peaks, offsets: Tensor) -> Tensor:
        delta = torch.tanh(sample_at(offsets, peaks.index)) * 0.5
        return (peaks.coords + 0.5 + delta) / self._config.size

    def _blend(self, soft: Tensor, hard: Tensor, confidence: Tensor) -> Tensor:
        is_sharp = (confidence > self._config.min_confidence).unsqueeze(-1)
        return torch.where(is_sharp, hard, soft)

    def __call__(self, logits: Tensor, offsets: Tensor, depth: Tensor) -> Keypoints:
        soft_uv, probs = soft_argmax_2d(logits, self._config.temperature)
        peaks = find_peaks(torch.sigmoid(logits))
        uv = self._blend(soft_uv, self._refine(peaks, offsets), peaks.score)
        return Keypoints(uv=uv, depth=(probs * depth.flatten(2)).sum(dim=-1), confidence=peaks.score)
