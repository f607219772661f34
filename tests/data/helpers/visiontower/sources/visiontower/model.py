from functools import partial
from typing import Callable, List, Literal, Optional, Tuple, Union

import torch
from torch import nn

from . import Attention, DropPath, LayerScale, Mlp, PatchEmbed, get_act_layer, get_norm_layer, global_pool_nlc
from . import create_model, register_model


def resample_abs_pos_embed(posemb, new_size, num_prefix_tokens: int = 1):
    num_pos_tokens = posemb.shape[1]
    num_new_tokens = new_size[0] * new_size[1] + num_prefix_tokens
    if num_new_tokens == num_pos_tokens and new_size[0] == new_size[1]:
        return posemb
    if num_prefix_tokens:
        posemb_prefix, posemb = posemb[:, :num_prefix_tokens], posemb[:, num_prefix_tokens:]
    else:
        posemb_prefix, posemb = None, posemb
    embed_dim = posemb.shape[-1]
    side = int((num_pos_tokens - num_prefix_tokens) ** 0.5)
    posemb = posemb.reshape(1, side, side, -1).permute(0, 3, 1, 2)
    posemb = nn.functional.interpolate(posemb, size=new_size, mode="bilinear")
    posemb = posemb.permute(0, 2, 3, 1).reshape(1, -1, embed_dim)
    if posemb_prefix is not None:
        posemb = torch.cat([posemb_prefix, posemb], dim=1)
    return posemb


class Block(nn.Module):
    def __init__(self, dim, num_heads, mlp_ratio=2., qkv_bias=False, qk_norm=False, drop_path=0., init_values=None,
                 act_layer=nn.GELU, norm_layer=nn.LayerNorm, mlp_layer=Mlp):
        super().__init__()
        self.norm1 = norm_layer(dim)
        self.attn = Attention(dim, num_heads=num_heads, qkv_bias=qkv_bias, qk_norm=qk_norm, norm_layer=norm_layer)
        self.ls1 = LayerScale(dim, init_values=init_values) if init_values else nn.Identity()
        self.drop_path1 = DropPath(drop_path) if drop_path > 0. else nn.Identity()
        self.norm2 = norm_layer(dim)
        self.mlp = mlp_layer(in_features=dim, hidden_features=int(dim * mlp_ratio), act_layer=act_layer)
        self.ls2 = LayerScale(dim, init_values=init_values) if init_values else nn.Identity()
        self.drop_path2 = DropPath(drop_path) if drop_path > 0. else nn.Identity()

    def forward(self, x: torch.Tensor, attn_mask: Optional[torch.Tensor] = None) -> torch.Tensor:
        x = x + self.drop_path1(self.ls1(self.attn(self.norm1(x), attn_mask=attn_mask)))
        x = x + self.drop_path2(self.ls2(self.mlp(self.norm2(x))))
        return x


class ParallelBlock(Block):
    def _add(self, x, branch):
        return x + self.drop_path1(branch)

    def forward(self, x, attn_mask=None):
        return self._add(x, self.ls1(self.attn(self.norm1(x), attn_mask=attn_mask)) + self.ls2(self.mlp(self.norm2(x))))


