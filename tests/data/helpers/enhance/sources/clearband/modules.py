import math
from functools import partial
from typing import Callable, Iterable, Optional, Tuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def pad_time(x: Tensor, past: int, future: int = 0) -> Tensor:
    """Zero frames before and after, [B, C, T, F]."""
    if past == 0 and future == 0:
        return x
    return F.pad(x, (0, 0, past, future))


def causal(conv: Callable[[Tensor], Tensor], kt: int, lookahead: int = 0) -> Callable[[Tensor], Tensor]:
    past = kt - 1 - lookahead

    def run(x: Tensor) -> Tensor:
        return conv(pad_time(x, past, lookahead))

    return run


class ConvNormAct(nn.Module):
    def __init__(
        self,
        in_ch: int,
        out_ch: int,
        kernel: Tuple[int, int],
        fstride: int = 1,
        lookahead: int = 0,
        separable: bool = True,
        act: Optional[Callable[[], nn.Module]] = partial(nn.ReLU, inplace=True),
        transposed: bool = False,
    ):
        super().__init__()
        kt, kf = kernel
        fpad = kf // 2
        groups = math.gcd(in_ch, out_ch) if separable else 1
        if transposed:
            self.conv = nn.ConvTranspose2d(
                in_ch, out_ch, kernel, stride=(1, fstride), padding=(kt - 1, fpad),
                output_padding=(0, fpad if fstride > 1 else 0), groups=groups, bias=False,
            )
        else:
            self.conv = nn.Conv2d(
                in_ch, out_ch, kernel, stride=(1, fstride), padding=(0, fpad), groups=groups, bias=False
            )
        self.pointwise = nn.Conv2d(out_ch, out_ch, 1, bias=False) if groups > 1 else None
        self.norm = nn.BatchNorm2d(out_ch)
        self.act = act() if act is not None else None
        self.kt, self.lookahead = kt, lookahead

    def _conv(self, x: Tensor) -> Tensor:
        x = causal(self.conv, self.kt, self.lookahead)(x)
        return x if self.pointwise is None else self.pointwise(x)

    def forward(self, x: Tensor) -> Tensor:
        x = self.norm(self._conv(x))
        return x if self.act is None else self.act(x)


def grouped_linear(x: Tensor, weight: Tensor, *, groups: int) -> Tensor:
    """[B, T, I] x [G, I / G, H / G] -> [B, T, H]"""
    b, t, _ = x.shape
    x = x.view(b, t, groups, -1)
    x = torch.einsum("btgi,gih->btgh", x, weight)
    return x.flatten(2, 3)


def shuffled(op: Callable[..., Tensor], groups: int) -> Callable[..., Tensor]:
    """Lets the groups of an operation see each other's outputs in the next one"""

    def run(x: Tensor, weight: Tensor) -> Tensor:
        y = op(x, weight)
        b, t, h = y.shape
        return y.view(b, t, groups, h // groups).transpose(2, 3).reshape(b, t, h)

    return run


class GroupedLinear(nn.Module):
    def __init__(self, input_dim: int, output_dim: int, groups: int = 1, shuffle: bool = False,
                 act: Callable[[Tensor], Tensor] = lambda x: x):
        super().__init__()
        assert input_dim % groups == 0 and output_dim % groups == 0
        self.weight = nn.Parameter(torch.empty(groups, input_dim // groups, output_dim // groups))
        op = partial(grouped_linear, groups=groups)
        self.op = shuffled(op, groups) if shuffle else op
        self.post = act

    def forward(self, x: Tensor) -> Tensor:
        return self.post(self.op(x, self.weight))


def gru_cell(x: Tensor, h: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor, b_hh: Tensor) -> Tensor:
    ri, zi, ni = F.linear(x, w_ih, b_ih).chunk(3, dim=-1)
    rh, zh, nh = F.linear(h, w_hh, b_hh).chunk(3, dim=-1)
    r = torch.sigmoid(ri + rh)
    z = torch.sigmoid(zi + zh)
    n = torch.tanh(ni + r * nh)
    return (1.0 - z) * n + z * h


def unroll(cell: Callable[[Tensor, Tensor], Tensor], frames: Iterable[Tensor], h: Tensor) -> Tuple[Tensor, Tensor]:
    outputs = []
    for x in frames:
        h = cell(x, h)
        outputs.append(h)
    return torch.stack(outputs, dim=1), h


class SqueezedGRU(nn.Module):
    def __init__(self, input_size: int, hidden_size: int, output_size: int, groups: int = 4, skip: bool = True):
        super().__init__()
        self.hidden_size = hidden_size
        self.linear_in = GroupedLinear(input_size, hidden_size, groups, shuffle=True, act=F.relu)
        self.w_ih = nn.Parameter(torch.empty(3 * hidden_size, hidden_size))
        self.w_hh = nn.Parameter(torch.empty(3 * hidden_size, hidden_size))
        self.b_ih = nn.Parameter(torch.zeros(3 * hidden_size))
        self.b_hh = nn.Parameter(torch.zeros(3 * hidden_size))
        self.linear_out = GroupedLinear(hidden_size, output_size, groups, act=torch.relu)
        self.skip = skip and input_size == output_size

    def _cell(self, x: Tensor, h: Tensor) -> Tensor:
        return gru_cell(x, h, self.w_ih, self.w_hh, self.b_ih, self.b_hh)

    def forward(self, inputs: Tensor, h: Optional[Tensor] = None) -> Tuple[Tensor, Tensor]:
        x = self.linear_in(inputs)
        if h is None:
            h = inputs.new_zeros(inputs.shape[0], self.hidden_size)
        x, h = unroll(self._cell, x.unbind(1), h)
        x = self.linear_out(x)
        return (x + inputs if self.skip else x), h
