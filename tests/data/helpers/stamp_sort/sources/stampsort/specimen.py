"""A stamp as it lies on the tray: its printed middle and its four edges."""
import torch
from torch import nn


class Specimen:
    def __init__(self, picture, margin):
        self.picture, self.margin = self.scaled(picture), margin

    @staticmethod
    def scaled(picture):
        if picture.ndim == 3:
            picture = picture[None]
        return picture if picture.is_floating_point() else picture.to(torch.float32) / 255.0

    @property
    def sides(self):
        return self.picture.shape[-2:]

    @property
    def printed(self):
        """The picture without the margin around it."""
        height, width = self.sides
        m = self.margin
        return self.picture[:, :, m : height - m, m : width - m]

    def edges(self):
        """Brightness along each edge, clockwise, all four running the same way round."""
        m, (height, width) = self.margin, self.sides
        top, right = self.picture[:, :, :m], self.picture[..., width - m :].transpose(2, 3)
        bottom, left = self.picture[:, :, height - m :].flip((2, 3)), self.picture[..., :m].transpose(2, 3).flip(3)
        return [strip.mean((1, 2)) for strip in (top, right, bottom, left)]

    def patches(self, count):
        """Mean colours of a lattice of patches, one row each."""
        printed = self.printed
        high, wide = (side // count for side in printed.shape[-2:])
        rows = [self.bar(printed, -2, n * high, high) for n in range(count)]
        means = [self.bar(row, -1, n * wide, wide).mean((2, 3), keepdim=True) for row in rows for n in range(count)]
        return torch.cat(means, dim=2).squeeze(-1).transpose(1, 2)

    @staticmethod
    def bar(picture, dim, start, length):
        return picture.narrow(dim, start, length)


class CancelMask(nn.Module):
    """Where a postmark mostly falls. The mask is learned once and cropped to the sides of what is asked for."""

    def __init__(self, high, wide):
        super().__init__()
        self.column = nn.Parameter(torch.zeros(high))
        self.row = nn.Parameter(torch.zeros(wide))

    def forward(self, picture):
        return self.mask(*self.crop(picture), picture.dtype)

    def crop(self, picture):
        high, wide = picture.shape[-2:]
        return (self.column.shape[0] - high) // 2, high, (self.row.shape[0] - wide) // 2, wide

    def mask(self, top, high, left, wide, dtype):
        down, along = torch.meshgrid(self.column[top : top + high], self.row[left : left + wide], indexing="ij")
        return torch.sigmoid(down + along).to(dtype).unsqueeze(0).unsqueeze(0)
