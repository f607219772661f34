from types import SimpleNamespace
from typing import Optional

import torch
from torch import nn


class Extractor(nn.Module):
    default_conf = {}

    def __init__(self, **conf):
        super().__init__()
        self.conf = SimpleNamespace(**{**self.default_conf, **conf})

    def extract(self, img: torch.Tensor) -> dict:
        return self.forward({"image": img})


def rgb_to_gray(image: torch.Tensor) -> torch.Tensor:
    scale = image.new_tensor([0.299, 0.587, 0.114]).view(1, 3, 1, 1)
    return (image * scale).sum(1, keepdim=True)


def normalize_keypoints(kpts: torch.Tensor, size: Optional[torch.Tensor] = None) -> torch.Tensor:
    if size is None:
        size = 1 + kpts.max(-2).values - kpts.min(-2).values
    elif not isinstance(size, torch.Tensor):
        size = torch.tensor(size, device=kpts.device, dtype=kpts.dtype)
    size = size.to(kpts)
    shift = size / 2
    scale = size.max(-1).values / 2 if size.ndim > 1 else max_side(size)
    return (kpts - shift[..., None, :]) / scale[..., None, None]


def max_side(size):
    return size.amax(-1) / 2
