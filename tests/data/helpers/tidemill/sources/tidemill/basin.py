"""The basin of a tide mill, in squares that are rolled against each other."""

import torch
import torch.nn.functional as F


def squares(water, side):
    b, h, w, c = water.shape
    cut = water.view(b, h // side, side, w // side, side, c)
    return cut.transpose(2, 3).reshape(-1, side * side, c)


def joined(cut, side, h, w):
    b = cut.shape[0] // ((h // side) * (w // side))
    water = cut.view(b, h // side, w // side, side, side, -1)
    return water.transpose(2, 3).reshape(b, h, w, -1)


def filled_up(water, side):
    _, h, w, _ = water.shape
    right, below = -w % side, -h % side
    return F.pad(water, (0, 0, 0, right, 0, below)), h + below, w + right


def walls(h, w, side, shift, like):
    """What stands on the two sides of a wall does not mix."""
    part = like.new_zeros((h, w))
    cuts = ((0, -side), (-side, -shift), (-shift, None))
    number = 0
    for rows in cuts:
        for columns in cuts:
            part[rows[0] : rows[1], columns[0] : columns[1]] = number
            number += 1
    part = squares(part[None, :, :, None], side).squeeze(-1)
    between = part.unsqueeze(1) - part.unsqueeze(2)
    return between.masked_fill(between != 0, -40.0).masked_fill(between == 0, 0.0)


def depths(h, w, side, level):
    """How far each place lies from each other one, and the level that stands there."""
    places = torch.stack(torch.meshgrid(torch.arange(side), torch.arange(side), indexing="ij")).flatten(1)
    apart = (places[:, :, None] - places[:, None, :]).permute(1, 2, 0).contiguous()
    apart[:, :, 0] += side - 1
    apart[:, :, 1] += side - 1
    apart[:, :, 0] *= 2 * side - 1
    far = torch.zeros((side * side + 1,) * 2, dtype=apart.dtype)
    far[1:, 1:] = apart.sum(-1)
    far[0, 0:] = (2 * side - 1) ** 2
    far[0:, 0] = (2 * side - 1) ** 2 + 1
    return level[far[1:, 1:].reshape(-1)].view(side * side, side * side, -1).permute(2, 0, 1)
