import itertools

import torch
from torch import nn


class Anchors(nn.Module):
    def __init__(self, image_size, strides=(4, 8, 16), anchor_scale=4.0, scales=(1.0,), ratios=((1.0, 1.0), (1.4, 0.7))):
        super().__init__()
        self.config = list(itertools.product(strides, scales, ratios))
        self.num_anchors = len(scales) * len(ratios)
        self.register_buffer("boxes", torch.cat([self._level(image_size, s, anchor_scale) for s in strides], dim=0))

    def _level(self, image_size, stride, anchor_scale):
        sides = [(stride * anchor_scale * s * r[0], stride * anchor_scale * s * r[1])
                 for st, s, r in self.config if st == stride]
        n = (image_size // stride) ** 2
        return torch.zeros(n * len(sides), 4)


def decode_box_outputs(rel_codes, anchors, output_xyxy: bool = False):
    """Transforms the relative codes of the regression to absolute boxes."""
    ycenter_a = (anchors[:, 0] + anchors[:, 2]) / 2
    xcenter_a = (anchors[:, 1] + anchors[:, 3]) / 2
    ha = anchors[:, 2] - anchors[:, 0]
    wa = anchors[:, 3] - anchors[:, 1]

    ty, tx, th, tw = rel_codes.unbind(dim=-1)
    w = torch.exp(tw) * wa
    h = torch.exp(th) * ha
    ycenter = ty * ha + ycenter_a
    xcenter = tx * wa + xcenter_a
    ymin = ycenter - h / 2.
    xmin = xcenter - w / 2.
    ymax = ycenter + h / 2.
    xmax = xcenter + w / 2.
    if output_xyxy:
        return torch.stack([xmin, ymin, xmax, ymax], dim=-1)
    return torch.stack([ymin, xmin, ymax, xmax], dim=-1)


def clip_boxes_xyxy(boxes, size: float):
    return boxes.clamp(min=0).clamp(max=size)


def _post_process(cls_outputs, box_outputs, num_classes, max_detection_points=50):
    batch_size = cls_outputs[0].shape[0]

    def flat(levels, n):
        return torch.cat([level.permute(0, 2, 3, 1).reshape([batch_size, -1, n]) for level in levels], 1)
    cls_outputs_all, box_outputs_all = flat(cls_outputs, num_classes), flat(box_outputs, 4)
    _, topk_indices = torch.topk(cls_outputs_all.reshape(batch_size, -1), dim=1, k=max_detection_points)
    indices = torch.div(topk_indices, num_classes, rounding_mode="trunc")
    classes = topk_indices % num_classes
    box_topk = torch.gather(box_outputs_all, 1, indices.unsqueeze(2).expand(-1, -1, 4))
    cls_topk = torch.gather(cls_outputs_all, 1, indices.unsqueeze(2).expand(-1, -1, num_classes))
    cls_topk = torch.gather(cls_topk, 2, classes.unsqueeze(2))
    return cls_topk, box_topk, indices, classes


def generate_detections(cls_topk, box_topk, anchor_boxes, indices, classes, img_size):
    anchor_boxes = anchor_boxes[indices[0], :]
    boxes = decode_box_outputs(box_topk[0].float(), anchor_boxes, output_xyxy=True)
    boxes = clip_boxes_xyxy(boxes, img_size)
    scores = cls_topk[0].sigmoid().squeeze(1).float()
    classes = (classes[0] + 1).unsqueeze(-1).float()
    return torch.cat([boxes, scores.unsqueeze(-1), classes], dim=1)
