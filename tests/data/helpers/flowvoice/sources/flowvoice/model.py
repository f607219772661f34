import itertools
import math

import torch
from torch import nn
from torch.nn import functional as F

from . import commons, modules


class TextEncoder(nn.Module):
    def __init__(self, n_vocab, out_channels, hidden_channels):
        super().__init__()
        self.hidden_channels = hidden_channels
        self.out_channels = out_channels
        self.emb = nn.Embedding(n_vocab, hidden_channels)
        self.encoder = modules.ConvReluNorm(hidden_channels, 3, 2, 0.1)
        self.proj = nn.Conv1d(hidden_channels, out_channels * 2, 1)

    def forward(self, x, x_lengths):
        x = self.emb(x) * math.sqrt(self.hidden_channels)
        x = torch.transpose(x, 1, -1)
        x_mask = torch.unsqueeze(commons.sequence_mask(x_lengths, x.size(2)), 1).to(x.dtype)
        x = x + commons.timing_signal(x.size(2), x.size(1))
        x = self.encoder(x * x_mask, x_mask)
        stats = self.proj(x) * x_mask
        m, logs = torch.split(stats, self.out_channels, dim=1)
        return x, m, logs, x_mask


class DurationPredictor(nn.Module):
    def __init__(self, in_channels, filter_channels, kernel_size):
        super().__init__()
        self.conv_1 = nn.Conv1d(in_channels, filter_channels, kernel_size, padding=kernel_size // 2)
        self.norm_1 = modules.ChannelNorm(filter_channels)
        self.conv_2 = nn.Conv1d(filter_channels, filter_channels, kernel_size, padding=kernel_size // 2)
        self.norm_2 = modules.ChannelNorm(filter_channels)
        self.proj = nn.Conv1d(filter_channels, 1, 1)

    def _step(self, x, x_mask, k):
        conv, norm = getattr(self, f"conv_{k}"), getattr(self, f"norm_{k}")
        return norm(torch.relu(conv(x * x_mask)))

    def forward(self, x, x_mask, g=None):
        x = x.detach()
        for k in (1, 2):
            x = self._step(x, x_mask, k)
        return self.proj(x * x_mask) * x_mask


class CouplingBlock(nn.Module):
    def __init__(self, channels, hidden_channels, n_layers, n_flows=2, gin_channels=0):
        super().__init__()
        self.n_flows = n_flows
        self.flows = nn.ModuleList()
        for i in range(n_flows):
            self.flows.append(modules.ResidualCouplingLayer(channels, hidden_channels, n_layers, gin_channels=gin_channels, mean_only=True))
            self.flows.append(modules.Flip())

    def forward(self, x, x_mask, g=None, reverse=False):
        if not reverse:
            for flow in self.flows:
                x, _ = flow(x, x_mask, g=g, reverse=reverse)
        else:
            for flow in reversed(self.flows):
                x = flow(x, x_mask, g=g, reverse=reverse)
        return x


class AffineFlow(nn.Module):
    """The flow of durations, with its determinant."""

    def __init__(self, channels, hidden_channels):
        super().__init__()
        self.log_flow = modules.Log()
        self.flows = nn.ModuleList([modules.ElementwiseAffine(channels), modules.ResidualCouplingLayer(channels, hidden_channels, 1), modules.Flip()])

    def forward(self, z, x_mask):
        logdet_tot = 0
        z, logdet = self.log_flow(z, x_mask)
        logdet_tot += logdet
        for flow in self.flows:
            z, logdet = flow(z, x_mask)
            logdet_tot = logdet_tot + logdet
        nll = torch.sum(0.5 * (math.log(2 * math.pi) + (z ** 2)) * x_mask, [1, 2]) - logdet_tot
        return z, nll


class Generator(nn.Module):
    def __init__(self, initial_channel, upsample_rates, upsample_initial_channel, kernel_sizes, gin_channels=0):
        super(Generator, self).__init__()
        self.num_kernels = len(kernel_sizes)
        self.num_upsamples = len(upsample_rates)
        self.conv_pre = nn.Conv1d(initial_channel, upsample_initial_channel, 7, 1, padding=3)
        self.ups = nn.ModuleList()
        for i, u in enumerate(upsample_rates):
            self.ups.append(nn.ConvTranspose1d(upsample_initial_channel // (2 ** i), upsample_initial_channel // (2 ** (i + 1)), u, u))
        self.resblocks = nn.ModuleList()
        for i, k in itertools.product(range(len(self.ups)), kernel_sizes):
            self.resblocks.append(modules.ResBlock(upsample_initial_channel // (2 ** (i + 1)), k))
        self.conv_post = nn.Conv1d(upsample_initial_channel // (2 ** self.num_upsamples), 1, 7, 1, padding=3, bias=False)
        if gin_channels != 0:
            self.cond = nn.Conv1d(gin_channels, upsample_initial_channel, 1)

    def mix(self, x, i):
        xs = None
        for j in range(self.num_kernels):
            if xs is None:
                xs = self.resblocks[i * self.num_kernels + j](x)
            else:
                xs += self.resblocks[i * self.num_kernels + j](x)
        return xs / self.num_kernels

    def forward(self, x, g=None):
        x = self.conv_pre(x)
        if g is not None:
            x = x + self.cond(g)
        for i in range(self.num_upsamples):
            x = F.leaky_relu(x, modules.LRELU_SLOPE)
            x = self.ups[i](x)
            x = self.mix(x, i)
        x = F.leaky_relu(x)
        x = self.conv_post(x)
        return torch.tanh(x)


class Synthesizer(nn.Module):
    def __init__(self, n_vocab, inter_channels=8, hidden_channels=12, gin_channels=6, n_speakers=3, **kwargs):
        super().__init__()
        self.enc_p = TextEncoder(n_vocab, inter_channels, hidden_channels)
        self.dec = Generator(inter_channels, (2, 2), 8, (3, 5), gin_channels=gin_channels)
        self.flow = CouplingBlock(inter_channels, hidden_channels, 2, gin_channels=gin_channels)
        self.dp = DurationPredictor(hidden_channels, 10, 3)
        self.sdp = AffineFlow(2, 8)
        if n_speakers > 1:
            self.emb_g = nn.Embedding(n_speakers, gin_channels)
        self.n_speakers = n_speakers

    def infer(self, x, x_lengths, sid=None, noise=None, noise_scale=1.0, length_scale=1.0, max_len=None):
        x, m_p, logs_p, x_mask = self.enc_p(x, x_lengths)
        g = self.emb_g(sid).unsqueeze(-1) if self.n_speakers > 0 else None
        logw = self.dp(x, x_mask, g=g)
        w = torch.exp(logw) * x_mask * length_scale
        z_p = m_p + noise * torch.exp(logs_p) * noise_scale
        z = self.flow(z_p, x_mask, g=g, reverse=True)
        o = self.dec((z * x_mask)[:, :, :max_len], g=g)
        return o, w, x_mask, (z, z_p, m_p, logs_p)

    def forward(self, x, x_lengths, sid, noise):
        o, w, x_mask, (z, z_p, m_p, logs_p) = self.infer(x, x_lengths, sid=sid, noise=noise, noise_scale=0.667)
        _, nll = self.sdp(torch.cat([w, w], 1), x_mask)
        kl = commons.gaussian_terms(m_p, logs_p, z_p, x_mask)
        pieces = commons.slice_segments(o, [2])
        return o, pieces, kl + nll


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = Synthesizer(n_vocab=11)

    def forward(self, text, lengths, speaker, noise):
        return self.net(text, lengths, speaker, noise)


def example():
    return [(1, 9), (1,), (1,), (1, 8, 9)]
