import math

import torch
import torch.nn as nn
import torch.nn.functional as F

from .utils import Conv, get_attn_key_pad_mask, get_non_pad_mask, sinusoid_table


class MultiHeadAttention(nn.Module):
    def __init__(self, n_head, n_feat, dropout_rate):
        super().__init__()
        assert n_feat % n_head == 0
        self.d_k = n_feat // n_head
        self.h = n_head
        self.linear_q = nn.Linear(n_feat, n_feat)
        self.linear_k = nn.Linear(n_feat, n_feat)
        self.linear_v = nn.Linear(n_feat, n_feat)
        self.linear_out = nn.Linear(n_feat, n_feat)
        self.dropout = nn.Dropout(p=dropout_rate)

    def _heads(self, x):
        n_batch = x.size(0)
        return x.view(n_batch, -1, self.h, self.d_k).transpose(1, 2)

    def forward_qkv(self, query, key, value):
        return self._heads(self.linear_q(query)), self._heads(self.linear_k(key)), self._heads(self.linear_v(value))

    def forward_attention(self, value, scores, mask):
        n_batch = value.size(0)
        if mask is not None:
            mask = mask.unsqueeze(1)
            scores = scores.masked_fill(mask, torch.finfo(scores.dtype).min)
        self.attn = torch.softmax(scores, dim=-1)
        x = torch.matmul(self.dropout(self.attn), value)
        x = x.transpose(1, 2).contiguous().view(n_batch, -1, self.h * self.d_k)
        return self.linear_out(x)

    def forward(self, query, key, value, mask):
        q, k, v = self.forward_qkv(query, key, value)
        scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(self.d_k)
        return self.forward_attention(v, scores, mask)


class PositionwiseFeedForward(nn.Module):
    """Two convolutions in place of the two linear layers."""

    def __init__(self, d_in, d_hid, kernel_size, dropout=0.1):
        super().__init__()
        self.w_1 = Conv(d_in, d_hid, kernel_size=kernel_size[0], w_init="relu")
        self.w_2 = Conv(d_hid, d_in, kernel_size=kernel_size[1])
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.dropout(self.w_2(F.relu(self.w_1(x))))


class FFTBlock(nn.Module):
    """Feed-forward transformer block."""

    def __init__(self, d_model, n_head, d_inner, kernel_size, dropout=0.1, normalize_before=True):
        super().__init__()
        self.slf_attn = MultiHeadAttention(n_head, d_model, dropout)
        self.pos_ffn = PositionwiseFeedForward(d_model, d_inner, kernel_size, dropout)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.normalize_before = normalize_before

    def _residual(self, x, norm, sublayer, keep):
        residual = x
        if self.normalize_before:
            x = norm(x)
        x = residual + self.dropout(sublayer(x))
        if not self.normalize_before:
            x = norm(x)
        return x * keep

    def forward(self, x, keep, slf_attn_mask=None):
        x = self._residual(x, self.norm1, lambda y: self.slf_attn(y, y, y, slf_attn_mask), keep)
        return self._residual(x, self.norm2, self.pos_ffn, keep)


class _FFTStack(nn.Module):
    def __init__(self, n_position, n_layers, n_head, d_model, config):
        super().__init__()
        self.d_model = d_model
        self.register_buffer("position_enc", sinusoid_table(n_position, d_model).unsqueeze(0), persistent=False)
        self.alpha = nn.Parameter(torch.ones(1))
        self.layer_stack = nn.ModuleList([
            FFTBlock(d_model, n_head, config["conv_filter_size"], config["conv_kernel_size"], config["dropout"], config["normalize_before"])
            for _ in range(n_layers)
        ])

    def add_positions(self, x):
        return x + self.alpha * self.position_enc[:, : x.size(1)]

    def run_layers(self, x, pad_mask):
        keep = get_non_pad_mask(pad_mask, x.dtype)
        slf_attn_mask = get_attn_key_pad_mask(pad_mask, x.size(1))
        for fft_block in self.layer_stack:
            x = fft_block(x, keep, slf_attn_mask=slf_attn_mask)
        return x


class Encoder(_FFTStack):
    def __init__(self, config):
        c = config["transformer"]
        super().__init__(config["max_seq_len"], c["encoder_layer"], c["encoder_head"], c["encoder_hidden"], c)
        self.src_word_emb = nn.Embedding(config["n_symbols"], c["encoder_hidden"], padding_idx=0)

    def forward(self, src_seq, mask):
        x = self.src_word_emb(src_seq) * math.sqrt(self.d_model)
        return self.run_layers(self.add_positions(x), mask)


class Decoder(_FFTStack):
    def __init__(self, config):
        c = config["transformer"]
        super().__init__(config["max_seq_len"], c["decoder_layer"], c["decoder_head"], c["decoder_hidden"], c)

    def forward(self, enc_seq, mask):
        return self.run_layers(self.add_positions(enc_seq), mask), mask
