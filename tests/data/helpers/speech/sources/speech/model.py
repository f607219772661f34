from typing import Optional, Tuple

import torch
from torch import nn

from speech import layers as L
from speech.layers import make_pad_mask, get_activation

ENCODERS = {"abs_pos": L.PositionalEncoding, "rel_pos": L.RelPositionalEncoding}
ATTENTIONS = {"selfattn": L.MultiHeadedAttention, "rel_selfattn": L.RelPositionMultiHeadedAttention}


class ConformerEncoderLayer(nn.Module):
    def __init__(self, size, self_attn, feed_forward=None, feed_forward_macaron=None, conv_module=None, dropout_rate=0.1, normalize_before=True):
        super().__init__()
        self.self_attn = self_attn
        self.feed_forward = feed_forward
        self.feed_forward_macaron = feed_forward_macaron
        self.conv_module = conv_module
        self.norm_ff = nn.LayerNorm(size, eps=1e-5)
        self.norm_mha = nn.LayerNorm(size, eps=1e-5)
        if feed_forward_macaron is not None:
            self.norm_ff_macaron = nn.LayerNorm(size, eps=1e-5)
            self.ff_scale = 0.5
        else:
            self.ff_scale = 1.0
        if self.conv_module is not None:
            self.norm_conv = nn.LayerNorm(size, eps=1e-5)
            self.norm_final = nn.LayerNorm(size, eps=1e-5)
        self.dropout = nn.Dropout(dropout_rate)
        self.size = size
        self.normalize_before = normalize_before

    def _half_step(self, x, norm, module):
        residual = x
        if self.normalize_before:
            x = norm(x)
        x = residual + self.ff_scale * self.dropout(module(x))
        if not self.normalize_before:
            x = norm(x)
        return x

    def forward(self, x, mask, pos_emb, mask_pad=None, att_cache=None, cnn_cache=None):
        if self.feed_forward_macaron is not None:
            x = self._half_step(x, self.norm_ff_macaron, self.feed_forward_macaron)

        residual = x
        if self.normalize_before:
            x = self.norm_mha(x)
        x_att, new_att_cache = self.self_attn(x, x, x, mask, pos_emb, att_cache)
        x = residual + self.dropout(x_att)
        if not self.normalize_before:
            x = self.norm_mha(x)

        if self.conv_module is not None:
            residual = x
            if self.normalize_before:
                x = self.norm_conv(x)
            x = self.conv_module(x, mask_pad)
            x = residual + self.dropout(x)
            if not self.normalize_before:
                x = self.norm_conv(x)

        x = self._half_step(x, self.norm_ff, self.feed_forward)
        if self.conv_module is not None:
            x = self.norm_final(x)
        return x, mask, new_att_cache


class BaseEncoder(nn.Module):
    def __init__(self, input_size, output_size=8, dropout_rate=0.1, pos_enc_layer_type="abs_pos", normalize_before=True):
        super().__init__()
        self._output_size = output_size
        self.embed = L.Conv2dSubsampling4(input_size, output_size, dropout_rate, ENCODERS[pos_enc_layer_type](output_size, dropout_rate))
        self.normalize_before = normalize_before
        self.after_norm = nn.LayerNorm(output_size, eps=1e-5)

    def output_size(self) -> int:
        return self._output_size

    def forward_layers(self, xs, chunk_masks, pos_emb, mask_pad):
        for layer in self.encoders:
            xs, chunk_masks, _ = layer(xs, chunk_masks, pos_emb, mask_pad)
        return xs

    def forward(self, xs, xs_lens):
        T = xs.size(1)
        masks = ~make_pad_mask(xs_lens, T).unsqueeze(1)  # (B, 1, T)
        xs, pos_emb, masks = self.embed(xs, masks)
        mask_pad = masks
        xs = self.forward_layers(xs, masks, pos_emb, mask_pad)
        if self.normalize_before:
            xs = self.after_norm(xs)
        return xs, masks


class ConformerEncoder(BaseEncoder):
    def __init__(self, input_size, output_size=8, attention_heads=2, linear_units=12, num_blocks=2, pos_enc_layer_type="rel_pos",
                 selfattention_layer_type="rel_selfattn", activation_type="swish", macaron_style=True, cnn_module_norm="layer_norm", causal=True):
        super().__init__(input_size, output_size, pos_enc_layer_type=pos_enc_layer_type)
        activation = get_activation(activation_type)
        attn_args = (attention_heads, output_size, 0.1)
        ff_args = (output_size, linear_units, 0.1, activation)
        conv_args = (output_size, 3, activation, cnn_module_norm, causal)
        self.encoders = nn.ModuleList([
            ConformerEncoderLayer(
                output_size,
                ATTENTIONS[selfattention_layer_type](*attn_args),
                L.PositionwiseFeedForward(*ff_args),
                L.PositionwiseFeedForward(*ff_args) if macaron_style else None,
                L.ConvolutionModule(*conv_args),
            ) for _ in range(num_blocks)
        ])


class CTC(nn.Module):
    def __init__(self, odim, encoder_output_size):
        super().__init__()
        self.ctc_lo = nn.Linear(encoder_output_size, odim)

    def log_softmax(self, hs_pad):
        return nn.functional.log_softmax(self.ctc_lo(hs_pad), dim=2)

    def forward(self, hs):
        raise NotImplementedError


class StatisticsPooling(nn.Module):
    def __init__(self, eps=1e-5):
        super().__init__()
        self.eps = eps

    def get_stats(self, x, m):
        mean = (x * m).sum(1)
        std = torch.sqrt((m * (x - mean.unsqueeze(1)).pow(2)).sum(1).clamp(min=self.eps))
        return mean, std

    def forward(self, x, m):
        total = m.sum(1, keepdim=True)
        return torch.cat(self.get_stats(x, m / total), dim=-1)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = ConformerEncoder(15)
        self.ctc = CTC(10, self.encoder.output_size())
        self.pool = StatisticsPooling()

    def forward(self, speech, speech_lengths):
        encoder_out, encoder_mask = self.encoder(speech, speech_lengths)
        logp = self.ctc.log_softmax(encoder_out)
        weights = encoder_mask.transpose(1, 2).to(encoder_out.dtype)
        return logp, self.pool(encoder_out, weights)


def example():
    return [(1, 23, 15), (1,)]
