"""PyTorch Murmur model."""

import math
from typing import Optional

import torch
from torch import Tensor, nn

from .configuration_murmur import MurmurConfig
from .modeling_utils import (
    ACT2FN,
    ALL_ATTENTION_FUNCTIONS,
    BaseModelOutput,
    PreTrainedModel,
    Seq2SeqLMOutput,
    can_return_tuple,
    create_causal_mask,
    eager_attention_forward,
)


def sinusoids(length: int, channels: int, max_timescale: float = 10000) -> Tensor:
    log_timescale_increment = math.log(max_timescale) / (channels // 2 - 1)
    inv_timescales = torch.exp(-log_timescale_increment * torch.arange(channels // 2))
    scaled_time = torch.arange(length).view(-1, 1) * inv_timescales.view(1, -1)
    return torch.cat([scaled_time.sin(), scaled_time.cos()], dim=1)


def shift_tokens_right(input_ids: Tensor, pad_token_id: int, decoder_start_token_id: int) -> Tensor:
    """Shift input ids one token to the right."""
    shifted_input_ids = input_ids.new_zeros(input_ids.shape)
    shifted_input_ids[:, 1:] = input_ids[:, :-1].clone()
    shifted_input_ids[:, 0] = decoder_start_token_id
    # replace possible -100 values in labels by `pad_token_id`
    return shifted_input_ids.masked_fill(shifted_input_ids == -100, pad_token_id)


class MurmurPositionalEmbedding(nn.Embedding):
    def __init__(self, num_positions: int, embedding_dim: int, padding_idx: Optional[int] = None):
        super().__init__(num_positions, embedding_dim, padding_idx)

    def forward(self, input_ids, past_key_values_length=0):
        return self.weight[past_key_values_length : past_key_values_length + input_ids.shape[1]]


class MurmurAttention(nn.Module):
    """Multi-headed attention, of one sequence on itself or on the states of the encoder."""

    def __init__(self, config: MurmurConfig, num_heads: int, num_key_value_heads: Optional[int] = None):
        super().__init__()
        self.config = config
        self.head_dim = config.d_model // num_heads
        self.num_heads = num_heads
        self.num_key_value_heads = num_key_value_heads or num_heads
        self.num_key_value_groups = num_heads // self.num_key_value_heads
        self.scaling = self.head_dim**-0.5

        self.k_proj = nn.Linear(config.d_model, self.num_key_value_heads * self.head_dim, bias=False)
        self.v_proj = nn.Linear(config.d_model, self.num_key_value_heads * self.head_dim)
        self.q_proj = nn.Linear(config.d_model, num_heads * self.head_dim)
        self.out_proj = nn.Linear(num_heads * self.head_dim, config.d_model)

    def _shape(self, tensor: Tensor, seq_len: int, bsz: int) -> Tensor:
        return tensor.view(bsz, seq_len, -1, self.head_dim).transpose(1, 2).contiguous()

    def forward(
        self,
        hidden_states: Tensor,
        key_value_states: Optional[Tensor] = None,
        attention_mask: Optional[Tensor] = None,
        **kwargs,
    ) -> tuple[Tensor, Optional[Tensor]]:
        bsz, tgt_len, _ = hidden_states.size()
        current_states = key_value_states if key_value_states is not None else hidden_states

        query_states = self._shape(self.q_proj(hidden_states), tgt_len, bsz)
        key_states = self._shape(self.k_proj(current_states), current_states.shape[1], bsz)
        value_states = self._shape(self.v_proj(current_states), current_states.shape[1], bsz)

        attention_interface = eager_attention_forward
        if self.config._attn_implementation != "eager":
            attention_interface = ALL_ATTENTION_FUNCTIONS[self.config._attn_implementation]

        attn_output, attn_weights = attention_interface(
            self, query_states, key_states, value_states, attention_mask, scaling=self.scaling, **kwargs
        )
        attn_output = attn_output.reshape(bsz, tgt_len, -1)
        return self.out_proj(attn_output), attn_weights


class MurmurMLP(nn.Module):
    def __init__(self, config: MurmurConfig, ffn_dim: int):
        super().__init__()
        self.activation_fn = ACT2FN[config.activation_function]
        self.fc1 = nn.Linear(config.d_model, ffn_dim)
        self.fc2 = nn.Linear(ffn_dim, config.d_model)

    def forward(self, hidden_states: Tensor) -> Tensor:
        return self.fc2(self.activation_fn(self.fc1(hidden_states)))


class MurmurEncoderLayer(nn.Module):
    def __init__(self, config: MurmurConfig):
        super().__init__()
        self.self_attn = MurmurAttention(config, config.encoder_attention_heads)
        self.self_attn_layer_norm = nn.LayerNorm(config.d_model)
        self.mlp = MurmurMLP(config, config.encoder_ffn_dim)
        self.final_layer_norm = nn.LayerNorm(config.d_model)

    def forward(self, hidden_states: Tensor, attention_mask: Optional[Tensor] = None) -> Tensor:
        residual = hidden_states
        hidden_states = self.self_attn_layer_norm(hidden_states)
        hidden_states, _ = self.self_attn(hidden_states=hidden_states, attention_mask=attention_mask)
        hidden_states = residual + hidden_states
        return hidden_states + self.mlp(self.final_layer_norm(hidden_states))


class MurmurDecoderLayer(MurmurEncoderLayer):
    def __init__(self, config: MurmurConfig):
        nn.Module.__init__(self)
        self.self_attn = MurmurAttention(config, config.decoder_attention_heads, config.num_key_value_heads)
        self.self_attn_layer_norm = nn.LayerNorm(config.d_model)
        self.encoder_attn = MurmurAttention(config, config.decoder_attention_heads)
        self.encoder_attn_layer_norm = nn.LayerNorm(config.d_model)
        self.mlp = MurmurMLP(config, config.decoder_ffn_dim)
        self.final_layer_norm = nn.LayerNorm(config.d_model)

    def _cross_attend(self, hidden_states: Tensor, encoder_hidden_states: Tensor) -> Tensor:
        residual = hidden_states
        hidden_states, _ = self.encoder_attn(self.encoder_attn_layer_norm(hidden_states), encoder_hidden_states)
        return residual + hidden_states

    def forward(self, hidden_states: Tensor, encoder_hidden_states: Tensor, attention_mask: Tensor) -> Tensor:
        residual = hidden_states
        hidden_states, _ = self.self_attn(self.self_attn_layer_norm(hidden_states), attention_mask=attention_mask)
        hidden_states = self._cross_attend(residual + hidden_states, encoder_hidden_states)
        return hidden_states + self.mlp(self.final_layer_norm(hidden_states))


class MurmurPreTrainedModel(PreTrainedModel):
    config_class = MurmurConfig
    base_model_prefix = "model"

    def _init_weights(self, module):
        std = self.config.init_std
        if isinstance(module, (nn.Linear, nn.Conv1d)):
            module.weight.data.normal_(mean=0.0, std=std)
            if module.bias is not None:
                module.bias.data.zero_()
        elif isinstance(module, nn.Embedding):
            module.weight.data.normal_(mean=0.0, std=std)
        elif isinstance(module, MurmurEncoder):
            module.embed_positions.weight.data.copy_(sinusoids(*module.embed_positions.weight.shape))

    def _get_feat_extract_output_lengths(self, input_lengths: Tensor) -> Tensor:
        return (input_lengths - 1) // 2 + 1

    def _get_feature_vector_attention_mask(self, feature_vector_length: int, attention_mask: Tensor) -> Tensor:
        output_lengths = self._get_feat_extract_output_lengths(attention_mask.sum(-1))
        positions = torch.arange(feature_vector_length, device=attention_mask.device)
        return positions[None, :] < output_lengths[:, None]


class MurmurEncoder(MurmurPreTrainedModel):
    def __init__(self, config: MurmurConfig):
        super().__init__(config)
        self.conv1 = nn.Conv1d(config.num_mel_bins, config.d_model, kernel_size=3, padding=1)
        self.conv2 = nn.Conv1d(config.d_model, config.d_model, kernel_size=3, stride=2, padding=1)
        self.embed_positions = nn.Embedding(config.max_source_positions, config.d_model)
        self.layers = nn.ModuleList([MurmurEncoderLayer(config) for _ in range(config.encoder_layers)])
        self.layer_norm = nn.LayerNorm(config.d_model)
        self.post_init()

    def _embed_features(self, input_features: Tensor) -> Tensor:
        inputs_embeds = nn.functional.gelu(self.conv1(input_features))
        inputs_embeds = nn.functional.gelu(self.conv2(inputs_embeds)).permute(0, 2, 1)
        return inputs_embeds + self.embed_positions.weight[: inputs_embeds.shape[1]]

    def _expand_mask(self, mask: Tensor, dtype) -> Tensor:
        inverted_mask = 1.0 - mask[:, None, None, :].to(dtype)
        return inverted_mask.masked_fill(inverted_mask.to(torch.bool), torch.finfo(dtype).min)

    @can_return_tuple
    def forward(self, input_features: Tensor, attention_mask: Optional[Tensor] = None) -> BaseModelOutput:
        hidden_states = self._embed_features(input_features)
        if attention_mask is not None:
            attention_mask = self._get_feature_vector_attention_mask(hidden_states.shape[1], attention_mask)
            attention_mask = self._expand_mask(attention_mask, hidden_states.dtype)
        for encoder_layer in self.layers:
            hidden_states = encoder_layer(hidden_states, attention_mask)
        return BaseModelOutput(last_hidden_state=self.layer_norm(hidden_states))


class MurmurDecoder(MurmurPreTrainedModel):
    def __init__(self, config: MurmurConfig):
        super().__init__(config)
        self.padding_idx = config.pad_token_id
        self.embed_scale = math.sqrt(config.d_model) if config.scale_embedding else 1.0
        self.embed_tokens = nn.Embedding(config.vocab_size, config.d_model, self.padding_idx)
        self.embed_positions = MurmurPositionalEmbedding(config.max_target_positions, config.d_model)
        self.layers = nn.ModuleList([MurmurDecoderLayer(config) for _ in range(config.decoder_layers)])
        self.layer_norm = nn.LayerNorm(config.d_model)
        self.post_init()

    def get_input_embeddings(self):
        return self.embed_tokens

    @can_return_tuple
    def forward(self, input_ids: Tensor, encoder_hidden_states: Tensor) -> BaseModelOutput:
        inputs_embeds = self.get_input_embeddings()(input_ids) * self.embed_scale
        attention_mask = input_ids.ne(self.padding_idx)
        causal_mask = create_causal_mask(self.config, inputs_embeds, attention_mask)
        hidden_states = inputs_embeds + self.embed_positions(input_ids)
        for decoder_layer in self.layers:
            hidden_states = decoder_layer(hidden_states, encoder_hidden_states, causal_mask)
        return BaseModelOutput(last_hidden_state=self.layer_norm(hidden_states))


class MurmurForConditionalGeneration(MurmurPreTrainedModel):
    _tied_weights_keys = ["proj_out.weight"]

    def __init__(self, config: MurmurConfig):
        super().__init__(config)
        self.encoder = MurmurEncoder(config)
        self.decoder = MurmurDecoder(config)
        self.proj_out = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.post_init()

    def get_encoder_states(self, input_features: Tensor, attention_mask: Optional[Tensor]) -> Tensor:
        return self.encoder(input_features, attention_mask=attention_mask).last_hidden_state

    @can_return_tuple
    def forward(
        self, input_features: Tensor, attention_mask: Optional[Tensor] = None, labels: Optional[Tensor] = None
    ) -> Seq2SeqLMOutput:
        decoder_input_ids = shift_tokens_right(
            labels, self.config.pad_token_id, self.config.decoder_start_token_id
        )
        encoder_hidden_states = self.get_encoder_states(input_features, attention_mask)
        decoder_outputs = self.decoder(decoder_input_ids, encoder_hidden_states)
        return Seq2SeqLMOutput(
            logits=self.proj_out(decoder_outputs[0]), encoder_last_hidden_state=encoder_hidden_states
        )
