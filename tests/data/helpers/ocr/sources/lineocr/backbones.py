import torch.nn.functional as F
from torch import nn

from .common import BACKBONES, ConvBNLayer, apply_act, hard_sigmoid, make_divisible


class SEModule(nn.Module):
    def __init__(self, in_channels, reduction=4):
        super(SEModule, self).__init__()
        self.avg_pool = nn.AdaptiveAvgPool2d(1)
        self.conv1 = nn.Conv2d(in_channels, in_channels // reduction, kernel_size=1)
        self.conv2 = nn.Conv2d(in_channels // reduction, in_channels, kernel_size=1)

    def _squeeze(self, x):
        outputs = self.avg_pool(x)
        outputs = F.relu(self.conv1(outputs))
        return self.conv2(outputs)

    def forward(self, inputs):
        return inputs * hard_sigmoid(self._squeeze(inputs), slope=0.2, offset=0.5)


class ResidualUnit(nn.Module):
    def __init__(self, in_channels, mid_channels, out_channels, kernel_size, stride, use_se, act=None):
        super(ResidualUnit, self).__init__()
        self.if_shortcut = stride == 1 and in_channels == out_channels
        self.if_se = use_se
        self.expand_conv = ConvBNLayer(in_channels, mid_channels, 1, if_act=True, act=act)
        self.bottleneck_conv = ConvBNLayer(
            mid_channels, mid_channels, kernel_size, stride=stride, padding=int((kernel_size - 1) // 2),
            groups=mid_channels, if_act=True, act=act)
        if self.if_se:
            self.mid_se = SEModule(mid_channels)
        self.linear_conv = ConvBNLayer(mid_channels, out_channels, 1, if_act=False, act=None)

    def shortcut(self, inputs, x):
        return inputs + x if self.if_shortcut else x

    def forward(self, inputs):
        x = self.expand_conv(inputs)
        x = self.bottleneck_conv(x)
        if self.if_se:
            x = self.mid_se(x)
        x = self.linear_conv(x)
        return self.shortcut(inputs, x)


@BACKBONES.register_module()
class MobileNetV3Rec(nn.Module):
    # k, exp, c, se, nl, s
    CFG = {
        "small": [
            [3, 16, 16, True, "relu", (2, 1)],
            [3, 72, 24, False, "relu", (2, 1)],
            [5, 96, 40, True, "hard_swish", (2, 1)],
            [5, 120, 40, True, "hard_swish", 1],
        ],
    }

    def __init__(self, in_channels=3, model_name="small", scale=0.5, disable_se=False, last_act="hard_swish", **kwargs):
        super(MobileNetV3Rec, self).__init__()
        self.disable_se = disable_se
        self.last_act = last_act
        assert model_name in self.CFG, "mode[" + model_name + "_model] is not implemented!"
        cfg = self.CFG[model_name]

        inplanes = make_divisible(16 * scale)
        self.conv1 = ConvBNLayer(in_channels, inplanes, 3, stride=2, padding=1, if_act=True, act="hard_swish")
        block_list = []
        for (k, exp, c, se, nl, s) in cfg:
            se = se and not self.disable_se
            block_list.append(
                ResidualUnit(
                    inplanes, make_divisible(scale * exp), make_divisible(scale * c),
                    kernel_size=k, stride=s, use_se=se, act=nl))
            inplanes = make_divisible(scale * c)
        self.blocks = nn.Sequential(*block_list)
        self.conv2 = ConvBNLayer(inplanes, make_divisible(scale * 96), 1, if_act=False)
        self.pool = nn.MaxPool2d(kernel_size=(2, 1), stride=(2, 1), padding=0)
        self.out_channels = make_divisible(scale * 96)

    def extract_features(self, x):
        x = self.conv1(x)
        x = self.blocks(x)
        return apply_act(self.conv2(x), self.last_act)

    def forward(self, x):
        x = self.extract_features(x)
        if x.shape[2] > 1:
            x = self.pool(x)
        return x
