import torch.nn.functional as F
from torch import nn


class Registry(object):
    """name -> class. BACKBONES.register_module() decorates a class, BACKBONES.get finds it."""

    def __init__(self, name):
        self._name = name
        self._module_dict = dict()

    def get(self, key):
        assert key in self._module_dict, "{} is not in the {} registry".format(key, self._name)
        return self._module_dict[key]

    def register_module(self, name=None):
        def _register(cls):
            self._module_dict[name or cls.__name__] = cls
            return cls

        return _register


BACKBONES = Registry("backbone")
NECKS = Registry("neck")
HEADS = Registry("head")


def make_divisible(v, divisor=8):
    new_v = max(divisor, int(v + divisor / 2) // divisor * divisor)
    if new_v < 0.9 * v:
        new_v += divisor
    return new_v


def hard_sigmoid(x, slope=1.0 / 6.0, offset=0.5):
    return (slope * x + offset).clamp(0.0, 1.0)


def hard_swish(x):
    return x * F.relu6(x + 3.0, inplace=True) / 6.0


def swish(x):
    return x * x.sigmoid()


_ACTIVATIONS = {
    "relu": F.relu,
    "hard_swish": hard_swish,
    "swish": swish,
    "gelu": F.gelu,
}


def apply_act(x, act):
    if act is None:
        return x
    return _ACTIVATIONS[act](x)


class ConvBNLayer(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, groups=1, if_act=True, act=None):
        super(ConvBNLayer, self).__init__()
        self.if_act = if_act
        self.act = act
        self.conv = nn.Conv2d(
            in_channels, out_channels, kernel_size, stride=stride, padding=padding, groups=groups, bias=False)
        self.bn = nn.BatchNorm2d(out_channels)

    def forward(self, x):
        x = self.conv(x)
        x = self.bn(x)
        if self.if_act:
            x = apply_act(x, self.act)
        return x


class Mlp(nn.Module):
    def __init__(self, in_features, hidden_features=None, act="gelu", drop=0.):
        super(Mlp, self).__init__()
        hidden_features = hidden_features or in_features
        self.act = act
        self.fc1 = nn.Linear(in_features, hidden_features)
        self.fc2 = nn.Linear(hidden_features, in_features)
        self.drop = nn.Dropout(drop)

    def forward(self, x):
        x = apply_act(self.fc1(x), self.act)
        x = self.drop(x)
        x = self.drop(self.fc2(x))
        return x
