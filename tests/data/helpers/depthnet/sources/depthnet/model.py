import torch
import torch.nn as nn

from .blocks import Interpolate, _make_fusion_block, _make_scratch
from .vit import _make_pretrained_vitt16, forward_vit


class BaseModel(nn.Module):
    def load(self, path):
        parameters = torch.load(path, map_location=torch.device("cpu"))
        if "optimizer" in parameters:
            parameters = parameters["model"]
        self.load_state_dict(parameters)


class DPT(BaseModel):
    def __init__(self, head, features=256, backbone="vitt16", readout="project", use_bn=False):
        super(DPT, self).__init__()
        self.pretrained = {"vitt16": _make_pretrained_vitt16}[backbone](use_readout=readout)
        self.forward_transformer = forward_vit

        self.scratch = _make_scratch([24, 48, 96, 96], features, groups=1, expand=False)
        self.scratch.refinenet1 = _make_fusion_block(features, use_bn)
        self.scratch.refinenet2 = _make_fusion_block(features, use_bn)
        self.scratch.refinenet3 = _make_fusion_block(features, use_bn)
        self.scratch.refinenet4 = _make_fusion_block(features, use_bn)
        self.scratch.output_conv = head

    def _fuse(self, layers):
        layer_1_rn = self.scratch.layer1_rn(layers[0])
        layer_2_rn = self.scratch.layer2_rn(layers[1])
        layer_3_rn = self.scratch.layer3_rn(layers[2])
        layer_4_rn = self.scratch.layer4_rn(layers[3])

        path_4 = self.scratch.refinenet4(layer_4_rn, size=layer_3_rn.shape[2:])
        path_3 = self.scratch.refinenet3(path_4, layer_3_rn, size=layer_2_rn.shape[2:])
        path_2 = self.scratch.refinenet2(path_3, layer_2_rn, size=layer_1_rn.shape[2:])
        return self.scratch.refinenet1(path_2, layer_1_rn)

    def forward(self, x):
        layers = self.forward_transformer(self.pretrained, x)
        path_1 = self._fuse(layers)
        return self.scratch.output_conv(path_1)


class DPTDepthModel(DPT):
    def __init__(self, path=None, non_negative=True, scale=1.0, shift=0.0, invert=False, features=32, **kwargs):
        self.scale = scale
        self.shift = shift
        self.invert = invert

        head = nn.Sequential(
            nn.Conv2d(features, features // 2, kernel_size=3, stride=1, padding=1),
            Interpolate(scale_factor=2, mode="bilinear", align_corners=True),
            nn.Conv2d(features // 2, 32, kernel_size=3, stride=1, padding=1),
            nn.ReLU(True),
            nn.Conv2d(32, 1, kernel_size=1, stride=1, padding=0),
            nn.ReLU(True) if non_negative else nn.Identity(),
            nn.Identity(),
        )
        super().__init__(head, features=features, **kwargs)
        if path is not None:
            self.load(path)

    def to_metric(self, inv_depth, eps=1e-8):
        """Depth out of the scale- and shift-free inverse depth."""
        depth = self.scale * inv_depth + self.shift
        return 1.0 / depth.clamp(min=eps)

    def forward(self, x):
        inv_depth = super().forward(x).squeeze(dim=1)
        return self.to_metric(inv_depth) if self.invert else inv_depth


class Model(DPTDepthModel):
    def __init__(self):
        super().__init__(scale=0.000305, shift=0.1378, invert=True)
        self.eval()


def example():
    return [(1, 3, 64, 96)]
