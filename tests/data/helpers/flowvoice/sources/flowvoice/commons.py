import math

import torch
from torch.nn import functional as F


def get_padding(kernel_size, dilation=1):
    return int((kernel_size * dilation - dilation) / 2)


def init_weights(m, mean=0.0, std=0.01):
    name = m.__class__.__name__
    if name.find("Conv") != -1:
        m.weight.data.normal_(mean, std)


def sequence_mask(length, max_length=None):
    if max_length is None:
        max_length = length.max()
    positions = torch.arange(max_length, dtype=length.dtype, device=length.device)
    return positions.unsqueeze(0) < length.unsqueeze(1)


def fused_gate(input_a, input_b, n_channels):
    in_act = input_a + input_b
    t_act = torch.tanh(in_act[:, :n_channels, :])
    s_act = torch.sigmoid(in_act[:, n_channels:, :])
    acts = t_act * s_act
    return acts


def convert_pad_shape(pad_shape):
    reverse = pad_shape[::-1]
    return [item for pair in reverse for item in pair]


def timing_signal(length, channels, min_scale=1.0, max_scale=1.0e4):
    num = channels // 2
    position = torch.arange(length, dtype=torch.float32)
    step = math.log(float(max_scale) / float(min_scale)) / max(num - 1, 1)
    inverse = min_scale * torch.exp(torch.arange(num, dtype=torch.float32) * -step)
    scaled = position.unsqueeze(0) * inverse.unsqueeze(1)
    signal = torch.cat([torch.sin(scaled), torch.cos(scaled)], 0)
    return signal.view(1, channels, length)


def slice_segments(x, starts, size=4):
    return torch.stack([x[i, :, s:s + size] for i, s in enumerate(starts)])


def gaussian_terms(m, logs, z, mask):
    kl = logs * -1.0 - 0.5
    kl += 0.5 * ((z - m) ** 2) * torch.exp(-2.0 * logs)
    kl = (kl * mask).sum([1, 2])
    return kl / mask.sum([1, 2])
