from collections import OrderedDict
from dataclasses import dataclass
from functools import partial
from typing import Any, Callable, Dict, List, Optional, Tuple

import torch
from torch import nn, Tensor
from torch.nn import functional as F

from . import det_utils
from .det_utils import AnchorGenerator, BoxCoder
from .ops import Conv2dNormActivation, FrozenBatchNorm2d
from .regnet import get_backbone


@dataclass
class RetinaConfig:
    backbone: str = "regnet_y_nano"
    returned_layers: Tuple[str, ...] = ("block2", "block3")
    fpn_channels: int = 32
    num_classes: int = 11
    num_convs: int = 1
    topk_candidates: int = 50
    anchor_sizes: Tuple[int, ...] = (16, 64)
    octaves: int = 2
    aspect_ratios: Tuple[float, ...] = (0.5, 1.0, 2.0)


class FeaturePyramidNetwork(nn.Module):
    def __init__(
        self,
        in_channels_list: List[int],
        out_channels: int,
        norm_layer: Optional[Callable[..., nn.Module]] = None,
    ):
        super().__init__()
        make = partial(Conv2dNormActivation, norm_layer=norm_layer, activation_layer=None)
        self.inner_blocks = nn.ModuleList([make(c, out_channels, kernel_size=1, padding=0) for c in in_channels_list])
        self.layer_blocks = nn.ModuleList([make(out_channels, out_channels, kernel_size=3) for _ in in_channels_list])

    def _run_block(self, blocks: nn.ModuleList, x: Tensor, idx: int) -> Tensor:
        """Same as blocks[idx](x), but scriptable and for negative idx as well."""
        if idx < 0:
            idx += len(blocks)
        out = x
        for i, module in enumerate(blocks):
            if i == idx:
                out = module(x)
        return out

    def get_result_from_inner_blocks(self, x: Tensor, idx: int) -> Tensor:
        return self._run_block(self.inner_blocks, x, idx)

    def get_result_from_layer_blocks(self, x: Tensor, idx: int) -> Tensor:
        return self._run_block(self.layer_blocks, x, idx)

    def forward(self, x: Dict[str, Tensor]) -> Dict[str, Tensor]:
        names = list(x.keys())
        x = list(x.values())

        last_inner = self.get_result_from_inner_blocks(x[-1], -1)
        results = [self.get_result_from_layer_blocks(last_inner, -1)]
        for idx in range(len(x) - 2, -1, -1):
            inner_lateral = self.get_result_from_inner_blocks(x[idx], idx)
            feat_shape = inner_lateral.shape[-2:]
            inner_top_down = F.interpolate(last_inner, size=feat_shape, mode="nearest")
            last_inner = inner_lateral + inner_top_down
            results.insert(0, self.get_result_from_layer_blocks(last_inner, idx))

        return OrderedDict([(k, v) for k, v in zip(names, results)])


def _permute_head(output: Tensor, num_anchors: int, K: int) -> Tensor:
    # Permute output from (N, A * K, H, W) to (N, HWA, K).
    N, _, H, W = output.shape
    output = output.view(N, -1, K, H, W)
    output = output.permute(0, 3, 4, 1, 2)
    return output.reshape(N, -1, K)


class RetinaSubHead(nn.Module):
    def __init__(self, in_channels: int, num_anchors: int, num_outputs: int, num_convs: int, norm_layer=None) -> None:
        super().__init__()
        conv = [
            Conv2dNormActivation(in_channels, in_channels, norm_layer=norm_layer, activation_layer=nn.SiLU)
            for _ in range(num_convs)
        ]
        self.conv = nn.Sequential(*conv)
        self.num_anchors = num_anchors
        self.num_outputs = num_outputs
        self.predictor = nn.Conv2d(in_channels, num_anchors * num_outputs, kernel_size=3, stride=1, padding=1)

    def _per_level(self, features: Tensor) -> Tensor:
        return _permute_head(self.predictor(self.conv(features)), self.num_anchors, self.num_outputs)

    def forward(self, x: List[Tensor]) -> Tensor:
        return torch.cat([self._per_level(features) for features in x], dim=1)


