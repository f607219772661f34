from collections import OrderedDict
from functools import partial

from torch import nn

from .bifpn import BiFpnLayer, SeparableConvBlock
from .box_utils import Anchors, _post_process, generate_detections
from .efficientnet import EfficientNet
from .efficientnet_utils import swish

_CONFIGS = dict(
    tiny_d0=dict(backbone_name="efficientnet-b0", image_size=96, num_classes=7, fpn_channels=24,
                 fpn_cell_repeats=1, box_class_repeats=1),
)


class HeadNet(nn.Module):
    """One set of convolutions for all levels, batch norms of its own for each level."""

    def __init__(self, config, num_outputs, num_anchors, num_levels=3):
        super().__init__()
        channels = config["fpn_channels"]
        self.conv_rep = nn.ModuleList([
            SeparableConvBlock(channels, norm=False) for _ in range(config["box_class_repeats"])])
        self.bn_rep = nn.ModuleList([
            nn.ModuleList([nn.BatchNorm2d(channels, eps=1e-3) for _ in range(num_levels)]) for _ in self.conv_rep])
        self.act = partial(swish, inplace=True)
        self.predict = SeparableConvBlock(channels, num_anchors * num_outputs, norm=False)

    def _forward_level(self, x, level):
        for conv, bns in zip(self.conv_rep, self.bn_rep):
            x = conv(x)
            x = bns[level](x)
            x = self.act(x)
        return self.predict(x)

    def forward(self, x):
        return [self._forward_level(feat, level) for level, feat in enumerate(x)]


class EfficientDet(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.backbone = EfficientNet.from_name(config["backbone_name"])
        feature_info = [(c, 4 << i) for i, c in enumerate(self.backbone.feature_channels)]
        cells = OrderedDict()
        for rep in range(config["fpn_cell_repeats"]):
            cells["cell_%d" % rep] = BiFpnLayer(feature_info, config["fpn_channels"])
            feature_info = cells["cell_%d" % rep].feature_info
        self.fpn = nn.Sequential(cells)
        self.anchors = Anchors(config["image_size"])
        make_head = partial(HeadNet, config, num_anchors=self.anchors.num_anchors)
        self.class_net = make_head(num_outputs=config["num_classes"])
        self.box_net = make_head(num_outputs=4)

    def forward(self, x):
        x = self.backbone(x)
        x = self.fpn(x)
        return self.class_net(x), self.box_net(x)


class DetBenchPredict(nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model
        self.num_classes = model.config["num_classes"]
        self.img_size = model.config["image_size"]

    def forward(self, x):
        class_out, box_out = self.model(x)
        class_out, box_out, indices, classes = _post_process(class_out, box_out, self.num_classes)
        return generate_detections(class_out, box_out, self.model.anchors.boxes, indices, classes, self.img_size)


def create_model(model_name, **overrides):
    return EfficientDet({**_CONFIGS[model_name], **overrides})


class Model(DetBenchPredict):
    def __init__(self):
        super().__init__(create_model("tiny_d0"))


def example():
    return [(1, 3, 96, 96)]
