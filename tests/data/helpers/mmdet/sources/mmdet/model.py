from abc import ABCMeta

import torch
import torch.nn as nn

from . import backbone_neck, heads  # noqa: F401  fill the registry
from .cnn import BaseModule
from .registry import MODELS


@MODELS.register_module()
class ImgDataPreprocessor(nn.Module):
    def __init__(self, mean, std, pad_size_divisor: int = 1, bgr_to_rgb: bool = False):
        super().__init__()
        self.channel_conversion = bgr_to_rgb
        self.pad_size_divisor = pad_size_divisor
        self.register_buffer('mean', torch.tensor(mean).view(-1, 1, 1), False)
        self.register_buffer('std', torch.tensor(std).view(-1, 1, 1), False)

    def _pad(self, inputs):
        h, w = inputs.shape[-2:]
        pad_h, pad_w = -h % self.pad_size_divisor, -w % self.pad_size_divisor
        return nn.functional.pad(inputs, (0, pad_w, 0, pad_h), 'constant', 0) if pad_h or pad_w else inputs

    def forward(self, inputs):
        if self.channel_conversion:
            inputs = torch.flip(inputs, [1])
        return self._pad((inputs - self.mean) / self.std)


class BaseDetector(BaseModule, metaclass=ABCMeta):
    def __init__(self, data_preprocessor=None, init_cfg=None):
        super().__init__(init_cfg=init_cfg)
        self.data_preprocessor = MODELS.build(data_preprocessor) if data_preprocessor is not None else None

    @property
    def with_neck(self) -> bool:
        return hasattr(self, 'neck') and self.neck is not None

    def forward(self, inputs, data_samples=None, mode: str = 'tensor'):
        if mode == 'loss':
            return self.loss(inputs, data_samples)
        elif mode == 'predict':
            return self.predict(inputs, data_samples)
        elif mode == 'tensor':
            return self._forward(inputs, data_samples)
        raise RuntimeError(f'Invalid mode "{mode}". Only supports loss, predict and tensor mode')


@MODELS.register_module()
class SingleStageDetector(BaseDetector):
    def __init__(self, backbone, neck=None, bbox_head=None, test_cfg=None, data_preprocessor=None, init_cfg=None):
        super().__init__(data_preprocessor=data_preprocessor, init_cfg=init_cfg)
        self.backbone = MODELS.build(backbone)
        if neck is not None:
            self.neck = MODELS.build(neck)
        bbox_head = dict(bbox_head, test_cfg=test_cfg)
        self.bbox_head = MODELS.build(bbox_head)

    def extract_feat(self, batch_inputs):
        x = self.backbone(batch_inputs)
        if self.with_neck:
            x = self.neck(x)
        return x

    def predict(self, batch_inputs, batch_data_samples, rescale: bool = True):
        x = self.extract_feat(batch_inputs)
        return self.bbox_head.predict(x, batch_data_samples, rescale=rescale)

    def _forward(self, batch_inputs, batch_data_samples=None):
        return self.bbox_head.forward(self.extract_feat(batch_inputs))


@MODELS.register_module()
class FCOS(SingleStageDetector):
    """Implementation of `FCOS <https://arxiv.org/abs/1904.01355>`_"""


model = dict(
    type='FCOS',
    data_preprocessor=dict(type='ImgDataPreprocessor', mean=[102.9801, 115.9465, 122.7717], std=[1.0, 1.0, 1.0], pad_size_divisor=32, bgr_to_rgb=True),
    backbone=dict(type='ResNet', depth=10, base_channels=8, out_indices=(0, 1, 2)),
    neck=dict(type='FPN', in_channels=[8, 16, 32], out_channels=16, start_level=1, add_extra_convs='on_output', num_outs=3, relu_before_extra_convs=True),
    bbox_head=dict(
        type='FCOSHead', num_classes=4, in_channels=16, stacked_convs=2, feat_channels=16, strides=[8, 16, 32], norm_on_bbox=True,
        centerness_on_reg=True, norm_cfg=dict(type='GN', num_groups=4, requires_grad=True)),
    test_cfg=dict(nms_pre=20, score_thr=0.05))


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.detector = MODELS.build(model)

    def forward(self, img):
        inputs = self.detector.data_preprocessor(img)
        metas = [dict(img_shape=img.shape[-2:], scale_factor=(0.5, 0.5)) for _ in range(img.shape[0])]
        return self.detector(inputs, metas, mode='predict')


def example():
    return [(1, 3, 60, 64)]
