# SPDX-License-Identifier: Apache-2.0
"""Models of transformers, timm and torchvision with random weights and dynamic sizes, with the interface of models.py. A library is
imported when one of its models is made."""

import torch
from torch import nn

LONGEST = 128
WORDS = 600


def with_torchvision():
    """torchvision, even without its compiled operators, which no model here calls: it asks for their names when it is imported."""
    global names
    if not hasattr(torch.ops.torchvision, "nms"):
        names = torch.library.Library("torchvision", "DEF")
        for name in ("nms", "qnms"):
            names.define(f"{name}(Tensor boxes, Tensor scores, float threshold) -> Tensor")
    import torchvision
    return torchvision


names = None  # of operators, for as long as the process


class CachedTransformer(nn.Module):
    """A language model of transformers with its StaticCache; tokens and positions are the inputs."""

    strict = True  # else torch 2.13 cannot decompose what transformers 5.24 exports

    def __init__(self, config, **sizes):
        super().__init__()
        with_torchvision()
        import transformers
        from transformers.integrations.executorch import TorchExportableModuleWithStaticCache
        config = getattr(transformers, config)(vocab_size=WORDS, use_cache=True, **sizes)
        model = transformers.AutoModelForCausalLM.from_config(config, attn_implementation="sdpa").eval()
        model.generation_config = transformers.GenerationConfig(
            use_cache=True, cache_implementation="static", max_length=LONGEST, cache_config={"batch_size": 1, "max_cache_len": LONGEST})
        self.net = TorchExportableModuleWithStaticCache(model, batch_size=1, max_cache_len=LONGEST)

    def forward(self, tokens, positions):
        return self.net(input_ids=tokens, cache_position=positions)

    def inputs(self, size, at=0):
        return torch.randint(0, WORDS, (1, size)), torch.arange(at, at + size)

    def example(self):
        return self.inputs(5)

    def dynamic(self, dim):
        n = dim("n", min=1, max=LONGEST - 1)
        return {1: n}, {0: n}


class WholeText(nn.Module):
    """An encoder of transformers: a text of any length at once."""

    def __init__(self, config, model, **sizes):
        super().__init__()
        with_torchvision()
        import transformers
        self.net = getattr(transformers, model)(getattr(transformers, config)(vocab_size=WORDS, **sizes))

    def forward(self, tokens):
        return self.net(tokens)[0]

    def inputs(self, size, at=0):
        return (torch.randint(5, WORDS, (1, size)),)

    def example(self):
        return self.inputs(9)

    def dynamic(self, dim):
        return ({1: dim("n", min=2, max=LONGEST)},)


class Images(nn.Module):
    """A net for images whose height and width a step divides."""

    def __init__(self, net, step=32):
        super().__init__()
        self.net, self.step = net, step

    def forward(self, x):
        told = self.net(x)
        return told["out"] if isinstance(told, dict) else told

    def inputs(self, size, at=0):
        return (torch.rand(1, 3, size, size),)

    def example(self):
        return self.inputs(4 * self.step)

    def dynamic(self, dim):
        return ({2: self.step * dim("h", min=2, max=10), 3: self.step * dim("w", min=2, max=10)},)


LLAMA = dict(hidden_size=96, intermediate_size=224, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2)
PLAIN = dict(hidden_size=96, intermediate_size=224, num_hidden_layers=2, num_attention_heads=4)
LANGUAGE = {
    "hf_llama": ("LlamaConfig", LLAMA),
    "hf_qwen2": ("Qwen2Config", LLAMA),
    "hf_neox": ("GPTNeoXConfig", PLAIN),
    "hf_phi": ("PhiConfig", LLAMA | {"pad_token_id": 0}),
    "hf_gpt2": ("GPT2Config", dict(n_embd=96, n_layer=2, n_head=4, n_positions=LONGEST)),
    "hf_olmo": ("OlmoConfig", LLAMA | {"pad_token_id": 0}),
}
TEXT = {
    "hf_bert": ("BertConfig", "BertModel", PLAIN),
    "hf_distilbert": ("DistilBertConfig", "DistilBertModel", dict(dim=96, hidden_dim=224, n_layers=2, n_heads=4)),
    "hf_electra": ("ElectraConfig", "ElectraModel", PLAIN | {"embedding_size": 64}),
}
TIMM = {"timm_resnet10t": "resnet10t", "timm_repvgg_a0": "repvgg_a0", "timm_convnext_atto": "convnext_atto", "timm_regnetx_002": "regnetx_002"}
TORCHVISION = {"tv_shufflenet": "shufflenet_v2_x0_5", "tv_mobilenet_v3": "mobilenet_v3_small", "tv_squeezenet": "squeezenet1_1"}


def of_timm(name):
    with_torchvision()
    import timm
    return Images(timm.create_model(name, pretrained=False, num_classes=10))


def of_torchvision(name):
    return Images(with_torchvision().models.get_model(name, weights=None, num_classes=10))


def segmentation():
    return Images(with_torchvision().models.segmentation.lraspp_mobilenet_v3_large(weights=None, weights_backbone=None, num_classes=5))


LIBRARY_MODELS = {name: lambda config=config, sizes=sizes: CachedTransformer(config, **sizes) for name, (config, sizes) in LANGUAGE.items()}
LIBRARY_MODELS |= {name: lambda config=config, model=model, sizes=sizes: WholeText(config, model, **sizes)
                   for name, (config, model, sizes) in TEXT.items()}
LIBRARY_MODELS |= {name: lambda model=model: of_timm(model) for name, model in TIMM.items()}
LIBRARY_MODELS |= {name: lambda model=model: of_torchvision(model) for name, model in TORCHVISION.items()}
LIBRARY_MODELS["tv_lraspp"] = segmentation


def library_runs(tokens, shuffled):
    """Per model its runs, as make.py has them."""
    chat = {title: tokens[title] for title in ("chat7", "chat32", "decode", "mixed")}
    text = {"three": shuffled([7, 32, 96], 45, 11), "two": shuffled([16, 64], 40, 12), "one": [32] * 40}
    images = {"three": shuffled([96, 160, 256], 45, 13), "two": shuffled([128, 224], 40, 14), "one": [128] * 40}
    runs = {name: chat for name in LANGUAGE} | {name: text for name in TEXT}
    return {name: runs.get(name, images) for name in LIBRARY_MODELS}
