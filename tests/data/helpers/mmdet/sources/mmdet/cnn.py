import warnings
from functools import partial
from typing import Dict, Optional, Tuple, Union

import torch
import torch.nn as nn
from torch.nn.modules.batchnorm import _BatchNorm

from .registry import MODELS


def build_conv_layer(cfg: Optional[Dict], *args, **kwargs) -> nn.Module:
    cfg_ = dict(type='Conv2d') if cfg is None else cfg.copy()
    conv_layer = MODELS.get(cfg_.pop('type'))
    return conv_layer(*args, **kwargs, **cfg_)


def infer_abbr(class_type: type) -> str:
    if issubclass(class_type, _BatchNorm):
        return 'bn'
    return 'gn' if issubclass(class_type, nn.GroupNorm) else 'norm_layer'


def build_norm_layer(cfg: Dict, num_features: int, postfix: Union[int, str] = '') -> Tuple[str, nn.Module]:
    cfg_ = cfg.copy()
    norm_layer = MODELS.get(cfg_.pop('type'))
    requires_grad = cfg_.pop('requires_grad', True)
    cfg_.setdefault('eps', 1e-5)
    name = infer_abbr(norm_layer) + str(postfix)
    if norm_layer is not nn.GroupNorm:
        layer = norm_layer(num_features, **cfg_)
    else:
        assert 'num_groups' in cfg_
        layer = norm_layer(cfg_.pop('num_groups'), num_features, **cfg_)
    for param in layer.parameters():
        param.requires_grad = requires_grad
    return name, layer


class BaseModule(nn.Module):
    def __init__(self, init_cfg: Union[dict, list, None] = None):
        super().__init__()
        self._is_init = False
        self.init_cfg = init_cfg


class Sequential(BaseModule, nn.Sequential):
    def __init__(self, *args, init_cfg: Optional[dict] = None):
        BaseModule.__init__(self, init_cfg)
        nn.Sequential.__init__(self, *args)


@MODELS.register_module()
class ConvModule(nn.Module):
    """A conv block that bundles conv/norm/activation layers."""

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, groups=1, bias='auto', conv_cfg=None, norm_cfg=None,
                 act_cfg=dict(type='ReLU'), inplace=True, order=('conv', 'norm', 'act')):
        super().__init__()
        assert set(order) == {'conv', 'norm', 'act'}
        self.order = order
        self.with_norm = norm_cfg is not None
        self.with_activation = act_cfg is not None
        if bias == 'auto':
            bias = not self.with_norm
        self.with_bias = bias
        self.conv = build_conv_layer(conv_cfg, in_channels, out_channels, kernel_size, stride=stride, padding=padding, groups=groups, bias=bias)
        if self.with_norm:
            norm_channels = out_channels if order.index('norm') > order.index('conv') else in_channels
            self.norm_name, norm = build_norm_layer(norm_cfg, norm_channels)
            self.add_module(self.norm_name, norm)
        else:
            self.norm_name = None
        if self.with_activation:
            act_cfg_ = act_cfg.copy()
            act_cfg_.setdefault('inplace', inplace)
            self.activate = MODELS.build(act_cfg_)

    @property
    def norm(self):
        if self.norm_name:
            return getattr(self, self.norm_name)
        return None

    def forward(self, x: torch.Tensor, activate: bool = True, norm: bool = True) -> torch.Tensor:
        for layer in self.order:
            if layer == 'conv':
                x = self.conv(x)
            elif layer == 'norm' and norm and self.with_norm:
                x = self.norm(x)
            elif layer == 'act' and activate and self.with_activation:
                x = self.activate(x)
        return x


class Scale(nn.Module):
    def __init__(self, scale: float = 1.0):
        super().__init__()
        self.scale = nn.Parameter(torch.tensor(scale, dtype=torch.float))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * self.scale


def multi_apply(func, *args, **kwargs):
    pfunc = partial(func, **kwargs) if kwargs else func
    map_results = map(pfunc, *args)
    return tuple(map(list, zip(*map_results)))


def select_single_mlvl(mlvl_tensors, batch_id, detach=True):
    num_levels = len(mlvl_tensors)
    if detach:
        return [mlvl_tensors[i][batch_id].detach() for i in range(num_levels)]
    return [mlvl_tensors[i][batch_id] for i in range(num_levels)]
