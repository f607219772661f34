import math
import types

import torch
import torch.nn as nn
import torch.nn.functional as F

from .blocks import Transpose

activations = {}


def get_activation(name):
    def hook(model, input, output):
        activations[name] = output

    return hook


class Slice(nn.Module):
    """Drops the readout token."""

    def __init__(self, start_index=1):
        super(Slice, self).__init__()
        self.start_index = start_index

    def forward(self, x):
        return x[:, self.start_index :]


class ProjectReadout(nn.Module):
    """Concatenates the readout token to all the others and projects back."""

    def __init__(self, in_features, start_index=1):
        super(ProjectReadout, self).__init__()
        self.start_index = start_index
        self.project = nn.Sequential(nn.Linear(2 * in_features, in_features), nn.GELU())

    def forward(self, x):
        tokens = x[:, self.start_index :]
        return self.project(torch.cat((tokens, self._expand_readout(x, tokens)), -1))

    @staticmethod
    def _expand_readout(x, tokens):
        return x[:, 0].unsqueeze(1).expand_as(tokens)


class Attention(nn.Module):
    def __init__(self, dim, num_heads=8, qkv_bias=True):
        super().__init__()
        self.num_heads = num_heads
        self.scale = (dim // num_heads) ** -0.5
        self.qkv = nn.Linear(dim, dim * 3, bias=qkv_bias)
        self.proj = nn.Linear(dim, dim)

    def _split_heads(self, x):
        B, N, C = x.shape
        qkv = self.qkv(x).reshape(B, N, 3, self.num_heads, C // self.num_heads).permute(2, 0, 3, 1, 4)
        return qkv[0], qkv[1], qkv[2]

    def forward(self, x):
        B, N, C = x.shape
        q, k, v = self._split_heads(x)
        x = F.scaled_dot_product_attention(q, k, v, scale=self.scale)
        return self.proj(x.transpose(1, 2).reshape(B, N, C))


class Mlp(nn.Module):
    def __init__(self, in_features, hidden_features):
        super().__init__()
        self.fc1 = nn.Linear(in_features, hidden_features)
        self.act = nn.GELU()
        self.fc2 = nn.Linear(hidden_features, in_features)

    def forward(self, x):
        return self.fc2(self.act(self.fc1(x)))


class Block(nn.Module):
    def __init__(self, dim, num_heads, mlp_ratio=4.0, init_values=1e-5):
        super().__init__()
        self.norm1 = nn.LayerNorm(dim, eps=1e-6)
        self.attn = Attention(dim, num_heads)
        self.norm2 = nn.LayerNorm(dim, eps=1e-6)
        self.mlp = Mlp(dim, int(dim * mlp_ratio))
        self.gamma_1 = nn.Parameter(init_values * torch.ones(dim)) if init_values else None
        self.gamma_2 = nn.Parameter(init_values * torch.ones(dim)) if init_values else None

    def _scaled(self, x, gamma):
        return x if gamma is None else gamma * x

    def forward(self, x):
        x = x + self._scaled(self.attn(self.norm1(x)), self.gamma_1)
        return x + self._scaled(self.mlp(self.norm2(x)), self.gamma_2)


class PatchEmbed(nn.Module):
    def __init__(self, patch_size, in_chans, embed_dim):
        super().__init__()
        self.patch_size = (patch_size, patch_size)
        self.proj = nn.Conv2d(in_chans, embed_dim, kernel_size=patch_size, stride=patch_size)

    def forward(self, x):
        return self.proj(x).flatten(2).transpose(1, 2)


class VisionTransformer(nn.Module):
    def __init__(self, img_size=224, patch_size=16, embed_dim=768, depth=12, num_heads=12, num_classes=1000):
        super().__init__()
        self.patch_embed = PatchEmbed(patch_size, 3, embed_dim)
        num_patches = (img_size // patch_size) ** 2
        self.cls_token = nn.Parameter(torch.zeros(1, 1, embed_dim))
        self.pos_embed = nn.Parameter(torch.zeros(1, num_patches + 1, embed_dim))
        self.blocks = nn.Sequential(*[Block(embed_dim, num_heads) for _ in range(depth)])
        self.norm = nn.LayerNorm(embed_dim, eps=1e-6)
        self.head = nn.Linear(embed_dim, num_classes)

    def forward(self, x):
        x = self.patch_embed(x)
        x = torch.cat((self.cls_token.expand(x.shape[0], -1, -1), x), dim=1) + self.pos_embed
        return self.head(self.norm(self.blocks(x))[:, 0])


def _resize_pos_embed(self, posemb, gs_h, gs_w):
    posemb_tok, posemb_grid = posemb[:, : self.start_index], posemb[0, self.start_index :]
    gs_old = int(math.sqrt(len(posemb_grid)))

    posemb_grid = posemb_grid.reshape(1, gs_old, gs_old, -1).permute(0, 3, 1, 2)
    posemb_grid = F.interpolate(posemb_grid, size=(gs_h, gs_w), mode="bilinear")
    posemb_grid = posemb_grid.permute(0, 2, 3, 1).flatten(1, 2)
    return torch.cat([posemb_tok, posemb_grid], dim=1)


def forward_flex(self, x):
    """The forward of a VisionTransformer for pictures of any size, up to the last norm."""
    b, c, h, w = x.shape
    pos_embed = self._resize_pos_embed(self.pos_embed, h // self.patch_size[1], w // self.patch_size[0])

    x = self.patch_embed.proj(x).flatten(2).transpose(1, 2)
    cls_tokens = self.cls_token.expand(b, -1, -1)
    x = torch.cat((cls_tokens, x), dim=1) + pos_embed
    for blk in self.blocks:
        x = blk(x)
    return self.norm(x)


def get_readout_oper(vit_features, features, use_readout, start_index=1):
    if use_readout == "ignore":
        return [Slice(start_index)] * len(features)
    elif use_readout == "project":
        return [ProjectReadout(vit_features, start_index) for _ in features]
    raise ValueError("wrong operation for readout token, use_readout can be 'ignore' or 'project'")


class Reassemble(nn.Module):
    """Makes a picture-like map of the tokens of one block and brings it to the size of its level.

    Args:
        readout (nn.Module): what becomes of the readout token
        scale (float): size relative to the grid of patches (4, 2, 1, 0.5)
    """

    def __init__(self, readout, in_features, out_features, scale):
        super().__init__()
        self.readout = readout
        self.transpose = Transpose(1, 2)
        self.project = nn.Conv2d(in_features, out_features, kernel_size=1, stride=1, padding=0)
        self.resample = self._make_resample(out_features, scale)

    @staticmethod
    def _make_resample(features, scale):
        if scale > 1:
            return nn.ConvTranspose2d(features, features, kernel_size=int(scale), stride=int(scale), padding=0)
        if scale < 1:
            s = int(1 / scale)
            return nn.Conv2d(features, features, kernel_size=s + 1, stride=s, padding=1)
        return nn.Identity()

    def _to_grid(self, x, size):
        return self.transpose(self.readout(x)).unflatten(2, size)

    def forward(self, x, size):
        return self.resample(self.project(self._to_grid(x, size)))


def forward_vit(pretrained, x):
    b, c, h, w = x.shape
    size = torch.Size([h // pretrained.model.patch_size[1], w // pretrained.model.patch_size[0]])

    pretrained.model.forward_flex(x)
    layers = [pretrained.activations[str(i + 1)] for i in range(4)]
    return [getattr(pretrained, f"act_postprocess{i + 1}")(t, size) for i, t in enumerate(layers)]


def _make_vit_backbone(model, features, hooks, vit_features, use_readout="project", start_index=1):
    pretrained = nn.Module()
    pretrained.model = model
    for i, hook in enumerate(hooks):
        pretrained.model.blocks[hook].register_forward_hook(get_activation(str(i + 1)))
    pretrained.activations = activations

    readout_oper = get_readout_oper(vit_features, features, use_readout, start_index)
    for i, scale in enumerate((4, 2, 1, 0.5)):
        setattr(pretrained, f"act_postprocess{i + 1}", Reassemble(readout_oper[i], vit_features, features[i], scale))

    pretrained.model.start_index = start_index
    pretrained.model.patch_size = model.patch_embed.patch_size
    # We inject these functions into the VisionTransformer so that it takes pictures of any size
    pretrained.model.forward_flex = types.MethodType(forward_flex, pretrained.model)
    pretrained.model._resize_pos_embed = types.MethodType(_resize_pos_embed, pretrained.model)
    return pretrained


def _make_pretrained_vitt16(use_readout="project", hooks=None):
    model = VisionTransformer(img_size=96, patch_size=16, embed_dim=48, depth=4, num_heads=3)
    hooks = [0, 1, 2, 3] if hooks is None else hooks
    return _make_vit_backbone(model, [24, 48, 96, 96], hooks, vit_features=48, use_readout=use_readout)
