import math
from collections import OrderedDict
from dataclasses import dataclass, fields
from functools import wraps
from typing import Any, Optional

import torch
from torch import nn


class PytorchGELUTanh(nn.Module):
    def __init__(self, use_gelu_tanh_python=True):
        super().__init__()
        self.act = self._gelu_tanh_python if use_gelu_tanh_python else nn.functional.gelu

    def _gelu_tanh_python(self, input):
        inner = math.sqrt(2.0 / math.pi) * (input + 0.044715 * torch.pow(input, 3.0))
        return input * 0.5 * (1.0 + torch.tanh(inner))

    def forward(self, input):
        return self.act(input)


class ClassInstantier(OrderedDict):
    def __getitem__(self, key):
        content = super().__getitem__(key)
        cls, kwargs = content if isinstance(content, tuple) else (content, {})
        return cls(**kwargs)


ACT2FN = ClassInstantier(
    {"gelu": nn.GELU, "gelu_pytorch_tanh": (PytorchGELUTanh, {"use_gelu_tanh_python": True}), "silu": nn.SiLU}
)


class ModelOutput(OrderedDict):
    def __post_init__(self):
        for field in fields(self):
            value = getattr(self, field.name)
            if value is not None:
                super().__setitem__(field.name, value)

    def __getitem__(self, k):
        return dict(self.items())[k] if isinstance(k, str) else self.to_tuple()[k]

    def to_tuple(self) -> tuple:
        return tuple(self[k] for k in self.keys())


@dataclass
class BaseModelOutputWithPast(ModelOutput):
    last_hidden_state: Optional[torch.FloatTensor] = None
    past_key_values: Optional[Any] = None


@dataclass
class CausalLMOutputWithPast(ModelOutput):
    logits: Optional[torch.FloatTensor] = None
    past_key_values: Optional[Any] = None


def can_return_tuple(func):
    @wraps(func)
    def wrapper(self, *args, **kwargs):
        return_dict = kwargs.pop("return_dict", self.config.return_dict)
        output = func(self, *args, **kwargs)
        return output if return_dict else output.to_tuple()

    return wrapper


def repeat_kv(hidden_states: torch.Tensor, n_rep: int) -> torch.Tensor:
    batch, num_key_value_heads, slen, head_dim = hidden_states.shape
    if n_rep == 1:
        return hidden_states
    hidden_states = hidden_states[:, :, None, :, :].expand(batch, num_key_value_heads, n_rep, slen, head_dim)
    return hidden_states.reshape(batch, num_key_value_heads * n_rep, slen, head_dim)


def eager_attention_forward(module, query, key, value, attention_mask, scaling, softcap=None, **kwargs):
    key_states = repeat_kv(key, module.num_key_value_groups)
    value_states = repeat_kv(value, module.num_key_value_groups)
    attn_weights = torch.matmul(query, key_states.transpose(2, 3)) * scaling
    if softcap is not None:
        attn_weights = attn_weights / softcap
        attn_weights = torch.tanh(attn_weights)
        attn_weights = attn_weights * softcap
    if attention_mask is not None:
        attn_weights = attn_weights + attention_mask[:, :, :, : key_states.shape[-2]]
    attn_weights = nn.functional.softmax(attn_weights, dim=-1, dtype=torch.float32).to(query.dtype)
    attn_output = torch.matmul(attn_weights, value_states).transpose(1, 2).contiguous()
    return attn_output, attn_weights


def sdpa_attention_forward(module, query, key, value, attention_mask, scaling, **kwargs):
    key, value = (repeat_kv(states, module.num_key_value_groups) for states in (key, value))
    attn_output = nn.functional.scaled_dot_product_attention(query, key, value, attn_mask=attention_mask, scale=scaling)
    return attn_output.transpose(1, 2).contiguous(), None


ALL_ATTENTION_FUNCTIONS = {"eager": eager_attention_forward, "sdpa": sdpa_attention_forward}


class ModuleUtilsMixin:
    def softcap_logits(self, logits, softcap):
        logits = logits / softcap
        logits = torch.tanh(logits)
        return logits * softcap


class PreTrainedModel(nn.Module, ModuleUtilsMixin):
    def __init__(self, config, *inputs, **kwargs):
        super().__init__()
        self.config = config

    def post_init(self):
        self.apply(self._init_weights)

    def _init_weights(self, module):
        pass
