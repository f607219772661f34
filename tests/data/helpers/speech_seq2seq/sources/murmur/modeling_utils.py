import math
from collections import OrderedDict
from dataclasses import dataclass, fields
from functools import wraps
from typing import Callable, Optional

import torch
from torch import Tensor, nn


class ModelOutput(OrderedDict):
    """A dataclass that can be indexed like a tuple (ignoring the `None`s) or like a dictionary."""

    def __post_init__(self):
        for field in fields(self):
            value = getattr(self, field.name)
            if value is not None:
                super().__setitem__(field.name, value)

    def __getitem__(self, k):
        return dict(self.items())[k] if isinstance(k, str) else self.to_tuple()[k]

    def to_tuple(self):
        return tuple(self.values())


@dataclass
class BaseModelOutput(ModelOutput):
    last_hidden_state: Optional[Tensor] = None


@dataclass
class Seq2SeqLMOutput(ModelOutput):
    logits: Optional[Tensor] = None
    encoder_last_hidden_state: Optional[Tensor] = None


def can_return_tuple(func):
    @wraps(func)
    def wrapper(self, *args, **kwargs):
        return_dict = kwargs.pop("return_dict", None)
        output = func(self, *args, **kwargs)
        if not (self.config.return_dict if return_dict is None else return_dict):
            output = output.to_tuple()
        return output

    return wrapper


class NewGELUActivation(nn.Module):
    def forward(self, input: Tensor) -> Tensor:
        return 0.5 * input * (1.0 + torch.tanh(math.sqrt(2.0 / math.pi) * (input + 0.044715 * torch.pow(input, 3.0))))


class QuickGELUActivation(nn.Module):
    def forward(self, input: Tensor) -> Tensor:
        return input * torch.sigmoid(1.702 * input)


class ClassInstantier(OrderedDict):
    def __getitem__(self, key):
        content = super().__getitem__(key)
        cls, kwargs = content if isinstance(content, tuple) else (content, {})
        return cls(**kwargs)


ACT2FN = ClassInstantier(
    {"gelu": nn.GELU, "gelu_new": NewGELUActivation, "quick_gelu": QuickGELUActivation, "relu": nn.ReLU}
)


def repeat_kv(hidden_states: Tensor, n_rep: int) -> Tensor:
    batch, num_key_value_heads, slen, head_dim = hidden_states.shape
    if n_rep == 1:
        return hidden_states
    hidden_states = hidden_states[:, :, None, :, :].expand(batch, num_key_value_heads, n_rep, slen, head_dim)
    return hidden_states.reshape(batch, num_key_value_heads * n_rep, slen, head_dim)


def eager_attention_forward(
    module: nn.Module,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Optional[Tensor],
    scaling: Optional[float] = None,
    dropout: float = 0.0,
    **kwargs,
):
    if scaling is None:
        scaling = query.size(-1) ** -0.5
    key_states = repeat_kv(key, module.num_key_value_groups)
    value_states = repeat_kv(value, module.num_key_value_groups)

    attn_weights = torch.matmul(query, key_states.transpose(2, 3)) * scaling
    if attention_mask is not None:
        attn_weights = attn_weights + attention_mask[:, :, :, : key_states.shape[-2]]
    attn_weights = nn.functional.softmax(attn_weights, dim=-1)
    attn_weights = nn.functional.dropout(attn_weights, p=dropout, training=module.training)
    attn_output = torch.matmul(attn_weights, value_states)
    return attn_output.transpose(1, 2).contiguous(), attn_weights


def sdpa_attention_forward(module, query, key, value, attention_mask, scaling=None, dropout=0.0, **kwargs):
    key, value = (repeat_kv(states, module.num_key_value_groups) for states in (key, value))
    attn_output = nn.functional.scaled_dot_product_attention(
        query, key, value, attn_mask=attention_mask, dropout_p=dropout, scale=scaling
    )
    return attn_output.transpose(1, 2).contiguous(), None


ALL_ATTENTION_FUNCTIONS: dict[str, Callable] = {"sdpa": sdpa_attention_forward}


# Mask functions take (batch_idx, head_idx, q_idx, kv_idx), all of them broadcastable index tensors.
def causal_mask_function(batch_idx, head_idx, q_idx, kv_idx):
    return kv_idx <= q_idx


def padding_mask_function(padding_mask: Tensor) -> Callable:
    def inner_mask(batch_idx, head_idx, q_idx, kv_idx):
        return padding_mask[batch_idx, kv_idx]

    return inner_mask


def and_masks(*mask_functions: Callable) -> Callable:
    def and_mask(batch_idx, head_idx, q_idx, kv_idx):
        result = mask_functions[0](batch_idx, head_idx, q_idx, kv_idx)
        for mask in mask_functions[1:]:
            result = result & mask(batch_idx, head_idx, q_idx, kv_idx)
        return result

    return and_mask


def eager_mask(batch_size, q_length, kv_length, mask_function, dtype=torch.float32) -> Tensor:
    batch_arange = torch.arange(batch_size)[:, None, None, None]
    q_arange = torch.arange(q_length)[None, None, :, None]
    kv_arange = torch.arange(kv_length)[None, None, None, :]
    mask = mask_function(batch_arange, 0, q_arange, kv_arange)
    min_dtype = torch.finfo(dtype).min
    return torch.where(mask, 0.0, min_dtype)


def create_causal_mask(config, input_embeds: Tensor, padding_mask: Optional[Tensor]) -> Tensor:
    batch_size, q_length = input_embeds.shape[:2]
    mask_factory_function = causal_mask_function
    if padding_mask is not None:
        mask_factory_function = and_masks(mask_factory_function, padding_mask_function(padding_mask))
    return eager_mask(batch_size, q_length, q_length, mask_factory_function, dtype=input_embeds.dtype)


class PreTrainedModel(nn.Module):
    config_class = None
    base_model_prefix = ""

    def __init__(self, config):
        super().__init__()
        self.config = config

    def post_init(self):
        self.apply(self._init_weights)

    def _init_weights(self, module):
        raise NotImplementedError

    def get_input_embeddings(self) -> nn.Module:
        return getattr(self, self.base_model_prefix, self).get_input_embeddings()
