"""Branches and loops, with a body of several lines each. ExecuTorch 1.5.1 refuses while_loop."""
import torch
from torch import nn
from torch._higher_order_ops.map import map as torch_map
from torch._higher_order_ops.scan import scan
from torch._higher_order_ops.while_loop import while_loop


class Cond(nn.Module):
    def __init__(self, dim: int = 16):
        super().__init__()
        self.cheap = nn.Linear(dim, dim)
        self.deep1 = nn.Linear(dim, 2 * dim)
        self.deep2 = nn.Linear(2 * dim, dim)

    def fast(self, x):
        return torch.relu(self.cheap(x))

    def slow(self, x):
        y = torch.sin(self.deep1(x))
        return torch.cos(self.deep2(y)) + x

    def forward(self, x):
        y = torch.cond(x.sum() > 0, self.fast, self.slow, (x,))
        return y.exp()


class Map(nn.Module):
    def __init__(self, dim: int = 16):
        super().__init__()
        self.scale = nn.Parameter(torch.linspace(0.5, 1.5, dim))

    def forward(self, xs):
        def row(x, scale):
            y = x * scale
            return torch.tanh(y + scale)

        ys = torch_map(row, xs, self.scale)
        return ys.exp()


class Scan(nn.Module):
    def __init__(self, dim: int = 16):
        super().__init__()
        self.decay = nn.Parameter(torch.linspace(0.1, 0.9, dim))

    def step(self, carry, x):
        kept = carry * self.decay
        total = kept + x
        return total, torch.sigmoid(total)

    def forward(self, xs):
        last, ys = scan(self.step, torch.zeros_like(xs[0]), xs)
        return ys * last


class Nested(nn.Module):
    """A loop with a branch in its body, after another loop."""

    def __init__(self, dim: int = 16):
        super().__init__()
        self.decay = nn.Parameter(torch.linspace(0.1, 0.9, dim))

    def forward(self, xs):
        def up(x):
            return torch.sin(x) + x

        def down(x):
            return torch.cos(x)

        def row(x, decay):
            y = torch.cond(x.sum() > 0, up, down, (x,))
            return y * decay

        def step(carry, x):
            total = carry * self.decay + x
            return total, torch.sigmoid(total)

        ys = torch_map(row, xs, self.decay)
        last, zs = scan(step, torch.zeros_like(xs[0]), ys)
        return zs * last


class While(nn.Module):
    def forward(self, x, n):
        def more(i, y):
            return i < n

        def body(i, y):
            z = torch.sin(y)
            return i + 1, z * 1.5

        i, y = while_loop(more, body, (torch.zeros((), dtype=torch.int64), x))
        return y.exp()
