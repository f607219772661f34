import torch
import torch.nn.functional as F
from torch import nn

from .utils import Extractor, rgb_to_gray


def simple_nms(scores, nms_radius: int):
    """Non-maximum suppression by max pooling."""
    assert nms_radius >= 0

    def max_pool(x):
        return F.max_pool2d(x, kernel_size=nms_radius * 2 + 1, stride=1, padding=nms_radius)

    zeros = torch.zeros_like(scores)
    max_mask = scores == max_pool(scores)
    for _ in range(2):
        supp_mask = max_pool(max_mask.float()) > 0
        supp_scores = torch.where(supp_mask, zeros, scores)
        new_max_mask = supp_scores == max_pool(supp_scores)
        max_mask = max_mask | (new_max_mask & (~supp_mask))
    return torch.where(max_mask, scores, zeros)


def remove_borders(scores, border: int):
    scores[:, :border] = -1
    scores[:, :, :border] = -1
    scores[:, -border:] = -1
    scores[:, :, -border:] = -1
    return scores


def top_k_keypoints(scores, k: int):
    b, h, w = scores.shape
    values, indices = torch.topk(scores.reshape(b, h * w), k, dim=1)
    keypoints = torch.stack((indices % w, indices // w), dim=-1)
    return keypoints.float(), values


def sample_descriptors(keypoints, descriptors, s: int = 8):
    """Interpolate descriptors at keypoint locations."""
    b, c, h, w = descriptors.shape
    keypoints = keypoints - s / 2 + 0.5
    keypoints = keypoints / torch.tensor([w * s - s / 2 - 0.5, h * s - s / 2 - 0.5]).to(keypoints)[None]
    keypoints = keypoints * 2 - 1
    descriptors = F.grid_sample(descriptors, keypoints.view(b, 1, -1, 2), mode="bilinear", align_corners=True)
    return F.normalize(descriptors.reshape(b, c, -1), p=2, dim=1)


class SuperPoint(Extractor):
    default_conf = {"descriptor_dim": 32, "channels": (8, 16, 16, 24), "nms_radius": 2, "max_num_keypoints": 24,
                    "remove_borders": 4}

    def __init__(self, **conf):
        super().__init__(**conf)
        self.relu = nn.ReLU(inplace=True)
        self.pool = nn.MaxPool2d(kernel_size=2, stride=2)
        c1, c2, c3, c4 = self.conf.channels
        self.conv1 = nn.Conv2d(1, c1, kernel_size=3, stride=1, padding=1)
        self.conv2 = nn.Conv2d(c1, c2, kernel_size=3, stride=1, padding=1)
        self.conv3 = nn.Conv2d(c2, c3, kernel_size=3, stride=1, padding=1)
        self.convPa = nn.Conv2d(c3, c4, kernel_size=3, stride=1, padding=1)
        self.convPb = nn.Conv2d(c4, 65, kernel_size=1, stride=1, padding=0)
        self.convDa = nn.Conv2d(c3, c4, kernel_size=3, stride=1, padding=1)
        self.convDb = nn.Conv2d(c4, self.conf.descriptor_dim, kernel_size=1, stride=1, padding=0)

    def _encode(self, image):
        x = image
        for conv in (self.conv1, self.conv2, self.conv3):
            x = self.pool(self.relu(conv(x)))
        return x

    def _dense_scores(self, x):
        scores = self.convPb(self.relu(self.convPa(x)))
        scores = F.softmax(scores, 1)[:, :-1]
        b, _, h, w = scores.shape
        scores = scores.permute(0, 2, 3, 1).reshape(b, h, w, 8, 8)
        scores = scores.permute(0, 1, 3, 2, 4).reshape(b, h * 8, w * 8)
        return simple_nms(scores, self.conf.nms_radius)

    def forward(self, data: dict) -> dict:
        image = data["image"]
        if image.shape[1] == 3:
            image = rgb_to_gray(image)
        x = self._encode(image)
        scores = self._dense_scores(x)
        if self.conf.remove_borders:
            scores = remove_borders(scores, self.conf.remove_borders)
        keypoints, scores = top_k_keypoints(scores, self.conf.max_num_keypoints)
        descriptors = self.convDb(self.relu(self.convDa(x)))
        descriptors = F.normalize(descriptors, p=2, dim=1)
        descriptors = sample_descriptors(keypoints, descriptors, 8)
        return {"keypoints": keypoints, "keypoint_scores": scores,
                "descriptors": descriptors.transpose(-1, -2).contiguous()}
