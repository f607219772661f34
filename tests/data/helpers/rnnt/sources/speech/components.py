import logging
from typing import List, Optional, Tuple

import torch
from torch import nn, Tensor
from torch.nn import Module

_LG = logging.getLogger(__name__)


class LayerNorm(nn.LayerNorm):
    """Layer norm with transpose"""

    def forward(self, input: Tensor) -> Tensor:
        x = input.transpose(-2, -1)
        x = nn.functional.layer_norm(x, self.normalized_shape, self.weight, self.bias, self.eps)
        x = x.transpose(-2, -1)
        return x


class ConvLayerBlock(Module):
    """Convolution unit of FeatureExtractor"""

    def __init__(self, in_channels: int, out_channels: int, kernel_size: int, stride: int, bias: bool,
                 layer_norm: Optional[Module]):
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = stride
        self.layer_norm = layer_norm
        self.conv = nn.Conv1d(in_channels=in_channels, out_channels=out_channels, kernel_size=kernel_size,
                              stride=stride, bias=bias)

    def forward(self, x: Tensor, length: Optional[Tensor]) -> Tuple[Tensor, Optional[Tensor]]:
        x = self.conv(x)
        if self.layer_norm is not None:
            x = self.layer_norm(x)
        x = nn.functional.gelu(x)

        if length is not None:
            length = torch.div(length - self.kernel_size, self.stride, rounding_mode="floor") + 1
            # When input length is 0, the resulting length can be negative. So fix it here.
            length = torch.max(torch.zeros_like(length), length)
        return x, length


class FeatureExtractor(Module):
    """Extract features from audio"""

    def __init__(self, conv_layers: nn.ModuleList):
        super().__init__()
        self.conv_layers = conv_layers

    def forward(self, x: Tensor, length: Optional[Tensor]) -> Tuple[Tensor, Optional[Tensor]]:
        if x.ndim != 2:
            raise ValueError(f"Expected the input Tensor to be 2D (batch, time). Found: {list(x.shape)}")
        x = x.unsqueeze(1)  # (batch, channel==1, frame)
        for layer in self.conv_layers:
            x, length = layer(x, length)
        x = x.transpose(1, 2)  # (batch, frame, feature)
        return x, length


class FeatureProjection(Module):
    """Layer that connects FeatureExtractor and Encoder"""

    def __init__(self, in_features: int, out_features: int, dropout: float = 0.1):
        super().__init__()
        self.layer_norm = nn.LayerNorm(in_features)
        self.projection = nn.Linear(in_features, out_features)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        x = self.layer_norm(x)
        x = self.projection(x)
        x = self.dropout(x)
        return x


class ConvolutionalPositionalEmbedding(Module):
    """Positional embedding which is placed at the beginning of the encoder."""

    def __init__(self, embed_dim: int, kernel_size: int, groups: int):
        super().__init__()
        self.embed_dim = embed_dim
        self.kernel_size = kernel_size
        self.conv = nn.Conv1d(in_channels=embed_dim, out_channels=embed_dim, kernel_size=kernel_size,
                              padding=kernel_size // 2, groups=groups)
        self.num_remove: int = 1 if kernel_size % 2 == 0 else 0

    def forward(self, x):
        x = x.transpose(-2, -1)
        x = self.conv(x)
        if self.num_remove > 0:
            x = x[..., :-self.num_remove]
        x = torch.nn.functional.gelu(x)
        x = x.transpose(-2, -1)
        return x


class Frontend(Module):
    def __init__(self, feature_projection: Module, pos_conv_embed: Module, stride: int):
        super().__init__()
        self.feature_projection = feature_projection
        self.pos_conv_embed = pos_conv_embed
        self.stride = stride

    def _preprocess(self, features: Tensor, lengths: Optional[Tensor] = None) -> Tensor:
        x = self.feature_projection(features)
        if lengths is not None:
            padding_mask = _lengths_to_padding_mask(lengths, x.size(1))
            x = x.masked_fill(padding_mask.unsqueeze(-1), 0.0)
        return x + self.pos_conv_embed(x)

    def _time_reduction(self, input: Tensor, lengths: Tensor) -> Tuple[Tensor, Tensor]:
        B, T, D = input.shape
        num_frames = T - (T % self.stride)
        input = input[:, :num_frames, :]
        lengths = lengths.div(self.stride, rounding_mode="trunc")
        output = input.reshape(B, num_frames // self.stride, D * self.stride)
        return output.contiguous(), lengths

    def forward(self, features: Tensor, lengths: Tensor) -> Tuple[Tensor, Tensor]:
        x = self._preprocess(features, lengths)
        return self._time_reduction(x, lengths)


def _lengths_to_padding_mask(lengths: Tensor, max_length: int) -> Tensor:
    batch_size = lengths.shape[0]
    padding_mask = torch.arange(max_length, device=lengths.device, dtype=lengths.dtype).expand(
        batch_size, max_length) >= lengths.unsqueeze(1)
    return padding_mask


################################################################################
def _get_feature_extractor(norm_mode: str, shapes: List[Tuple[int, int, int]], bias: bool) -> FeatureExtractor:
    if norm_mode not in ["group_norm", "layer_norm"]:
        raise ValueError("Invalid norm mode")
    blocks = []
    in_channels = 1
    for i, (out_channels, kernel_size, stride) in enumerate(shapes):
        normalization = None
        if norm_mode == "group_norm" and i == 0:
            normalization = nn.GroupNorm(num_groups=out_channels, num_channels=out_channels, affine=True)
        elif norm_mode == "layer_norm":
            normalization = LayerNorm(normalized_shape=out_channels, elementwise_affine=True)
        blocks.append(ConvLayerBlock(in_channels=in_channels, out_channels=out_channels, kernel_size=kernel_size,
                                     stride=stride, bias=bias, layer_norm=normalization))
        in_channels = out_channels
    return FeatureExtractor(nn.ModuleList(blocks))


def _get_frontend(in_features: int, embed_dim: int, dropout_input: float, pos_conv_kernel: int, pos_conv_groups: int,
                  stride: int) -> Frontend:
    feature_projection = FeatureProjection(in_features, embed_dim, dropout_input)
    pos_conv = ConvolutionalPositionalEmbedding(embed_dim, pos_conv_kernel, pos_conv_groups)
    return Frontend(feature_projection, pos_conv, stride)
