import typing as tp

import torch
from torch import nn

from .conv import SConv1d, SConvTranspose1d


def snake(x: torch.Tensor, alpha: torch.Tensor) -> torch.Tensor:
    shape = x.shape
    x = x.reshape(shape[0], shape[1], -1)
    x = x + (alpha + 1e-9).reciprocal() * torch.sin(alpha * x).pow(2)
    return x


class Snake1d(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.alpha = nn.Parameter(torch.ones(1, channels, 1))

    def forward(self, x):
        return snake(x, self.alpha)


def get_activation(name: str, channels: int, params: dict) -> nn.Module:
    return Snake1d(channels) if name == "Snake" else getattr(nn, name)(**params)


class SEANetResnetBlock(nn.Module):
    def __init__(self, dim: int, kernel_sizes: tp.List[int] = [3, 1], dilations: tp.List[int] = [1, 1],
                 activation: str = "ELU", activation_params: dict = {}, compress: int = 2, true_skip: bool = False, **conv):
        super().__init__()
        hidden = dim // compress
        block: tp.List[nn.Module] = []
        for i, (kernel_size, dilation) in enumerate(zip(kernel_sizes, dilations)):
            in_chs = dim if i == 0 else hidden
            out_chs = dim if i == len(kernel_sizes) - 1 else hidden
            block += [get_activation(activation, in_chs, activation_params),
                      SConv1d(in_chs, out_chs, kernel_size=kernel_size, dilation=dilation, **conv)]
        self.block = nn.Sequential(*block)
        self.shortcut = nn.Identity() if true_skip else SConv1d(dim, dim, kernel_size=1, **conv)

    def forward(self, x):
        return self.shortcut(x) + self.block(x)


class SEANetEncoder(nn.Module):
    def __init__(self, channels: int = 1, dimension: int = 128, n_filters: int = 32, ratios=(8, 5, 4, 2),
                 activation: str = "ELU", activation_params: dict = {"alpha": 1.0}, kernel_size: int = 7,
                 last_kernel_size: int = 7, **conv):
        super().__init__()
        mult = 1
        model: tp.List[nn.Module] = [SConv1d(channels, n_filters, kernel_size, **conv)]
        for ratio in reversed(ratios):
            model += [SEANetResnetBlock(mult * n_filters, activation=activation, activation_params=activation_params,
                                        true_skip=mult > 1, **conv),
                      get_activation(activation, mult * n_filters, activation_params),
                      SConv1d(mult * n_filters, mult * n_filters * 2, kernel_size=ratio * 2, stride=ratio, **conv)]
            mult *= 2
        model += [get_activation(activation, mult * n_filters, activation_params),
                  SConv1d(mult * n_filters, dimension, last_kernel_size, **conv)]
        self.model = nn.Sequential(*model)

    def forward(self, x):
        return self.model(x)


class SEANetDecoder(nn.Module):
    def __init__(self, channels: int = 1, dimension: int = 128, n_filters: int = 32, ratios=(8, 5, 4, 2),
                 activation: str = "Snake", final_activation: tp.Optional[str] = "Tanh", kernel_size: int = 7, **conv):
        super().__init__()
        tr = {k: v for k, v in conv.items() if k in ("causal", "norm")}
        mult = 2 ** len(ratios)
        model: tp.List[nn.Module] = [SConv1d(dimension, mult * n_filters, kernel_size, **conv)]
        for ratio in ratios:
            out = mult * n_filters // 2
            model += [get_activation(activation, mult * n_filters, {}),
                      SConvTranspose1d(mult * n_filters, out, kernel_size=ratio * 2, stride=ratio, **tr),
                      SEANetResnetBlock(out, activation="ELU", true_skip=True, **conv)]
            mult //= 2
        model += [get_activation(activation, n_filters, {}), SConv1d(n_filters, channels, kernel_size, **conv)]
        if final_activation is not None:
            model += [getattr(nn, final_activation)()]
        self.model = nn.Sequential(*model)

    def forward(self, z):
        return self.model(z)
