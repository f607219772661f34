from collections import OrderedDict
from typing import Callable, Optional, Tuple

import torch
from torch import nn
from torch.nn import functional as F


def to_2tuple(x):
    return tuple(x) if isinstance(x, (tuple, list)) else (x, x)


class LayerNorm(nn.LayerNorm):
    """Layer norm that hands back the dtype it was given."""

    def forward(self, x: torch.Tensor):
        orig_type = x.dtype
        x = F.layer_norm(x, self.normalized_shape, self.weight, self.bias, self.eps)
        return x.to(orig_type)


class QuickGELU(nn.Module):
    def forward(self, x: torch.Tensor):
        return x * torch.sigmoid(1.702 * x)


class LayerScale(nn.Module):
    def __init__(self, dim, init_values=1e-5, inplace=False):
        super().__init__()
        self.inplace = inplace
        self.gamma = nn.Parameter(init_values * torch.ones(dim))

    def forward(self, x):
        return x.mul_(self.gamma) if self.inplace else x * self.gamma


class Attention(nn.Module):
    """Self attention with optional cosine similarity and per-head scales."""

    def __init__(self, dim: int, num_heads: int = 8, scaled_cosine: bool = True, scale_heads: bool = True,
                 logit_scale_max: float = 4.605):
        super().__init__()
        self.scaled_cosine = scaled_cosine
        self.scale_heads = scale_heads
        self.num_heads = num_heads
        self.head_dim = dim // num_heads
        self.scale = self.head_dim ** -0.5
        self.logit_scale_max = logit_scale_max

        self.in_proj_weight = nn.Parameter(torch.randn((dim * 3, dim)) * self.scale)
        self.in_proj_bias = nn.Parameter(torch.zeros(dim * 3))
        self.logit_scale = nn.Parameter(torch.ones((num_heads, 1, 1))) if scaled_cosine else None
        self.head_scale = nn.Parameter(torch.ones((num_heads, 1, 1))) if scale_heads else None
        self.out_proj = nn.Linear(dim, dim)

    def _in_projection(self, x):
        N, L, _ = x.shape
        qkv = F.linear(x, self.in_proj_weight, self.in_proj_bias).chunk(3, dim=-1)
        return [t.reshape(N, L, self.num_heads, -1).transpose(1, 2) for t in qkv]

    def _similarity(self, q, k):
        if self.logit_scale is not None:
            attn = torch.matmul(F.normalize(q, dim=-1), F.normalize(k, dim=-1).transpose(-1, -2))
            logit_scale = torch.clamp(self.logit_scale, max=self.logit_scale_max).exp()
            return attn * logit_scale
        return torch.matmul(q * self.scale, k.transpose(-1, -2))

    def forward(self, x, attn_mask: Optional[torch.Tensor] = None):
        N, L, C = x.shape
        q, k, v = self._in_projection(x)
        attn = self._similarity(q, k)
        if attn_mask is not None:
            attn = attn + attn_mask.to(attn.dtype)
        x = torch.matmul(attn.softmax(dim=-1), v)
        if self.head_scale is not None:
            x = x * self.head_scale
        x = x.transpose(1, 2).reshape(N, L, C)
        return self.out_proj(x)


class AttentionalPooler(nn.Module):
    def __init__(self, d_model: int, context_dim: int, n_head: int = 8, n_queries: int = 256,
                 norm_layer: Callable = LayerNorm):
        super().__init__()
        self.query = nn.Parameter(torch.randn(n_queries, d_model))
        self.attn = nn.MultiheadAttention(d_model, n_head, batch_first=True)
        self.ln_q = norm_layer(d_model)
        self.ln_k = norm_layer(context_dim)

    def forward(self, x: torch.Tensor):
        N = x.shape[0]
        x = self.ln_k(x)
        q = self.ln_q(self.query)
        return self.attn(self._repeat(q, N), x, x, need_weights=False)[0]

    def _repeat(self, query, N: int):
        return query.unsqueeze(0).expand(N, -1, -1)


def _make_mlp(d_model, mlp_width, act_layer):
    return nn.Sequential(OrderedDict([
        ("c_fc", nn.Linear(d_model, mlp_width)),
        ("gelu", act_layer()),
        ("c_proj", nn.Linear(mlp_width, d_model)),
    ]))


