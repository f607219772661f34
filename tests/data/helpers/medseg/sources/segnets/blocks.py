from __future__ import annotations

from copy import deepcopy
from typing import Sequence

import torch
import torch.nn as nn
import torch.nn.functional as F


def softmax_helper_dim1(x: torch.Tensor) -> torch.Tensor:
    return torch.softmax(x, 1)


def match_spatial(x: torch.Tensor, reference: torch.Tensor) -> torch.Tensor:
    """Crops or pads the end of every spatial axis to the extent of the reference."""
    wanted = reference.shape[2:]
    for axis, size in enumerate(wanted, start=2):
        if x.shape[axis] > size:
            x = x.narrow(axis, 0, size)
    missing = [max(0, size - have) for size, have in zip(wanted, x.shape[2:])]
    if any(missing):
        x = F.pad(x, [n for m in reversed(missing) for n in (0, m)])
    return x


class ConvDropoutNormNonlin(nn.Module):
    """Convolution, dropout, norm, nonlinearity; every operator is a class with its keyword arguments."""

    def __init__(self, input_channels, output_channels, conv_op=nn.Conv2d, conv_kwargs=None, norm_op=nn.BatchNorm2d,
                 norm_op_kwargs=None, dropout_op=None, dropout_op_kwargs=None, nonlin=nn.LeakyReLU, nonlin_kwargs=None):
        super().__init__()
        conv_kwargs = conv_kwargs or {"kernel_size": 3, "stride": 1, "padding": 1, "bias": True}
        self.conv = conv_op(input_channels, output_channels, **conv_kwargs)
        self.dropout = dropout_op(**(dropout_op_kwargs or {})) if dropout_op is not None else None
        self.norm = norm_op(output_channels, **(norm_op_kwargs or {})) if norm_op is not None else None
        self.nonlin = nonlin(**(nonlin_kwargs or {})) if nonlin is not None else None

    def _post(self, x):
        for op in (self.dropout, self.norm, self.nonlin):
            if op is not None:
                x = op(x)
        return x

    def forward(self, x):
        return self._post(self.conv(x))


class ChannelRecalibration(nn.Module):
    """Squeeze and excitation."""

    def __init__(self, spatial_dims: int, channels: int, ratio: int = 4):
        super().__init__()
        self.axes = tuple(range(2, 2 + spatial_dims))
        self.fc = nn.Sequential(nn.Linear(channels, channels // ratio), nn.ReLU(inplace=True), nn.Linear(channels // ratio, channels))

    def _weights(self, x):
        squeezed = x.mean(dim=self.axes)
        excited = torch.sigmoid(self.fc(squeezed))
        return excited.view(*excited.shape, *[1] * len(self.axes))

    def forward(self, x):
        return x * self._weights(x)


class ResidualUnit(nn.Module):
    """A chain of conv blocks with a shortcut; the last nonlinearity comes after the sum."""

    def __init__(self, input_channels, output_channels, num_convs, stride, props, spatial_dims, use_se=False):
        super().__init__()
        first, rest, final = deepcopy(props), deepcopy(props), deepcopy(props)
        first["conv_kwargs"]["stride"] = stride
        (first if num_convs == 1 else final)["nonlin"] = None
        blocks = []
        for i in range(num_convs):
            kwargs = first if i == 0 else final if i == num_convs - 1 else rest
            blocks.append(ConvDropoutNormNonlin(input_channels if i == 0 else output_channels, output_channels, **kwargs))
        self.blocks = nn.Sequential(*blocks)
        self.recalibrate = ChannelRecalibration(spatial_dims, output_channels) if use_se else None
        self.nonlin = props["nonlin"](**props["nonlin_kwargs"])
        self.projection = None
        if stride != 1 or input_channels != output_channels:
            op = props["conv_op"](input_channels, output_channels, kernel_size=1, stride=stride, bias=False)
            self.projection = nn.Sequential(op, props["norm_op"](output_channels, **props["norm_op_kwargs"]))

    def residual(self, x):
        return x if self.projection is None else self.projection(x)

    def body(self, x):
        x = self.blocks(x)
        if self.recalibrate is not None:
            x = self.recalibrate(x)
        return x

    def forward(self, x):
        out = self.body(x)
        out += self.residual(x)
        return self.nonlin(out)


class AttentionGate(nn.Module):
    """Weights the skip features by what the decoder already knows."""

    def __init__(self, gate_channels: int, skip_channels: int, inter_channels: int, props: dict):
        super().__init__()
        conv_op, norm_op = props["conv_op"], props["norm_op"]

        def pointwise(n_in, n_out):
            return nn.Sequential(conv_op(n_in, n_out, kernel_size=1), norm_op(n_out, **props["norm_op_kwargs"]))

        self.w_g = pointwise(gate_channels, inter_channels)
        self.w_x = pointwise(skip_channels, inter_channels)
        self.psi = conv_op(inter_channels, 1, kernel_size=1)

    def coefficients(self, gate, skip):
        return torch.sigmoid(self.psi(F.relu(self.w_g(gate) + self.w_x(skip))))

    def forward(self, gate, skip):
        return skip * self.coefficients(gate, skip)


class SkipConnection(nn.Module):
    """Runs the submodule and puts its result next to (or on) the input.

    The submodule returns features at the input's resolution and the list of the segmentations below.
    """

    def __init__(self, submodule: nn.Module, mode: str = "cat", gate: nn.Module | None = None):
        super().__init__()
        if mode not in ("cat", "add", "mul"):
            raise NotImplementedError(f"Unsupported mode {mode}.")
        self.submodule = submodule
        self.mode = mode
        self.gate = gate

    def merge(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        y = match_spatial(y, x)
        if self.gate is not None:
            x = self.gate(y, x)
        if self.mode == "cat":
            return torch.cat([x, y], dim=1)
        return torch.add(x, y) if self.mode == "add" else torch.mul(x, y)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, list[torch.Tensor]]:
        y, seg_outputs = self.submodule(x)
        return self.merge(x, y), seg_outputs


class Bottom(nn.Module):
    """Deepest level (or a wrapped level) with the transposed convolution that leads out of it."""

    def __init__(self, level: nn.Module, up: nn.Module):
        super().__init__()
        self.level, self.up = level, up

    def _unpack(self, result):
        return result if isinstance(result, Sequence) else (result, [])

    def forward(self, x):
        x, seg_outputs = self._unpack(self.level(x))
        return self.up(x), seg_outputs
