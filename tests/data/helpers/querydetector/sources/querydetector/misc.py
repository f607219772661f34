"""Small things that every part of the detector needs."""
import math
from typing import NamedTuple, Optional

import torch
from torch import nn
import torch.nn.functional as F


class NestedTensor(NamedTuple):
    tensors: torch.Tensor
    mask: Optional[torch.Tensor] = None

    def decompose(self):
        return self.tensors, self.mask


def clones_of(module_factory, count):
    return nn.ModuleList([module_factory() for _ in range(count)])


def inverse_sigmoid(x, eps: float = 1e-3):
    x = x.clamp(min=0, max=1)
    x1 = x.clamp(min=eps)
    x2 = (1 - x).clamp(min=eps)
    return torch.log(x1 / x2)


def activation_by_name(name: str):
    if name == "relu":
        return F.relu
    if name == "gelu":
        return F.gelu
    if name == "glu":
        return F.glu
    raise RuntimeError(f"activation should be relu, gelu or glu, not {name}.")


def with_pos(tensor, pos: Optional[torch.Tensor]):
    return tensor if pos is None else tensor + pos


def box_cxcywh_to_xyxy(boxes):
    cx, cy, w, h = boxes.unbind(-1)
    corners = [cx - 0.5 * w, cy - 0.5 * h, cx + 0.5 * w, cy + 0.5 * h]
    return torch.stack(corners, dim=-1)


def clip_boxes(boxes):
    for i in (0, 1):
        boxes[..., i] = boxes[..., i].clamp(min=0)
    boxes[..., 2:4] = boxes[..., 2:4].clamp(max=1)
    return boxes


def sine_embedding_of(points, width: int = 32, temperature: float = 10000.0):
    """Sine embedding of reference points, (batch, queries, 2 or 4)."""
    scale = 2 * math.pi
    dim_t = torch.arange(width // 2, dtype=torch.float32, device=points.device)
    dim_t = temperature ** (2 * (dim_t // 2) / (width // 2))

    def one_axis(values):
        position = (values * scale)[:, :, None] / dim_t
        return torch.stack((position[:, :, 0::2].sin(), position[:, :, 1::2].cos()), dim=3).flatten(2)

    pos_x = one_axis(points[:, :, 0])
    pos_y = one_axis(points[:, :, 1])
    if points.size(-1) == 2:
        return torch.cat((pos_y, pos_x), dim=2)
    elif points.size(-1) == 4:
        pos_w, pos_h = one_axis(points[:, :, 2]), one_axis(points[:, :, 3])
        return torch.cat((pos_y, pos_x, pos_w, pos_h), dim=2)
    raise ValueError("points have 2 or 4 numbers, these have {}".format(points.size(-1)))


class MLP(nn.Module):
    """A perceptron of several layers."""

    def __init__(self, input_dim, hidden_dim, output_dim, num_layers):
        super().__init__()
        self.num_layers = num_layers
        h = [hidden_dim] * (num_layers - 1)
        self.layers = nn.ModuleList(nn.Linear(n, k) for n, k in zip([input_dim] + h, h + [output_dim]))

    def forward(self, x):
        for i, layer in enumerate(self.layers):
            x = F.relu(layer(x)) if i < self.num_layers - 1 else layer(x)
        return x
