from collections import OrderedDict, namedtuple
from dataclasses import dataclass, field
from typing import Dict, List, Optional, Union

import torch
from torch import Tensor, nn

DEFAULT_GROUP_NAME = "default_group"


class SparseFeat(namedtuple("SparseFeat", ["name", "vocabulary_size", "embedding_dim", "group_name"])):
    __slots__ = ()

    def __new__(cls, name, vocabulary_size, embedding_dim=4, group_name=DEFAULT_GROUP_NAME):
        if embedding_dim == "auto":
            embedding_dim = 6 * int(pow(vocabulary_size, 0.25))
        return super(SparseFeat, cls).__new__(cls, name, vocabulary_size, embedding_dim, group_name)

    def __hash__(self):
        return self.name.__hash__()


@dataclass(frozen=True)
class VarLenFeat:
    sparse: SparseFeat
    maxlen: int
    combiner: str = "mean"

    @property
    def name(self):
        return self.sparse.name


@dataclass(frozen=True)
class DenseFeat:
    name: str
    dimension: int = 1


Feature = Union[SparseFeat, VarLenFeat, DenseFeat]


def build_input_features(columns: List[Feature]):
    features = OrderedDict()
    start = 0
    for feat in columns:
        if feat.name in features:
            continue
        width = feat.dimension if isinstance(feat, DenseFeat) else (feat.maxlen if isinstance(feat, VarLenFeat) else 1)
        features[feat.name] = (start, start + width)
        start += width
    return features


def create_embedding_dict(columns, linear=False):
    sparse = [c.sparse if isinstance(c, VarLenFeat) else c for c in columns if not isinstance(c, DenseFeat)]
    return nn.ModuleDict({f.name: nn.Embedding(f.vocabulary_size, f.embedding_dim if not linear else 1) for f in sorted(sparse, key=lambda c: c.name)})


def embedding_lookup(X, tables, index, columns, only=()):
    """Embeddings of plain features, by group."""
    groups: Dict[str, List[Tensor]] = {}
    for fc in columns:
        if len(only) == 0 or fc.name in only:
            lo, hi = index[fc.name]
            emb = tables[fc.name](X[:, lo:hi].long())
            groups.setdefault(fc.group_name, []).append(emb)
    return groups


def pooled_lookup(X, tables, index, columns):
    pooled = []
    for fc in columns:
        lo, hi = index[fc.name]
        ids = X[:, lo:hi].long()
        seq_emb = tables[fc.name](ids)
        seq_mask = (ids != 0).float().unsqueeze(-1)
        if fc.combiner == "max":
            hist = (seq_emb - (1 - seq_mask) * 1e9).amax(dim=1, keepdim=True)
        elif fc.combiner == "mean":
            hist = (seq_emb * seq_mask).sum(dim=1, keepdim=True)
            hist = hist / (seq_mask.sum(dim=1, keepdim=True) + 1e-8)
        else:
            hist = (seq_emb * seq_mask).sum(dim=1, keepdim=True)
        pooled.append(hist)
    return pooled


def concat_fun(inputs, axis=-1):
    if len(inputs) == 1:
        return inputs[0]
    return torch.cat(inputs, dim=axis)


def combined_dnn_input(sparse_list, dense_list):
    if len(sparse_list) > 0 and len(dense_list) > 0:
        sparse = torch.flatten(torch.cat(sparse_list, dim=-1), start_dim=1)
        dense = torch.flatten(torch.cat(dense_list, dim=-1), start_dim=1)
        return concat_fun([sparse, dense])
    elif len(sparse_list) > 0:
        return torch.flatten(torch.cat(sparse_list, dim=-1), start_dim=1)
    elif len(dense_list) > 0:
        return torch.flatten(torch.cat(dense_list, dim=-1), start_dim=1)
    else:
        raise NotImplementedError
