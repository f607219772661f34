import ast
import math
from collections import defaultdict

import torch
from torch import nn

from detectionhead import ops
from detectionhead.ops import C2f, Concat, Conv, DFL, SPPF, Bottleneck, convert, dist2bbox, make_anchors, no_tf32, stage, timed

SPEC = {
    "nc": 3,
    "width": 0.5,
    "backbone": [
        # from, repeats, module, args
        [-1, 1, "Conv", [16, 3, 2]],
        [-1, 1, "Conv", [32, 3, 2]],
        [-1, 2, "C2f", [32, True]],
        [-1, 1, "Conv", [32, 3, 2]],
        [-1, 1, "SPPF", [32, 3]],
    ],
    "head": [
        [-1, 1, "nn.Upsample", [None, 2, "nearest"]],
        [[-1, 2], 1, "Concat", [1]],
        [-1, 1, "C2f", [16]],
        [[7, 4], 1, "Detect", ["nc"]],
    ],
}


class Detect(nn.Module):
    dynamic = False
    export = False
    format = None
    shape = None
    legacy = False

    def __init__(self, nc=3, ch=()):
        super().__init__()
        self.nc = nc
        self.nl = len(ch)
        self.reg_max = 4
        self.no = nc + self.reg_max * 4
        self.strides = (4, 8)
        c2, c3 = max((8, ch[0] // 4)), max(ch[0], min(self.nc, 8))
        self.cv2 = nn.ModuleList(nn.Sequential(Conv(x, c2, 3), nn.Conv2d(c2, 4 * self.reg_max, 1)) for x in ch)
        self.cv3 = (
            nn.ModuleList(nn.Sequential(Conv(x, c3, 3), nn.Conv2d(c3, self.nc, 1)) for x in ch)
            if self.legacy
            else nn.ModuleList(nn.Sequential(nn.Sequential(Conv(x, x, 3), Conv(x, c3, 1)), nn.Conv2d(c3, self.nc, 1)) for x in ch)
        )
        self.dfl = DFL(self.reg_max) if self.reg_max > 1 else nn.Identity()

    def _forward_levels(self, x):
        for i in range(self.nl):
            x[i] = torch.cat((self.cv2[i](x[i]), self.cv3[i](x[i])), 1)
        return x

    def forward(self, x):
        x = self._forward_levels(x)
        if self.training:
            return x
        y = self._inference(x)
        return y if self.export else (y, x)

    def _inference(self, x):
        shape = x[0].shape
        x_cat = torch.cat([xi.view(shape[0], self.no, -1) for xi in x], 2)
        if self.format != "imx" and (self.dynamic or self.shape != shape):
            self.anchors, self.anchor_strides = (x.transpose(0, 1) for x in make_anchors(x, self.strides, 0.5))
            self.shape = shape
        if self.export and self.format in {"saved_model", "pb"}:
            box = x_cat[:, : self.reg_max * 4]
            cls = x_cat[:, self.reg_max * 4 :]
        else:
            box, cls = x_cat.split((self.reg_max * 4, self.nc), 1)
        dbox = self.decode_bboxes(self.dfl(box), self.anchors.unsqueeze(0)) * self.anchor_strides
        return torch.cat((dbox, cls.sigmoid()), 1)

    def decode_bboxes(self, bboxes, anchors, xywh=True):
        return dist2bbox(bboxes, anchors, xywh=xywh, dim=1)


def resolve(name):
    return getattr(torch.nn, name[3:]) if name.startswith("nn.") else globals()[name]


def parse_model(d, ch):
    ch = [ch]
    layers, save = [], []
    for i, (f, n, m, args) in enumerate(d["backbone"] + d["head"]):
        m = resolve(m)
        args = [d[a] if isinstance(a, str) and a in d else a for a in args]
        if m in {Conv, C2f, SPPF}:
            c1, c2 = ch[f], int(args[0] * d["width"])
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
        m_.i, m_.f, m_.type = i, f, m.__name__
        save.extend(x % i for x in ([f] if isinstance(f, int) else f) if x != -1)
        layers.append(m_)
        if i == 0:
            ch = []
        ch.append(c2)
    return nn.Sequential(*layers), sorted(save)


class Postprocess:
    """Plain object: no module."""

    def __init__(self, topk=5, fmt="cxcywh"):
        self.topk = topk
        self.fmt = fmt
        self._hooks = defaultdict(list)

    def on(self, event, fn):
        self._hooks[event].append(fn)
        return self

    def _emit(self, event, value):
        for fn in self._hooks[event]:
            value = fn(value)
        return value

    @staticmethod
    def area(boxes):
        w, h = (boxes[..., i + 2] - boxes[..., i] for i in range(2))
        return w * h

    @classmethod
    def default(cls, **overrides):
        return cls(**{"topk": 4, **overrides})

    @timed("postprocess")
    def __call__(self, prediction):
        prediction = prediction.transpose(-1, -2)
        *_, n = prediction.shape
        boxes, scores = prediction.split([4, n - 4], dim=-1)
        result = {"boxes": convert(boxes, self.fmt), "scores": scores.amax(-1)}
        if (area := self.area(result["boxes"])) is not None:
            result["area"] = area
        result["scores"] = self._emit("scores", result["scores"])
        return result


class Cascade(nn.Module):
    def __init__(self, dim, stages=2):
        super().__init__()
        for i in range(stages):
            setattr(self, f"refine{i}", nn.Linear(dim, dim))
            setattr(self, f"gate{i}", nn.Linear(dim, 1) if i else None)
        self.stages = stages

    def refine(self, x, i=0):
        if i == self.stages:
            return x
        layer = getattr(self, f"refine{i}")
        gate = getattr(self, f"gate{i}", None)
        delta = torch.tanh(layer(x))
        if gate is not None:
            delta = delta * torch.sigmoid(gate(x))
        return self.refine(x + delta, i + 1)

    def forward(self, boxes):
        return self.refine(boxes)


class Model(nn.Module):
    def __init__(self, spec=SPEC, ch=3):
        super().__init__()
        self.spec = spec
        self.model, self.save = parse_model(spec, ch)
        self.cascade = Cascade(4)
        self.post = Postprocess.default(topk=3).on("scores", lambda s: s / s.sum(-1, keepdim=True))

    @property
    def head(self):
        return self.model[-1]

    @property
    def stride(self):
        return max(self.head.strides)

    def _predict_once(self, x, profile=False):
        y = []
        for m in self.model:
            if m.f != -1:
                x = y[m.f] if isinstance(m.f, int) else [x if j == -1 else y[j] for j in m.f]
            if profile:
                self._profile_one_layer(m, x)
            x = m(x)
            y.append(x if m.i in self.save else None)
        return x

    def normalize(self, x):
        try:
            mean = self.spec["mean"]
        except KeyError:
            mean = 0.5
        return (x - mean) / self.stride

    def forward(self, x, *args, **kwargs):
        if isinstance(x, dict):
            return self.loss(x, *args, **kwargs)
        with stage("predict"), no_tf32():
            prediction, levels = self._predict_once(self.normalize(x))
        out = self.post(prediction)
        first, *rest = levels
        out.update({f"level{i}": t.flatten(2) for i, t in enumerate([first, *rest])})
        out |= {"boxes": self.cascade(out["boxes"])}
        return out


def example():
    return [(1, 3, 32, 32)]
