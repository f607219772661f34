import torch
import torch.nn as nn

from rnn.cells import *
from rnn import cells as _cells

CELLS = {cls.__name__: cls for cls in (_cells.LSTMCell, _cells.PeepholeCell)}


class Layer(nn.Module):
    def __init__(self, cell, n_in, n, reverse=False, zoneout=0.1):
        super().__init__()
        self.cell = CELLS[cell](n_in, n)
        self.reverse = reverse
        self.zone = ZoneOut(zoneout)

    def initial(self, x):
        b = x.shape[0]
        zero = torch.zeros(b, self.cell.n_hidden)
        return zero, zero

    def steps(self, x):
        order = range(x.size(1))
        if self.reverse:
            order = reversed(order)
        for t in order:
            yield t, x[:, t]

    def forward(self, x):
        state = self.initial(x)
        outs = {}
        for t, frame in self.steps(x):
            h, c = self.cell(frame, state)
            state = (self.zone(state[0], h), c)
            outs[t] = state[0]
        return torch.stack([outs[k] for k in sorted(outs)], dim=1)


class Both(nn.Module):
    def __init__(self, cell, n_in, n):
        super().__init__()
        self.fwd = Layer(cell, n_in, n)
        self.bwd = Layer(cell, n_in, n, reverse=True)

    def forward(self, x):
        return torch.cat([layer(x) for layer in (self.fwd, self.bwd)], -1)


class Attend(nn.Module):
    def __init__(self, n, heads=2):
        super().__init__()
        self.query = nn.Parameter(torch.zeros(heads, n))
        self.n = n

    def energies(self, x):
        return torch.einsum("hn,btn->bht", self.query, x) / self.n ** 0.5

    def forward(self, x):
        w = self.energies(x).softmax(-1)
        return (w[..., None] * x[:, None]).sum(2).flatten(1)


class Model(nn.Module):
    def __init__(self, n_in=4, n=6, classes=3, stack=("LSTMCell", "PeepholeCell")):
        super().__init__()
        size = n_in
        layers = []
        for cell in stack:
            layers.append(Both(cell, size, n))
            size = 2 * n
        self.layers = nn.Sequential(*layers)
        self.attend = Attend(size)
        self.fc = nn.Linear(2 * size, classes)

    @property
    def last(self):
        return self.layers[-1]

    def features(self, x):
        for layer in self.layers[:-1]:
            x = layer(x)
        return self.last(x)

    def forward(self, x):
        y = self.features(x)
        pooled = self.attend(y)
        return self.classify(pooled)

    def classify(self, v):
        scores = self.fc(v)
        return scores - scores.amax(-1, keepdim=True)


def example():
    return [(2, 3, 4)]
