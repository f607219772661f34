from __future__ import annotations

from itertools import combinations

import torch
import torch.nn as nn

from .blocks import AttentionGate, Bottom, ConvDropoutNormNonlin, ResidualUnit, SkipConnection, softmax_helper_dim1
from .factories import Act, Conv, Dropout, Norm, split_args


class SegmentationNetwork(nn.Module):
    """What all architectures share at inference."""

    inference_apply_nonlin = staticmethod(softmax_helper_dim1)

    @staticmethod
    def zscore(x: torch.Tensor, eps: float = 1e-8) -> torch.Tensor:
        dims = list(range(2, x.dim()))
        mean, std = x.mean(dim=dims, keepdim=True), x.std(dim=dims, keepdim=True)
        return (x - mean) / torch.clamp(std, min=eps)

    def _segment(self, x):
        return self.inference_apply_nonlin(self(x)[0])

    def predict_with_mirroring(self, x, logits, mirror_axes):
        """Mean over all flips; the logits of the unflipped volume are there already."""
        axes_combinations = [c for n in range(len(mirror_axes)) for c in combinations([m + 2 for m in mirror_axes], n + 1)]
        result = self.inference_apply_nonlin(logits)
        for axes in axes_combinations:
            result += torch.flip(self._segment(torch.flip(x, axes)), axes)
        return result / (len(axes_combinations) + 1)


class DeeplySupervisedUNet(SegmentationNetwork):
    def __init__(self, spatial_dims, in_channels, num_classes, channels, strides, num_convs=2, act="relu", norm="instance",
                 dropout=None, skip_mode="cat", use_gates=False, use_se=False, deep_supervision=True):
        super().__init__()
        self.spatial_dims = spatial_dims
        self.num_classes = num_classes
        self.num_convs = num_convs
        self.skip_mode = skip_mode
        self.use_gates = use_gates
        self.use_se = use_se
        self.do_ds = deep_supervision
        self.props = self._resolve(act, norm, dropout)
        self.model = self._create_block(in_channels, channels, strides, is_top=True)

    def _resolve(self, act, norm, dropout) -> dict:
        """The names of the plan as op classes and their keyword arguments."""
        (act, act_kwargs), (norm, norm_kwargs) = split_args(act), split_args(norm)
        props = {
            "conv_op": Conv["conv", self.spatial_dims],
            "conv_kwargs": {"kernel_size": 3, "stride": 1, "padding": 1, "bias": True},
            "norm_op": Norm[norm, self.spatial_dims],
            "norm_op_kwargs": norm_kwargs,
            "nonlin": Act[act],
            "nonlin_kwargs": act_kwargs,
        }
        if dropout:
            props.update(dropout_op=Dropout["dropout", self.spatial_dims], dropout_op_kwargs={"p": dropout})
        return props

    def _create_block(self, inc, channels, strides, is_top=False):
        c, *deeper = channels
        s, *deeper_strides = strides
        down = ResidualUnit(inc, c, self.num_convs, s, self.props, self.spatial_dims, use_se=self.use_se and not is_top)
        if not deeper:
            return down
        up = Conv["convtrans", self.spatial_dims](deeper[0], c, kernel_size=deeper_strides[0], stride=deeper_strides[0])
        subblock = Bottom(self._create_block(c, deeper, deeper_strides), up)
        gate = AttentionGate(c, c, max(1, c // 2), self.props) if self.use_gates and not is_top else None
        return UNetLevel(down, SkipConnection(subblock, self.skip_mode, gate), self._create_decoder(c), self._create_head(c, is_top))

    def _create_decoder(self, c):
        return ConvDropoutNormNonlin(c * 2 if self.skip_mode == "cat" else c, c, **self.props)

    def _create_head(self, c, is_top):
        if not (is_top or self.do_ds):
            return None
        return self.props["conv_op"](c, self.num_classes, kernel_size=1, bias=False)

    def forward(self, x):
        _, seg_outputs = self.model(x)
        return seg_outputs[::-1]


class UNetLevel(nn.Module):
    def __init__(self, down, skip, decoder, seg_head):
        super().__init__()
        self.down, self.skip, self.decoder, self.seg_head = down, skip, decoder, seg_head

    def supervise(self, x, seg_outputs):
        if self.seg_head is not None:
            seg_outputs.append(self.seg_head(x))
        return seg_outputs

    def forward(self, x):
        x, seg_outputs = self.skip(self.down(x))
        x = self.decoder(x)
        return x, self.supervise(x, seg_outputs)
