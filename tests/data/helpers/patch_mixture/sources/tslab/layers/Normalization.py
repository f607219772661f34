import torch
import torch.nn as nn


class RevIN(nn.Module):
    def __init__(self, num_features: int, eps=1e-5, affine=True):
        """
        :param num_features: the number of features or channels
        :param eps: a value added for numerical stability
        :param affine: if True, RevIN has learnable affine parameters
        """
        super(RevIN, self).__init__()
        self.num_features = num_features
        self.eps = eps
        self.affine = affine
        if self.affine:
            self._init_params()

    def forward(self, x, mode: str, stats=None):
        if mode == 'norm':
            stats = self._get_statistics(x)
            return self._normalize(x, stats), stats
        elif mode == 'denorm':
            return self._denormalize(x, stats)
        raise NotImplementedError

    def _init_params(self):
        # initialize RevIN params: (C,)
        self.affine_weight = nn.Parameter(torch.ones(self.num_features))
        self.affine_bias = nn.Parameter(torch.zeros(self.num_features))

    def _get_statistics(self, x):
        dim2reduce = tuple(range(1, x.ndim - 1))
        mean = torch.mean(x, dim=dim2reduce, keepdim=True).detach()
        stdev = torch.sqrt(torch.var(x, dim=dim2reduce, keepdim=True, unbiased=False) + self.eps).detach()
        return mean, stdev

    def _normalize(self, x, stats):
        mean, stdev = stats
        x = (x - mean) / stdev
        if self.affine:
            x = x * self.affine_weight
            x = x + self.affine_bias
        return x

    def _denormalize(self, x, stats):
        mean, stdev = stats
        if self.affine:
            x = x - self.affine_bias
            x = x / (self.affine_weight + self.eps * self.eps)
        return x * stdev + mean


class moving_avg(nn.Module):
    """Moving average block to highlight the trend of time series"""

    def __init__(self, kernel_size, stride):
        super(moving_avg, self).__init__()
        self.kernel_size = kernel_size
        self.avg = nn.AvgPool1d(kernel_size=kernel_size, stride=stride, padding=0)

    def pad_ends(self, x):
        front = x[:, 0:1, :].repeat(1, (self.kernel_size - 1) // 2, 1)
        end = x[:, -1:, :].repeat(1, (self.kernel_size - 1) // 2, 1)
        return torch.cat([front, x, end], dim=1)

    def forward(self, x):
        # padding on the both ends of time series
        x = self.pad_ends(x)
        x = self.avg(x.permute(0, 2, 1))
        x = x.permute(0, 2, 1)
        return x


class series_decomp_multi(nn.Module):
    """Mixture of moving averages, weighted per time step"""

    def __init__(self, kernel_sizes):
        super(series_decomp_multi, self).__init__()
        self.moving_avg = nn.ModuleList([moving_avg(k, stride=1) for k in kernel_sizes])
        self.layer = nn.Linear(1, len(kernel_sizes))

    def _mix(self, x, candidates):
        weight = torch.softmax(self.layer(x.unsqueeze(-1)), dim=-1)
        return torch.sum(candidates * weight, dim=-1)

    def forward(self, x):
        trends = torch.cat([func(x).unsqueeze(-1) for func in self.moving_avg], dim=-1)
        trend = self._mix(x, trends)
        return x - trend, trend
