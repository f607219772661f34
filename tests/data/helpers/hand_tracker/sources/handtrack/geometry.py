"""Cameras, rotations and the kinematic chain of the hand."""
from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

from .config import JOINTS_PER_FINGER, NUM_FINGERS, SmoothingConfig

_EPS = 1e-6


def _dot(a: Tensor, b: Tensor) -> Tensor:
    return (a * b).sum(dim=-1, keepdim=True)


def _reject(a: Tensor, onto: Tensor) -> Tensor:
    return a - _dot(onto, a) * onto


def frame_of(directions: Tensor) -> Tensor:
    """Rows of a rotation: along the first direction, and across it towards the second."""
    first, second = directions.split([3, 3], dim=-1)
    along = F.normalize(first, dim=-1)
    across = F.normalize(_reject(second, onto=along), dim=-1)
    return torch.stack([along, across, torch.linalg.cross(along, across, dim=-1)], dim=-2)


def rotate(rotation: Tensor, vector: Tensor) -> Tensor:
    return (rotation @ vector.unsqueeze(-1)).squeeze(-1)


@dataclass(frozen=True)
class WeakPerspectiveCamera:
    scale: Tensor  # (B, 1, 1)
    translation: Tensor  # (B, 1, 2)

    @classmethod
    def from_raw(cls, raw: Tensor) -> WeakPerspectiveCamera:
        scale, translation = raw.split([1, 2], dim=-1)
        return cls(scale=F.softplus(scale)[:, None], translation=translation[:, None])

    @property
    def inverse_scale(self) -> Tensor:
        return 1.0 / (self.scale + _EPS)

    def project(self, points: Tensor) -> Tensor:
        return self.scale * points[..., :2] + self.translation

    def unproject(self, uv: Tensor, depth: Tensor) -> Tensor:
        xy = (uv - self.translation) * self.inverse_scale
        return torch.cat([xy, depth.unsqueeze(-1)], dim=-1)


class HandSkeleton:
    """Forward kinematics over the fingers, all fingers of one level at a time."""

    def __init__(self, root_rotation: Tensor, finger_rotations: Tensor) -> None:
        self._root = root_rotation  # (B, 3, 3)
        self._local = finger_rotations  # (B, F, L, 3, 3)

    @classmethod
    def from_6d(cls, pose: Tensor) -> HandSkeleton:
        matrices = frame_of(pose.unflatten(-1, (-1, 6)))
        fingers = matrices[:, 1:].unflatten(1, (NUM_FINGERS, JOINTS_PER_FINGER - 1))
        return cls(matrices[:, 0], fingers)

    def pose(self, bones: Tensor) -> Tensor:
        rotation = self._root[:, None]
        position = rotate(rotation, bones[:, :, 0])
        levels = [position]
        for level in range(1, JOINTS_PER_FINGER):
            rotation = rotation @ self._local[:, :, level - 1]
            position = position + rotate(rotation, bones[:, :, level])
            levels.append(position)
        joints = torch.stack(levels, dim=2).flatten(1, 2)
        return torch.cat([torch.zeros_like(joints[:, :1]), joints], dim=1)


def scale_bones(template: Tensor, log_scale: Tensor) -> Tensor:
    return template * torch.exp(log_scale).view(-1, NUM_FINGERS, 1, 1)


def smooth_landmarks(current: Tensor, previous: Tensor, confidence: Tensor, config: SmoothingConfig) -> Tensor:
    speed = (current - previous).norm(dim=-1, keepdim=True)
    gain = torch.clamp(config.velocity_scale * speed, min=config.min_gain, max=1.0)
    return previous + gain * confidence.unsqueeze(-1) * (current - previous)
