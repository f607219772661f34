import math

import torch
import torch.nn as nn


def get_mask_from_lengths(lengths, max_len):
    """True at the padded places: (B,) -> (B, max_len)."""
    ids = torch.arange(0, max_len, device=lengths.device).unsqueeze(0).expand(lengths.shape[0], -1)
    return ids >= lengths.unsqueeze(1)


def get_attn_key_pad_mask(pad_mask, n_query):
    return pad_mask.unsqueeze(1).expand(-1, n_query, -1)


def get_non_pad_mask(pad_mask, dtype=torch.float):
    return (~pad_mask).unsqueeze(-1).to(dtype)


def mask_fill_sequence(x, pad_mask, value=0.0):
    """Overwrites the padding of (B, T) or (B, T, C)."""
    if pad_mask is None:
        return x
    if x.dim() == 3:
        pad_mask = pad_mask.unsqueeze(-1)
    return x.masked_fill(pad_mask, value)


def sequence_mask_to_path(duration, max_len):
    """Hard alignment: (B, T_src) frames per token -> (B, max_len, T_src), 1 where the frame belongs to the token."""
    ends = torch.cumsum(duration, dim=1)
    starts = ends - duration
    frames = torch.arange(max_len, device=duration.device, dtype=duration.dtype)[None, :, None]
    inside = (frames >= starts.unsqueeze(1)) & (frames < ends.unsqueeze(1))
    return inside.float()


def sinusoid_table(n_position, d_hid):
    position = torch.arange(n_position).unsqueeze(1)
    freq = torch.exp(torch.arange(0, d_hid, 2) * (-math.log(10000.0) / d_hid))
    table = torch.zeros(n_position, d_hid)
    table[:, 0::2] = torch.sin(position * freq)
    table[:, 1::2] = torch.cos(position * freq)
    return table


class Conv(nn.Module):
    """nn.Conv1d for (B, T, C) that keeps the length."""

    def __init__(self, in_channels, out_channels, kernel_size=1, dilation=1, bias=True, w_init="linear"):
        super().__init__()
        padding = dilation * (kernel_size - 1) // 2
        self.conv = nn.Conv1d(in_channels, out_channels, kernel_size=kernel_size, padding=padding, dilation=dilation, bias=bias)
        nn.init.xavier_uniform_(self.conv.weight, gain=nn.init.calculate_gain(w_init))

    def forward(self, x):
        x = self.conv(x.transpose(1, 2))
        return x.contiguous().transpose(1, 2)
