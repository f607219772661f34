import torch
import torch.nn as nn
import torch.nn.functional as F

from .utils import interp, pool2x


class FlowHead(nn.Module):
    def __init__(self, input_dim=32, hidden_dim=32, output_dim=2):
        super(FlowHead, self).__init__()
        self.conv1 = nn.Conv2d(input_dim, hidden_dim, 3, padding=1)
        self.conv2 = nn.Conv2d(hidden_dim, output_dim, 3, padding=1)
        self.relu = nn.ReLU(inplace=True)

    def forward(self, x):
        return self.conv2(self.relu(self.conv1(x)))


class ConvGRU(nn.Module):
    def __init__(self, hidden_dim, input_dim, kernel_size=3):
        super(ConvGRU, self).__init__()
        self.convz = nn.Conv2d(hidden_dim+input_dim, hidden_dim, kernel_size, padding=kernel_size//2)
        self.convr = nn.Conv2d(hidden_dim+input_dim, hidden_dim, kernel_size, padding=kernel_size//2)
        self.convq = nn.Conv2d(hidden_dim+input_dim, hidden_dim, kernel_size, padding=kernel_size//2)

    def forward(self, h, cz, cr, cq, *x_list):
        x = torch.cat(x_list, dim=1)
        hx = torch.cat([h, x], dim=1)
        z = torch.sigmoid(self.convz(hx) + cz)
        r = torch.sigmoid(self.convr(hx) + cr)
        q = torch.tanh(self.convq(torch.cat([r*h, x], dim=1)) + cq)
        h = (1-z) * h + z * q
        return h


class BasicMotionEncoder(nn.Module):
    def __init__(self, args):
        super(BasicMotionEncoder, self).__init__()
        cor_planes = args.corr_levels * (2*args.corr_radius + 1)
        self.convc1 = nn.Conv2d(cor_planes, 16, 1, padding=0)
        self.convf1 = nn.Conv2d(2, 16, 7, padding=3)
        self.conv = nn.Conv2d(16+16, 32-2, 3, padding=1)

    def forward(self, flow, corr):
        cor = F.relu(self.convc1(corr))
        flo = F.relu(self.convf1(flow))
        out = F.relu(self.conv(torch.cat([cor, flo], dim=1)))
        return torch.cat([out, flow], dim=1)


class BasicMultiUpdateBlock(nn.Module):
    def __init__(self, args, hidden_dims=()):
        super(BasicMultiUpdateBlock, self).__init__()
        self.args = args
        self.encoder = BasicMotionEncoder(args)
        self.gru08 = ConvGRU(hidden_dims[1], hidden_dims[0])
        self.gru04 = ConvGRU(hidden_dims[0], 32 + hidden_dims[1])
        self.flow_head = FlowHead(hidden_dims[0], hidden_dim=32, output_dim=2)
        factor = 2**self.args.n_downsample
        self.mask = nn.Sequential(
            nn.Conv2d(hidden_dims[0], 32, 3, padding=1),
            nn.ReLU(inplace=True),
            nn.Conv2d(32, (factor**2)*9, 1, padding=0))

    def forward(self, net, inp, corr=None, flow=None, iter04=True, iter08=True, update=True):
        if iter08:
            net[1] = self.gru08(net[1], *(inp[1]), pool2x(net[0]))
        if iter04:
            motion_features = self.encoder(flow, corr)
            net[0] = self.gru04(net[0], *(inp[0]), motion_features, interp(net[1], net[0]))
        if not update:
            return net

        delta_flow = self.flow_head(net[0])
        # scale mask to balance gradients
        mask = .25 * self.mask(net[0])
        return net, mask, delta_flow
