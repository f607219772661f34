from collections import OrderedDict, namedtuple

import torch
import torch.nn as nn

DEFAULT_GROUP_NAME = "default_group"


class SparseFeat(namedtuple("SparseFeat", ["name", "vocabulary_size", "embedding_dim", "embedding_name", "group_name"])):
    __slots__ = ()

    def __new__(cls, name, vocabulary_size, embedding_dim=8, embedding_name=None, group_name=DEFAULT_GROUP_NAME):
        return super().__new__(cls, name, vocabulary_size, embedding_dim, embedding_name or name, group_name)

    @property
    def width(self):
        return 1


class VarLenSparseFeat(namedtuple("VarLenSparseFeat", ["sparsefeat", "maxlen", "combiner", "length_name"])):
    __slots__ = ()

    def __new__(cls, sparsefeat, maxlen, combiner="mean", length_name=None):
        return super().__new__(cls, sparsefeat, maxlen, combiner, length_name)

    name = property(lambda self: self.sparsefeat.name)
    embedding_name = property(lambda self: self.sparsefeat.embedding_name)
    vocabulary_size = property(lambda self: self.sparsefeat.vocabulary_size)
    embedding_dim = property(lambda self: self.sparsefeat.embedding_dim)
    width = property(lambda self: self.maxlen)


class DenseFeat(namedtuple("DenseFeat", ["name", "dimension", "transform_fn"])):
    __slots__ = ()

    def __new__(cls, name, dimension=1, transform_fn=None):
        return super().__new__(cls, name, dimension, transform_fn)

    @property
    def width(self):
        return self.dimension


def of_kind(kind, feature_columns):
    return [fc for fc in feature_columns if isinstance(fc, kind)]


def build_input_features(feature_columns):
    """name -> (first, last) column of the one matrix that holds all inputs."""
    features, start = OrderedDict(), 0
    for fc in feature_columns:
        if fc.name in features:
            continue
        features[fc.name] = (start, start + fc.width)
        start += fc.width
        length = getattr(fc, "length_name", None)
        if length is not None and length not in features:
            features[length] = (start, start + 1)
            start += 1
    return features


def create_embedding_matrix(feature_columns, init_std=1e-4, linear=False):
    columns = of_kind(SparseFeat, feature_columns) + of_kind(VarLenSparseFeat, feature_columns)
    embedding_dict = nn.ModuleDict({
        fc.embedding_name: nn.Embedding(fc.vocabulary_size, 1 if linear else fc.embedding_dim) for fc in columns})
    for table in embedding_dict.values():
        nn.init.normal_(table.weight, mean=0, std=init_std)
    return embedding_dict


class InputView:
    """Reads single features out of the matrix of inputs."""

    def __init__(self, X, feature_index):
        self.X, self.feature_index = X, feature_index

    def __getitem__(self, name):
        start, stop = self.feature_index[name]
        return self.X[:, start:stop]

    def ids(self, name):
        return self[name].long()

    def mask(self, fc):
        if fc.length_name is None:
            return self.ids(fc.name) != 0
        positions = torch.arange(fc.maxlen, device=self.X.device, dtype=torch.float32)
        return positions.unsqueeze(0) < self[fc.length_name]


def combined_dnn_input(sparse_embedding_list, dense_value_list):
    parts = []
    if sparse_embedding_list:
        parts.append(torch.flatten(torch.cat(sparse_embedding_list, dim=-1), start_dim=1))
    if dense_value_list:
        parts.append(torch.flatten(torch.cat(dense_value_list, dim=-1), start_dim=1))
    return parts[0] if len(parts) == 1 else torch.cat(parts, dim=-1)
