from typing import Any, Dict, List, Optional, Tuple, Union

import torch
from torch import Tensor

from .utils import scatter, softmax


class Aggregation(torch.nn.Module):
    """x, index -> for every node what its messages come to."""

    def __call__(self, x: Tensor, index: Tensor, dim_size: Optional[int] = None, dim: int = 0, **kwargs) -> Tensor:
        if x.size(dim) != index.size(0):
            raise ValueError(f"{x.size(dim)} messages, but {index.size(0)} indices")
        return super().__call__(x, index=index, dim_size=dim_size, dim=dim, **kwargs)

    def reduce(self, x: Tensor, index: Tensor, dim_size: Optional[int], dim: int = 0, reduce: str = "sum") -> Tensor:
        return scatter(x, index, dim, dim_size, reduce)


class SumAggregation(Aggregation):
    def forward(self, x, index, dim_size=None, dim=0):
        return self.reduce(x, index, dim_size, dim, reduce="sum")


class MeanAggregation(Aggregation):
    def forward(self, x, index, dim_size=None, dim=0):
        return self.reduce(x, index, dim_size, dim, reduce="mean")


class MaxAggregation(Aggregation):
    def forward(self, x, index, dim_size=None, dim=0):
        return self.reduce(x, index, dim_size, dim, reduce="max")


class SoftmaxAggregation(Aggregation):
    def __init__(self, t: float = 1.0, learn: bool = False):
        super().__init__()
        self.learn = learn
        self.t = torch.nn.Parameter(torch.empty(1)) if learn else t

    def forward(self, x, index, dim_size=None, dim=0):
        t, alpha = self.t, x
        if not isinstance(t, (int, float)) or t != 1:
            alpha = x * t
        alpha = softmax(alpha, index, num_nodes=dim_size, dim=dim)
        return self.reduce(x * alpha, index, dim_size, dim, reduce="sum")


class MultiAggregation(Aggregation):
    def __init__(self, aggrs: List[str], mode: str = "cat", **kwargs):
        super().__init__()
        self.aggrs = torch.nn.ModuleList([aggregation_resolver(a) for a in aggrs])
        self.mode = mode

    def forward(self, x, index, dim_size=None, dim=0):
        outs = [aggr(x, index, dim_size, dim) for aggr in self.aggrs]
        return self.combine(outs)

    def combine(self, inputs: List[Tensor]) -> Tensor:
        if self.mode == "cat":
            return torch.cat(inputs, dim=-1)
        return getattr(torch, self.mode)(torch.stack(inputs, dim=0), dim=0)


def aggregation_resolver(query, *args, **kwargs) -> Aggregation:
    if isinstance(query, Aggregation):
        return query
    if isinstance(query, (list, tuple)):
        return MultiAggregation(query, *args, **kwargs)
    classes = {c.__name__.replace("Aggregation", "").lower(): c for c in Aggregation.__subclasses__()}
    return classes["sum" if query == "add" else query](*args, **kwargs)


class MessagePassing(torch.nn.Module):
    # What the functions that subclasses override are given, by name; NAME_i and NAME_j are lifted to the edges.
    message_args: Tuple[str, ...] = ("x_j",)
    edge_update_args: Tuple[str, ...] = ()
    update_args: Tuple[str, ...] = ()
    special_args = {"edge_index", "edge_index_i", "edge_index_j", "index", "dim_size", "size_i", "size_j"}

    def __init__(self, aggr: Union[str, List[str], Aggregation] = "add", *, aggr_kwargs: Optional[Dict[str, Any]] = None,
                 flow: str = "source_to_target", node_dim: int = 0):
        super().__init__()
        assert flow in ("source_to_target", "target_to_source")
        self.aggr_module = aggregation_resolver(aggr, **(aggr_kwargs or {}))
        self.flow, self.node_dim = flow, node_dim

    def _lift(self, src: Tensor, edge_index: Tensor, dim: int) -> Tensor:
        return src.index_select(self.node_dim, edge_index[dim])

    def _set_size(self, size: List[Optional[int]], dim: int, src: Tensor) -> None:
        if size[dim] is None:
            size[dim] = src.size(self.node_dim)
        elif size[dim] != src.size(self.node_dim):
            raise ValueError(f"{src.size(self.node_dim)} nodes, but {size[dim]} were expected")

    def _collect(self, args, edge_index: Tensor, size: List[Optional[int]], kwargs: Dict[str, Any]) -> Dict[str, Any]:
        i, j = (1, 0) if self.flow == "source_to_target" else (0, 1)
        out = {}
        for arg in args:
            if arg[-2:] not in ("_i", "_j"):
                if arg not in self.special_args:
                    out[arg] = kwargs[arg]
                continue
            dim = i if arg[-2:] == "_i" else j
            data = kwargs.get(arg[:-2])
            if isinstance(data, (tuple, list)):
                if isinstance(data[1 - dim], Tensor):
                    self._set_size(size, 1 - dim, data[1 - dim])
                data = data[dim]
            if isinstance(data, Tensor):
                self._set_size(size, dim, data)
                data = self._lift(data, edge_index, dim)
            out[arg] = data
        out.update(edge_index=edge_index, index=edge_index[i], dim_size=size[i] if size[i] is not None else size[j],
                   size_i=size[i], size_j=size[j])
        return out

    def _distribute(self, args, coll: Dict[str, Any]) -> Dict[str, Any]:
        return {arg: coll[arg] for arg in args}

    def propagate(self, edge_index: Tensor, size: Optional[Tuple[int, int]] = None, **kwargs) -> Tensor:
        mutable_size = list(size) if size is not None else [None, None]
        wanted = dict.fromkeys(self.message_args + self.update_args)
        coll = self._collect(wanted, edge_index, mutable_size, kwargs)
        out = self.message(**self._distribute(self.message_args, coll))
        out = self.aggregate(out, index=coll["index"], dim_size=coll["dim_size"])
        return self.update(out, **self._distribute(self.update_args, coll))

    def edge_updater(self, edge_index: Tensor, size: Optional[Tuple[int, int]] = None, **kwargs) -> Tensor:
        mutable_size = list(size) if size is not None else [None, None]
        coll = self._collect(self.edge_update_args, edge_index, mutable_size, kwargs)
        return self.edge_update(**self._distribute(self.edge_update_args, coll))

    def message(self, x_j: Tensor) -> Tensor:
        return x_j

    def edge_update(self, *args, **kwargs) -> Tensor:
        raise NotImplementedError

    def aggregate(self, inputs: Tensor, index: Tensor, dim_size: Optional[int] = None) -> Tensor:
        return self.aggr_module(inputs, index, dim_size=dim_size, dim=self.node_dim)

    def update(self, inputs: Tensor) -> Tensor:
        return inputs
