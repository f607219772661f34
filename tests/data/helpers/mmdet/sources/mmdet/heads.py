from abc import ABCMeta, abstractmethod
from typing import List, Tuple

import torch
import torch.nn as nn
from torch import Tensor

from .cnn import BaseModule, ConvModule, Scale, multi_apply, select_single_mlvl
from .registry import MODELS, TASK_UTILS


def distance2bbox(points: Tensor, distance: Tensor, max_shape=None) -> Tensor:
    """Decode distance prediction to bounding box."""
    x1 = points[..., 0] - distance[..., 0]
    y1 = points[..., 1] - distance[..., 1]
    x2 = points[..., 0] + distance[..., 2]
    y2 = points[..., 1] + distance[..., 3]
    bboxes = torch.stack([x1, y1, x2, y2], -1)
    if max_shape is not None:
        if bboxes.dim() == 2:
            # speed up
            bboxes[:, 0::2].clamp_(min=0, max=max_shape[1])
            bboxes[:, 1::2].clamp_(min=0, max=max_shape[0])
            return bboxes
        raise NotImplementedError
    return bboxes


@TASK_UTILS.register_module()
class DistancePointBBoxCoder:
    def __init__(self, clip_border: bool = False):
        self.clip_border = clip_border

    def decode(self, points: Tensor, pred_bboxes: Tensor, max_shape=None) -> Tensor:
        assert points.size(0) == pred_bboxes.size(0)
        assert pred_bboxes.size(-1) == 4
        if self.clip_border is False:
            max_shape = None
        return distance2bbox(points, pred_bboxes, max_shape)


@TASK_UTILS.register_module()
class MlvlPointGenerator:
    """Standard points generator for multi-level (Mlvl) feature maps."""

    def __init__(self, strides, offset: float = 0.5) -> None:
        self.strides = [(stride, stride) for stride in strides]
        self.offset = offset

    @property
    def num_levels(self) -> int:
        return len(self.strides)

    def _meshgrid(self, x: Tensor, y: Tensor, row_major: bool = True) -> Tuple[Tensor, Tensor]:
        yy, xx = torch.meshgrid(y, x, indexing='ij')
        if row_major:
            return xx.flatten(), yy.flatten()
        return yy.flatten(), xx.flatten()

    def grid_priors(self, featmap_sizes, dtype=torch.float32, device='cuda', with_stride: bool = False) -> List[Tensor]:
        assert self.num_levels == len(featmap_sizes)
        multi_level_priors = []
        for i in range(self.num_levels):
            priors = self.single_level_grid_priors(featmap_sizes[i], level_idx=i, dtype=dtype, device=device)
            multi_level_priors.append(priors)
        return multi_level_priors

    def single_level_grid_priors(self, featmap_size, level_idx: int, dtype=torch.float32, device='cuda') -> Tensor:
        feat_h, feat_w = featmap_size
        stride_w, stride_h = self.strides[level_idx]
        shift_x = (torch.arange(0, feat_w, device=device) + self.offset) * stride_w
        shift_x = shift_x.to(dtype)
        shift_y = (torch.arange(0, feat_h, device=device) + self.offset) * stride_h
        shift_y = shift_y.to(dtype)
        shift_xx, shift_yy = self._meshgrid(shift_x, shift_y)
        shifts = torch.stack([shift_xx, shift_yy], dim=-1)
        return shifts.to(device)


