from dataclasses import dataclass
from functools import partial
from typing import Optional, Tuple, Union

import torch
from torch import nn
from torch.nn import functional as F

from .transformer import LayerNorm, QuickGELU, TextTransformer, VisionTransformer, text_global_pool


@dataclass
class CLIPVisionCfg:
    layers: int = 12
    width: int = 768
    head_width: int = 64
    mlp_ratio: float = 4.0
    patch_size: int = 16
    image_size: Union[Tuple[int, int], int] = 224
    ls_init_value: Optional[float] = None
    attentional_pool: bool = False
    attn_pooler_queries: int = 256
    attn_pooler_heads: int = 8
    pool_type: str = "tok"
    final_ln_after_pool: bool = False
    block_type: str = "default"


@dataclass
class CLIPTextCfg:
    context_length: int = 77
    vocab_size: int = 49408
    width: int = 512
    heads: int = 8
    layers: int = 12
    mlp_ratio: float = 4.0
    ls_init_value: Optional[float] = None
    embed_cls: bool = False
    no_causal_mask: bool = False
    pool_type: str = "argmax"
    block_type: str = "default"


def _build_vision_tower(embed_dim: int, vision_cfg, quick_gelu: bool = False):
    if isinstance(vision_cfg, dict):
        vision_cfg = CLIPVisionCfg(**vision_cfg)
    act_layer = QuickGELU if quick_gelu else nn.GELU
    kwargs = dict(vars(vision_cfg))
    heads = kwargs["width"] // kwargs.pop("head_width")
    return VisionTransformer(heads=heads, output_dim=embed_dim, act_layer=act_layer,
                             norm_layer=partial(LayerNorm, eps=1e-6), **kwargs)


def _build_text_tower(embed_dim: int, text_cfg, quick_gelu: bool = False):
    if isinstance(text_cfg, dict):
        text_cfg = CLIPTextCfg(**text_cfg)
    return TextTransformer(output_dim=embed_dim, act_layer=QuickGELU if quick_gelu else nn.GELU,
                           norm_layer=LayerNorm, **vars(text_cfg))


class CLIP(nn.Module):
    """Both towers; the parts of the text tower lie directly in the model."""

    def __init__(self, embed_dim: int, vision_cfg, text_cfg, quick_gelu: bool = False, init_logit_scale: float = 2.659,
                 init_logit_bias: Optional[float] = None):
        super().__init__()
        self.visual = _build_vision_tower(embed_dim, vision_cfg, quick_gelu)
        text = _build_text_tower(embed_dim, text_cfg, quick_gelu)
        self.transformer = text.transformer
        self.token_embedding = text.token_embedding
        self.positional_embedding = text.positional_embedding
        self.ln_final = text.ln_final
        self.text_projection = text.text_projection
        self.text_pool_type, self.text_eos_id = text.pool_type, text.eos_token_id
        self.register_buffer("attn_mask", text.attn_mask, persistent=False)
        self._init_logits(init_logit_scale, init_logit_bias)

    def _init_logits(self, init_logit_scale, init_logit_bias):
        self.logit_scale = nn.Parameter(torch.ones([]) * init_logit_scale)
        self.logit_bias = nn.Parameter(torch.ones([]) * init_logit_bias) if init_logit_bias is not None else None

    def encode_image(self, image, normalize: bool = False):
        features = self.visual(image)
        return F.normalize(features, dim=-1) if normalize else features

    def encode_text(self, text, normalize: bool = False):
        cast_dtype = self.transformer.get_cast_dtype()
        x = self.token_embedding(text).to(cast_dtype)
        x = x + self.positional_embedding.to(cast_dtype)
        x = self.transformer(x, attn_mask=self.attn_mask)
        x = self.ln_final(x)
        x = text_global_pool(x, text, self.text_pool_type, self.text_eos_id)
        x = x @ self.text_projection
        return F.normalize(x, dim=-1) if normalize else x

    def get_logits(self, image_features, text_features):
        image_logits = self.logit_scale.exp() * image_features @ text_features.T
        if self.logit_bias is not None:
            image_logits += self.logit_bias
        return image_logits, image_logits.T

    def forward(self, image: Optional[torch.Tensor] = None, text: Optional[torch.Tensor] = None):
        image_features = self.encode_image(image, normalize=True) if image is not None else None
        text_features = self.encode_text(text, normalize=True) if text is not None else None
        out = dict(zip(("logits_per_image", "logits_per_text"), self.get_logits(image_features, text_features)))
        return {"image_features": image_features, "text_features": text_features, **out}


class CustomTextCLIP(CLIP):
    """The text tower is a module of its own."""

    def __init__(self, embed_dim: int, vision_cfg, text_cfg, quick_gelu: bool = False, init_logit_scale: float = 2.659,
                 init_logit_bias: Optional[float] = None):
        nn.Module.__init__(self)
        self.visual = _build_vision_tower(embed_dim, vision_cfg, quick_gelu)
        self.text = _build_text_tower(embed_dim, text_cfg, quick_gelu)
        self.context_length = self.text.context_length
        self._init_logits(init_logit_scale, init_logit_bias)

    def encode_text(self, text, normalize: bool = False):
        features = self.text(text)
        return F.normalize(features, dim=-1) if normalize else features
