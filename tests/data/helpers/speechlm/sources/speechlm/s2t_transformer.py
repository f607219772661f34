import math
from typing import Dict, List, NamedTuple, Optional, Tuple

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor

from speechlm import utils
from speechlm.modules import Embedding, LayerNorm, PositionalEmbedding
from speechlm.transformer_layer import TransformerDecoderLayer, TransformerEncoderLayer

EncoderOut = NamedTuple("EncoderOut", [("encoder_out", Tensor), ("encoder_padding_mask", Optional[Tensor]), ("encoder_states", Optional[List[Tensor]])])


class Conv1dSubsampler(nn.Module):
    """Convolutional subsampler: a stack of 1D convolution (along temporal dimension) followed by non-linear activation via gated linear units."""

    def __init__(self, in_channels: int, mid_channels: int, out_channels: int, kernel_sizes: List[int] = (3, 3)):
        super(Conv1dSubsampler, self).__init__()
        self.n_layers = len(kernel_sizes)
        self.conv_layers = nn.ModuleList(
            nn.Conv1d(
                in_channels if i == 0 else mid_channels // 2,
                mid_channels if i < self.n_layers - 1 else out_channels * 2,
                k,
                stride=2,
                padding=k // 2,
            )
            for i, k in enumerate(kernel_sizes)
        )

    def get_out_seq_lens_tensor(self, in_seq_lens_tensor):
        out = in_seq_lens_tensor.clone()
        for _ in range(self.n_layers):
            out = ((out.float() - 1) / 2 + 1).floor().long()
        return out

    def forward(self, src_tokens, src_lengths):
        bsz, in_seq_len, _ = src_tokens.size()  # B x T x (C x D)
        x = src_tokens.transpose(1, 2).contiguous()  # -> B x (C x D) x T
        for conv in self.conv_layers:
            x = conv(x)
            x = nn.functional.glu(x, dim=1)
        _, _, out_seq_len = x.size()
        x = x.transpose(1, 2).transpose(0, 1).contiguous()  # -> T x B x (C x D)
        return x, self.get_out_seq_lens_tensor(src_lengths)


