import torch.nn as nn
import torch.utils.checkpoint as cp

from .builder import BACKBONES, build_conv_layer, build_norm_layer


class _Residual(nn.Module):
    """What the blocks have in common: the shortcut and gradient checkpointing."""

    expansion = 1

    def __init__(self, downsample=None, with_cp=False):
        super().__init__()
        self.relu = nn.ReLU(inplace=True)
        self.downsample = downsample
        self.with_cp = with_cp

    def _shortcut(self, x):
        return x if self.downsample is None else self.downsample(x)

    def forward(self, x):

        def _inner_forward(x):
            out = self.branch(x)
            out += self._shortcut(x)
            return out

        if self.with_cp and x.requires_grad:
            out = cp.checkpoint(_inner_forward, x)
        else:
            out = _inner_forward(x)
        return self.relu(out)


class BasicBlock(_Residual):

    def __init__(self, in_channels, out_channels, stride=1, downsample=None, with_cp=False, norm_cfg=dict(type='BN')):
        super().__init__(downsample, with_cp)
        self.norm1_name, norm1 = build_norm_layer(norm_cfg, out_channels, postfix=1)
        self.norm2_name, norm2 = build_norm_layer(norm_cfg, out_channels, postfix=2)
        self.conv1 = build_conv_layer(None, in_channels, out_channels, 3, stride=stride, padding=1, bias=False)
        self.add_module(self.norm1_name, norm1)
        self.conv2 = build_conv_layer(None, out_channels, out_channels, 3, padding=1, bias=False)
        self.add_module(self.norm2_name, norm2)

    @property
    def norm1(self):
        return getattr(self, self.norm1_name)

    @property
    def norm2(self):
        return getattr(self, self.norm2_name)

    def branch(self, x):
        out = self.relu(self.norm1(self.conv1(x)))
        return self.norm2(self.conv2(out))


