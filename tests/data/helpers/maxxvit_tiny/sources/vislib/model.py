""" MaxViT / ConvNeXt hybrids"""
from collections import OrderedDict
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Optional, Tuple, Union

import torch
import torch.nn as nn
import torch.nn.functional as F

from .create_utils import (
    DropPath, checkpoint_seq, create_act_layer, create_conv2d, get_act_layer, get_norm_act_layer, get_norm_layer, make_divisible,
    named_apply, to_2tuple)
from .rel_pos import RelPosBias, RelPosBiasTf, grid_partition, grid_reverse, window_partition, window_reverse

_model_entrypoints = {}


def register_model(fn):
    _model_entrypoints[fn.__name__] = fn
    return fn


def create_model(model_name, **kwargs):
    return _model_entrypoints[model_name](**kwargs)


@dataclass
class MaxxVitTransformerCfg:
    dim_head: int = 16
    expand_ratio: float = 2.0
    window_size: Tuple[int, int] = (4, 4)
    act_layer: str = 'gelu'
    norm_layer: str = 'layernorm'


@dataclass
class MaxxVitConvCfg:
    expand_ratio: float = 2.0
    kernel_size: int = 3
    attn_ratio: float = 0.25
    padding: str = 'same'
    act_layer: str = 'gelu_tanh'
    norm_layer: str = 'batchnorm2d'


@dataclass
class MaxxVitCfg:
    embed_dim: Tuple[int, ...] = (16, 32)
    depths: Tuple[int, ...] = (1, 1)
    block_type: Tuple[str, ...] = ('C', 'M')
    stem_width: Union[int, Tuple[int, int]] = (8, 16)
    conv_cfg: MaxxVitConvCfg = field(default_factory=MaxxVitConvCfg)
    transformer_cfg: MaxxVitTransformerCfg = field(default_factory=MaxxVitTransformerCfg)


class Mlp(nn.Module):
    def __init__(self, in_features, hidden_features, act_layer=nn.GELU):
        super().__init__()
        self.fc1 = nn.Linear(in_features, hidden_features)
        self.act = act_layer()
        self.fc2 = nn.Linear(hidden_features, in_features)

    def forward(self, x):
        return self.fc2(self.act(self.fc1(x)))


class SEModule(nn.Module):
    def __init__(self, channels, rd_ratio=1. / 16, act_layer='relu', gate_layer='sigmoid'):
        super().__init__()
        rd_channels = make_divisible(channels * rd_ratio, 8)
        self.fc1 = nn.Conv2d(channels, rd_channels, kernel_size=1)
        self.act = create_act_layer(act_layer)
        self.fc2 = nn.Conv2d(rd_channels, channels, kernel_size=1)
        self.gate = create_act_layer(gate_layer)

    def forward(self, x):
        x_se = x.mean((2, 3), keepdim=True)
        return x * self.gate(self.fc2(self.act(self.fc1(x_se))))


class AttentionCl(nn.Module):
    """ Channels-last multi-head attention (B, ..., C) """

    def __init__(self, dim, dim_head=16, rel_pos_cls=None):
        super().__init__()
        self.num_heads = dim // dim_head
        self.dim_head = dim_head
        self.scale = dim_head ** -0.5
        self.qkv = nn.Linear(dim, dim * 3)
        self.rel_pos = rel_pos_cls(num_heads=self.num_heads) if rel_pos_cls else None
        self.proj = nn.Linear(dim, dim)

    def _attn(self, q, k, v):
        attn = (q * self.scale) @ k.transpose(-2, -1)
        if self.rel_pos is not None:
            attn = self.rel_pos(attn)
        return attn.softmax(dim=-1) @ v

    def forward(self, x):
        B, restore_shape = x.shape[0], x.shape[:-1]
        q, k, v = self.qkv(x).view(B, -1, self.num_heads, self.dim_head * 3).transpose(1, 2).chunk(3, dim=3)
        x = self._attn(q, k, v)
        return self.proj(x.transpose(1, 2).reshape(restore_shape + (-1,)))


