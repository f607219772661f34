import torch
from torch import nn


class CellBase(nn.Module):
    def __init__(self, n_in, n_hidden, bias=True):
        super().__init__()
        self.n_hidden = n_hidden
        self.ih = nn.Linear(n_in, 4 * n_hidden, bias=bias)
        self.hh = nn.Linear(n_hidden, 4 * n_hidden, bias=bias)

    def gates(self, x, h):
        return (self.ih(x) + self.hh(h)).chunk(4, dim=1)


class LSTMCell(CellBase):
    def forward(self, x, state):
        h, c = state
        i, f, g, o = self.gates(x, h)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        h = torch.sigmoid(o) * torch.tanh(c)
        return h, c


class PeepholeCell(CellBase):
    def __init__(self, *args, **kw):
        super().__init__(*args, **kw)
        self.peep = nn.Parameter(torch.zeros(3, self.n_hidden))

    def _gate(self, pre, index, c):
        return torch.sigmoid(pre + self.peep[index] * c)

    def forward(self, x, state):
        h, c = state
        i, f, g, o = self.gates(x, h)
        c_next = self._gate(f, 0, c) * c + self._gate(i, 1, c) * g.tanh()
        h = self._gate(o, 2, c_next) * c_next.tanh()
        return (h, c_next)


class ZoneOut:
    def __init__(self, rate):
        self.keep = 1.0 - rate

    def __call__(self, old, new):
        return new * self.keep + old * (1 - self.keep)