class RetinaHead(nn.Module):
    def __init__(self, in_channels, num_anchors, num_classes, num_convs, norm_layer=None):
        super().__init__()
        self.classification_head = RetinaSubHead(in_channels, num_anchors, num_classes, num_convs, norm_layer)
        self.regression_head = RetinaSubHead(in_channels, num_anchors, 4, num_convs, norm_layer)

    def forward(self, x: List[Tensor]) -> Dict[str, Tensor]:
        return {"cls_logits": self.classification_head(x), "bbox_regression": self.regression_head(x)}


class RetinaNet(nn.Module):
    def __init__(self, backbone, fpn, anchor_generator, head, topk_candidates=50, returned_layers=()):
        super().__init__()
        self.backbone = backbone
        self.fpn = fpn
        self.anchor_generator = anchor_generator
        self.head = head
        self.box_coder = BoxCoder(weights=(1.0, 1.0, 1.0, 1.0))
        self.topk_candidates = topk_candidates
        self.returned_layers = returned_layers
        self.register_buffer("image_mean", torch.tensor([0.485, 0.456, 0.406]))
        self.register_buffer("image_std", torch.tensor([0.229, 0.224, 0.225]))

    def normalize(self, image: Tensor) -> Tensor:
        return (image - self.image_mean[:, None, None]) / self.image_std[:, None, None]

    def _select_features(self, features: Dict[str, Tensor]) -> Dict[str, Tensor]:
        return OrderedDict((k, v) for k, v in features.items() if k in self.returned_layers)

    def postprocess_detections(
        self, head_outputs: Dict[str, Tensor], anchors: List[Tensor], image_shape: Tuple[int, int]
    ) -> Dict[str, Tensor]:
        logits = head_outputs["cls_logits"][0]
        regression = head_outputs["bbox_regression"][0]
        num_classes = logits.shape[-1]

        scores_per_image = torch.sigmoid(logits).flatten()
        num_topk = det_utils._topk_min(scores_per_image, self.topk_candidates, 0)
        scores, idxs = scores_per_image.topk(num_topk)
        anchor_idxs = torch.div(idxs, num_classes, rounding_mode="floor")
        labels = idxs % num_classes

        boxes = self.box_coder.decode_single(regression[anchor_idxs], torch.cat(anchors)[anchor_idxs])
        boxes = det_utils.clip_boxes_to_image(boxes, image_shape)
        # degenerate boxes keep their slot, the caller drops them by score
        scores = scores * (det_utils.box_area(boxes) > 1.0)
        return {"boxes": boxes, "scores": scores, "labels": labels}

    def forward(self, images: Tensor) -> Dict[str, Tensor]:
        image_shape = images.shape[-2:]
        features = self.backbone(self.normalize(images))
        features = list(self.fpn(self._select_features(features)).values())
        head_outputs = self.head(features)
        anchors = self.anchor_generator(image_shape, features)
        return self.postprocess_detections(head_outputs, anchors, image_shape)


def _default_anchorgen(config: RetinaConfig) -> AnchorGenerator:
    anchor_sizes = tuple(
        tuple(int(x * 2 ** (i / config.octaves)) for i in range(config.octaves)) for x in config.anchor_sizes
    )
    return AnchorGenerator(anchor_sizes, (config.aspect_ratios,) * len(anchor_sizes))


def retinanet_regnet_fpn(config: Optional[RetinaConfig] = None, **kwargs: Any) -> RetinaNet:
    config = config or RetinaConfig()
    backbone = get_backbone(config.backbone)
    fpn = FeaturePyramidNetwork(
        [backbone.out_channels[k] for k in config.returned_layers],
        config.fpn_channels,
        norm_layer=partial(FrozenBatchNorm2d, eps=1e-4),
    )
    anchor_generator = _default_anchorgen(config)
    head = RetinaHead(
        config.fpn_channels,
        anchor_generator.num_anchors_per_location()[0],
        config.num_classes,
        config.num_convs,
        norm_layer=partial(nn.GroupNorm, 8),
    )
    return RetinaNet(
        backbone, fpn, anchor_generator, head, config.topk_candidates, config.returned_layers, **kwargs
    )


class Model(RetinaNet):
    def __init__(self, config: Optional[RetinaConfig] = None):
        built = retinanet_regnet_fpn(config)
        super().__init__(
            built.backbone, built.fpn, built.anchor_generator, built.head, built.topk_candidates, built.returned_layers
        )


def example():
    return [(1, 3, 64, 64)]
