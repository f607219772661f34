# SPDX-License-Identifier: Apache-2.0
"""Public models with random weights, small enough for two processors: functions that return (model, inputs)."""

import importlib.util
from pathlib import Path

import torch


def _missing_operators():
    """What torchvision declares when its binary does not load: one for CUDA beside a torch without it.

    Its own files, and through them transformers and timm, cannot be imported without these two. No model here calls them.
    """
    found = importlib.util.find_spec("torchvision")
    binary = found and Path(found.origin).with_name("_C.so")
    try:
        if not binary or not binary.exists():
            return None
        torch.ops.load_library(binary)
    except OSError:
        library = torch.library.Library("torchvision", "DEF")
        for name in ("nms", "qnms"):
            library.define(name + "(Tensor boxes, Tensor scores, float threshold) -> Tensor")
        return library
    return None


_library = _missing_operators()


def _tokens(length=16, vocabulary=512):
    return (torch.arange(length).reshape(1, -1) * 7 % vocabulary,)


def _image(size=64):
    return (torch.randn(1, 3, size, size),)


class Logits(torch.nn.Module):
    """A model of transformers whose output is one tensor."""

    def __init__(self, model, names):
        super().__init__()
        self.model = model
        self.names = names

    def forward(self, *inputs):
        return self.model(**dict(zip(self.names, inputs)), return_dict=False)[0]


def _language_model(model_class, config_class, **more):
    import transformers

    sizes = dict(hidden_size=64, intermediate_size=128, num_hidden_layers=2, num_attention_heads=4, vocab_size=512)
    config = getattr(transformers, config_class)(**{**sizes, "max_position_embeddings": 64, **more})
    model = getattr(transformers, model_class)(config)
    return Logits(model.eval(), ["input_ids"]), _tokens()


def llama():
    return _language_model("LlamaForCausalLM", "LlamaConfig", num_key_value_heads=2, use_cache=False)


def qwen3():
    return _language_model("Qwen3ForCausalLM", "Qwen3Config", num_key_value_heads=2, head_dim=16, use_cache=False)


def phi3():
    return _language_model(
        "Phi3ForCausalLM", "Phi3Config", num_key_value_heads=2, use_cache=False, pad_token_id=0, eos_token_id=1
    )


def bert():
    return _language_model("BertModel", "BertConfig")


def distilbert():
    import transformers

    config = transformers.DistilBertConfig(
        dim=64, hidden_dim=128, n_layers=2, n_heads=4, vocab_size=512, max_position_embeddings=64
    )
    return Logits(transformers.DistilBertModel(config).eval(), ["input_ids"]), _tokens()


def vit():
    import transformers

    config = transformers.ViTConfig(
        hidden_size=64, intermediate_size=128, num_hidden_layers=2, num_attention_heads=4, image_size=64
    )
    return Logits(transformers.ViTModel(config).eval(), ["pixel_values"]), _image()


def t5():
    import transformers

    config = transformers.T5Config(d_model=64, d_kv=16, d_ff=128, num_layers=2, num_heads=4, vocab_size=512)
    config.use_cache = False
    model = Logits(transformers.T5Model(config).eval(), ["input_ids", "decoder_input_ids"])
    return model, (*_tokens(), *_tokens(8))


def _torchvision(name, size=64):
    import torchvision

    model = getattr(torchvision.models, name)(weights=None)
    return model.eval(), _image(size)


def mobilenet_v2():
    return _torchvision("mobilenet_v2")


def mobilenet_v3_small():
    return _torchvision("mobilenet_v3_small")


def shufflenet():
    return _torchvision("shufflenet_v2_x0_5")


def squeezenet():
    return _torchvision("squeezenet1_1")


def densenet():
    return _torchvision("densenet121")


def _timm(name, size=64, **options):
    import timm

    return timm.create_model(name, pretrained=False, **options).eval(), _image(size)


def mobilevit():
    return _timm("mobilevitv2_050")


def convnext():
    return _timm("convnext_atto")


def ghostnet():
    return _timm("ghostnet_100")


def vit_tiny():
    return _timm("vit_tiny_patch16_224", img_size=64, depth=2)


QUICK = (squeezenet, bert, llama)
FRAMES = (llama, bert, t5, mobilevit, shufflenet, densenet)
ALL = (
    *QUICK,
    qwen3,
    phi3,
    distilbert,
    vit,
    t5,
    mobilenet_v2,
    mobilenet_v3_small,
    shufflenet,
    densenet,
    mobilevit,
    convnext,
    ghostnet,
    vit_tiny,
)
