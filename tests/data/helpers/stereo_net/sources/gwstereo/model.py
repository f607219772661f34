from argparse import Namespace

import torch
import torch.nn as nn
import torch.nn.functional as F

from .corr import CORR_IMPLEMENTATIONS
from .extractor import BasicEncoder, MultiBasicEncoder
from .update import BasicMultiUpdateBlock
from .utils import InputPadder, coords_grid


class GWStereo(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.args = args
        context_dims = args.hidden_dims

        self.cnet = MultiBasicEncoder(output_dim=[args.hidden_dims, context_dims], norm_fn='batch')
        self.fnet = BasicEncoder(output_dim=32, norm_fn='instance')
        self.update_block = BasicMultiUpdateBlock(self.args, hidden_dims=args.hidden_dims)
        self.context_zqr_convs = nn.ModuleList(
            [nn.Conv2d(context_dims[i], args.hidden_dims[i]*3, 3, padding=3//2) for i in range(self.args.n_gru_layers)])

    def freeze_bn(self):
        for m in self.modules():
            if isinstance(m, nn.BatchNorm2d):
                m.eval()

    def normalize_images(self, *images):
        return [(2 * (image / 255.0) - 1.0).contiguous() for image in images]

    def initialize_flow(self, img):
        """ Disparity is the difference of two coordinate grids: flow = coords1 - coords0 """
        N, _, H, W = img.shape
        coords0 = coords_grid(N, H, W).to(img.device)
        coords1 = coords0.clone()
        return coords0, coords1

    def initialize_context(self, image1):
        cnet_list = self.cnet(image1, num_layers=self.args.n_gru_layers)
        net_list = [torch.tanh(x[0]) for x in cnet_list]
        inp_list = [torch.relu(x[1]) for x in cnet_list]
        # Rather than running the GRU's conv layers on the context features multiple times, we do it once
        inp_list = [list(conv(i).split(split_size=conv.out_channels//3, dim=1))
                    for i, conv in zip(inp_list, self.context_zqr_convs)]
        return net_list, inp_list

    def upsample_flow(self, flow, mask):
        """ Upsample flow field [H/4, W/4, 2] -> [H, W, 2] using convex combination """
        N, D, H, W = flow.shape
        factor = 2 ** self.args.n_downsample
        mask = mask.view(N, 1, 9, factor, factor, H, W)
        mask = torch.softmax(mask, dim=2)

        up_flow = F.unfold(factor * flow, [3, 3], padding=1)
        up_flow = up_flow.view(N, D, 9, 1, 1, H, W)

        up_flow = torch.sum(mask * up_flow, dim=2)
        up_flow = up_flow.permute(0, 1, 4, 2, 5, 3)
        return up_flow.reshape(N, D, factor*H, factor*W)

    def forward(self, image1, image2, iters=2, flow_init=None, test_mode=False):
        image1, image2 = self.normalize_images(image1, image2)
        net_list, inp_list = self.initialize_context(image1)

        fmap1, fmap2 = self.fnet([image1, image2])
        corr_block = CORR_IMPLEMENTATIONS[self.args.corr_implementation]
        corr_fn = corr_block(fmap1.float(), fmap2.float(), radius=self.args.corr_radius, num_levels=self.args.corr_levels)

        coords0, coords1 = self.initialize_flow(net_list[0])
        if flow_init is not None:
            coords1 = coords1 + flow_init

        flow_predictions = []
        for itr in range(iters):
            coords1 = coords1.detach()
            corr = corr_fn(coords1)  # index correlation volume
            flow = coords1 - coords0
            if self.args.slow_fast_gru:  # Update low-res GRU twice
                net_list = self.update_block(net_list, inp_list, iter08=True, iter04=False, update=False)
            net_list, up_mask, delta_flow = self.update_block(
                net_list, inp_list, corr, flow, iter08=self.args.n_gru_layers == 2, iter04=True)

            # in stereo mode, project flow onto epipolar
            delta_flow[:, 1] = 0.0
            coords1 = coords1 + delta_flow

            # We do not need to upsample or output intermediate results in test_mode
            if test_mode and itr < iters-1:
                continue
            flow_up = self.upsample_flow(coords1 - coords0, up_mask)
            flow_up = flow_up[:, :1]
            flow_predictions.append(flow_up)

        if test_mode:
            return coords1 - coords0, flow_up
        return flow_predictions


def get_args(**overrides):
    args = dict(corr_implementation='reg', corr_levels=2, corr_radius=2, n_downsample=2, n_gru_layers=2,
                hidden_dims=[32, 32], slow_fast_gru=False)
    args.update(overrides)
    return Namespace(**args)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = GWStereo(get_args())
        self.net.freeze_bn()

    def forward(self, left, right):
        padder = InputPadder(left.shape, divis_by=16)
        left, right = padder.pad(left, right)
        flow_low, flow_up = self.net(left, right, iters=2, test_mode=True)
        return flow_low, padder.unpad(flow_up)


def example():
    return (1, 3, 44, 60), (1, 3, 44, 60)