class VisionTower(nn.Module):
    dynamic_img_size: bool

    def __init__(self, img_size=16, patch_size=4, in_chans=3, num_classes=7, global_pool: Literal["", "avg", "avgmax", "max", "token"] = "token",
                 embed_dim=16, depth=3, num_heads=2, mlp_ratio=2., qkv_bias=True, qk_norm=False, init_values=None, class_token=True,
                 pos_embed: str = "learn", no_embed_class=False, reg_tokens=0, pre_norm=False, fc_norm: Optional[bool] = None,
                 dynamic_img_size=False, drop_path_rate=0., norm_layer=None, act_layer=None, block_fn=Block, mlp_layer=Mlp):
        super().__init__()
        use_fc_norm = global_pool in ("avg", "avgmax", "max") if fc_norm is None else fc_norm
        norm_layer = get_norm_layer(norm_layer) or partial(nn.LayerNorm, eps=1e-6)
        act_layer = get_act_layer(act_layer) or nn.GELU
        self.num_classes = num_classes
        self.global_pool = global_pool
        self.num_features = self.head_hidden_size = self.embed_dim = embed_dim
        self.num_prefix_tokens = 1 if class_token else 0
        self.num_prefix_tokens += reg_tokens
        self.num_reg_tokens = reg_tokens
        self.no_embed_class = no_embed_class
        self.dynamic_img_size = dynamic_img_size
        self.grad_checkpointing = False
        embed_args = {}
        if dynamic_img_size:
            embed_args.update(dict(flatten=False))
        self.patch_embed = PatchEmbed(img_size=img_size, patch_size=patch_size, in_chans=in_chans, embed_dim=embed_dim, **embed_args)
        num_patches = self.patch_embed.num_patches
        self.cls_token = nn.Parameter(torch.zeros(1, 1, embed_dim)) if class_token else None
        self.reg_token = nn.Parameter(torch.zeros(1, reg_tokens, embed_dim)) if reg_tokens else None
        embed_len = num_patches if no_embed_class else num_patches + self.num_prefix_tokens
        if not pos_embed or pos_embed == "none":
            self.pos_embed = None
        else:
            self.pos_embed = nn.Parameter(torch.randn(1, embed_len, embed_dim))
        self.norm_pre = norm_layer(embed_dim) if pre_norm else nn.Identity()
        dpr = [drop_path_rate * i / (depth - 1) for i in range(depth)]
        self.blocks = nn.Sequential(*[
            block_fn(dim=embed_dim, num_heads=num_heads, mlp_ratio=mlp_ratio, qkv_bias=qkv_bias, qk_norm=qk_norm, init_values=init_values,
                     drop_path=dpr[i], norm_layer=norm_layer, act_layer=act_layer, mlp_layer=mlp_layer)
            for i in range(depth)])
        self.norm = norm_layer(embed_dim) if not use_fc_norm else nn.Identity()
        self.fc_norm = norm_layer(embed_dim) if use_fc_norm else nn.Identity()
        self.head_drop = nn.Dropout(0.)
        self.head = nn.Linear(self.embed_dim, num_classes) if num_classes > 0 else nn.Identity()

    @torch.jit.ignore
    def no_weight_decay(self):
        return {"pos_embed", "cls_token"}

    def _pos_embed(self, x: torch.Tensor) -> torch.Tensor:
        if self.pos_embed is None:
            return x.view(x.shape[0], -1, x.shape[-1])
        if self.dynamic_img_size:
            B, H, W, C = x.shape
            pos_embed = resample_abs_pos_embed(self.pos_embed, (H, W), num_prefix_tokens=0 if self.no_embed_class else self.num_prefix_tokens)
            x = x.view(B, -1, C)
        else:
            pos_embed = self.pos_embed
        to_cat = []
        if self.cls_token is not None:
            to_cat.append(self.cls_token.expand(x.shape[0], -1, -1))
        if self.reg_token is not None:
            to_cat.append(self.reg_token.expand(x.shape[0], -1, -1))
        if self.no_embed_class:
            x = x + pos_embed
            if to_cat:
                x = torch.cat(to_cat + [x], dim=1)
        else:
            if to_cat:
                x = torch.cat(to_cat + [x], dim=1)
            x = x + pos_embed
        return x

    def forward_intermediates(self, x, indices: Optional[Union[int, List[int]]] = None, norm: bool = False):
        take = set(indices or [len(self.blocks) - 1])
        intermediates = []
        x = self.patch_embed(x)
        x = self._pos_embed(x)
        for i, blk in enumerate(self.blocks):
            x = blk(x)
            if i in take:
                intermediates.append(self.norm(x) if norm else x)
        return [y[:, self.num_prefix_tokens:] for y in intermediates]

    def forward_features(self, x: torch.Tensor, attn_mask: Optional[torch.Tensor] = None) -> torch.Tensor:
        x = self.patch_embed(x)
        x = self._pos_embed(x)
        x = self.norm_pre(x)
        if attn_mask is not None:
            for blk in self.blocks:
                x = blk(x, attn_mask=attn_mask)
        elif self.grad_checkpointing and not torch.jit.is_scripting():
            x = checkpoint_seq(self.blocks, x)
        else:
            x = self.blocks(x)
        x = self.norm(x)
        return x

    def pool(self, x: torch.Tensor, pool_type: Optional[str] = None) -> torch.Tensor:
        pool_type = self.global_pool if pool_type is None else pool_type
        x = global_pool_nlc(x, pool_type=pool_type, num_prefix_tokens=self.num_prefix_tokens)
        return x

    def forward_head(self, x: torch.Tensor, pre_logits: bool = False) -> torch.Tensor:
        x = self.pool(x)
        x = self.fc_norm(x)
        x = self.head_drop(x)
        return x if pre_logits else self.head(x)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.forward_features(x)
        x = self.forward_head(x)
        return x


def _create_vision_tower(variant: str, pretrained: bool = False, **kwargs):
    return VisionTower(**kwargs)


@register_model
def tower_tiny(pretrained: bool = False, **kwargs) -> VisionTower:
    model_args = dict(patch_size=4, embed_dim=16, depth=2, num_heads=2)
    return _create_vision_tower("tower_tiny", pretrained=pretrained, **dict(model_args, **kwargs))


@register_model
def tower_reg4(pretrained: bool = False, **kwargs) -> VisionTower:
    model_args = dict(
        patch_size=4, embed_dim=16, depth=2, num_heads=2, qk_norm=True, init_values=1e-5, reg_tokens=4, no_embed_class=True,
        global_pool="avgmax", dynamic_img_size=False, norm_layer="simple_norm", act_layer="quick_gelu", drop_path_rate=0.1)
    return _create_vision_tower("tower_reg4", pretrained=pretrained, **dict(model_args, **kwargs))


@register_model
def tower_parallel(pretrained=False, **kwargs) -> VisionTower:
    model_args = dict(patch_size=4, embed_dim=16, depth=2, num_heads=4, block_fn=ParallelBlock, act_layer=get_act_layer("hard_mish"),
                      norm_layer=partial(nn.LayerNorm, eps=1e-5), num_classes=0)
    return _create_vision_tower("tower_parallel", pretrained=pretrained, **dict(model_args, **kwargs))


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.main = create_model("tower_reg4")
        self.side = create_model("tower_parallel", img_size=16, drop_path_rate=None)

    def forward(self, x):
        return self.main(x) + self.side.forward_intermediates(x, indices=[0])[0].mean(1)[:, :7]


def example():
    return [(1, 3, 16, 16)]
