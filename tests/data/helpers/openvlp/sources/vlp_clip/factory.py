import json
from copy import deepcopy

from .clip import CLIP, CustomTextCLIP

_MODEL_CONFIGS = {}


def add_model_config(name: str, text: str):
    _MODEL_CONFIGS[name] = json.loads(text)


def list_models():
    return sorted(_MODEL_CONFIGS)


def get_model_config(model_name: str):
    return deepcopy(_MODEL_CONFIGS.get(model_name))


def create_model(model_name: str, force_quick_gelu: bool = False, force_image_size=None, **model_kwargs):
    model_name = model_name.replace("/", "-")
    cfg = get_model_config(model_name)
    if cfg is None:
        raise RuntimeError(f"Model config for {model_name} not found; available: {list_models()}")
    if force_quick_gelu:
        cfg["quick_gelu"] = True
    if force_image_size is not None:
        cfg["vision_cfg"]["image_size"] = force_image_size
    is_custom = cfg.pop("custom_text", False) or "embed_cls" in cfg["text_cfg"]
    cfg.update(model_kwargs)
    return (CustomTextCLIP if is_custom else CLIP)(**cfg)


add_model_config("tiny-B-16", """{
  "embed_dim": 32, "quick_gelu": true,
  "vision_cfg": {"image_size": 64, "layers": 1, "width": 48, "head_width": 12, "patch_size": 16},
  "text_cfg": {"context_length": 12, "vocab_size": 512, "width": 32, "heads": 4, "layers": 1}
}""")
add_model_config("tiny-coca-B-16", """{
  "embed_dim": 32, "init_logit_bias": -10.0,
  "vision_cfg": {"image_size": 64, "layers": 2, "width": 48, "head_width": 12, "patch_size": 16, "ls_init_value": 0.1,
                 "attentional_pool": true, "attn_pooler_queries": 6, "attn_pooler_heads": 4, "block_type": "custom"},
  "text_cfg": {"context_length": 12, "vocab_size": 512, "width": 32, "heads": 4, "layers": 2, "embed_cls": true}
}""")
