from functools import partial
from typing import Tuple

import torch
from torch import Tensor, nn

from .dsp import (
    Pair, band_mean_norm, band_unit_norm, c_power, c_scale, deep_filter, erb_db, erb_fb, erb_widths,
    from_pair, to_pair,
)
from .modules import ConvNormAct, GroupedLinear, SqueezedGRU
from .params import ModelParams


def merge_freqs(x: Tensor) -> Tensor:
    """[B, C, T, F] -> [B, T, C * F]"""
    return x.permute(0, 2, 3, 1).flatten(2)


def split_freqs(x: Tensor, channels: int) -> Tensor:
    """[B, T, C * F] -> [B, C, T, F]"""
    b, t, _ = x.shape
    return x.view(b, t, -1, channels).permute(0, 3, 1, 2)


class Encoder(nn.Module):
    def __init__(self, p: ModelParams):
        super().__init__()
        ch, block = p.conv_ch, partial(ConvNormAct, kernel=(p.conv_kt, 3))
        self.erb_conv0 = block(1, ch, separable=False)
        self.erb_conv1 = block(ch, ch, fstride=2)
        self.df_conv0 = block(2, ch, separable=False)
        self.df_conv1 = block(ch, ch, fstride=2)
        emb_in = ch * p.nb_erb // 2
        self.df_fc_emb = GroupedLinear(ch * p.nb_df // 2, emb_in, p.lin_groups, act=torch.relu)
        self.emb_gru = SqueezedGRU(emb_in, p.emb_dim, p.emb_dim, groups=p.lin_groups)
        self.lsnr_fc = nn.Sequential(nn.Linear(p.emb_dim, 1), nn.Sigmoid())
        self.lsnr_range = (35.0, -15.0)

    def lsnr(self, emb: Tensor) -> Tensor:
        high, low = self.lsnr_range
        return self.lsnr_fc(emb) * (high - low) + low

    def forward(self, feat_erb: Tensor, feat_spec: Tensor):
        e0 = self.erb_conv0(feat_erb)
        e1 = self.erb_conv1(e0)
        c0 = self.df_conv0(feat_spec)
        c1 = self.df_conv1(c0)
        emb = merge_freqs(e1) + self.df_fc_emb(merge_freqs(c1))
        emb, _ = self.emb_gru(emb)
        return e0, e1, c0, emb, self.lsnr(emb)


class ErbDecoder(nn.Module):
    def __init__(self, p: ModelParams):
        super().__init__()
        ch = p.conv_ch
        self.ch = ch
        self.emb_fc = GroupedLinear(p.emb_dim, ch * p.nb_erb // 2, p.lin_groups, act=torch.relu)
        self.conv1p = ConvNormAct(ch, ch, (1, 1))
        self.convt1 = ConvNormAct(ch, ch, (1, 3), fstride=2, transposed=True)
        self.conv0p = ConvNormAct(ch, ch, (1, 1))
        self.conv0_out = ConvNormAct(ch, 1, (p.conv_kt, 3), act=nn.Sigmoid)

    def forward(self, emb: Tensor, e1: Tensor, e0: Tensor) -> Tensor:
        x = split_freqs(self.emb_fc(emb), self.ch)
        x = self.convt1(self.conv1p(e1) + x)
        return self.conv0_out(self.conv0p(e0) + x)


class DfDecoder(nn.Module):
    def __init__(self, p: ModelParams):
        super().__init__()
        self.bins, self.order = p.nb_df, p.df_order
        out = p.df_order * 2
        self.df_convp = ConvNormAct(p.conv_ch, out, (p.conv_kt, 1))
        self.df_out = GroupedLinear(p.emb_dim, out * p.nb_df, p.lin_groups, act=torch.tanh)
        self.df_fc_a = nn.Sequential(nn.Linear(p.emb_dim, 1), nn.Sigmoid())

    def forward(self, emb: Tensor, c0: Tensor) -> Tuple[Pair, Tensor]:
        b, t, _ = emb.shape
        pathway = self.df_convp(c0).permute(0, 2, 3, 1)
        coefs = self.df_out(emb).view(b, t, self.bins, 2 * self.order) + pathway
        alpha = self.df_fc_a(emb)
        return to_pair(coefs.reshape(b, t, self.bins, self.order, 2)), alpha


def post_filter(mask: Tensor, beta: float = 0.02, eps: float = 1e-12) -> Tensor:
    """Lowers what is mostly noise a bit more"""
    mask_sin = mask * torch.sin(torch.pi * mask / 2)
    return (1 + beta) * mask / (1 + beta * mask.div(mask_sin.clamp_min(eps)).pow(2))


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.p = p = ModelParams()
        widths = erb_widths(p.sr, p.n_freqs, p.nb_erb)
        self.register_buffer("erb_fb", erb_fb(widths), persistent=False)
        self.register_buffer("erb_inv_fb", erb_fb(widths, inverse=True), persistent=False)
        self.register_buffer("mean_state", torch.linspace(-60.0, -90.0, p.nb_erb))
        self.register_buffer("unit_state", torch.linspace(0.001, 0.0001, p.nb_df))
        self.enc = Encoder(p)
        self.erb_dec = ErbDecoder(p)
        self.df_dec = DfDecoder(p)
        self.post = post_filter if p.mask_pf else lambda mask: mask

    def features(self, spec: Pair) -> Tuple[Tensor, Tensor]:
        alpha = self.p.norm_tau
        feat_erb = band_mean_norm(erb_db(c_power(spec), self.erb_fb), self.mean_state, alpha)
        low, _ = self.split_bands(spec)
        feat_spec = torch.cat(band_unit_norm(low, self.unit_state, alpha), dim=1)
        return feat_erb, feat_spec

    def split_bands(self, spec: Pair) -> Tuple[Pair, Pair]:
        n = self.p.nb_df
        return tuple(x[..., :n] for x in spec), tuple(x[..., n:] for x in spec)

    def apply_mask(self, spec: Pair, mask: Tensor) -> Pair:
        return c_scale(spec, self.post(mask).matmul(self.erb_inv_fb))

    def apply_df(self, spec: Pair, masked: Pair, coefs: Pair, alpha: Tensor) -> Pair:
        low, _ = self.split_bands(spec)
        masked_low, masked_high = self.split_bands(masked)
        a = alpha.unsqueeze(1)

        def mix(new: Tensor, old: Tensor, rest: Tensor) -> Tensor:
            return torch.cat((new * a + old * (1 - a), rest), dim=-1)

        filtered = deep_filter(low, coefs, self.p.df_order, self.p.df_lookahead)
        return tuple(map(mix, filtered, masked_low, masked_high))

    def forward(self, noisy: Tensor):
        """noisy: spectrum, [B, 1, T, F, 2]"""
        spec = to_pair(noisy)
        e0, e1, c0, emb, lsnr = self.enc(*self.features(spec))
        mask = self.erb_dec(emb, e1, e0)
        coefs, alpha = self.df_dec(emb, c0)
        enhanced = self.apply_df(spec, self.apply_mask(spec, mask), coefs, alpha)
        return from_pair(enhanced), mask, lsnr


def example():
    return [(1, 1, 4, 64, 2)]
