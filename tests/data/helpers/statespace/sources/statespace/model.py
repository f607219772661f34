import math
from abc import ABC, abstractmethod
from typing import NamedTuple

import torch
import torch.nn as nn
import torch.nn.functional as F


class State(NamedTuple):
    conv: object
    ssm: object

    def replace(self, **changes):
        return self._replace(**changes)


def softplus_(x, beta=1.0):
    return torch.log(1 + torch.exp(x * beta)) / beta


def selective_scan(u, delta, A, B, C, D=None, z=None, delta_softplus=False, return_last_state=False):
    """Reference scan: one step at a time."""
    if delta_softplus:
        delta = F.softplus(delta)
    batch, dim, dstate = u.shape[0], A.shape[0], A.shape[1]
    x = A.new_zeros((batch, dim, dstate))
    ys = []
    deltaA = torch.exp(torch.einsum("bdl,dn->bdln", delta, A))
    deltaB_u = torch.einsum("bdl,bnl,bdl->bdln", delta, B, u)
    last_state = None
    for i in range(u.shape[2]):
        x = deltaA[:, :, i] * x + deltaB_u[:, :, i]
        y = torch.einsum("bdn,bn->bd", x, C[:, :, i])
        if i == u.shape[2] - 1:
            last_state = x
        ys.append(y)
    y = torch.stack(ys, dim=2)
    out = y if D is None else y + u * D.unsqueeze(-1)
    if z is not None:
        out = out * F.silu(z)
    return out if not return_last_state else (out, last_state)


class MambaMixer(nn.Module):
    def __init__(self, d_model, d_state=3, d_conv=3, expand=2, dt_rank="auto", layer_idx=None):
        super().__init__()
        self.d_model = d_model
        self.d_state = d_state
        self.d_conv = d_conv
        self.d_inner = int(expand * d_model)
        self.dt_rank = math.ceil(d_model / 16) if dt_rank == "auto" else dt_rank
        self.in_proj = nn.Linear(d_model, self.d_inner * 2, bias=False)
        self.conv1d = nn.Conv1d(self.d_inner, self.d_inner, d_conv, groups=self.d_inner, padding=d_conv - 1)
        self.x_proj = nn.Linear(self.d_inner, self.dt_rank + self.d_state * 2, bias=False)
        self.dt_proj = nn.Linear(self.dt_rank, self.d_inner)
        self.A_log = nn.Parameter(torch.randn(self.d_inner, d_state))
        self.D = nn.Parameter(torch.ones(self.d_inner))
        self.out_proj = nn.Linear(self.d_inner, d_model, bias=False)
        self.act = nn.SiLU()

    def ssm(self, x, z):
        A = -torch.exp(self.A_log.float())
        x_dbl = self.x_proj(x.transpose(1, 2))
        dt, B, C = torch.split(x_dbl, [self.dt_rank, self.d_state, self.d_state], dim=-1)
        dt = self.dt_proj(dt).transpose(1, 2)
        B, C = (t.transpose(1, 2) for t in (B, C))
        return selective_scan(x, dt, A, B, C, self.D, z=z, delta_softplus=True)

    def forward(self, hidden_states, inference_params=None):
        (b, l, d) = hidden_states.shape
        if inference_params is not None:
            return self.step(hidden_states, inference_params)
        xz = self.in_proj(hidden_states)
        x, z = xz.transpose(1, 2).chunk(2, dim=1)
        x = self.act(self.conv1d(x)[..., :l])
        y = self.ssm(x, z)
        out = self.out_proj(y.transpose(1, 2))
        return out


class Cell(nn.Module, ABC):
    gates: int

    def __init__(self, input_size, hidden_size):
        super().__init__()
        self.hidden_size = hidden_size
        self.w_ih = nn.Parameter(torch.randn(self.gates * hidden_size, input_size))
        self.w_hh = nn.Parameter(torch.randn(self.gates * hidden_size, hidden_size))
        self.b = nn.Parameter(torch.zeros(self.gates * hidden_size))

    @abstractmethod
    def step(self, x, state): ...

    def init_state(self, x):
        return torch.zeros(x.shape[0], self.hidden_size)

    def output(self, state):
        return state

    def forward(self, x, state=None):
        if state is None:
            state = self.init_state(x)
        state = self.step(x, state)
        return self.output(state), state


class GRUCell(Cell):
    gates = 3

    def step(self, x, h):
        gi = F.linear(x, self.w_ih, self.b)
        gh = F.linear(h, self.w_hh)
        i_r, i_i, i_n = gi.chunk(3, 1)
        h_r, h_i, h_n = gh.chunk(3, 1)
        resetgate = torch.sigmoid(i_r + h_r)
        inputgate = torch.sigmoid(i_i + h_i)
        newgate = torch.tanh(i_n + resetgate * h_n)
        return newgate + inputgate * (h - newgate)


