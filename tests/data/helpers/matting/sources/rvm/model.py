from typing import Optional

from torch import Tensor, nn
from torch.nn import functional as F

from .decoder import Projection, RecurrentDecoder
from .guided_filter import FastGuidedFilterRefiner
from .lraspp import LRASPP
from .mobilenetv3 import MobileNetV3Encoder


class MattingNetwork(nn.Module):
    def __init__(self, variant: str = "mobilenetv3", refiner: str = "fast_guided_filter", width_mult: float = 1.0):
        super().__init__()
        assert variant in ["mobilenetv3"]
        assert refiner in ["fast_guided_filter"]

        self.backbone = MobileNetV3Encoder(width_mult)
        chs = self.backbone.channels
        self.aspp = LRASPP(chs[-1], 64)
        self.decoder = RecurrentDecoder([*chs[:3], 64], [40, 32, 24, 16])
        self.project_mat = Projection(16, 4)
        self.project_seg = Projection(16, 1)
        self.refiner = FastGuidedFilterRefiner()

    def forward(self, src: Tensor, r1: Optional[Tensor] = None, r2: Optional[Tensor] = None,
                r3: Optional[Tensor] = None, r4: Optional[Tensor] = None,
                downsample_ratio: float = 1, segmentation_pass: bool = False):
        if downsample_ratio != 1:
            src_sm = self._interpolate(src, scale_factor=downsample_ratio)
        else:
            src_sm = src

        f1, f2, f3, f4 = self.backbone(src_sm)
        f4 = self.aspp(f4)
        hid, *rec = self.decoder(src_sm, f1, f2, f3, f4, r1, r2, r3, r4)

        if segmentation_pass:
            return [self.project_seg(hid), *rec]
        fgr_residual, pha = self.project_mat(hid).split([3, 1], dim=-3)
        if downsample_ratio != 1:
            fgr_residual, pha = self.refiner(src, src_sm, fgr_residual, pha, hid)
        return [*self._compose(src, fgr_residual, pha), *rec]

    def _compose(self, src, fgr_residual, pha):
        fgr = fgr_residual + src
        fgr = fgr.clamp(0., 1.)
        pha = pha.clamp(0., 1.)
        return fgr, pha

    def _interpolate(self, x: Tensor, scale_factor: float):
        if x.ndim == 5:
            B, T = x.shape[:2]
            x = F.interpolate(x.flatten(0, 1), scale_factor=scale_factor, mode="bilinear", align_corners=False,
                              recompute_scale_factor=False)
            return x.unflatten(0, (B, T))
        return F.interpolate(x, scale_factor=scale_factor, mode="bilinear", align_corners=False,
                             recompute_scale_factor=False)


class Model(MattingNetwork):
    """What the app ships: one frame at a time, recurrent states in and out."""

    def forward(self, src, r2, r3, r4):
        return super().forward(src, None, r2, r3, r4, downsample_ratio=0.5)


def example():
    return [(1, 3, 128, 192), (1, 16, 16, 24), (1, 20, 8, 12), (1, 32, 4, 6)]
