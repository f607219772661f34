from collections import OrderedDict

import torch
import torch.nn as nn
import torch.nn.functional as F

from . import ops


class ConvBNAct(nn.Sequential):
    def __init__(self, c_in, c_out, k=(1, 1), stride=(1, 1), padding=(0, 0), groups=1, act="relu"):
        parts = OrderedDict()
        parts["conv"] = nn.Conv2d(c_in, c_out, k, stride=stride, padding=padding, groups=groups, bias=False)
        parts["bn"] = nn.BatchNorm2d(c_out)
        if act is not None:
            parts["act"] = {"relu": nn.ReLU, "hswish": nn.Hardswish, "silu": nn.SiLU}[act]()
        super().__init__(parts)


class SubSpectralNorm(nn.Module):
    def __init__(self, channels: int, bands: int = 4):
        super().__init__()
        n = channels * bands
        self.bands = bands
        self.weight = nn.Parameter(torch.ones(n))
        self.bias = nn.Parameter(torch.zeros(n))
        self.register_buffer("running_mean", torch.zeros(n))
        self.register_buffer("running_var", torch.ones(n))

    @property
    def stats(self):
        return self.weight, self.bias, self.running_mean, self.running_var

    def forward(self, x):
        return ops.subspectral_norm(x, self.bands, *self.stats)


class StreamConv1d(nn.Conv1d):
    """Depthwise causal conv that is fed its left context instead of padding for it."""

    def __init__(self, channels: int, k: int, dilation: int = 1):
        super().__init__(channels, channels, k, dilation=dilation, groups=channels)

    @property
    def context(self) -> int:
        return (self.kernel_size[0] - 1) * self.dilation[0]

    def step(self, x, ctx):
        full, ctx = ops.push_context(ctx, x)
        return self._conv_forward(full, self.weight, self.bias), ctx


class BCBlock(nn.Module):
    def __init__(self, channels: int, k: int = 3, dilation: int = 1, groups: int = 2):
        super().__init__()
        self.groups = groups
        self.freq = ConvBNAct(channels, channels, (3, 1), padding=(1, 0), groups=channels, act=None)
        self.ssn = SubSpectralNorm(channels)
        self.time = StreamConv1d(channels, k, dilation)
        self.point = ConvBNAct(channels, channels, groups=groups, act="hswish")

    def _spectral(self, x):
        return self.ssn(self.freq(ops.channel_shuffle(x, self.groups)))

    def _temporal(self, y, ctx):
        pooled = y.mean(dim=2)
        out, ctx = self.time.step(pooled, ctx)
        return self.point(out.unsqueeze(2)), ctx

    def forward(self, x, ctx):
        y2d = self._spectral(x)
        y1d, ctx = self._temporal(y2d, ctx)
        return ops.broadcast_residual(x, y2d, y1d), ctx


class GRUCell(nn.Module):
    def __init__(self, n_in: int, n_hidden: int):
        super().__init__()
        self.weight_ih = nn.Parameter(torch.randn(3 * n_hidden, n_in))
        self.weight_hh = nn.Parameter(torch.randn(3 * n_hidden, n_hidden))
        self.bias_ih = nn.Parameter(torch.zeros(3 * n_hidden))
        self.bias_hh = nn.Parameter(torch.zeros(3 * n_hidden))

    def forward(self, x, h):
        return ops.gru_step(x, h, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)