class S2TTransformerEncoder(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.padding_idx = 1
        self.dropout_module = nn.Dropout(args.dropout)
        self.embed_scale = 1.0 if args.no_scale_embedding else math.sqrt(args.embed_dim)
        self.subsample = Conv1dSubsampler(args.input_feat_per_channel, args.conv_channels, args.embed_dim, [int(k) for k in args.conv_kernel_sizes.split(",")])
        self.embed_positions = PositionalEmbedding(args.max_source_positions, args.embed_dim, self.padding_idx)
        self.transformer_layers = nn.ModuleList([])
        self.transformer_layers.extend([self.build_encoder_layer(args) for _ in range(args.encoder_layers)])
        self.layer_norm = LayerNorm(args.embed_dim) if args.normalize_before else None

    def build_encoder_layer(self, args):
        return TransformerEncoderLayer(args)

    def forward_embedding(self, src_tokens, src_lengths):
        x, input_lengths = self.subsample(src_tokens, src_lengths)
        x = self.embed_scale * x
        encoder_padding_mask = utils.lengths_to_padding_mask(input_lengths, x.size(0))
        positions = self.embed_positions(encoder_padding_mask).transpose(0, 1)
        x += positions
        return self.dropout_module(x), encoder_padding_mask

    def forward(self, src_tokens, src_lengths, return_all_hiddens: bool = False):
        x, encoder_padding_mask = self.forward_embedding(src_tokens, src_lengths)
        encoder_states = []
        for layer in self.transformer_layers:
            x = layer(x, encoder_padding_mask)
            if return_all_hiddens:
                encoder_states.append(x)
        if self.layer_norm is not None:
            x = self.layer_norm(x)
        return EncoderOut(encoder_out=x, encoder_padding_mask=encoder_padding_mask, encoder_states=encoder_states)


class TransformerDecoder(nn.Module):
    def __init__(self, args, embed_tokens, no_encoder_attn=False):
        super().__init__()
        self.share_input_output_embed = args.share_decoder_input_output_embed
        self.padding_idx = embed_tokens.padding_idx
        self.embed_tokens = embed_tokens
        self.embed_scale = 1.0 if args.no_scale_embedding else math.sqrt(args.embed_dim)
        self.embed_positions = PositionalEmbedding(args.max_target_positions, args.embed_dim, self.padding_idx, learned=args.decoder_learned_pos)
        self.layernorm_embedding = LayerNorm(args.embed_dim) if args.layernorm_embedding else None
        self.layers = nn.ModuleList([])
        self.layers.extend([self.build_decoder_layer(args, no_encoder_attn) for _ in range(args.decoder_layers)])
        self.layer_norm = LayerNorm(args.embed_dim) if args.normalize_before else None
        self.build_output_projection(args)

    def build_output_projection(self, args):
        if self.share_input_output_embed:
            self.output_projection = nn.Linear(self.embed_tokens.weight.shape[1], self.embed_tokens.weight.shape[0], bias=False)
            self.output_projection.weight = self.embed_tokens.weight
        else:
            self.output_projection = nn.Linear(args.embed_dim, self.embed_tokens.weight.shape[0], bias=False)

    def build_decoder_layer(self, args, no_encoder_attn=False):
        return TransformerDecoderLayer(args, no_encoder_attn)

    def forward(self, prev_output_tokens, encoder_out: Optional[EncoderOut] = None, incremental_state=None, features_only: bool = False):
        x, extra = self.extract_features(prev_output_tokens, encoder_out=encoder_out, incremental_state=incremental_state)
        if not features_only:
            x = self.output_layer(x)
        return x, extra

    def extract_features(self, prev_output_tokens, encoder_out=None, incremental_state=None, full_context_alignment: bool = False):
        return self.extract_features_scriptable(prev_output_tokens, encoder_out, incremental_state, full_context_alignment)

    def extract_features_scriptable(self, prev_output_tokens, encoder_out, incremental_state=None, full_context_alignment=False, alignment_layer: Optional[int] = None):
        if alignment_layer is None:
            alignment_layer = len(self.layers) - 1
        positions = self.embed_positions(prev_output_tokens, incremental_state=incremental_state)
        if incremental_state is not None:
            prev_output_tokens = prev_output_tokens[:, -1:]
            positions = positions[:, -1:]
        # embed tokens and positions
        x = self.embed_scale * self.embed_tokens(prev_output_tokens)
        if positions is not None:
            x += positions
        if self.layernorm_embedding is not None:
            x = self.layernorm_embedding(x)
        x = x.transpose(0, 1)  # B x T x C -> T x B x C
        self_attn_padding_mask = prev_output_tokens.eq(self.padding_idx) if incremental_state is None else None

        attn: Optional[Tensor] = None
        inner_states: List[Optional[Tensor]] = [x]
        for idx, layer in enumerate(self.layers):
            if incremental_state is None and not full_context_alignment:
                self_attn_mask = self.buffered_future_mask(x)
            else:
                self_attn_mask = None
            x, layer_attn, _ = layer(
                x,
                encoder_out.encoder_out if encoder_out is not None else None,
                encoder_out.encoder_padding_mask if encoder_out is not None else None,
                incremental_state,
                self_attn_mask=self_attn_mask,
                self_attn_padding_mask=self_attn_padding_mask,
                need_attn=bool((idx == alignment_layer)),
            )
            inner_states.append(x)
            if layer_attn is not None and idx == alignment_layer:
                attn = layer_attn.float().to(x)
        if self.layer_norm is not None:
            x = self.layer_norm(x)
        x = x.transpose(0, 1)  # T x B x C -> B x T x C
        return x, {"attn": [attn], "inner_states": inner_states}

    def output_layer(self, features):
        return self.output_projection(features)

    def buffered_future_mask(self, tensor):
        dim = tensor.size(0)
        return torch.triu(utils.fill_with_neg_inf(torch.zeros([dim, dim])), 1)


class TransformerDecoderScriptable(TransformerDecoder):
    def extract_features(self, prev_output_tokens, encoder_out=None, incremental_state=None, full_context_alignment: bool = False):
        x, extra = super().extract_features(prev_output_tokens, encoder_out, incremental_state, full_context_alignment)
        return x, {"attn": extra["attn"]}
