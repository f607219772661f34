import math

import torch
from torch import nn
from torch.nn import functional as F

from . import activations, norms


class TransformerBlock(nn.Module):
    """Pre-norm self attention and feed forward over (batch, time, chan)."""

    def __init__(self, n_chan, n_heads, n_ff, activation="relu", max_len=64):
        super().__init__()
        self.norm_att, self.norm_ff = nn.LayerNorm(n_chan), nn.LayerNorm(n_chan)
        self.att = nn.MultiheadAttention(n_chan, n_heads, batch_first=True)
        self.ff = nn.Sequential(nn.Linear(n_chan, n_ff), activations.get(activation)(), nn.Linear(n_ff, n_chan))
        self.register_buffer("pe", self._positions(max_len, n_chan), persistent=False)

    @staticmethod
    def _positions(max_len, n_chan):
        steps = torch.arange(max_len).view(-1, 1) * torch.exp(torch.arange(0, n_chan, 2) * (-math.log(1e4) / n_chan))
        return torch.cat([torch.sin(steps), torch.cos(steps)], dim=1).unsqueeze(0)

    def _att_block(self, x):
        x = self.norm_att(x)
        return self.att(x, x, x, need_weights=False)[0]

    def _ff_block(self, x):
        return self.ff(self.norm_ff(x))

    def forward(self, x):
        x = x + self.pe[:, : x.shape[1]]
        x = x + self._att_block(x)
        return x + self._ff_block(x)


class DualPathBlock(nn.Module):
    """Inside the chunks first, then across them."""

    def __init__(self, n_chan, n_heads, n_ff, norm_type="gLN", activation="relu"):
        super().__init__()
        self.intra_mdl = TransformerBlock(n_chan, n_heads, n_ff, activation)
        self.inter_mdl = TransformerBlock(n_chan, n_heads, n_ff, activation)
        self.intra_norm = norms.get(norm_type)(n_chan)
        self.inter_norm = norms.get(norm_type)(n_chan)

    def _intra(self, x):
        B, N, K, S = x.shape
        out = x.permute(0, 3, 2, 1).contiguous().view(B * S, K, N)
        out = self.intra_mdl(out).view(B, S, K, N)
        return self.intra_norm(out.permute(0, 3, 2, 1).contiguous())

    def _inter(self, x):
        B, N, K, S = x.shape
        out = x.permute(0, 2, 3, 1).contiguous().view(B * K, S, N)
        out = self.inter_mdl(out).view(B, K, S, N)
        return self.inter_norm(out.permute(0, 3, 1, 2).contiguous())

    def forward(self, x):
        intra = self._intra(x) + x
        return self._inter(intra) + intra


class DualPathMasker(nn.Module):
    def __init__(self, in_chan, n_src, bn_chan=32, chunk_size=10, n_repeats=1, n_heads=4, ff_hid=64, norm_type="gLN",
                 mask_act="relu", ff_act="relu"):
        super().__init__()
        self.in_chan, self.n_src, self.chunk_size = in_chan, n_src, chunk_size
        self.bottleneck = nn.Sequential(norms.get(norm_type)(in_chan), nn.Conv1d(in_chan, bn_chan, 1, bias=False))
        self.dual_mdl = nn.ModuleList([DualPathBlock(bn_chan, n_heads, ff_hid, norm_type, ff_act) for _ in range(n_repeats)])
        self.prelu = nn.PReLU()
        self.conv2d = nn.Conv2d(bn_chan, n_src * bn_chan, kernel_size=1)
        self.output, self.output_gate = nn.Conv1d(bn_chan, bn_chan, 1), nn.Conv1d(bn_chan, bn_chan, 1)
        self.end_conv1x1 = nn.Conv1d(bn_chan, in_chan, 1, bias=False)
        self.output_act = activations.get(mask_act)()

    def _padding(self, x, K):
        """Fills the end up, and puts half a chunk of zeros at both sides."""
        B, N, L = x.shape
        P = K // 2
        gap = K - (P + L % K) % K
        if gap > 0:
            x = torch.cat([x, x.new_zeros(B, N, gap)], dim=2)
        return F.pad(x, (P, P)), gap

    def _Segmentation(self, x, K):
        """(B, N, L) -> (B, N, K, S) with chunks that overlap by one half, and what was added."""
        B, N, _ = x.shape
        P = K // 2
        x, gap = self._padding(x, K)
        even = x[:, :, :-P].contiguous().view(B, N, -1, K)
        odd = x[:, :, P:].contiguous().view(B, N, -1, K)
        chunks = torch.cat([even, odd], dim=3).view(B, N, -1, K)
        return chunks.transpose(2, 3).contiguous(), gap

    def _over_add(self, x, gap):
        """(B, N, K, S) -> (B, N, L), the inverse of _Segmentation."""
        B, N, K, S = x.shape
        P = K // 2
        pairs = x.transpose(2, 3).contiguous().view(B, N, -1, K * 2)
        even = pairs[:, :, :, :K].contiguous().view(B, N, -1)[:, :, P:]
        odd = pairs[:, :, :, K:].contiguous().view(B, N, -1)[:, :, :-P]
        summed = even + odd
        return summed[:, :, :-gap] if gap > 0 else summed

    def _separate(self, x, gap):
        B, _, K, S = x.shape
        x = self.conv2d(self.prelu(x)).view(B * self.n_src, -1, K, S)
        x = self._over_add(x, gap)
        return torch.tanh(self.output(x)) * torch.sigmoid(self.output_gate(x))

    def forward(self, mixture_w):
        x, gap = self._Segmentation(self.bottleneck(mixture_w), self.chunk_size)
        for block in self.dual_mdl:
            x = block(x)
        score = self.end_conv1x1(self._separate(x, gap))
        score = score.view(mixture_w.shape[0], self.n_src, self.in_chan, -1)
        return self.output_act(score)