class ResidualAttentionBlock(nn.Module):
    def __init__(self, d_model: int, n_head: int, mlp_ratio: float = 4.0, ls_init_value: Optional[float] = None,
                 act_layer: Callable = nn.GELU, norm_layer: Callable = LayerNorm):
        super().__init__()
        self.ln_1 = norm_layer(d_model)
        self.attn = nn.MultiheadAttention(d_model, n_head, batch_first=True)
        self.ls_1 = LayerScale(d_model, ls_init_value) if ls_init_value is not None else nn.Identity()
        self.ln_2 = norm_layer(d_model)
        self.mlp = _make_mlp(d_model, int(d_model * mlp_ratio), act_layer)
        self.ls_2 = LayerScale(d_model, ls_init_value) if ls_init_value is not None else nn.Identity()

    def get_weight_dtype(self):
        return self.mlp.c_fc.weight.dtype

    def attention(self, q_x: torch.Tensor, attn_mask: Optional[torch.Tensor] = None):
        attn_mask = attn_mask.to(q_x.dtype) if attn_mask is not None else None
        return self.attn(q_x, q_x, q_x, need_weights=False, attn_mask=attn_mask)[0]

    def forward(self, q_x: torch.Tensor, attn_mask: Optional[torch.Tensor] = None):
        x = q_x + self.ls_1(self.attention(self.ln_1(q_x), attn_mask=attn_mask))
        x = x + self.ls_2(self.mlp(self.ln_2(x)))
        return x


class CustomResidualAttentionBlock(nn.Module):
    def __init__(self, d_model: int, n_head: int, mlp_ratio: float = 4.0, ls_init_value: Optional[float] = None,
                 act_layer: Callable = nn.GELU, norm_layer: Callable = LayerNorm):
        super().__init__()
        self.ln_1 = norm_layer(d_model)
        self.attn = Attention(d_model, n_head)
        self.ln_attn = norm_layer(d_model)
        self.ls_1 = LayerScale(d_model, ls_init_value) if ls_init_value is not None else nn.Identity()
        self.ln_2 = norm_layer(d_model)
        self.mlp = _make_mlp(d_model, int(d_model * mlp_ratio), act_layer)
        self.ls_2 = LayerScale(d_model, ls_init_value) if ls_init_value is not None else nn.Identity()

    def get_weight_dtype(self):
        return self.mlp.c_fc.weight.dtype

    def forward(self, x: torch.Tensor, attn_mask: Optional[torch.Tensor] = None):
        x = x + self.ls_1(self.ln_attn(self.attn(self.ln_1(x), attn_mask=attn_mask)))
        x = x + self.ls_2(self.mlp(self.ln_2(x)))
        return x


_BLOCKS = dict(default=ResidualAttentionBlock, custom=CustomResidualAttentionBlock)


class Transformer(nn.Module):
    def __init__(self, width: int, layers: int, heads: int, mlp_ratio: float = 4.0, block_type: str = "default", **kw):
        super().__init__()
        self.width, self.layers = width, layers
        self.grad_checkpointing = False
        block = _BLOCKS[block_type]
        self.resblocks = nn.ModuleList([block(width, heads, mlp_ratio, **kw) for _ in range(layers)])

    def get_cast_dtype(self):
        return self.resblocks[0].get_weight_dtype()

    def forward(self, x: torch.Tensor, attn_mask: Optional[torch.Tensor] = None):
        for r in self.resblocks:
            x = r(x, attn_mask=attn_mask)
        return x


def _expand_token(token, batch_size: int):
    return token.view(1, 1, -1).expand(batch_size, -1, -1)


