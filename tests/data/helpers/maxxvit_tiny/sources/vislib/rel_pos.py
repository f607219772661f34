""" Relative position bias modules and window helpers"""
from typing import Tuple

import torch
import torch.nn as nn


def gen_relative_position_index(q_size: Tuple[int, int]) -> torch.Tensor:
    coords = torch.stack(torch.meshgrid([torch.arange(q_size[0]), torch.arange(q_size[1])], indexing='ij')).flatten(1)
    relative_coords = coords[:, :, None] - coords[:, None, :]  # 2, Wh*Ww, Wh*Ww
    relative_coords = relative_coords.permute(1, 2, 0)
    relative_coords[:, :, 0] += q_size[0] - 1
    relative_coords[:, :, 1] += q_size[1] - 1
    relative_coords[:, :, 0] *= 2 * q_size[1] - 1
    return relative_coords.sum(-1)


def generate_lookup_tensor(length: int):
    """ One hot (length, vocab, length): entry (n, v, m) is 1 where v is the distance of m from n """
    ret = torch.zeros(length, 2 * length - 1, length)
    for i in range(length):
        for x in range(length):
            ret[i, x - i + length - 1, x] = 1
    return ret


def reindex_2d_einsum_lookup(relative_position_tensor, height: int, width: int, height_lookup, width_lookup):
    reindexed = torch.einsum('nhw,ixh->nixw', relative_position_tensor, height_lookup)
    reindexed = torch.einsum('nixw,jyw->nijxy', reindexed, width_lookup)
    area = height * width
    return reindexed.reshape(relative_position_tensor.shape[0], area, area)


class RelPosBias(nn.Module):
    """ Relative position bias of a table that an index is looked up in """

    def __init__(self, window_size, num_heads):
        super().__init__()
        self.window_size = window_size
        self.window_area = window_size[0] * window_size[1]
        self.bias_shape = (self.window_area,) * 2 + (num_heads,)
        num_relative_distance = (2 * window_size[0] - 1) * (2 * window_size[1] - 1)
        self.relative_position_bias_table = nn.Parameter(torch.zeros(num_relative_distance, num_heads))
        self.register_buffer('relative_position_index', gen_relative_position_index(window_size).view(-1), persistent=False)
        nn.init.trunc_normal_(self.relative_position_bias_table, std=.02)

    def get_bias(self) -> torch.Tensor:
        relative_position_bias = self.relative_position_bias_table[self.relative_position_index]
        relative_position_bias = relative_position_bias.view(self.bias_shape).permute(2, 0, 1)
        return relative_position_bias.unsqueeze(0).contiguous()

    def forward(self, attn):
        return attn + self.get_bias()


class RelPosBiasTf(nn.Module):
    """ Relative position bias with one-hot lookups, compatible with weights of Tensorflow """

    def __init__(self, window_size, num_heads):
        super().__init__()
        self.window_size = window_size
        vocab_height, vocab_width = (2 * s - 1 for s in window_size)
        self.relative_position_bias_table = nn.Parameter(torch.zeros(num_heads, vocab_height, vocab_width))
        self.register_buffer('height_lookup', generate_lookup_tensor(window_size[0]), persistent=False)
        self.register_buffer('width_lookup', generate_lookup_tensor(window_size[1]), persistent=False)

    def get_bias(self) -> torch.Tensor:
        return reindex_2d_einsum_lookup(
            self.relative_position_bias_table, *self.window_size, self.height_lookup, self.width_lookup)

    def forward(self, attn):
        return attn + self.get_bias()


def window_partition(x, window_size: Tuple[int, int]):
    B, H, W, C = x.shape
    x = x.view(B, H // window_size[0], window_size[0], W // window_size[1], window_size[1], C)
    return x.permute(0, 1, 3, 2, 4, 5).contiguous().view(-1, window_size[0], window_size[1], C)


def window_reverse(windows, window_size: Tuple[int, int], img_size: Tuple[int, int]):
    H, W = img_size
    C = windows.shape[-1]
    x = windows.view(-1, H // window_size[0], W // window_size[1], window_size[0], window_size[1], C)
    return x.permute(0, 1, 3, 2, 4, 5).contiguous().view(-1, H, W, C)


def grid_partition(x, grid_size: Tuple[int, int]):
    B, H, W, C = x.shape
    x = x.view(B, grid_size[0], H // grid_size[0], grid_size[1], W // grid_size[1], C)
    return x.permute(0, 2, 4, 1, 3, 5).contiguous().view(-1, grid_size[0], grid_size[1], C)


def grid_reverse(windows, grid_size: Tuple[int, int], img_size: Tuple[int, int]):
    H, W = img_size
    C = windows.shape[-1]
    x = windows.view(-1, H // grid_size[0], W // grid_size[1], grid_size[0], grid_size[1], C)
    return x.permute(0, 3, 1, 4, 2, 5).contiguous().view(-1, H, W, C)
