import contextlib
import logging
from copy import deepcopy

import torch
import torch.nn as nn

from .cfg import MODELS
from .common import C2f, SPPF, Concat, Conv, DWConv, SCDown, fuse_conv_and_bn, make_divisible
from .head import Detect

LOGGER = logging.getLogger(__name__)


def parse_model(d, ch, scale="n"):
    """Builds the layers of a table; gives them and the indices whose output is wanted again later."""
    depth, width, max_channels = d["scales"][scale]
    ch = [ch]
    layers, save, c2 = [], [], ch[-1]
    for i, (f, n, m, args) in enumerate(d["backbone"] + d["head"]):
        m = getattr(torch.nn, m[3:]) if m.startswith("nn.") else globals()[m]
        for j, a in enumerate(args):
            if isinstance(a, str):
                with contextlib.suppress(KeyError):
                    args[j] = d[a]
        n = n_ = max(round(n * depth), 1) if n > 1 else n
        if m in {Conv, DWConv, SCDown, SPPF, C2f}:
            c1, c2 = ch[f], args[0]
            c2 = make_divisible(min(c2, max_channels) * width)
            args = [c1, c2, *args[1:]]
            if m is C2f:
                args.insert(2, n)
                n = 1
        elif m is Concat:
            c2 = sum(ch[x] for x in f)
        elif m is Detect:
            args.append([ch[x] for x in f])
        else:
            c2 = ch[f]

        m_ = nn.Sequential(*(m(*args) for _ in range(n))) if n > 1 else m(*args)
        m_.np = sum(x.numel() for x in m_.parameters())
        m_.i, m_.f, m_.type = i, f, m.__name__
        LOGGER.debug("%3d%20s%3d%10.0f  %-20s%s", i, f, n_, m_.np, m_.type, args)
        save.extend(x % i for x in ([f] if isinstance(f, int) else f) if x != -1)
        layers.append(m_)
        if i == 0:
            ch = []
        ch.append(c2)
    return nn.Sequential(*layers), sorted(save)


class BaseModel(nn.Module):
    def forward(self, x, *args, **kwargs):
        if isinstance(x, dict):
            return self.loss(x, *args, **kwargs)
        return self._forward_once(x, *args, **kwargs)

    def _forward_once(self, x, embed=None):
        y, pooled = [], []
        for m in self.model:
            if m.f != -1:  # not just from the layer before
                x = y[m.f] if isinstance(m.f, int) else [x if j == -1 else y[j] for j in m.f]
            x = m(x)
            y.append(x if m.i in self.save else None)
            if embed and m.i in embed:
                pooled.append(nn.functional.adaptive_avg_pool2d(x, 1).squeeze(-1).squeeze(-1))
                if m.i == max(embed):
                    return torch.unbind(torch.cat(pooled, 1), dim=0)
        return x

    def fuse(self):
        for m in self.model.modules():
            if isinstance(m, Conv) and hasattr(m, "bn"):
                m.conv = fuse_conv_and_bn(m.conv, m.bn)
                delattr(m, "bn")
                m.forward = m.forward_fuse
        return self

    def loss(self, batch, preds=None):
        raise NotImplementedError("compute_loss() needs to be implemented by task heads")


class DetectionModel(BaseModel):
    def __init__(self, cfg="tiny", ch=3, nc=None, scale="n"):
        super().__init__()
        self.yaml = deepcopy(MODELS[cfg]) if isinstance(cfg, str) else cfg
        if nc and nc != self.yaml["nc"]:
            LOGGER.info("overriding nc=%s with nc=%s", self.yaml["nc"], nc)
            self.yaml["nc"] = nc
        self.model, self.save = parse_model(deepcopy(self.yaml), ch=ch, scale=scale)
        self.names = {i: f"{i}" for i in range(self.yaml["nc"])}

        m = self.model[-1]
        if isinstance(m, Detect):
            self.stride = m.stride
            m.bias_init()


class Model(DetectionModel):
    """What the exporter takes: weights in place, batch norms folded, picture values from 0 to 255."""

    def __init__(self, cfg="tiny", fuse=True):
        super().__init__(cfg)
        self.eval()
        if fuse:
            self.fuse()

    def forward(self, im):
        return super().forward(self._preprocess(im))

    @staticmethod
    def _preprocess(im):
        return im.flip(1) / 255.0  # BGR to RGB


def example():
    return [(1, 3, 64, 64)]