class VisionTransformer(nn.Module):
    def __init__(self, image_size, patch_size, width, layers, heads, mlp_ratio, output_dim: int = 512,
                 attentional_pool: bool = False, attn_pooler_queries: int = 8, attn_pooler_heads: int = 4,
                 pool_type: str = "tok", final_ln_after_pool: bool = False, act_layer: Callable = nn.GELU,
                 norm_layer: Callable = LayerNorm, **block_kwargs):
        super().__init__()
        h, w = to_2tuple(image_size)
        ph, pw = to_2tuple(patch_size)
        self.grid_size = (h // ph, w // pw)
        self.pool_type = pool_type
        self.final_ln_after_pool = final_ln_after_pool

        scale = width ** -0.5
        self.conv1 = nn.Conv2d(3, width, kernel_size=(ph, pw), stride=(ph, pw), bias=False)
        self.class_embedding = nn.Parameter(scale * torch.randn(width))
        self.positional_embedding = nn.Parameter(scale * torch.randn(self.grid_size[0] * self.grid_size[1] + 1, width))
        self.ln_pre = norm_layer(width)
        self.transformer = Transformer(width, layers, heads, mlp_ratio, act_layer=act_layer, norm_layer=norm_layer,
                                       **block_kwargs)
        self.attn_pool = AttentionalPooler(width, width, attn_pooler_heads, attn_pooler_queries, norm_layer) \
            if attentional_pool else None
        self.ln_post = norm_layer(width)
        self.proj = nn.Parameter(scale * torch.randn(width, output_dim))

    def _embeds(self, x: torch.Tensor) -> torch.Tensor:
        x = self.conv1(x)
        x = x.reshape(x.shape[0], x.shape[1], -1)
        x = x.permute(0, 2, 1)
        x = torch.cat([_expand_token(self.class_embedding, x.shape[0]).to(x.dtype), x], dim=1)
        x = x + self.positional_embedding.to(x.dtype)
        return self.ln_pre(x)

    def _global_pool(self, x: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
        if self.pool_type == "avg":
            pooled, tokens = x[:, 1:].mean(dim=1), x[:, 1:]
        elif self.pool_type == "tok":
            pooled, tokens = x[:, 0], x[:, 1:]
        else:
            pooled = tokens = x
        return pooled, tokens

    def _pool(self, x: torch.Tensor):
        if self.attn_pool is not None:
            x = self.attn_pool(x)
        if self.final_ln_after_pool:
            pooled, tokens = self._global_pool(x)
            return self.ln_post(pooled), tokens
        return self._global_pool(self.ln_post(x))

    def forward(self, x: torch.Tensor):
        x = self._embeds(x)
        x = self.transformer(x)
        pooled, tokens = self._pool(x)
        if self.proj is not None:
            pooled = pooled @ self.proj
        return pooled


def text_global_pool(x: torch.Tensor, text: Optional[torch.Tensor] = None, pool_type: str = "argmax",
                     eos_token_id: Optional[int] = None) -> torch.Tensor:
    if pool_type == "first":
        return x[:, 0]
    if pool_type == "last":
        return x[:, -1]
    if pool_type == "argmax":
        return x[torch.arange(x.shape[0], device=x.device), text.argmax(dim=-1)]
    if pool_type == "eos":
        idx = (text == eos_token_id).int().argmax(dim=-1)
        return x[torch.arange(x.shape[0], device=x.device), idx]
    return x


class TextTransformer(nn.Module):
    def __init__(self, context_length: int = 77, vocab_size: int = 49408, width: int = 512, heads: int = 8,
                 layers: int = 12, mlp_ratio: float = 4.0, output_dim: int = 512, embed_cls: bool = False,
                 no_causal_mask: bool = False, pad_id: int = 0, pool_type: str = "argmax",
                 eos_token_id: int = 2, act_layer: Callable = nn.GELU, norm_layer: Callable = LayerNorm, **block_kwargs):
        super().__init__()
        self.num_pos = self.context_length = context_length
        self.heads, self.pad_id, self.pool_type, self.eos_token_id = heads, pad_id, pool_type, eos_token_id
        self.token_embedding = nn.Embedding(vocab_size, width)
        self.cls_emb = None
        if embed_cls:
            self.cls_emb = nn.Parameter(torch.empty(width))
            self.num_pos += 1
        self.positional_embedding = nn.Parameter(torch.empty(self.num_pos, width))
        self.transformer = Transformer(width, layers, heads, mlp_ratio, act_layer=act_layer, norm_layer=norm_layer,
                                       **block_kwargs)
        self.ln_final = norm_layer(width)
        self.register_buffer("attn_mask", None if no_causal_mask else self.build_causal_mask(), persistent=False)
        self.text_projection = nn.Parameter(torch.empty(width, output_dim))
        self.init_parameters()

    def init_parameters(self):
        nn.init.normal_(self.token_embedding.weight, std=0.02)
        nn.init.normal_(self.positional_embedding, std=0.01)
        if self.cls_emb is not None:
            nn.init.normal_(self.cls_emb, std=0.01)
        for block in self.transformer.resblocks:
            nn.init.normal_(block.mlp.c_fc.weight, std=(2 * self.transformer.width) ** -0.5)

    def build_causal_mask(self):
        mask = torch.empty(self.num_pos, self.num_pos)
        mask.fill_(float("-inf"))
        mask.triu_(1)
        return mask

    def build_cls_mask(self, text: torch.Tensor, cast_dtype):
        cls_mask = (text != self.pad_id).unsqueeze(1)
        cls_mask = F.pad(cls_mask, (1, 0, cls_mask.shape[2], 0), value=True)
        additive_mask = torch.zeros(cls_mask.shape, dtype=cast_dtype, device=cls_mask.device)
        additive_mask.masked_fill_(~cls_mask, float("-inf"))
        return torch.repeat_interleave(additive_mask, self.heads, 0)

    def _embeds(self, text):
        cast_dtype = self.transformer.get_cast_dtype()
        seq_len = text.shape[1]
        x = self.token_embedding(text).to(cast_dtype)
        attn_mask = self.attn_mask
        if self.cls_emb is not None:
            seq_len += 1
            x = torch.cat([x, _expand_token(self.cls_emb, x.shape[0])], dim=1)
            cls_mask = self.build_cls_mask(text, cast_dtype)
            if attn_mask is not None:
                attn_mask = attn_mask[None, :seq_len, :seq_len] + cls_mask[:, :seq_len, :seq_len]
        return x + self.positional_embedding[:seq_len].to(cast_dtype), attn_mask

    def forward(self, text):
        x, attn_mask = self._embeds(text)
        x = self.transformer(x, attn_mask=attn_mask)
        if self.cls_emb is not None:
            pooled = self.ln_final(text_global_pool(x, pool_type="last"))
        else:
            pooled = text_global_pool(self.ln_final(x), text, self.pool_type, self.eos_token_id)
        return pooled @ self.text_projection