class PartitionAttentionCl(nn.Module):
    def __init__(self, dim, partition_type='block', cfg=MaxxVitTransformerCfg(), drop_path=0.):
        super().__init__()
        norm_layer = partial(get_norm_layer(cfg.norm_layer), eps=1e-6)
        self.partition_block = partition_type == 'block'
        self.partition_size = to_2tuple(cfg.window_size)
        rel_pos_cls = partial(RelPosBias if self.partition_block else RelPosBiasTf, window_size=self.partition_size)
        self.norm1 = norm_layer(dim)
        self.attn = AttentionCl(dim, cfg.dim_head, rel_pos_cls)
        self.drop_path1 = DropPath(drop_path)
        self.norm2 = norm_layer(dim)
        self.mlp = Mlp(dim, int(dim * cfg.expand_ratio), act_layer=get_act_layer(cfg.act_layer))
        self.drop_path2 = DropPath(drop_path)

    def _partition_attn(self, x):
        img_size = x.shape[1:3]
        partition = window_partition if self.partition_block else grid_partition
        reverse = window_reverse if self.partition_block else grid_reverse
        return reverse(self.attn(partition(x, self.partition_size)), self.partition_size, img_size)

    def forward(self, x):
        x = x + self.drop_path1(self._partition_attn(self.norm1(x)))
        return x + self.drop_path2(self.mlp(self.norm2(x)))


class Downsample2d(nn.Module):
    def __init__(self, dim, dim_out):
        super().__init__()
        self.expand = nn.Conv2d(dim, dim_out, 1) if dim != dim_out else nn.Identity()

    def forward(self, x):
        return self.expand(F.avg_pool2d(x, 2))


class MbConvBlock(nn.Module):
    def __init__(self, in_chs, out_chs, stride=1, cfg=MaxxVitConvCfg(), drop_path=0.):
        super().__init__()
        mid_chs = make_divisible(out_chs * cfg.expand_ratio)
        norm_act_layer = get_norm_act_layer(cfg.norm_layer, cfg.act_layer)
        self.shortcut = Downsample2d(in_chs, out_chs) if stride == 2 else nn.Identity()
        self.pre_norm = norm_act_layer(in_chs, apply_act=False)
        self.conv1_1x1 = create_conv2d(in_chs, mid_chs, 1, bias=False)
        self.norm1 = norm_act_layer(mid_chs)
        self.conv2_kxk = create_conv2d(mid_chs, mid_chs, cfg.kernel_size, cfg.padding, stride=stride, depthwise=True, bias=False)
        self.norm2 = norm_act_layer(mid_chs)
        self.se = SEModule(mid_chs, rd_ratio=cfg.attn_ratio, act_layer='silu')
        self.conv3_1x1 = create_conv2d(mid_chs, out_chs, 1)
        self.drop_path = DropPath(drop_path)

    def forward(self, x):
        shortcut = self.shortcut(x)
        x = self.norm1(self.conv1_1x1(self.pre_norm(x)))
        x = self.se(self.norm2(self.conv2_kxk(x)))
        return self.drop_path(self.conv3_1x1(x)) + shortcut


class GlobalResponseNormMlp(nn.Module):
    def __init__(self, dim, hidden_dim, act_layer='gelu', eps=1e-6):
        super().__init__()
        self.eps = eps
        self.fc1 = nn.Linear(dim, hidden_dim)
        self.act = create_act_layer(act_layer)
        self.weight = nn.Parameter(torch.zeros(hidden_dim))
        self.bias = nn.Parameter(torch.zeros(hidden_dim))
        self.fc2 = nn.Linear(hidden_dim, dim)

    def _grn(self, x):
        x_g = x.norm(p=2, dim=(1, 2), keepdim=True)
        x_n = x_g / (x_g.mean(dim=-1, keepdim=True) + self.eps)
        return x + (self.bias + self.weight * (x * x_n))

    def forward(self, x):
        return self.fc2(self._grn(self.act(self.fc1(x))))


class ConvNeXtBlock(nn.Module):
    def __init__(self, in_chs, out_chs, stride=1, cfg=MaxxVitConvCfg(), drop_path=0.):
        super().__init__()
        self.downsample = Downsample2d(in_chs, out_chs) if stride == 2 else nn.Identity()
        self.conv_dw = create_conv2d(out_chs, out_chs, 7, depthwise=True)
        self.norm = get_norm_layer('layernorm')(out_chs, eps=1e-6)
        self.mlp = GlobalResponseNormMlp(out_chs, int(4 * out_chs))
        self.drop_path = DropPath(drop_path)

    def forward(self, x):
        shortcut = x = self.downsample(x)
        x = self.mlp(self.norm(self.conv_dw(x).permute(0, 2, 3, 1)))
        return self.drop_path(x.permute(0, 3, 1, 2)) + shortcut


class MaxxVitBlock(nn.Module):
    def __init__(self, dim, dim_out, stride=1, conv_cfg=MaxxVitConvCfg(), transformer_cfg=MaxxVitTransformerCfg(), drop_path=0.):
        super().__init__()
        self.conv = MbConvBlock(dim, dim_out, stride=stride, cfg=conv_cfg, drop_path=drop_path)
        self.attn_block = PartitionAttentionCl(dim_out, 'block', transformer_cfg, drop_path=drop_path)
        self.attn_grid = PartitionAttentionCl(dim_out, 'grid', transformer_cfg, drop_path=drop_path)

    def forward(self, x):
        x = self.conv(x)
        x = x.permute(0, 2, 3, 1)  # to NHWC (channels-last)
        x = self.attn_grid(self.attn_block(x))
        return x.permute(0, 3, 1, 2)


