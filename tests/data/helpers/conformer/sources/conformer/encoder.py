from typing import Optional, Tuple

import torch
import torch.nn.functional as F
from torch import nn

from conformer.attention import MultiHeadedAttention, RelPositionMultiHeadedAttention
from conformer.mask import add_optional_chunk_mask, make_pad_mask
from conformer.subsampling import Conv2dSubsampling4, LinearNoSubsampling, RelPositionalEncoding


class Swish(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * torch.sigmoid(x)


WENET_ACTIVATION_CLASSES = {"relu": nn.ReLU, "swish": getattr(nn, "SiLU", Swish), "gelu": nn.GELU}
WENET_ATTENTION_CLASSES = {"selfattn": MultiHeadedAttention, "rel_selfattn": RelPositionMultiHeadedAttention}
WENET_SUBSAMPLE_CLASSES = {"linear": LinearNoSubsampling, "conv2d": Conv2dSubsampling4}
WENET_EMB_CLASSES = {"rel_pos": RelPositionalEncoding}


class PositionwiseFeedForward(nn.Module):
    def __init__(self, idim: int, hidden_units: int, dropout_rate: float, activation: nn.Module = nn.ReLU()):
        super().__init__()
        self.w_1 = nn.Linear(idim, hidden_units)
        self.activation = activation
        self.dropout = nn.Dropout(dropout_rate)
        self.w_2 = nn.Linear(hidden_units, idim)

    def forward(self, xs: torch.Tensor) -> torch.Tensor:
        return self.w_2(self.dropout(self.activation(self.w_1(xs))))


class ConvolutionModule(nn.Module):
    def __init__(self, channels: int, kernel_size: int = 15, activation: nn.Module = nn.ReLU(), norm: str = "batch_norm", causal: bool = False):
        super().__init__()
        self.pointwise_conv1 = nn.Conv1d(channels, 2 * channels, kernel_size=1)
        if causal:
            padding, self.lorder = 0, kernel_size - 1
        else:
            assert (kernel_size - 1) % 2 == 0
            padding, self.lorder = (kernel_size - 1) // 2, 0
        self.depthwise_conv = nn.Conv1d(channels, channels, kernel_size, stride=1, padding=padding, groups=channels)
        assert norm in ["batch_norm", "layer_norm"]
        self.use_layer_norm = norm == "layer_norm"
        self.norm = nn.LayerNorm(channels) if self.use_layer_norm else nn.BatchNorm1d(channels)
        self.pointwise_conv2 = nn.Conv1d(channels, channels, kernel_size=1)
        self.activation = activation

    def _prepend_context(self, x: torch.Tensor, cache: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
        if self.lorder == 0:
            return x, torch.zeros((0, 0, 0), dtype=x.dtype, device=x.device)
        if cache.size(2) == 0:  # cache_t == 0
            x = F.pad(x, (self.lorder, 0), "constant", 0.0)
        else:
            x = torch.cat((cache, x), dim=2)
        return x, x[:, :, -self.lorder :]

    def _norm_act(self, x: torch.Tensor) -> torch.Tensor:
        if self.use_layer_norm:
            x = x.transpose(1, 2)
        x = self.activation(self.norm(x))
        if self.use_layer_norm:
            x = x.transpose(1, 2)
        return x

    def forward(self, x, mask_pad=torch.ones((0, 0, 0), dtype=torch.bool), cache=torch.zeros((0, 0, 0))):
        x = x.transpose(1, 2)  # (#batch, channels, time)
        if mask_pad.size(2) > 0:
            x.masked_fill_(~mask_pad, 0.0)
        x, new_cache = self._prepend_context(x, cache)
        x = self.pointwise_conv1(x)
        x = nn.functional.glu(x, dim=1)
        x = self.depthwise_conv(x)
        x = self.pointwise_conv2(self._norm_act(x))
        if mask_pad.size(2) > 0:
            x.masked_fill_(~mask_pad, 0.0)
        return x.transpose(1, 2), new_cache


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
        self.normalize_before = normalize_before

    def _feed_forward(self, x: torch.Tensor, module: nn.Module, norm: nn.Module) -> torch.Tensor:
        residual = x
        if self.normalize_before:
            x = norm(x)
        x = residual + self.ff_scale * self.dropout(module(x))
        if not self.normalize_before:
            x = norm(x)
        return x

    def forward(self, x, mask, pos_emb, mask_pad=torch.ones((0, 0, 0), dtype=torch.bool), att_cache=torch.zeros((0, 0, 0, 0)), cnn_cache=torch.zeros((0, 0, 0))):
        if self.feed_forward_macaron is not None:
            x = self._feed_forward(x, self.feed_forward_macaron, self.norm_ff_macaron)

        residual = x
        if self.normalize_before:
            x = self.norm_mha(x)
        x_att, new_att_cache = self.self_attn(x, x, x, mask, pos_emb, att_cache)
        x = residual + self.dropout(x_att)
        if not self.normalize_before:
            x = self.norm_mha(x)

        new_cnn_cache = torch.zeros((0, 0, 0), dtype=x.dtype, device=x.device)
        if self.conv_module is not None:
            residual = x
            x, new_cnn_cache = self.conv_module(self.norm_conv(x) if self.normalize_before else x, mask_pad, cnn_cache)
            x = residual + self.dropout(x)

        x = self._feed_forward(x, self.feed_forward, self.norm_ff)
        if self.conv_module is not None:
            x = self.norm_final(x)
        return x, mask, new_att_cache, new_cnn_cache


class ConformerEncoder(nn.Module):
    def __init__(
        self, input_size, output_size=256, attention_heads=4, linear_units=2048, num_blocks=6, dropout_rate=0.1, input_layer="conv2d",
        pos_enc_layer_type="rel_pos", selfattention_layer_type="rel_selfattn", activation_type="swish", macaron_style=True, use_cnn_module=True,
        cnn_module_kernel=15, cnn_module_norm="batch_norm", causal=False, static_chunk_size=0, normalize_before=True, final_norm=True,
    ):  # fmt: skip
        super().__init__()
        self._output_size = output_size
        self.static_chunk_size = static_chunk_size
        activation = WENET_ACTIVATION_CLASSES[activation_type]()
        pos_enc = WENET_EMB_CLASSES[pos_enc_layer_type](output_size, dropout_rate)
        self.embed = WENET_SUBSAMPLE_CLASSES[input_layer](input_size, output_size, dropout_rate, pos_enc)
        self.final_norm = final_norm and normalize_before
        self.after_norm = nn.LayerNorm(output_size, eps=1e-5)

        encoder_selfattn_layer_args = (attention_heads, output_size, dropout_rate)
        positionwise_layer_args = (output_size, linear_units, dropout_rate, activation)
        convolution_layer_args = (output_size, cnn_module_kernel, activation, cnn_module_norm, causal)
        self.encoders = nn.ModuleList(
            [
                ConformerEncoderLayer(
                    output_size,
                    WENET_ATTENTION_CLASSES[selfattention_layer_type](*encoder_selfattn_layer_args),
                    PositionwiseFeedForward(*positionwise_layer_args),
                    PositionwiseFeedForward(*positionwise_layer_args) if macaron_style else None,
                    ConvolutionModule(*convolution_layer_args) if use_cnn_module else None,
                    dropout_rate,
                    normalize_before,
                )
                for _ in range(num_blocks)
            ]
        )

    def output_size(self) -> int:
        return self._output_size

    def forward_layers(self, xs: torch.Tensor, chunk_masks: torch.Tensor, pos_emb: torch.Tensor, mask_pad: torch.Tensor) -> torch.Tensor:
        for layer in self.encoders:
            xs, chunk_masks, _, _ = layer(xs, chunk_masks, pos_emb, mask_pad)
        return xs

    def forward(self, xs: torch.Tensor, xs_lens: torch.Tensor, decoding_chunk_size: Optional[int] = None, num_decoding_left_chunks: int = -1):
        T = xs.size(1)
        masks = ~make_pad_mask(xs_lens, T).unsqueeze(1)  # (B, 1, T)
        xs, pos_emb, masks = self.embed(xs, masks)
        mask_pad = masks  # (B, 1, T/subsample_rate)
        chunk_masks = add_optional_chunk_mask(xs, masks, self.static_chunk_size, num_decoding_left_chunks, decoding_chunk_size)
        xs = self.forward_layers(xs, chunk_masks, pos_emb, mask_pad)
        if self.final_norm:
            xs = self.after_norm(xs)
        return xs, masks
