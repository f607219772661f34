import math

import torch
from torch import nn as nn
from torch.nn import functional as F

from .sr_arch import HybridSR
from .vsr_arch import BasicVSR


class TileUpsampler(nn.Module):
    """A helper that crops the input image into tiles and merges them after the network (0 means no tile)."""

    def __init__(self, model, scale, tile=0, tile_pad=10, pre_pad=10):
        super(TileUpsampler, self).__init__()
        self.model = model
        self.scale = scale
        self.tile_size = tile
        self.tile_pad = tile_pad
        self.pre_pad = pre_pad
        self.mod_scale = {2: 8, 1: 16}.get(scale)

    def pre_process(self, img):
        self.mod_pad_h, self.mod_pad_w = 0, 0
        if self.pre_pad != 0:
            img = F.pad(img, (0, self.pre_pad, 0, self.pre_pad), 'reflect')
        if self.mod_scale is not None:
            _, _, h, w = img.size()
            if h % self.mod_scale != 0:
                self.mod_pad_h = self.mod_scale - h % self.mod_scale
            if w % self.mod_scale != 0:
                self.mod_pad_w = self.mod_scale - w % self.mod_scale
            img = F.pad(img, (0, self.mod_pad_w, 0, self.mod_pad_h), 'reflect')
        return img

    def process(self, img):
        return self.model(img)

    def tile_process(self, img):
        _, _, height, width = img.shape
        tiles_x = math.ceil(width / self.tile_size)
        tiles_y = math.ceil(height / self.tile_size)
        rows = []
        for y in range(tiles_y):
            row = []
            for x in range(tiles_x):
                # input tile area on total image
                input_start_x, input_start_y = x * self.tile_size, y * self.tile_size
                input_end_x = min(input_start_x + self.tile_size, width)
                input_end_y = min(input_start_y + self.tile_size, height)
                # input tile area on total image with padding
                input_start_x_pad = max(input_start_x - self.tile_pad, 0)
                input_end_x_pad = min(input_end_x + self.tile_pad, width)
                input_start_y_pad = max(input_start_y - self.tile_pad, 0)
                input_end_y_pad = min(input_end_y + self.tile_pad, height)
                input_tile_width = input_end_x - input_start_x
                input_tile_height = input_end_y - input_start_y
                input_tile = img[:, :, input_start_y_pad:input_end_y_pad, input_start_x_pad:input_end_x_pad]
                output_tile = self.model(input_tile)
                # output tile area without padding
                output_start_x_tile = (input_start_x - input_start_x_pad) * self.scale
                output_end_x_tile = output_start_x_tile + input_tile_width * self.scale
                output_start_y_tile = (input_start_y - input_start_y_pad) * self.scale
                output_end_y_tile = output_start_y_tile + input_tile_height * self.scale
                row.append(output_tile[:, :, output_start_y_tile:output_end_y_tile, output_start_x_tile:output_end_x_tile])
            rows.append(torch.cat(row, dim=3))
        return torch.cat(rows, dim=2)

    def post_process(self, output):
        # remove extra pad
        if self.mod_scale is not None:
            _, _, h, w = output.size()
            output = output[:, :, 0:h - self.mod_pad_h * self.scale, 0:w - self.mod_pad_w * self.scale]
        # remove prepad
        if self.pre_pad != 0:
            _, _, h, w = output.size()
            output = output[:, :, 0:h - self.pre_pad * self.scale, 0:w - self.pre_pad * self.scale]
        return output

    def forward(self, img):
        img = self.pre_process(img)
        output = self.tile_process(img) if self.tile_size > 0 else self.process(img)
        return self.post_process(output).clamp(0, 1)


def build_network(opt):
    opt = dict(opt)
    network_type = opt.pop('type')
    return {'HybridSR': HybridSR, 'BasicVSR': BasicVSR}[network_type](**opt)


class Model(nn.Module):
    def __init__(self):
        super(Model, self).__init__()
        net_g = build_network({'type': 'HybridSR', 'num_feat': 8, 'num_block': 1, 'upscale': 2, 'img_range': 1.})
        self.upsampler = TileUpsampler(net_g, scale=2, tile=16, tile_pad=8, pre_pad=2)
        self.video = build_network({'type': 'BasicVSR', 'num_feat': 8, 'num_block': 1})

    def forward(self, lq, clip):
        return self.upsampler(lq), self.video(clip)


def example():
    return [(1, 3, 13, 28), (1, 2, 3, 16, 16)]
