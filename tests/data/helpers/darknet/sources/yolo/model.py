from collections import namedtuple

import torch
import torch.nn as nn

from .boxes import split_predictions
from .cfg import CFGS, parse_model_cfg
from .layers import ACTIVATIONS, FeatureConcat, RoutedLayer, ScaleChannels, WeightedFeatureFusion, YOLOLayer, autopad

Detections = namedtuple("Detections", "boxes scores labels raw")


class Context:
    """What the parsers of the sections have to know of the layers before theirs."""

    def __init__(self, channels):
        self.filters, self.strides, self.routs = [channels], [1], set()

    index = property(lambda self: len(self.filters) - 1)
    stride = property(lambda self: self.strides[-1])

    def absolute(self, layers):
        return [self.index + l if l < 0 else l for l in layers]

    def route(self, layers):
        layers = self.absolute(layers)
        self.routs.update(layers)
        return layers

    def width_of(self, layer):
        return self.filters[layer + 1]

    def append(self, filters=None, stride=None):
        self.filters.append(filters if filters is not None else self.filters[-1])
        self.strides.append(stride if stride is not None else self.stride)


def parse_convolutional(mdef, ctx):
    bn, filters, k, s = mdef.get("batch_normalize", 0), mdef["filters"], mdef["size"], mdef.get("stride", 1)
    modules = nn.Sequential()
    modules.add_module("Conv2d", nn.Conv2d(ctx.filters[-1], filters, k, s, padding=autopad(k) if mdef.get("pad") else 0,
                                           groups=mdef.get("groups", 1), bias=not bn))
    if bn:
        modules.add_module("BatchNorm2d", nn.BatchNorm2d(filters, momentum=0.03, eps=1e-4))
    if mdef["activation"] != "linear":
        modules.add_module("activation", ACTIVATIONS[mdef["activation"]]())
    ctx.append(filters, ctx.stride * s)
    return modules


def parse_maxpool(mdef, ctx):
    k, s = mdef["size"], mdef["stride"]
    ctx.append(stride=ctx.stride * s)
    return nn.MaxPool2d(kernel_size=k, stride=s, padding=(k - 1) // 2)


def parse_avgpool(mdef, ctx):
    ctx.append()
    return nn.AdaptiveAvgPool2d(1)


def parse_upsample(mdef, ctx):
    ctx.append(stride=ctx.stride // mdef["stride"])
    return nn.Upsample(scale_factor=mdef["stride"])


def parse_route(mdef, ctx):
    layers, groups = ctx.route(mdef["layers"]), mdef.get("groups", 1)
    ctx.append(sum(ctx.width_of(l) for l in layers) // groups, ctx.strides[layers[0] + 1])
    return FeatureConcat(layers, groups, mdef.get("group_id", 0))


def parse_shortcut(mdef, ctx):
    layers = ctx.route(mdef["from"])
    ctx.append()
    return WeightedFeatureFusion(layers, mdef.get("weights_type", "none"), mdef["activation"])


def parse_scale_channels(mdef, ctx):
    layers = ctx.route(mdef["from"])
    ctx.append(ctx.width_of(layers[0]), ctx.strides[layers[0] + 1])
    return ScaleChannels(layers)


def parse_yolo(mdef, ctx):
    anchors, stride = [mdef["anchors"][i] for i in mdef["mask"]], ctx.stride
    ctx.append()
    return YOLOLayer(anchors, mdef["classes"], stride, mdef.get("scale_x_y", 1.0), bool(mdef.get("new_coords", 0)))


PARSERS = {name[len("parse_"):]: f for name, f in list(globals().items()) if name.startswith("parse_") and name != "parse_model_cfg"}


def create_modules(module_defs):
    hyperparams, *module_defs = module_defs
    ctx, module_list = Context(hyperparams["channels"]), nn.ModuleList()
    for mdef in module_defs:
        module_list.append(PARSERS[mdef["type"]](mdef, ctx))
    return hyperparams, module_defs, module_list, [i in ctx.routs for i in range(len(module_list))]


class Darknet(nn.Module):
    def __init__(self, cfg="yolo-micro", verbose=False):
        super().__init__()
        parsed = parse_model_cfg(CFGS.get(cfg, cfg))
        self.hyperparams, self.module_defs, self.module_list, self.routs = create_modules(parsed)
        self.yolo_layers = [i for i, d in enumerate(self.module_defs) if d["type"] == "yolo"]
        self.verbose = verbose

    def forward(self, x):
        yolo_out = self.forward_once(x)
        if self.training:
            return [p for p, _ in yolo_out]
        return self.merge(yolo_out)

    def forward_once(self, x):
        yolo_out, out = [], []
        for i, (mdef, module) in enumerate(zip(self.module_defs, self.module_list)):
            if isinstance(module, RoutedLayer):
                x = module(x, out)
            elif mdef["type"] == "yolo":
                yolo_out.append(module(x))
            else:
                x = module(x)
            out.append(x if self.routs[i] else None)
            if self.verbose:
                print(f"{i:3d} {mdef['type']:>16} {list(x.shape)}")
        return yolo_out

    def merge(self, yolo_out):
        raw, decoded = zip(*yolo_out)
        return torch.cat(decoded, 1), raw


class Model(Darknet):
    """With the end of the pipeline: what the suppression of boxes starts from."""

    conf_thres = 0.1

    def forward(self, x):
        prediction, raw = super().forward(self.letterboxed(x))
        return self.postprocess(prediction, raw)

    def letterboxed(self, x):
        h, w = self.hyperparams["height"], self.hyperparams["width"]
        return nn.functional.pad(x, (0, w - x.shape[3], 0, h - x.shape[2]), value=0.447)

    def postprocess(self, prediction, raw):
        boxes, conf, label = split_predictions(prediction)
        conf = torch.where(conf > self.conf_thres, conf, torch.zeros_like(conf))
        order = conf.topk(16, dim=1)
        index = order.indices.unsqueeze(-1).expand(-1, -1, 4)
        return Detections(boxes.gather(1, index), order.values, label.gather(1, order.indices), raw)


def example():
    return [(1, 3, 48, 64)]
