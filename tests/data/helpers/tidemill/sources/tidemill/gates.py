"""Gates let the tide in and out."""

import torch


def opened(water, tide, first, last):
    """The tide comes in between two gates, and drains elsewhere."""
    water = water.clone()
    water[:, first:last] += tide[:, first:last]
    water[:, :first] *= 0.5
    water[:, last:] -= tide.mean(dim=1, keepdim=True)
    water[..., 0] /= 3.0
    return water


def silted(bias, width):
    """Without the middle part."""
    bias = bias.clone()
    bias[width : 2 * width].zero_()
    return bias


def squashed(head):
    """Never more than the wall holds."""
    return head * torch.rsqrt(1.0 + 0.2 * head * head)


class Spill(torch.autograd.Function):
    @staticmethod
    def forward(context, head):
        context.save_for_backward(head)
        return squashed(head)

    @staticmethod
    def backward(context, grad):
        (head,) = context.saved_tensors
        return grad * squashed(1.0 - head)


def flood(water, heights):
    for row, height in enumerate(heights):
        top = water[:, row]
        top[:, 1:] += height
        water[:, row, 0] -= height
    return Spill.apply(water)