class Bottleneck(_Residual):
    expansion = 4

    def __init__(self, in_channels, out_channels, stride=1, downsample=None, with_cp=False, norm_cfg=dict(type='BN')):
        super().__init__(downsample, with_cp)
        mid_channels = out_channels // self.expansion
        widths = [in_channels, mid_channels, mid_channels, out_channels]
        for i, (c_in, c_out) in enumerate(zip(widths, widths[1:]), 1):
            k = 3 if i == 2 else 1
            self.add_module(f'conv{i}', build_conv_layer(
                None, c_in, c_out, k, stride=stride if i == 2 else 1, padding=k // 2, bias=False))
            self.add_module(*build_norm_layer(norm_cfg, c_out, postfix=i))

    def branch(self, x):
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.relu(self.bn2(self.conv2(out)))
        return self.bn3(self.conv3(out))


def _conv_bn(c_in, c_out, k, stride, norm_cfg, relu=True):
    layers = [build_conv_layer(None, c_in, c_out, k, stride=stride, padding=k // 2, bias=False),
              build_norm_layer(norm_cfg, c_out)[1]]
    return layers + [nn.ReLU(inplace=True)] if relu else layers


class HRModule(nn.Module):
    """Some blocks on every branch, then an exchange between all of them."""

    def __init__(self, num_branches, block, num_blocks, in_channels, num_channels, multiscale_output=False,
                 with_cp=False, norm_cfg=dict(type='BN')):
        super().__init__()
        self.in_channels = list(in_channels)
        self.num_branches = num_branches
        self.multiscale_output = multiscale_output
        self.norm_cfg, self.with_cp = norm_cfg, with_cp
        self.branches = nn.ModuleList(
            [self._make_one_branch(i, block, num_blocks, num_channels) for i in range(num_branches)])
        self.fuse_layers = self._make_fuse_layers()
        self.relu = nn.ReLU(inplace=True)

    def _make_one_branch(self, branch_index, block, num_blocks, num_channels, stride=1):
        out_channels = num_channels[branch_index] * block.expansion
        layers = []
        for _ in range(num_blocks[branch_index]):
            layers.append(block(self.in_channels[branch_index], out_channels, with_cp=self.with_cp, norm_cfg=self.norm_cfg))
            self.in_channels[branch_index] = out_channels
        return nn.Sequential(*layers)

    def _make_fuse_layers(self):
        """Exchange units: row i holds the ways from every branch j to the size and width of branch i."""
        if self.num_branches == 1:
            return None
        c = self.in_channels
        fuse_layers = []
        for i in range(self.num_branches if self.multiscale_output else 1):
            fuse_layer = []
            for j in range(self.num_branches):
                if j > i:
                    fuse_layer.append(nn.Sequential(
                        *_conv_bn(c[j], c[i], 1, 1, self.norm_cfg, relu=False),
                        nn.Upsample(scale_factor=2**(j - i), mode='nearest')))
                elif j == i:
                    fuse_layer.append(None)
                else:
                    fuse_layer.append(nn.Sequential(*[
                        nn.Sequential(*_conv_bn(c[j], c[j] if k < i - j - 1 else c[i], 3, 2, self.norm_cfg,
                                                relu=k < i - j - 1)) for k in range(i - j)]))
            fuse_layers.append(nn.ModuleList(fuse_layer))
        return nn.ModuleList(fuse_layers)

    def _exchange(self, x):
        x_fuse = []
        for i in range(len(self.fuse_layers)):
            y = 0
            for j in range(self.num_branches):
                y += x[j] if i == j else self.fuse_layers[i][j](x[j])
            x_fuse.append(self.relu(y))
        return x_fuse

    def forward(self, x):
        if self.num_branches == 1:
            return [self.branches[0](x[0])]
        x = [branch(t) for branch, t in zip(self.branches, x)]
        return self._exchange(x)


@BACKBONES.register_module()
class HRNet(nn.Module):
    """Keeps a high resolution all the way; `extra` has one dictionary of settings for every stage."""

    blocks_dict = {'BASIC': BasicBlock, 'BOTTLENECK': Bottleneck}

    def __init__(self, extra, in_channels=3, norm_cfg=dict(type='BN'), with_cp=False):
        super().__init__()
        self.extra, self.norm_cfg, self.with_cp = extra, norm_cfg, with_cp
        self.stem = nn.Sequential(*_conv_bn(in_channels, 64, 3, 2, norm_cfg), *_conv_bn(64, 64, 3, 2, norm_cfg))

        cfg = extra['stage1']
        block = self.blocks_dict[cfg['block']]
        widths = [cfg['num_channels'][0] * block.expansion]
        self.layer1 = self._make_layer(block, 64, widths[0], cfg['num_blocks'][0])

        self.num_stages = sum(key.startswith('stage') for key in extra)
        for n in range(2, self.num_stages + 1):
            cfg = extra[f'stage{n}']
            block = self.blocks_dict[cfg['block']]
            num_channels = [c * block.expansion for c in cfg['num_channels']]
            setattr(self, f'transition{n - 1}', self._make_transition_layer(widths, num_channels))
            stage, widths = self._make_stage(cfg, num_channels, multiscale_output=n < self.num_stages)
            setattr(self, f'stage{n}', stage)

    def _make_layer(self, block, in_channels, out_channels, blocks, stride=1):
        downsample = None
        if stride != 1 or in_channels != out_channels:
            downsample = nn.Sequential(*_conv_bn(in_channels, out_channels, 1, stride, self.norm_cfg, relu=False))
        layers = [block(in_channels, out_channels, stride, downsample, self.with_cp, self.norm_cfg)]
        layers += [block(out_channels, out_channels, norm_cfg=self.norm_cfg) for _ in range(1, blocks)]
        return nn.Sequential(*layers)

    def _make_transition_layer(self, pre, cur):
        layers = []
        for i, width in enumerate(cur):
            if i < len(pre):
                layers.append(nn.Sequential(*_conv_bn(pre[i], width, 3, 1, self.norm_cfg)) if width != pre[i] else None)
            else:
                steps = i + 1 - len(pre)
                layers.append(nn.Sequential(*[
                    nn.Sequential(*_conv_bn(pre[-1], width if j == steps - 1 else pre[-1], 3, 2, self.norm_cfg))
                    for j in range(steps)]))
        return nn.ModuleList(layers)

    def _make_stage(self, cfg, in_channels, multiscale_output=True):
        modules = []
        for i in range(cfg['num_modules']):
            # the last module of the last stage needs its first branch only
            modules.append(HRModule(cfg['num_branches'], self.blocks_dict[cfg['block']], cfg['num_blocks'], in_channels,
                                    cfg['num_channels'], multiscale_output or i < cfg['num_modules'] - 1,
                                    with_cp=self.with_cp, norm_cfg=self.norm_cfg))
            in_channels = modules[-1].in_channels
        return nn.Sequential(*modules), in_channels

    @staticmethod
    def _transit(transition, y_list):
        return [y_list[min(i, len(y_list) - 1)] if t is None else t(y_list[min(i, len(y_list) - 1)])
                for i, t in enumerate(transition)]

    def forward(self, x):
        y_list = [self.layer1(self.stem(x))]
        for n in range(2, self.num_stages + 1):
            x_list = self._transit(getattr(self, f'transition{n - 1}'), y_list)
            y_list = getattr(self, f'stage{n}')(x_list)
        return y_list