class LSTMCell(Cell):
    gates = 4

    def init_state(self, x):
        h = super().init_state(x)
        return h, torch.zeros_like(h)

    def output(self, state):
        return state[0]

    def step(self, x, state):
        hx, cx = state
        gates = F.linear(x, self.w_ih, self.b) + F.linear(hx, self.w_hh)
        i, f, g, o = gates.chunk(4, dim=-1)
        cy = f.sigmoid() * cx + i.sigmoid() * g.tanh()
        return o.sigmoid() * cy.tanh(), cy


class MinimalCell(Cell):
    gates = 1

    def step(self, x, state):
        f = (F.linear(x, self.w_ih) + F.linear(state, self.w_hh) + self.b).sigmoid()
        return self._mix(f, x.tanh(), state)

    @staticmethod
    def _mix(gate, new, old):
        return gate * new + (1 - gate) * old


CELLS = {cls.__name__.removesuffix("Cell").lower(): cls for cls in (GRUCell, LSTMCell, MinimalCell)}


class Recurrent(nn.Module):
    def __init__(self, mode, size, num_layers=1, bidirectional=False):
        super().__init__()
        self.mode, self.num_layers = mode, num_layers
        self.num_directions = 2 if bidirectional else 1
        for layer in range(num_layers):
            for direction in range(self.num_directions):
                suffix = "_reverse" if direction == 1 else ""
                setattr(self, f"cell_l{layer}{suffix}", CELLS[mode](size * (self.num_directions if layer else 1), size))

    def _run(self, cell, xs, reverse=False):
        outputs, state = [], None
        steps = reversed(xs) if reverse else xs
        for x in steps:
            y, state = cell(x, state)
            outputs.append(y)
        if reverse:
            outputs = outputs[::-1]
        return outputs

    def forward(self, x):
        xs = x.unbind(1)
        for layer in range(self.num_layers):
            directions = []
            for direction in range(self.num_directions):
                suffix = "_reverse" if direction == 1 else ""
                cell = getattr(self, f"cell_l{layer}{suffix}")
                directions.append(self._run(cell, xs, reverse=direction == 1))
            xs = [torch.cat(pair, dim=-1) if len(pair) > 1 else pair[0] for pair in zip(*directions)]
        return torch.stack(xs, dim=1)


def segsum(x):
    T = x.shape[-1]
    x_cumsum = torch.cumsum(x, dim=-1)
    x_segsum = x_cumsum[..., :, None] - x_cumsum[..., None, :]
    mask = torch.tril(torch.ones(T, T))
    return x_segsum * mask


class ChunkedDecay(nn.Module):
    def __init__(self, dim, chunk=2):
        super().__init__()
        self.decay = nn.Linear(dim, 1)
        self.chunk = chunk

    def associative(self, elements):
        """Recursive doubling over a list of (a, b) pairs."""
        if len(elements) == 1:
            return elements
        half = len(elements) // 2
        left, right = self.associative(elements[:half]), self.associative(elements[half:])
        a_l, b_l = left[-1]
        return left + [(a_l * a, a * b_l + b) for a, b in right]

    def forward(self, x):
        a = torch.sigmoid(self.decay(x))
        weights = torch.exp(segsum(a.squeeze(-1)))
        local = weights @ x
        pairs = [(a[:, t], local[:, t]) for t in range(x.size(1))]
        scanned = self.associative(pairs)
        return torch.stack([b for _, b in scanned], dim=1)


class Layer(nn.Module):
    def __init__(self, mixer, dim):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.mixer = mixer

    def forward(self, x, residual=None):
        residual = x + residual if residual is not None else x
        return self.mixer(self.norm(residual)), residual


class Model(nn.Module):
    def __init__(self, dim=8):
        super().__init__()
        mixers = [MambaMixer(dim), Recurrent("lstm", dim), ChunkedDecay(dim), Recurrent("gru", dim // 2, bidirectional=True)]
        self.inp = nn.Linear(dim, dim)
        self.layers = nn.ModuleList(Layer(m, dim) for m in mixers[:3])
        self.last = mixers[-1]
        self.cell = MinimalCell(dim, dim)
        self.down = nn.Linear(dim, dim // 2)

    def fold(self, x):
        state = self.cell.init_state(x[:, 0])
        t = 0
        while t < x.shape[1]:
            _, state = self.cell(x[:, t], state)
            t += 1
        return state

    def forward(self, x):
        hidden, residual = self.inp(x), None
        for layer in self.layers:
            hidden, residual = layer(hidden, residual)
        h = self.last(self.down(hidden + residual))
        return h.mean(1) + self.fold(h)


def example():
    return [(1, 4, 8)]
