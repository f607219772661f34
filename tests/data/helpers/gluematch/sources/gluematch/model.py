import torch
from torch import nn

from .lightglue import LightGlue
from .superpoint import SuperPoint


def split_pair(feats: dict) -> tuple:
    """The two images of a pair lie in one batch."""
    halves = {k: v.chunk(2, dim=0) for k, v in feats.items()}
    return tuple({k: v[i] for k, v in halves.items()} for i in range(2))


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.extractor = SuperPoint(max_num_keypoints=16).eval()
        self.matcher = LightGlue(features="superpoint")

    def forward(self, images):
        feats0, feats1 = split_pair(self.extractor.extract(images))
        h, w = images.shape[-2:]
        pred = self.matcher({"feats0": feats0, "feats1": feats1, "size": [w, h]})
        return feats0["keypoints"], feats1["keypoints"], pred["matches0"], pred["matching_scores0"]


def example():
    return [(2, 3, 32, 40)]
