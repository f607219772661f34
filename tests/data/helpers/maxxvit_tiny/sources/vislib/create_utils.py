""" Layer factories, helpers and small functional ops."""
import math
from functools import partial
from typing import Callable, List, Optional, Tuple, Type, Union

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

LayerType = Union[str, Callable, Type[nn.Module]]


def to_2tuple(x):
    return tuple(x) if isinstance(x, (tuple, list)) else (x, x)


def make_divisible(v, divisor=8, min_value=None, round_limit=.9):
    new_v = max(min_value or divisor, int(v + divisor / 2) // divisor * divisor)
    return new_v + divisor if new_v < round_limit * v else new_v


_ACT_LAYER = dict(silu=nn.SiLU, swish=nn.SiLU, relu=nn.ReLU, gelu=nn.GELU, gelu_tanh=partial(nn.GELU, approximate='tanh'), sigmoid=nn.Sigmoid)


def get_act_layer(name: Optional[LayerType] = 'relu'):
    return _ACT_LAYER[name] if isinstance(name, str) else name


def create_act_layer(name: LayerType, **kwargs):
    return get_act_layer(name)(**kwargs) if name is not None else nn.Identity()


def layer_norm_2d(x, normalized_shape: List[int], weight, bias, eps: float):
    x = x.permute(0, 2, 3, 1)
    x = F.layer_norm(x, normalized_shape, weight, bias, eps)
    return x.permute(0, 3, 1, 2)


class LayerNorm2d(nn.LayerNorm):
    """ LayerNorm for channels of '2D' spatial NCHW tensors """

    def __init__(self, num_channels, eps=1e-6):
        super().__init__(num_channels, eps=eps)

    def forward(self, x):
        return layer_norm_2d(x, self.normalized_shape, self.weight, self.bias, self.eps)


class BatchNormAct2d(nn.BatchNorm2d):
    def __init__(self, num_features, eps=1e-5, momentum=0.1, apply_act=True, act_layer='relu'):
        super().__init__(num_features, eps=eps, momentum=momentum)
        self.drop = nn.Identity()
        self.act = create_act_layer(act_layer) if apply_act else nn.Identity()

    def forward(self, x):
        x = F.batch_norm(x, self.running_mean, self.running_var, self.weight, self.bias, False, self.momentum, self.eps)
        x = self.drop(x)
        return self.act(x)


_NORM_MAP = dict(batchnorm2d=nn.BatchNorm2d, batchnormact2d=BatchNormAct2d, layernorm=nn.LayerNorm, layernorm2d=LayerNorm2d)
_NORM_ACT_TYPES = {BatchNormAct2d}


def get_norm_layer(norm_layer: LayerType):
    if isinstance(norm_layer, str):
        return _NORM_MAP[norm_layer.replace('_', '').lower()]
    return norm_layer


def get_norm_act_layer(norm_layer: LayerType, act_layer: Optional[LayerType] = None):
    norm_act = get_norm_layer(norm_layer)
    if norm_act is nn.BatchNorm2d:
        norm_act = BatchNormAct2d
    return partial(norm_act, act_layer=act_layer) if norm_act in _NORM_ACT_TYPES else norm_act


def get_same_padding(x: int, kernel_size: int, stride: int, dilation: int = 1):
    return max((math.ceil(x / stride) - 1) * stride + (kernel_size - 1) * dilation + 1 - x, 0)


def pad_same(x, kernel_size: Tuple[int, int], stride: Tuple[int, int], value: float = 0):
    ih, iw = x.size()[-2:]
    pad_h = get_same_padding(ih, kernel_size[0], stride[0])
    pad_w = get_same_padding(iw, kernel_size[1], stride[1])
    return F.pad(x, (pad_w // 2, pad_w - pad_w // 2, pad_h // 2, pad_h - pad_h // 2), value=value)


def conv2d_same(x, weight, bias=None, stride=(1, 1), dilation=(1, 1), groups: int = 1):
    x = pad_same(x, weight.shape[-2:], stride)
    return F.conv2d(x, weight, bias, stride, (0, 0), dilation, groups)


class Conv2dSame(nn.Conv2d):
    """ Tensorflow like 'SAME' convolution wrapper """

    def forward(self, x):
        return conv2d_same(x, self.weight, self.bias, self.stride, self.dilation, self.groups)


def create_conv2d(in_channels, out_channels, kernel_size, padding='', **kwargs):
    depthwise = kwargs.pop('depthwise', False)
    groups = in_channels if depthwise else kwargs.pop('groups', 1)
    if padding == 'same' and kwargs.get('stride', 1) > 1:
        return Conv2dSame(in_channels, out_channels, kernel_size, groups=groups, **kwargs)
    return nn.Conv2d(in_channels, out_channels, kernel_size, padding=kernel_size // 2, groups=groups, **kwargs)


def drop_path(x, drop_prob: float = 0., training: bool = False, scale_by_keep: bool = True):
    if drop_prob == 0. or not training:
        return x
    keep_prob = 1 - drop_prob
    random_tensor = x.new_empty((x.shape[0],) + (1,) * (x.ndim - 1)).bernoulli_(keep_prob)
    return x * (random_tensor.div_(keep_prob) if keep_prob > 0.0 and scale_by_keep else random_tensor)


class DropPath(nn.Module):
    def __init__(self, drop_prob: float = 0.):
        super().__init__()
        self.drop_prob = drop_prob

    def forward(self, x):
        return drop_path(x, self.drop_prob, self.training)


def checkpoint_seq(functions, x, every=1, enabled=True):
    """ Run a sequence of blocks, with `every` of them within one checkpoint where that is enabled """

    def run_function(start, end):
        def forward_segment(_x):
            for fn in functions[start:end]:
                _x = fn(_x)
            return _x
        return forward_segment

    functions = tuple(functions)
    if not enabled:
        return run_function(0, len(functions))(x)
    for start in range(0, len(functions), every):
        x = checkpoint(run_function(start, start + every), x, use_reentrant=False)
    return x


def named_apply(fn: Callable, module: nn.Module, name='', include_root=False) -> nn.Module:
    for child_name, child_module in module.named_children():
        named_apply(fn, child_module, '.'.join((name, child_name)) if name else child_name, include_root=True)
    if include_root:
        fn(module=module, name=name)
    return module
