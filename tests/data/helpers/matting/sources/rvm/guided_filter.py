import torch
from torch import nn
from torch.nn import functional as F


def diff_x(cum, r):
    left = cum[:, :, r:2 * r + 1]
    middle = cum[:, :, 2 * r + 1:] - cum[:, :, :-2 * r - 1]
    right = cum[:, :, -1:] - cum[:, :, -2 * r - 1:-r - 1]
    return torch.cat([left, middle, right], dim=2)


def diff_y(cum, r):
    left = cum[:, :, :, r:2 * r + 1]
    middle = cum[:, :, :, 2 * r + 1:] - cum[:, :, :, :-2 * r - 1]
    right = cum[:, :, :, -1:] - cum[:, :, :, -2 * r - 1:-r - 1]
    return torch.cat([left, middle, right], dim=3)


class BoxFilter(nn.Module):
    def __init__(self, r):
        super().__init__()
        self.r = r

    def forward(self, x):
        assert x.dim() == 4
        return diff_y(diff_x(x.cumsum(dim=2), self.r).cumsum(dim=3), self.r)


class FastGuidedFilter(nn.Module):
    def __init__(self, r: int, eps: float = 1e-5):
        super().__init__()
        self.r = r
        self.eps = eps
        self.boxfilter = BoxFilter(r)

    def _linear_coefficients(self, lr_x, lr_y):
        N = self.boxfilter(torch.ones_like(lr_x[:, :1]))
        box = lambda t: self.boxfilter(t) / N
        mean_x, mean_y = box(lr_x), box(lr_y)
        cov_xy = box(lr_x * lr_y) - mean_x * mean_y
        var_x = box(lr_x * lr_x) - mean_x * mean_x
        A = cov_xy / (var_x + self.eps)
        return A, mean_y - A * mean_x

    def forward(self, lr_x, lr_y, hr_x):
        A, b = self._linear_coefficients(lr_x, lr_y)
        A, b = (F.interpolate(t, hr_x.shape[2:], mode="bilinear", align_corners=False) for t in (A, b))
        return A * hr_x + b


class FastGuidedFilterRefiner(nn.Module):
    def __init__(self, *args, **kwargs):
        super().__init__()
        self.guilded_filter = FastGuidedFilter(1)

    def forward_single_frame(self, fine_src, base_src, base_fgr, base_pha, base_hid):
        fine_src_gray = self._gray(fine_src)
        base_src_gray = self._gray(base_src)
        fgr, pha = self.guilded_filter(
            torch.cat([base_src, base_src_gray], dim=1),
            torch.cat([base_fgr, base_pha], dim=1),
            torch.cat([fine_src, fine_src_gray], dim=1)).split([3, 1], dim=1)
        return fgr, pha

    def forward_time_series(self, fine_src, *base):
        B, T = fine_src.shape[:2]
        fgr, pha = self.forward_single_frame(fine_src.flatten(0, 1), *(t.flatten(0, 1) for t in base))
        return fgr.unflatten(0, (B, T)), pha.unflatten(0, (B, T))

    @staticmethod
    def _gray(src):
        return src.mean(1, keepdim=True)

    def forward(self, *args):
        if args[0].ndim == 5:
            return self.forward_time_series(*args)
        else:
            return self.forward_single_frame(*args)
