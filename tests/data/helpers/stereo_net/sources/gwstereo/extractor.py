import torch
import torch.nn as nn


class ResidualBlock(nn.Module):
    def __init__(self, in_planes, planes, norm_fn='group', stride=1):
        super(ResidualBlock, self).__init__()
        self.conv1 = nn.Conv2d(in_planes, planes, kernel_size=3, padding=1, stride=stride)
        self.conv2 = nn.Conv2d(planes, planes, kernel_size=3, padding=1)
        self.relu = nn.ReLU(inplace=True)

        if norm_fn == 'group':
            self.norm1, self.norm2 = nn.GroupNorm(planes // 8, planes), nn.GroupNorm(planes // 8, planes)
        elif norm_fn == 'batch':
            self.norm1, self.norm2 = nn.BatchNorm2d(planes), nn.BatchNorm2d(planes)
        elif norm_fn == 'instance':
            self.norm1, self.norm2 = nn.InstanceNorm2d(planes), nn.InstanceNorm2d(planes)
        elif norm_fn == 'none':
            self.norm1, self.norm2 = nn.Sequential(), nn.Sequential()

        self.downsample = None
        if not (stride == 1 and in_planes == planes):
            self.downsample = nn.Conv2d(in_planes, planes, kernel_size=1, stride=stride)

    def forward(self, x):
        y = x
        y = self.relu(self.norm1(self.conv1(y)))
        y = self.relu(self.norm2(self.conv2(y)))

        if self.downsample is not None:
            x = self.downsample(x)
        return self.relu(x+y)


class BasicEncoder(nn.Module):
    def __init__(self, output_dim=32, norm_fn='batch'):
        super(BasicEncoder, self).__init__()
        self.norm_fn = norm_fn
        self.conv1 = nn.Conv2d(3, 16, kernel_size=7, stride=2, padding=3)
        self.relu1 = nn.ReLU(inplace=True)
        self.in_planes = 16
        self.layer1 = self._make_layer(24, stride=2)
        self.conv2 = nn.Conv2d(24, output_dim, kernel_size=1)

    def _make_layer(self, dim, stride=1):
        layers = (ResidualBlock(self.in_planes, dim, self.norm_fn, stride=stride),)
        self.in_planes = dim
        return nn.Sequential(*layers)

    def forward(self, x):
        # if input is list, combine batch dimension
        is_list = isinstance(x, tuple) or isinstance(x, list)
        if is_list:
            batch_dim = x[0].shape[0]
            x = torch.cat(x, dim=0)

        x = self.relu1(self.conv1(x))
        x = self.layer1(x)
        x = self.conv2(x)

        if is_list:
            x = x.split(split_size=batch_dim, dim=0)
        return x


class MultiBasicEncoder(nn.Module):
    """ Context encoder, one pair of (hidden, inp) features per resolution """

    def __init__(self, output_dim=((32, 32), (32, 32)), norm_fn='batch'):
        super(MultiBasicEncoder, self).__init__()
        self.trunk = BasicEncoder(output_dim=32, norm_fn=norm_fn)
        self.layer4 = ResidualBlock(32, 32, norm_fn, stride=2)
        self.outputs04 = nn.ModuleList([nn.Conv2d(32, dim[1], 3, padding=1) for dim in output_dim])
        self.outputs08 = nn.ModuleList([nn.Conv2d(32, dim[0], 3, padding=1) for dim in output_dim])

    def forward(self, x, num_layers=2):
        x = self.trunk(x)
        outputs04 = [f(x) for f in self.outputs04]
        if num_layers == 1:
            return (outputs04,)
        y = self.layer4(x)
        outputs08 = [f(y) for f in self.outputs08]
        return (outputs04, outputs08)