class AnchorFreeHead(BaseModule, metaclass=ABCMeta):
    def __init__(self, num_classes, in_channels, feat_channels=256, stacked_convs=4, strides=(4, 8, 16, 32), conv_bias='auto',
                 bbox_coder=dict(type='DistancePointBBoxCoder'), conv_cfg=None, norm_cfg=None, test_cfg=None, init_cfg=None):
        super().__init__(init_cfg=init_cfg)
        self.num_classes = self.cls_out_channels = num_classes
        self.in_channels = in_channels
        self.feat_channels = feat_channels
        self.stacked_convs = stacked_convs
        self.strides = strides
        self.conv_bias = conv_bias
        self.prior_generator = TASK_UTILS.build(dict(type='MlvlPointGenerator', strides=strides))
        self.bbox_coder = TASK_UTILS.build(bbox_coder)
        self.conv_cfg = conv_cfg
        self.norm_cfg = norm_cfg
        self.test_cfg = test_cfg
        self._init_layers()

    def _init_layers(self) -> None:
        self._init_cls_convs()
        self._init_reg_convs()
        self._init_predictor()

    def _make_stack(self) -> nn.ModuleList:
        convs = nn.ModuleList()
        for i in range(self.stacked_convs):
            chn = self.in_channels if i == 0 else self.feat_channels
            convs.append(ConvModule(chn, self.feat_channels, 3, stride=1, padding=1, conv_cfg=self.conv_cfg, norm_cfg=self.norm_cfg, bias=self.conv_bias))
        return convs

    def _init_cls_convs(self) -> None:
        self.cls_convs = self._make_stack()

    def _init_reg_convs(self) -> None:
        self.reg_convs = self._make_stack()

    def _init_predictor(self) -> None:
        self.conv_cls = nn.Conv2d(self.feat_channels, self.cls_out_channels, 3, padding=1)
        self.conv_reg = nn.Conv2d(self.feat_channels, 4, 3, padding=1)

    def forward_single(self, x: Tensor) -> Tuple[Tensor, ...]:
        cls_feat = x
        reg_feat = x
        for cls_layer in self.cls_convs:
            cls_feat = cls_layer(cls_feat)
        cls_score = self.conv_cls(cls_feat)
        for reg_layer in self.reg_convs:
            reg_feat = reg_layer(reg_feat)
        bbox_pred = self.conv_reg(reg_feat)
        return cls_score, bbox_pred, cls_feat, reg_feat

    @abstractmethod
    def forward(self, x):
        """Predictions of every level."""

    def predict(self, x, batch_img_metas, rescale: bool = False):
        outs = self(x)
        return self.predict_by_feat(*outs, batch_img_metas=batch_img_metas, rescale=rescale)

    def predict_by_feat(self, cls_scores, bbox_preds, score_factors=None, batch_img_metas=None, cfg=None, rescale=False):
        assert len(cls_scores) == len(bbox_preds)
        with_score_factors = score_factors is not None
        num_levels = len(cls_scores)
        featmap_sizes = [cls_scores[i].shape[-2:] for i in range(num_levels)]
        mlvl_priors = self.prior_generator.grid_priors(featmap_sizes, dtype=cls_scores[0].dtype, device=cls_scores[0].device)
        result_list = []
        for img_id in range(len(batch_img_metas)):
            img_meta = batch_img_metas[img_id]
            cls_score_list = select_single_mlvl(cls_scores, img_id, detach=True)
            bbox_pred_list = select_single_mlvl(bbox_preds, img_id, detach=True)
            if with_score_factors:
                score_factor_list = select_single_mlvl(score_factors, img_id, detach=True)
            else:
                score_factor_list = [None for _ in range(num_levels)]
            results = self._predict_by_feat_single(cls_score_list, bbox_pred_list, score_factor_list, mlvl_priors, img_meta, cfg or self.test_cfg, rescale)
            result_list.append(results)
        return result_list

    def _predict_by_feat_single(self, cls_score_list, bbox_pred_list, score_factor_list, mlvl_priors, img_meta, cfg, rescale=False):
        nms_pre = cfg.get('nms_pre', -1)
        mlvl_bbox_preds, mlvl_valid_priors, mlvl_scores, mlvl_score_factors = [], [], [], []
        for cls_score, bbox_pred, score_factor, priors in zip(cls_score_list, bbox_pred_list, score_factor_list, mlvl_priors):
            assert cls_score.size()[-2:] == bbox_pred.size()[-2:]
            bbox_pred = bbox_pred.permute(1, 2, 0).reshape(-1, 4)
            cls_score = cls_score.permute(1, 2, 0).reshape(-1, self.cls_out_channels)
            scores = cls_score.sigmoid()
            if score_factor is not None:
                score_factor = score_factor.permute(1, 2, 0).reshape(-1).sigmoid()
            if 0 < nms_pre < scores.shape[0]:
                _, keep_idxs = scores.amax(dim=1).topk(nms_pre)
                scores, bbox_pred, priors = scores[keep_idxs], bbox_pred[keep_idxs], priors[keep_idxs]
                score_factor = None if score_factor is None else score_factor[keep_idxs]
            mlvl_bbox_preds.append(bbox_pred)
            mlvl_valid_priors.append(priors)
            mlvl_scores.append(scores)
            mlvl_score_factors.append(score_factor)
        bboxes = self.bbox_coder.decode(torch.cat(mlvl_valid_priors), torch.cat(mlvl_bbox_preds), max_shape=img_meta['img_shape'])
        scores = torch.cat(mlvl_scores)
        if mlvl_score_factors[0] is not None:
            scores = scores * torch.cat(mlvl_score_factors).unsqueeze(-1)
        if rescale and img_meta.get('scale_factor') is not None:
            bboxes = self._rescale(bboxes, img_meta['scale_factor'])
        return dict(bboxes=bboxes, scores=scores)

    def _rescale(self, bboxes: Tensor, scale_factor) -> Tensor:
        w, h = scale_factor
        return torch.stack([b / s for b, s in zip(bboxes.unbind(-1), (w, h, w, h))], dim=-1)


@MODELS.register_module()
class FCOSHead(AnchorFreeHead):
    def __init__(self, num_classes, in_channels, norm_on_bbox=False, centerness_on_reg=False, **kwargs):
        self.norm_on_bbox = norm_on_bbox
        self.centerness_on_reg = centerness_on_reg
        super().__init__(num_classes, in_channels, **kwargs)

    def _init_layers(self) -> None:
        super()._init_layers()
        self.conv_centerness = nn.Conv2d(self.feat_channels, 1, 3, padding=1)
        self.scales = nn.ModuleList([Scale(1.0) for _ in self.strides])

    def forward(self, x):
        return multi_apply(self.forward_single, x, self.scales, self.strides)

    def forward_single(self, x: Tensor, scale: Scale, stride: int) -> Tuple[Tensor, Tensor, Tensor]:
        cls_score, bbox_pred, cls_feat, reg_feat = super().forward_single(x)
        if self.centerness_on_reg:
            centerness = self.conv_centerness(reg_feat)
        else:
            centerness = self.conv_centerness(cls_feat)
        # scale the bbox_pred of different level, float to avoid overflow when enabling FP16
        bbox_pred = scale(bbox_pred).float()
        if self.norm_on_bbox:
            bbox_pred = bbox_pred.clamp(min=0)
            if not self.training:
                bbox_pred *= stride
        else:
            bbox_pred = bbox_pred.exp()
        return cls_score, bbox_pred, centerness
