from typing import List, Optional

import torch
from torch import Tensor
from torch.nn import LayerNorm, Linear, Module, ModuleList, ReLU, Sequential

from .conv import EdgeConv, GATv2Conv, GCNConv
from .message_passing import MessagePassing
from .utils import activation_resolver, scatter


class JumpingKnowledge(Module):
    def __init__(self, mode: str):
        super().__init__()
        self.mode = mode.lower()
        assert self.mode in ("cat", "max", "last")

    def forward(self, xs: List[Tensor]) -> Tensor:
        return getattr(self, f"_{self.mode}")(xs)

    def _cat(self, xs):
        return torch.cat(xs, dim=-1)

    def _max(self, xs):
        return torch.stack(xs, dim=-1).max(dim=-1)[0]

    def _last(self, xs):
        return xs[-1]


class BasicGNN(Module):
    """Convolutions with norms, activations and skips around them; subclasses say which convolution."""

    supports_edge_attr = False
    supports_edge_weight = False

    def __init__(self, in_channels: int, hidden_channels: int, num_layers: int, out_channels: int, act="relu", norm: bool = True,
                 jk: Optional[str] = None, residual: bool = False, **kwargs):
        super().__init__()
        self.num_layers, self.residual = num_layers, residual
        self.act = activation_resolver(act)
        widths = [in_channels] + [hidden_channels] * num_layers
        self.convs = ModuleList([self.init_conv(a, b, **kwargs) for a, b in zip(widths, widths[1:])])
        self.norms = ModuleList([LayerNorm(w) for w in widths[1:]]) if norm else None
        self.jk = JumpingKnowledge(jk) if jk is not None else None
        self.lin = Linear(num_layers * hidden_channels if jk == "cat" else hidden_channels, out_channels)

    def init_conv(self, in_channels: int, out_channels: int, **kwargs) -> MessagePassing:
        raise NotImplementedError

    def conv_kwargs(self, edge_weight, edge_attr):
        known = {}
        if self.supports_edge_weight:
            known["edge_weight"] = edge_weight
        if self.supports_edge_attr:
            known["edge_attr"] = edge_attr
        return known

    def forward(self, x: Tensor, edge_index: Tensor, *, edge_weight=None, edge_attr=None) -> Tensor:
        xs: List[Tensor] = []
        kwargs = self.conv_kwargs(edge_weight, edge_attr)
        for i, conv in enumerate(self.convs):
            h = self.post_conv(i, conv(x, edge_index, **kwargs))
            x = h + x if self.residual and h.shape == x.shape else h
            xs.append(x)
        return self.lin(self.jk(xs) if self.jk is not None else x)

    def post_conv(self, i: int, h: Tensor) -> Tensor:
        if self.norms is not None:
            h = self.norms[i](h)
        return self.act(h) if self.act is not None else h


class GCN(BasicGNN):
    supports_edge_weight = True

    def init_conv(self, in_channels, out_channels, **kwargs):
        return GCNConv(in_channels, out_channels, **kwargs)


class GAT(BasicGNN):
    supports_edge_attr = True

    def init_conv(self, in_channels, out_channels, **kwargs):
        heads = kwargs.pop("heads", 1)
        return GATv2Conv(in_channels, out_channels // heads, heads=heads, **kwargs)


def MLP(channels: List[int]) -> Sequential:
    return Sequential(*[Sequential(Linear(a, b), ReLU()) for a, b in zip(channels[:-2], channels[1:-1])], Linear(*channels[-2:]))


def global_add_pool(x, batch, size=None):
    return scatter(x, batch, dim=0, dim_size=size, reduce="sum")


def global_mean_pool(x, batch, size=None):
    return scatter(x, batch, dim=0, dim_size=size, reduce="mean")


class Model(Module):
    """A mesh in, a value for each vertex and one for each mesh out."""

    num_graphs = 2

    def __init__(self, in_channels: int = 6, hidden: int = 16, edge_dim: int = 4):
        super().__init__()
        self.encoder = EdgeConv(MLP([2 * in_channels + edge_dim, hidden, hidden]), skip=Linear(in_channels, 2 * hidden))
        self.gat = GAT(2 * hidden, hidden, 2, hidden, act="elu", jk="cat", residual=True, heads=4, edge_dim=edge_dim)
        self.gcn = GCN(hidden, hidden, 1, 3, act="silu", jk="max", aggr="softmax", aggr_kwargs={"learn": True})
        self.head = Linear(hidden, 1)

    @staticmethod
    def edge_features(pos, edge_index):
        row, col = edge_index
        rel = pos.index_select(0, row) - pos.index_select(0, col)
        return torch.cat([rel, rel.norm(dim=-1, keepdim=True)], dim=-1)

    def forward(self, x: Tensor, pos: Tensor, edge_index: Tensor, batch: Tensor):
        edge_attr = self.edge_features(pos, edge_index)
        h = self.encoder(torch.cat([x, pos], dim=-1), edge_index, edge_attr)
        h = self.gat(h, edge_index, edge_attr=edge_attr)
        field = self.gcn(h, edge_index, edge_weight=(-edge_attr[:, -1]).exp())
        return field, self.head(global_mean_pool(h, batch, self.num_graphs))


def example():
    return [(12, 3), (12, 3), ((2, 40), "int64"), ((12,), "int64")]