class MaxxVitStage(nn.Module):
    def __init__(self, in_chs, out_chs, depth, block_type, cfg, drop_path):
        super().__init__()
        self.grad_checkpointing = False
        blocks = []
        for i in range(depth):
            stride = 2 if i == 0 else 1
            if block_type == 'C':
                blocks += [ConvNeXtBlock(in_chs, out_chs, stride, cfg.conv_cfg, drop_path[i])]
            else:
                blocks += [MaxxVitBlock(in_chs, out_chs, stride, cfg.conv_cfg, cfg.transformer_cfg, drop_path[i])]
            in_chs = out_chs
        self.blocks = nn.ModuleList(blocks)

    def forward(self, x):
        return checkpoint_seq(self.blocks, x, enabled=self.grad_checkpointing and self.training)


class NormMlpClassifierHead(nn.Module):
    def __init__(self, in_features, num_classes, hidden_size=None, pool_type='avg', norm_layer='layernorm2d'):
        super().__init__()
        self.pool_type = pool_type
        self.norm = get_norm_layer(norm_layer)(in_features)
        self.pre_logits = nn.Sequential(OrderedDict([('fc', nn.Linear(in_features, hidden_size)), ('act', nn.Tanh())]))
        self.fc = nn.Linear(hidden_size, num_classes)

    def global_pool(self, x):
        if self.pool_type == 'avgmax':
            return 0.5 * (x.mean((2, 3), keepdim=True) + x.amax((2, 3), keepdim=True))
        return x.mean((2, 3), keepdim=True)

    def forward(self, x):
        return self.fc(self.pre_logits(self.norm(self.global_pool(x)).flatten(1)))


class MaxxVit(nn.Module):
    def __init__(self, cfg: MaxxVitCfg, in_chans=3, num_classes=10, drop_path_rate=0., head_hidden_size=24, global_pool='avg'):
        super().__init__()
        norm_act_layer = get_norm_act_layer(cfg.conv_cfg.norm_layer, cfg.conv_cfg.act_layer)
        stem = to_2tuple(cfg.stem_width)
        self.stem = nn.Sequential(OrderedDict([
            ('conv1', create_conv2d(in_chans, stem[0], 3, cfg.conv_cfg.padding, stride=2)),
            ('norm1', norm_act_layer(stem[0])),
            ('conv2', create_conv2d(stem[0], stem[1], 3)),
        ]))
        num_stages, total = len(cfg.embed_dim), max(sum(cfg.depths) - 1, 1)
        stages, in_chs = [], stem[-1]
        for i in range(num_stages):
            offset = sum(cfg.depths[:i])
            dpr = [drop_path_rate * (offset + j) / total for j in range(cfg.depths[i])]
            stages += [MaxxVitStage(in_chs, cfg.embed_dim[i], cfg.depths[i], cfg.block_type[i], cfg, dpr)]
            in_chs = cfg.embed_dim[i]
        self.stages = nn.Sequential(*stages)
        self.head = NormMlpClassifierHead(in_chs, num_classes, head_hidden_size, pool_type=global_pool)
        named_apply(self._init_weights, self)

    @staticmethod
    def _init_weights(module: nn.Module, name: str = ''):
        if isinstance(module, (nn.Linear, nn.Conv2d)):
            nn.init.trunc_normal_(module.weight, std=.02)
            if module.bias is not None:
                nn.init.zeros_(module.bias)

    def forward_features(self, x):
        return self.stages(self.stem(x))

    def forward(self, x):
        return self.head(self.forward_features(x))


model_cfgs = dict(maxxvit_pico=MaxxVitCfg(), maxxvit_nano=MaxxVitCfg(embed_dim=(16, 32), depths=(2, 1)))


def _create_maxxvit(variant, cfg_overlay=None, **kwargs):
    return MaxxVit(replace(model_cfgs[variant], **(cfg_overlay or {})), **kwargs)


@register_model
def maxxvit_nano(**kwargs) -> MaxxVit:
    return _create_maxxvit('maxxvit_nano', drop_path_rate=0.1, global_pool='avgmax', **kwargs)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = create_model('maxxvit_nano', num_classes=10)
        self.register_buffer('mean', torch.zeros(1, 3, 1, 1))
        self.register_buffer('std', torch.ones(1, 3, 1, 1))

    def forward(self, x):
        return self.backbone((x - self.mean) / self.std)


def example():
    return [(1, 3, 64, 64)]
