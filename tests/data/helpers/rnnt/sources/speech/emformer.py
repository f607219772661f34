import math
from typing import List, Optional, Tuple

import torch

__all__ = ["Emformer"]


def _get_activation_module(activation: str) -> torch.nn.Module:
    if activation == "relu":
        return torch.nn.ReLU()
    elif activation == "gelu":
        return torch.nn.GELU()
    elif activation == "silu":
        return torch.nn.SiLU()
    raise ValueError(f"Unsupported activation {activation}")


def _get_weight_init_gains(weight_init_scale_strategy: Optional[str], num_layers: int) -> List[Optional[float]]:
    if weight_init_scale_strategy is None:
        return [None for _ in range(num_layers)]
    elif weight_init_scale_strategy == "depthwise":
        return [1.0 / math.sqrt(layer_idx + 1) for layer_idx in range(num_layers)]
    raise ValueError(f"Unsupported weight_init_scale_strategy value {weight_init_scale_strategy}")


class _EmformerAttention(torch.nn.Module):
    def __init__(self, input_dim: int, num_heads: int, dropout: float = 0.0, weight_init_gain: Optional[float] = None,
                 tanh_on_mem: bool = False, negative_inf: float = -1e8):
        super().__init__()
        if input_dim % num_heads != 0:
            raise ValueError(f"input_dim ({input_dim}) is not a multiple of num_heads ({num_heads}).")
        self.input_dim = input_dim
        self.num_heads = num_heads
        self.dropout = dropout
        self.tanh_on_mem = tanh_on_mem
        self.negative_inf = negative_inf
        self.scaling = (self.input_dim // self.num_heads) ** -0.5

        self.emb_to_key_value = torch.nn.Linear(input_dim, 2 * input_dim, bias=True)
        self.emb_to_query = torch.nn.Linear(input_dim, input_dim, bias=True)
        self.out_proj = torch.nn.Linear(input_dim, input_dim, bias=True)
        if weight_init_gain:
            torch.nn.init.xavier_uniform_(self.emb_to_query.weight, gain=weight_init_gain)

    def _gen_attention_probs(self, attention_weights: torch.Tensor, attention_mask: torch.Tensor,
                             padding_mask: Optional[torch.Tensor]) -> torch.Tensor:
        attention_weights_float = attention_weights.float()
        attention_weights_float = attention_weights_float.masked_fill(attention_mask.unsqueeze(0), self.negative_inf)
        T = attention_weights.size(1)
        B = attention_weights.size(0) // self.num_heads
        if padding_mask is not None:
            attention_weights_float = attention_weights_float.view(B, self.num_heads, T, -1)
            attention_weights_float = attention_weights_float.masked_fill(
                padding_mask.unsqueeze(1).unsqueeze(2).to(torch.bool), self.negative_inf)
            attention_weights_float = attention_weights_float.view(B * self.num_heads, T, -1)
        attention_probs = torch.nn.functional.softmax(attention_weights_float, dim=-1).type_as(attention_weights)
        return torch.nn.functional.dropout(attention_probs, p=float(self.dropout), training=self.training)

    def _forward_impl(self, utterance: torch.Tensor, lengths: torch.Tensor, right_context: torch.Tensor,
                      summary: torch.Tensor, mems: torch.Tensor, attention_mask: torch.Tensor,
                      left_context_key: Optional[torch.Tensor] = None,
                      left_context_val: Optional[torch.Tensor] = None):
        B = utterance.size(1)
        T = right_context.size(0) + utterance.size(0) + summary.size(0)

        # Compute query with [right context, utterance, summary].
        query = self.emb_to_query(torch.cat([right_context, utterance, summary]))
        # Compute key and value with [mems, right context, utterance].
        key, value = self.emb_to_key_value(torch.cat([mems, right_context, utterance])).chunk(chunks=2, dim=2)

        if left_context_key is not None and left_context_val is not None:
            right_context_blocks_length = mems.size(0) + right_context.size(0)
            key = torch.cat([key[:right_context_blocks_length], left_context_key, key[right_context_blocks_length:]])
            value = torch.cat(
                [value[:right_context_blocks_length], left_context_val, value[right_context_blocks_length:]])

        # Compute attention weights from query, key, and value.
        reshaped_query, reshaped_key, reshaped_value = [
            tensor.contiguous().view(-1, B * self.num_heads, self.input_dim // self.num_heads).transpose(0, 1)
            for tensor in [query, key, value]
        ]
        attention_weights = torch.bmm(reshaped_query * self.scaling, reshaped_key.transpose(1, 2))
        attention_probs = self._gen_attention_probs(attention_weights, attention_mask, None)

        attention = torch.bmm(attention_probs, reshaped_value)
        attention = attention.transpose(0, 1).contiguous().view(T, B, self.input_dim)

        output_right_context_mems = self.out_proj(attention)
        summary_length = summary.size(0)
        output_right_context = output_right_context_mems[:T - summary_length]
        output_mems = output_right_context_mems[T - summary_length:]
        if self.tanh_on_mem:
            output_mems = torch.tanh(output_mems)
        else:
            output_mems = torch.clamp(output_mems, min=-10, max=10)
        return output_right_context, output_mems, key, value

    @torch.jit.export
    def infer(self, utterance, lengths, right_context, summary, left_context_key, left_context_val, mems):
        query_dim = right_context.size(0) + utterance.size(0) + summary.size(0)
        key_dim = right_context.size(0) + utterance.size(0) + mems.size(0) + left_context_key.size(0)
        attention_mask = torch.zeros(query_dim, key_dim).to(dtype=torch.bool, device=utterance.device)
        attention_mask[-1, :mems.size(0)] = True
        output, output_mems, key, value = self._forward_impl(
            utterance, lengths, right_context, summary, mems, attention_mask,
            left_context_key=left_context_key, left_context_val=left_context_val)
        return (output, output_mems, key[mems.size(0) + right_context.size(0):],
                value[mems.size(0) + right_context.size(0):])


class _EmformerLayer(torch.nn.Module):
    def __init__(self, input_dim: int, num_heads: int, ffn_dim: int, segment_length: int, dropout: float = 0.0,
                 activation: str = "relu", left_context_length: int = 0, max_memory_size: int = 0,
                 weight_init_gain: Optional[float] = None, tanh_on_mem: bool = False):
        super().__init__()
        self.attention = _EmformerAttention(input_dim=input_dim, num_heads=num_heads, dropout=dropout,
                                            weight_init_gain=weight_init_gain, tanh_on_mem=tanh_on_mem)
        self.dropout = torch.nn.Dropout(dropout)
        self.memory_op = torch.nn.AvgPool1d(kernel_size=segment_length, stride=segment_length)
        self.pos_ff = torch.nn.Sequential(
            torch.nn.LayerNorm(input_dim),
            torch.nn.Linear(input_dim, ffn_dim),
            _get_activation_module(activation),
            torch.nn.Dropout(dropout),
            torch.nn.Linear(ffn_dim, input_dim),
            torch.nn.Dropout(dropout),
        )
        self.layer_norm_input = torch.nn.LayerNorm(input_dim)
        self.layer_norm_output = torch.nn.LayerNorm(input_dim)
        self.left_context_length = left_context_length
        self.segment_length = segment_length
        self.max_memory_size = max_memory_size
        self.use_mem = max_memory_size > 0

    def _unpack_state(self, state: List[torch.Tensor]) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        mems, lc_key, lc_val = state
        pre_mems = mems[mems.size(0) - self.max_memory_size:]
        return pre_mems, lc_key[lc_key.size(0) - self.left_context_length:], lc_val[-self.left_context_length:]

    def _pack_state(self, next_k, next_v, mems, state: List[torch.Tensor]) -> List[torch.Tensor]:
        new_k = torch.cat([state[1], next_k])
        new_v = torch.cat([state[2], next_v])
        state[0] = torch.cat([state[0], mems])[-self.max_memory_size:]
        state[1] = new_k[new_k.shape[0] - self.left_context_length:]
        state[2] = new_v[new_v.shape[0] - self.left_context_length:]
        return state

    def _process_attention_output(self, rc_output, utterance, right_context) -> torch.Tensor:
        result = self.dropout(rc_output) + torch.cat([right_context, utterance])
        result = self.pos_ff(result) + result
        result = self.layer_norm_output(result)
        return result

    def _apply_pre_attention_layer_norm(self, utterance, right_context) -> Tuple[torch.Tensor, torch.Tensor]:
        layer_norm_input = self.layer_norm_input(torch.cat([right_context, utterance]))
        return layer_norm_input[right_context.size(0):], layer_norm_input[:right_context.size(0)]

    def _apply_post_attention_ffn(self, rc_output, utterance, right_context) -> Tuple[torch.Tensor, torch.Tensor]:
        rc_output = self._process_attention_output(rc_output, utterance, right_context)
        return rc_output[right_context.size(0):], rc_output[:right_context.size(0)]

    def _apply_attention_infer(self, utterance, lengths, right_context, mems, state: List[torch.Tensor]):
        pre_mems, lc_key, lc_val = self._unpack_state(state)
        if self.use_mem:
            summary = self.memory_op(utterance.permute(1, 2, 0)).permute(2, 0, 1)
            summary = summary[:1]
        else:
            summary = torch.zeros(0).to(dtype=utterance.dtype, device=utterance.device)
        rc_output, next_m, next_k, next_v = self.attention.infer(
            utterance=utterance, lengths=lengths, right_context=right_context, summary=summary,
            left_context_key=lc_key, left_context_val=lc_val, mems=pre_mems)
        state = self._pack_state(next_k[-utterance.size(0):], next_v[-utterance.size(0):], mems, state)
        return rc_output, next_m, state

    @torch.jit.export
    def infer(self, utterance, lengths, right_context, state: List[torch.Tensor], mems):
        layer_norm_utterance, layer_norm_right_context = self._apply_pre_attention_layer_norm(utterance, right_context)
        rc_output, output_mems, output_state = self._apply_attention_infer(
            layer_norm_utterance, lengths, layer_norm_right_context, mems, list(state))
        output_utterance, output_right_context = self._apply_post_attention_ffn(rc_output, utterance, right_context)
        return output_utterance, output_right_context, output_state, output_mems


class Emformer(torch.nn.Module):
    def __init__(self, input_dim: int, num_heads: int, ffn_dim: int, num_layers: int, segment_length: int,
                 dropout: float = 0.0, activation: str = "gelu", left_context_length: int = 0,
                 right_context_length: int = 0, max_memory_size: int = 0,
                 weight_init_scale_strategy: Optional[str] = "depthwise", tanh_on_mem: bool = False):
        super().__init__()
        gains = _get_weight_init_gains(weight_init_scale_strategy, num_layers)
        self.emformer_layers = torch.nn.ModuleList([
            _EmformerLayer(input_dim, num_heads, ffn_dim, segment_length, dropout=dropout, activation=activation,
                           left_context_length=left_context_length, max_memory_size=max_memory_size,
                           weight_init_gain=gain, tanh_on_mem=tanh_on_mem) for gain in gains])
        self.memory_op = torch.nn.AvgPool1d(kernel_size=segment_length, stride=segment_length)
        self.right_context_length = right_context_length
        self.segment_length = segment_length

    @torch.jit.export
    def infer(self, input: torch.Tensor, lengths: torch.Tensor, states: List[List[torch.Tensor]]):
        if input.size(1) != self.segment_length + self.right_context_length:
            raise ValueError(f"Per configured segment_length and right_context_length, expected size of "
                             f"{self.segment_length + self.right_context_length} for dimension 1 of input, but got "
                             f"{input.size(1)}.")
        input = input.permute(1, 0, 2)
        right_context_start_idx = input.size(0) - self.right_context_length
        right_context = input[right_context_start_idx:]
        utterance = input[:right_context_start_idx]
        output_lengths = torch.clamp(lengths - self.right_context_length, min=0)
        mems = self.memory_op(utterance.permute(1, 2, 0)).permute(2, 0, 1)
        output = utterance
        output_states: List[List[torch.Tensor]] = []
        for layer_idx, layer in enumerate(self.emformer_layers):
            output, right_context, output_state, mems = layer.infer(
                output, output_lengths, right_context, states[layer_idx], mems)
            output_states.append(output_state)
        return output.permute(1, 0, 2), output_lengths, output_states
