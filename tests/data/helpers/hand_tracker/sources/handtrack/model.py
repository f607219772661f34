"""Monocular 3D hand tracker: image and last landmarks in, new landmarks out."""
from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn

from .blocks import FusionNeck, MobileBackbone, conv_bn_act
from .config import JOINTS_PER_FINGER, NUM_FINGERS, NUM_JOINTS, HandTrackerConfig
from .geometry import HandSkeleton, WeakPerspectiveCamera, scale_bones, smooth_landmarks
from .heatmaps import HeatmapDecoder, Keypoints

_NUM_ROTATIONS = 1 + NUM_FINGERS * (JOINTS_PER_FINGER - 1)


class HandTrackerOutput(NamedTuple):
    landmarks: Tensor
    landmarks_2d: Tensor
    reprojected: Tensor
    confidence: Tensor


class DenseHead(nn.Module):
    def __init__(self, channels: int) -> None:
        super().__init__()
        self.heatmap = nn.Conv2d(channels, NUM_JOINTS, 1)
        self.offset = nn.Conv2d(channels, 2 * NUM_JOINTS, 1)
        self.depth = nn.Conv2d(channels, NUM_JOINTS, 1)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        offset = self.offset(x).unflatten(1, (NUM_JOINTS, 2))
        return self.heatmap(x), offset, self.depth(x)


class PoseHead(nn.Module):
    _SPLITS = (6 * _NUM_ROTATIONS, 3, NUM_FINGERS)

    def __init__(self, channels: int, hidden: int = 64) -> None:
        super().__init__()
        self.embed = conv_bn_act(channels, hidden)
        self.regressor = nn.Linear(hidden, sum(self._SPLITS))

    def _split(self, raw: Tensor) -> tuple[Tensor, WeakPerspectiveCamera, Tensor]:
        pose, camera, shape = raw.split(self._SPLITS, dim=-1)
        return pose, WeakPerspectiveCamera.from_raw(camera), shape

    def forward(self, x: Tensor) -> tuple[Tensor, WeakPerspectiveCamera, Tensor]:
        pooled = self.embed(x).mean(dim=(2, 3))
        return self._split(self.regressor(pooled))


class HandTracker(nn.Module):
    def __init__(self, config: HandTrackerConfig) -> None:
        super().__init__()
        self.config = config
        self.backbone = MobileBackbone(config.stem_channels, config.stages)
        *_, fine, coarse = self.backbone.out_channels
        self.neck = FusionNeck(fine, coarse, config.neck_channels)
        self.dense_head = DenseHead(config.neck_channels)
        self.pose_head = PoseHead(coarse)
        self.decoder = HeatmapDecoder(config.heatmap)
        self.register_buffer("bone_template", torch.zeros(1, NUM_FINGERS, JOINTS_PER_FINGER, 3))
        self.register_buffer("pixel_mean", torch.zeros(1, 3, 1, 1))
        self.register_buffer("pixel_std", torch.ones(1, 3, 1, 1))

    def _preprocess(self, image: Tensor) -> Tensor:
        return (image / 255.0 - self.pixel_mean) / self.pixel_std

    def _fuse(self, mesh_joints: Tensor, lifted: Tensor, confidence: Tensor) -> Tensor:
        weight = confidence.unsqueeze(-1)
        centered = lifted - lifted[:, :1]
        return weight * centered + (1.0 - weight) * mesh_joints

    def _lift(self, keypoints: Keypoints, camera: WeakPerspectiveCamera) -> Tensor:
        return camera.unproject(keypoints.uv * 2.0 - 1.0, keypoints.depth)

    def forward(self, image: Tensor, previous: Tensor) -> HandTrackerOutput:
        *_, fine, coarse = self.backbone(self._preprocess(image))
        keypoints = self.decoder(*self.dense_head(self.neck(fine, coarse)))
        pose, camera, shape = self.pose_head(coarse)

        skeleton = HandSkeleton.from_6d(pose)
        joints = skeleton.pose(scale_bones(self.bone_template, shape))
        fused = self._fuse(joints, self._lift(keypoints, camera), keypoints.confidence)
        landmarks = smooth_landmarks(fused, previous, keypoints.confidence, self.config.smoothing)
        return HandTrackerOutput(landmarks, keypoints.uv, camera.project(landmarks), keypoints.confidence)


class Model(HandTracker):
    def __init__(self) -> None:
        super().__init__(HandTrackerConfig())


def example() -> list[tuple[int, ...]]:
    return [(1, 3, 64, 64), (1, NUM_JOINTS, 3)]
