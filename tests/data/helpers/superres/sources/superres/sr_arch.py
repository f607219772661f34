import torch
from torch import nn as nn
from torch.nn import functional as F

from .arch_util import MeanShift, Upsample, default_init_weights, make_layer, pixel_unshuffle, window_partition, window_reverse


class ResidualDenseBlock(nn.Module):
    """Residual Dense Block used in RRDB block in ESRGAN."""

    def __init__(self, num_feat=64, num_grow_ch=32):
        super(ResidualDenseBlock, self).__init__()
        self.conv1 = nn.Conv2d(num_feat, num_grow_ch, 3, 1, 1)
        self.conv2 = nn.Conv2d(num_feat + num_grow_ch, num_grow_ch, 3, 1, 1)
        self.conv3 = nn.Conv2d(num_feat + 2 * num_grow_ch, num_feat, 3, 1, 1)
        self.lrelu = nn.LeakyReLU(negative_slope=0.2, inplace=True)
        default_init_weights([self.conv1, self.conv2, self.conv3], 0.1)

    def forward(self, x):
        x1 = self.lrelu(self.conv1(x))
        x2 = self.lrelu(self.conv2(torch.cat((x, x1), 1)))
        x3 = self.conv3(torch.cat((x, x1, x2), 1))
        return x3 * 0.2 + x


class RRDB(nn.Module):
    def __init__(self, num_feat, num_grow_ch=32):
        super(RRDB, self).__init__()
        self.rdb1 = ResidualDenseBlock(num_feat, num_grow_ch)
        self.rdb2 = ResidualDenseBlock(num_feat, num_grow_ch)

    def forward(self, x):
        out = self.rdb1(x)
        out = self.rdb2(out)
        return out * 0.2 + x


class ChannelAttention(nn.Module):
    def __init__(self, num_feat, squeeze_factor=16):
        super(ChannelAttention, self).__init__()
        self.attention = nn.Sequential(
            nn.AdaptiveAvgPool2d(1), nn.Conv2d(num_feat, num_feat // squeeze_factor, 1, padding=0), nn.ReLU(inplace=True),
            nn.Conv2d(num_feat // squeeze_factor, num_feat, 1, padding=0), nn.Sigmoid())

    def forward(self, x):
        y = self.attention(x)
        return x * y


class RCAB(nn.Module):
    """Residual Channel Attention Block (RCAB) used in RCAN."""

    def __init__(self, num_feat, squeeze_factor=16, res_scale=1):
        super(RCAB, self).__init__()
        self.res_scale = res_scale
        self.rcab = nn.Sequential(
            nn.Conv2d(num_feat, num_feat, 3, 1, 1), nn.ReLU(True), nn.Conv2d(num_feat, num_feat, 3, 1, 1), ChannelAttention(num_feat, squeeze_factor))

    def forward(self, x):
        res = self.rcab(x) * self.res_scale
        return res + x


class WindowBlock(nn.Module):
    def __init__(self, num_feat, num_head=2, window_size=4):
        super(WindowBlock, self).__init__()
        self.window_size = window_size
        self.num_head = num_head
        self.scale = (num_feat // num_head)**-0.5
        self.norm = nn.LayerNorm(num_feat)
        self.qkv = nn.Linear(num_feat, num_feat * 3)
        self.proj = nn.Linear(num_feat, num_feat)

    def attention(self, x_windows):
        b_, n, c = x_windows.shape
        qkv = self.qkv(x_windows).reshape(b_, n, 3, self.num_head, c // self.num_head).permute(2, 0, 3, 1, 4)
        q, k, v = qkv[0], qkv[1], qkv[2]  # make torchscript happy (cannot use tensor as tuple)
        q = q * self.scale
        attn = (q @ k.transpose(-2, -1)).softmax(-1)
        return (attn @ v).transpose(1, 2).reshape(b_, n, c)

    def forward(self, x):
        b, c, h, w = x.shape
        shortcut = x
        x = self.norm(x.permute(0, 2, 3, 1))
        x_windows = window_partition(x, self.window_size)
        x_windows = x_windows.view(-1, self.window_size * self.window_size, c)
        attn_windows = self.proj(self.attention(x_windows))
        attn_windows = attn_windows.view(-1, self.window_size, self.window_size, c)
        x = window_reverse(attn_windows, self.window_size, h, w)
        return shortcut + x.permute(0, 3, 1, 2)


class ResidualGroup(nn.Module):
    def __init__(self, num_feat, num_block, block, **kwargs):
        super(ResidualGroup, self).__init__()
        self.residual_group = make_layer(block, num_block, num_feat=num_feat, **kwargs)
        self.conv = nn.Conv2d(num_feat, num_feat, 3, 1, 1)

    def forward(self, x):
        res = self.conv(self.residual_group(x))
        return res + x


class HybridSR(nn.Module):
    def __init__(self, num_in_ch=3, num_out_ch=3, num_feat=64, num_group=1, num_block=1, squeeze_factor=4, upscale=2, img_range=255., use_window=True):
        super(HybridSR, self).__init__()
        self.scale = upscale
        self.img_range = img_range
        self.sub_mean, self.add_mean = MeanShift(img_range), MeanShift(img_range, sign=1)
        if upscale == 2:
            num_in_ch = num_in_ch * 4
        elif upscale == 1:
            num_in_ch = num_in_ch * 16
        self.conv_first = nn.Conv2d(num_in_ch, num_feat, 3, 1, 1)
        self.body = nn.Sequential(
            make_layer(ResidualGroup, num_group, num_feat=num_feat, num_block=num_block, block=RCAB, squeeze_factor=squeeze_factor),
            make_layer(RRDB, num_block, num_feat=num_feat, num_grow_ch=num_feat // 2))
        self.window = WindowBlock(num_feat) if use_window else None
        self.conv_after_body = nn.Conv2d(num_feat, num_feat, 3, 1, 1)
        self.upsample = Upsample(4, num_feat)
        self.conv_last = nn.Conv2d(num_feat, num_out_ch, 3, 1, 1)

    def forward_features(self, x):
        if self.scale == 2:
            feat = pixel_unshuffle(x, scale=2)
        elif self.scale == 1:
            feat = pixel_unshuffle(x, scale=4)
        else:
            feat = x
        feat = self.conv_first(feat)
        res = self.body(feat)
        if self.window is not None:
            res = self.window(res)
        return self.conv_after_body(res) + feat

    def forward(self, x):
        x = self.sub_mean(x)
        feat = self.forward_features(x)
        return self.add_mean(self.conv_last(self.upsample(feat)))
