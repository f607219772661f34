import torch
from torch import nn
from torch.nn import functional as F

import flowvoice.commons as commons
from .commons import get_padding

LRELU_SLOPE = 0.1


class ChannelNorm(nn.Module):
    def __init__(self, channels, eps=1e-5):
        super().__init__()
        self.channels = channels
        self.eps = eps
        self.gamma = nn.Parameter(torch.ones(channels))
        self.beta = nn.Parameter(torch.zeros(channels))

    def forward(self, x):
        x = x.transpose(1, -1)
        x = F.layer_norm(x, (self.channels,), self.gamma, self.beta, self.eps)
        return x.transpose(1, -1)


class ConvReluNorm(nn.Module):
    def __init__(self, channels, kernel_size, n_layers, p_dropout):
        super().__init__()
        assert n_layers > 1, "one layer is no stack."
        self.n_layers = n_layers
        self.conv_layers = nn.ModuleList()
        self.norm_layers = nn.ModuleList()
        for _ in range(n_layers):
            self.conv_layers.append(nn.Conv1d(channels, channels, kernel_size, padding=kernel_size // 2))
            self.norm_layers.append(ChannelNorm(channels))
        self.relu_drop = nn.Sequential(nn.ReLU(), nn.Dropout(p_dropout))
        self.proj = nn.Conv1d(channels, channels, 1)

    def forward(self, x, x_mask):
        x_org = x
        for i in range(self.n_layers):
            x = self.conv_layers[i](x * x_mask)
            x = self.norm_layers[i](x)
            x = self.relu_drop(x)
        x = x_org + self.proj(x)
        return x * x_mask


class GatedStack(nn.Module):
    """Dilated convolutions with gates, residuals and skips (the WaveNet way)."""

    def __init__(self, hidden_channels, kernel_size, dilation_rate, n_layers, gin_channels=0, p_dropout=0):
        super(GatedStack, self).__init__()
        assert kernel_size % 2 == 1
        self.hidden_channels = hidden_channels
        self.n_layers = n_layers
        self.gin_channels = gin_channels
        self.in_layers = nn.ModuleList()
        self.res_skip_layers = nn.ModuleList()
        self.drop = nn.Dropout(p_dropout)
        if gin_channels != 0:
            self.cond_layer = nn.Conv1d(gin_channels, 2 * hidden_channels * n_layers, 1)
        for i in range(n_layers):
            dilation = dilation_rate ** i
            self.in_layers.append(nn.Conv1d(hidden_channels, 2 * hidden_channels, kernel_size, dilation=dilation,
                                            padding=get_padding(kernel_size, dilation)))
            res_skip_channels = 2 * hidden_channels if i < n_layers - 1 else hidden_channels
            self.res_skip_layers.append(nn.Conv1d(hidden_channels, res_skip_channels, 1))

    def condition(self, x, g, i):
        if g is None:
            return torch.zeros_like(x)
        offset = i * 2 * self.hidden_channels
        return g[:, offset:offset + 2 * self.hidden_channels, :]

    def forward(self, x, x_mask, g=None, **kwargs):
        output = torch.zeros_like(x)
        if g is not None:
            g = self.cond_layer(g)
        for i in range(self.n_layers):
            x_in = self.in_layers[i](x)
            acts = commons.fused_gate(x_in, self.condition(x_in, g, i), self.hidden_channels)
            acts = self.drop(acts)
            res_skip_acts = self.res_skip_layers[i](acts)
            if i < self.n_layers - 1:
                res, skip = res_skip_acts.split(self.hidden_channels, 1)
                x = (x + res) * x_mask
                output = output + skip
            else:
                output = output + res_skip_acts
        return output * x_mask

    def remove_weight_norm(self):
        for layer in self.in_layers:
            torch.nn.utils.remove_weight_norm(layer)


class ResBlock(nn.Module):
    def __init__(self, channels, kernel_size=3, dilation=(1, 3)):
        super().__init__()
        make = lambda d: nn.Conv1d(channels, channels, kernel_size, padding=get_padding(kernel_size, d), dilation=d)
        self.convs1 = nn.ModuleList([make(d) for d in dilation])
        self.convs2 = nn.ModuleList([make(1) for _ in dilation])
        self.convs1.apply(commons.init_weights)

    def branch(self, x, c1, c2, x_mask):
        xt = F.leaky_relu(x, LRELU_SLOPE)
        if x_mask is not None:
            xt = xt * x_mask
        xt = F.leaky_relu(c1(xt), LRELU_SLOPE)
        return c2(xt)

    def forward(self, x, x_mask=None):
        for c1, c2 in zip(self.convs1, self.convs2):
            x = self.branch(x, c1, c2, x_mask) + x
        if x_mask is not None:
            x = x * x_mask
        return x


class Log(nn.Module):
    def forward(self, x, x_mask, reverse=False, **kwargs):
        if not reverse:
            y = torch.log(x.clamp(min=1e-5)) * x_mask
            return y, (-y).sum([1, 2])
        return torch.exp(x) * x_mask


class Flip(nn.Module):
    def forward(self, x, *args, reverse=False, **kwargs):
        x = torch.flip(x, [1])
        if not reverse:
            logdet = torch.zeros(x.size(0)).to(dtype=x.dtype, device=x.device)
            return x, logdet
        else:
            return x


class ElementwiseAffine(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.m = nn.Parameter(torch.zeros(channels, 1))
        self.logs = nn.Parameter(torch.zeros(channels, 1))

    def forward(self, x, x_mask, reverse=False, **kwargs):
        if not reverse:
            y = (self.m + torch.exp(self.logs) * x) * x_mask
            return y, (self.logs * x_mask).sum([1, 2])
        return (x - self.m) * torch.exp(-self.logs) * x_mask


class ResidualCouplingLayer(nn.Module):
    def __init__(self, channels, hidden_channels, n_layers, gin_channels=0, mean_only=False):
        assert channels % 2 == 0, "channels should be divisible by 2"
        super().__init__()
        self.half_channels = channels // 2
        self.mean_only = mean_only
        self.pre = nn.Conv1d(self.half_channels, hidden_channels, 1)
        self.enc = GatedStack(hidden_channels, 3, 1, n_layers, gin_channels=gin_channels)
        self.post = nn.Conv1d(hidden_channels, self.half_channels * (2 - mean_only), 1)

    def _statistics(self, x0, x_mask, g):
        h = self.pre(x0) * x_mask
        h = self.enc(h, x_mask, g=g)
        stats = self.post(h) * x_mask
        if not self.mean_only:
            m, logs = torch.split(stats, [self.half_channels] * 2, 1)
        else:
            m = stats
            logs = torch.zeros_like(m)
        return m, logs

    def forward(self, x, x_mask, g=None, reverse=False):
        x0, x1 = torch.split(x, [self.half_channels] * 2, 1)
        m, logs = self._statistics(x0, x_mask, g)
        if not reverse:
            x1 = m + x1 * torch.exp(logs) * x_mask
            x = torch.cat([x0, x1], 1)
            logdet = torch.sum(logs, [1, 2])
            return x, logdet
        else:
            x1 = (x1 - m) * torch.exp(-logs) * x_mask
            x = torch.cat([x0, x1], 1)
            return x
