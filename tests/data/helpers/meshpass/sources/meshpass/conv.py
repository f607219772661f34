from typing import Optional, Tuple, Union

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.nn import Linear, Parameter

from .message_passing import MessagePassing
from .utils import add_self_loops, scatter, softmax


def gcn_norm(edge_index, edge_weight=None, num_nodes=None, improved=False, add_loops=True, flow="source_to_target"):
    if edge_weight is None:
        edge_weight = torch.ones((edge_index.size(1),), device=edge_index.device)
    if add_loops:
        edge_index, edge_weight = add_self_loops(edge_index, edge_weight, 2.0 if improved else 1.0, num_nodes)
    row, col = edge_index
    deg = scatter(edge_weight.unsqueeze(-1), col if flow == "source_to_target" else row, 0, num_nodes, "sum").squeeze(-1)
    deg_inv_sqrt = deg.pow(-0.5)
    deg_inv_sqrt = deg_inv_sqrt.masked_fill(deg_inv_sqrt == float("inf"), 0)
    return edge_index, deg_inv_sqrt.index_select(0, row) * edge_weight * deg_inv_sqrt.index_select(0, col)


class GCNConv(MessagePassing):
    message_args = ("x_j", "edge_weight")

    def __init__(self, in_channels: int, out_channels: int, improved: bool = False, normalize: bool = True, bias: bool = True, **kwargs):
        kwargs.setdefault("aggr", "add")
        super().__init__(**kwargs)
        self.improved, self.normalize = improved, normalize
        self.lin = Linear(in_channels, out_channels, bias=False)
        if bias:
            self.bias = Parameter(torch.zeros(out_channels))
        else:
            self.register_parameter("bias", None)

    def forward(self, x: Tensor, edge_index: Tensor, edge_weight: Optional[Tensor] = None) -> Tensor:
        if self.normalize:
            edge_index, edge_weight = gcn_norm(edge_index, edge_weight, x.size(self.node_dim), self.improved, flow=self.flow)
        out = self.propagate(edge_index, x=self.lin(x), edge_weight=edge_weight)
        if self.bias is not None:
            out = out + self.bias
        return out

    def message(self, x_j: Tensor, edge_weight: Optional[Tensor]) -> Tensor:
        return x_j if edge_weight is None else edge_weight.view(-1, 1) * x_j


class GATv2Conv(MessagePassing):
    message_args = ("x_j", "alpha")
    edge_update_args = ("x_i", "x_j", "edge_attr", "index", "dim_size")

    def __init__(self, in_channels: int, out_channels: int, heads: int = 1, concat: bool = True, negative_slope: float = 0.2,
                 edge_dim: Optional[int] = None, share_weights: bool = False, **kwargs):
        super().__init__(aggr=kwargs.pop("aggr", "add"), **kwargs)
        self.out_channels, self.heads, self.concat, self.negative_slope = out_channels, heads, concat, negative_slope
        self.lin_l = Linear(in_channels, heads * out_channels)
        self.lin_r = self.lin_l if share_weights else Linear(in_channels, heads * out_channels)
        self.att = Parameter(torch.empty(1, heads, out_channels))
        self.lin_edge = Linear(edge_dim, heads * out_channels, bias=False) if edge_dim is not None else None
        self.bias = Parameter(torch.zeros(heads * out_channels if concat else out_channels))

    def _transform(self, x: Union[Tensor, Tuple[Tensor, Tensor]]) -> Tuple[Tensor, Tensor]:
        H, C = self.heads, self.out_channels
        x_l, x_r = x if isinstance(x, tuple) else (x, x)
        return self.lin_l(x_l).view(-1, H, C), self.lin_r(x_r).view(-1, H, C)

    def forward(self, x, edge_index: Tensor, edge_attr: Optional[Tensor] = None) -> Tensor:
        x_l, x_r = self._transform(x)
        alpha = self.edge_updater(edge_index, x=(x_l, x_r), edge_attr=edge_attr)
        out = self.propagate(edge_index, x=(x_l, x_r), alpha=alpha)
        out = out.view(-1, self.heads * self.out_channels) if self.concat else out.mean(dim=1)
        return out + self.bias

    def edge_update(self, x_j: Tensor, x_i: Tensor, edge_attr: Optional[Tensor], index: Tensor, dim_size: Optional[int]) -> Tensor:
        x = x_i + x_j
        if edge_attr is not None and self.lin_edge is not None:
            x = x + self.lin_edge(edge_attr).view(-1, self.heads, self.out_channels)
        x = F.leaky_relu(x, self.negative_slope)
        alpha = (x * self.att).sum(dim=-1)
        return softmax(alpha, index, dim_size)

    def message(self, x_j: Tensor, alpha: Tensor) -> Tensor:
        return x_j * alpha.unsqueeze(-1)


class EdgeConv(MessagePassing):
    """Messages of a network over both ends, as for point clouds and meshes."""

    message_args = ("x_i", "x_j", "edge_attr")
    update_args = ("x",)

    def __init__(self, mlp: torch.nn.Module, skip: Optional[torch.nn.Module] = None, aggr=("max", "mean"), **kwargs):
        super().__init__(aggr=aggr, **kwargs)
        self.mlp, self.skip = mlp, skip

    def forward(self, x, edge_index: Tensor, *args, **kwargs) -> Tensor:
        edge_attr = args[0] if args else kwargs.get("edge_attr")
        return self.propagate(edge_index, x=(x, x), edge_attr=edge_attr)

    def message(self, x_i: Tensor, x_j: Tensor, edge_attr: Optional[Tensor]) -> Tensor:
        feats = [x_i, x_j - x_i] + ([edge_attr] if edge_attr is not None else [])
        return self.mlp(torch.cat(feats, dim=-1))

    def update(self, inputs: Tensor, x: Tuple[Tensor, Tensor]) -> Tensor:
        return inputs if self.skip is None else inputs + self.skip(x[1])
