from typing import Optional, Tuple

import torch
import torch.nn.functional as F
from torch import Tensor


def maybe_num_nodes(index: Tensor, num_nodes: Optional[int] = None) -> int:
    if num_nodes is None:
        raise ValueError("the number of nodes has to be known when the model is exported")
    return num_nodes


def broadcast(src: Tensor, other: Tensor, dim: int) -> Tensor:
    if src.dim() == 1:
        for _ in range(dim):
            src = src.unsqueeze(0)
    for _ in range(src.dim(), other.dim()):
        src = src.unsqueeze(-1)
    return src


def membership(index: Tensor, dim_size: int) -> Tensor:
    """[E] -> [N, E], one where the edge ends at the node."""
    return F.one_hot(index, dim_size).t()


def _scatter_sum(src: Tensor, index: Tensor, dim_size: int) -> Tensor:
    flat = src if src.dim() == 2 else src.reshape(src.size(0), -1)
    out = membership(index, dim_size).to(src.dtype) @ flat
    return out.view(dim_size, *src.shape[1:]) if src.dim() != 2 else out


def _scatter_mean(src: Tensor, index: Tensor, dim_size: int) -> Tensor:
    count = degree(index, dim_size, src.dtype).clamp(min=1)
    return _scatter_sum(src, index, dim_size) / broadcast(count, src, 0)


def _scatter_max(src: Tensor, index: Tensor, dim_size: int) -> Tensor:
    mask = broadcast(membership(index, dim_size).bool(), src.unsqueeze(0), 0)
    out = torch.where(mask, src.unsqueeze(0), float("-inf")).amax(dim=1)
    return out.masked_fill(out == float("-inf"), 0.0)


_REDUCE = {"sum": _scatter_sum, "add": _scatter_sum, "mean": _scatter_mean, "max": _scatter_max}


def scatter(src: Tensor, index: Tensor, dim: int = 0, dim_size: Optional[int] = None, reduce: str = "sum") -> Tensor:
    """Reduces all values of src with the same index. There is no scatter on the device, so it is done densely."""
    assert index.dim() == 1
    if dim != 0:
        return scatter(src.transpose(0, dim), index, 0, dim_size, reduce).transpose(0, dim)
    return _REDUCE[reduce](src, index, maybe_num_nodes(index, dim_size))


def degree(index: Tensor, num_nodes: Optional[int] = None, dtype=None) -> Tensor:
    N = maybe_num_nodes(index, num_nodes)
    return membership(index, N).to(dtype or torch.float32).sum(dim=1)


def softmax(src: Tensor, index: Tensor, num_nodes: Optional[int] = None, dim: int = 0) -> Tensor:
    """Softmax over the edges that end at the same node."""
    N = maybe_num_nodes(index, num_nodes)
    src_max = scatter(src.detach(), index, dim, dim_size=N, reduce="max")
    out = src - src_max.index_select(dim, index)
    out = out.exp()
    out_sum = scatter(out, index, dim, dim_size=N, reduce="sum") + 1e-16
    return out / out_sum.index_select(dim, index)


def add_self_loops(edge_index: Tensor, edge_attr: Optional[Tensor] = None, fill_value: float = 1.0,
                   num_nodes: Optional[int] = None) -> Tuple[Tensor, Optional[Tensor]]:
    N = maybe_num_nodes(edge_index, num_nodes)
    loop_index = torch.arange(0, N, dtype=torch.long, device=edge_index.device).unsqueeze(0).repeat(2, 1)
    if edge_attr is not None:
        loop_attr = edge_attr.new_ones((N,) + tuple(edge_attr.size()[1:])) * fill_value
        edge_attr = torch.cat([edge_attr, loop_attr], dim=0)
    return torch.cat([edge_index, loop_index], dim=1), edge_attr


def activation_resolver(query, *args, **kwargs):
    if query is None or callable(query):
        return query
    options = {f.__name__.lower(): f for f in (torch.nn.ReLU, torch.nn.ELU, torch.nn.LeakyReLU, torch.nn.SiLU, torch.nn.Tanh)}
    return options[query.lower()](*args, **kwargs)
