import torch
from torch import nn as nn
from torch.nn import functional as F

from .arch_util import ResidualBlockNoBN, flow_warp, make_layer, resize_flow


class ConvResidualBlocks(nn.Module):
    def __init__(self, num_in_ch=3, num_out_ch=64, num_block=15):
        super().__init__()
        self.main = nn.Sequential(
            nn.Conv2d(num_in_ch, num_out_ch, 3, 1, 1, bias=True), nn.LeakyReLU(negative_slope=0.1, inplace=True),
            make_layer(ResidualBlockNoBN, num_block, num_feat=num_out_ch))

    def forward(self, fea):
        return self.main(fea)


class SpyNetLite(nn.Module):
    """Coarse to fine optical flow, two pyramid levels."""

    def __init__(self, num_levels=2, num_feat=8):
        super().__init__()
        self.basic_module = nn.ModuleList([nn.Sequential(nn.Conv2d(8, num_feat, 3, 1, 1), nn.ReLU(), nn.Conv2d(num_feat, 2, 3, 1, 1)) for _ in range(num_levels)])

    def process(self, ref, supp):
        ref, supp = [ref], [supp]
        for level in range(len(self.basic_module) - 1):
            ref.insert(0, F.avg_pool2d(ref[0], 2, stride=2))
            supp.insert(0, F.avg_pool2d(supp[0], 2, stride=2))
        flow = None
        for level, module in enumerate(self.basic_module):
            if flow is None:
                flow = ref[level].new_zeros(ref[level].size(0), 2, ref[level].size(2), ref[level].size(3))
            else:
                flow = resize_flow(flow, 'shape', ref[level].shape[-2:])
            warped = flow_warp(supp[level], flow.permute(0, 2, 3, 1), padding_mode='border')
            flow = module(torch.cat([ref[level], warped, flow], 1)) + flow
        return flow

    def forward(self, ref, supp):
        assert ref.size() == supp.size()
        return self.process(ref, supp)


class BasicVSR(nn.Module):
    """A recurrent network for video SR. Now only x2 is supported."""

    def __init__(self, num_feat=64, num_block=15):
        super().__init__()
        self.num_feat = num_feat
        self.spynet = SpyNetLite()
        self.backward_trunk = ConvResidualBlocks(num_feat + 3, num_feat, num_block)
        self.fusion = nn.Conv2d(num_feat, num_feat, 1, 1, 0, bias=True)
        self.upconv1 = nn.Conv2d(num_feat, num_feat * 4, 3, 1, 1, bias=True)
        self.conv_last = nn.Conv2d(num_feat, 3, 3, 1, 1)
        self.pixel_shuffle = nn.PixelShuffle(2)
        self.lrelu = nn.LeakyReLU(negative_slope=0.1, inplace=True)

    def get_flow(self, x):
        b, n, c, h, w = x.size()
        x_1 = x[:, :-1, :, :, :].reshape(-1, c, h, w)
        x_2 = x[:, 1:, :, :, :].reshape(-1, c, h, w)
        flows_backward = self.spynet(x_1, x_2).view(b, n - 1, 2, h, w)
        return flows_backward

    def reconstruct(self, feat, base):
        out = self.lrelu(self.fusion(feat))
        out = self.lrelu(self.pixel_shuffle(self.upconv1(out)))
        out = self.conv_last(out)
        out += F.interpolate(base, scale_factor=2, mode='bilinear', align_corners=False)
        return out

    def forward(self, x):
        flows_backward = self.get_flow(x)
        b, n, _, h, w = x.size()
        out_l = []
        feat_prop = x.new_zeros(b, self.num_feat, h, w)
        for i in range(n - 1, -1, -1):
            x_i = x[:, i, :, :, :]
            if i < n - 1:
                flow = flows_backward[:, i, :, :, :]
                feat_prop = flow_warp(feat_prop, flow.permute(0, 2, 3, 1))
            feat_prop = torch.cat([x_i, feat_prop], dim=1)
            feat_prop = self.backward_trunk(feat_prop)
            out_l.insert(0, self.reconstruct(feat_prop, x_i))
        return torch.stack(out_l, dim=1)
