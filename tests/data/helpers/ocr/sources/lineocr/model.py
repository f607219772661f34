import copy

from torch import nn

from . import backbones, heads, necks

_REGISTRIES = {
    "backbone": getattr(backbones, "BACKBONES"),
    "neck": getattr(necks, "NECKS"),
    "head": getattr(heads, "HEADS"),
}


def _build(kind, config):
    config = copy.deepcopy(config)
    module_name = config.pop("name")
    return _REGISTRIES[kind].get(module_name)(**config)


def build_backbone(config):
    return _build("backbone", config)


def build_neck(config):
    return _build("neck", config)


def build_head(config):
    return _build("head", config)


class BaseModel(nn.Module):
    def __init__(self, config):
        super(BaseModel, self).__init__()
        in_channels = config.get("in_channels", 3)
        self.model_type = config["model_type"]

        config["Backbone"]["in_channels"] = in_channels
        self.backbone = build_backbone(config["Backbone"])
        in_channels = self.backbone.out_channels

        # neck is not needed for cls
        self.use_neck = config.get("Neck") is not None
        if self.use_neck:
            config["Neck"]["in_channels"] = in_channels
            self.neck = build_neck(config["Neck"])
            in_channels = self.neck.out_channels

        self.use_head = config.get("Head") is not None
        if self.use_head:
            config["Head"]["in_channels"] = in_channels
            self.head = build_head(config["Head"])

    def normalize(self, x):
        return (x / 255.0 - 0.5) / 0.5

    def forward(self, x, data=None):
        x = self.backbone(self.normalize(x))
        if self.use_neck:
            x = self.neck(x)
        if self.use_head:
            x = self.head(x, targets=data)
        return x


GLOBAL_CONFIG = {
    "model_type": "rec",
    "algorithm": "SVTR_LCNet",
    "in_channels": 3,
    "Transform": None,
    "Backbone": {"name": "MobileNetV3Rec", "model_name": "small", "scale": 0.5, "disable_se": False},
    "Neck": {
        "name": "SequenceEncoder", "encoder_type": "svtr", "dims": 40, "hidden_dims": 32, "mixers": ["Local"],
        "num_heads": 4, "width": 32,
    },
    "Head": {
        "name": "MultiHead",
        "out_channels_list": {"CTCHead": 97},
        "head_list": [{"CTCHead": {"mid_channels": 24}}, {"ClsHead": None}],
    },
}


class Model(BaseModel):
    def __init__(self, config=None):
        super(Model, self).__init__(copy.deepcopy(config or GLOBAL_CONFIG))


def example():
    return [(1, 3, 32, 64)]
