from abc import ABC, abstractmethod
from collections import OrderedDict
from itertools import chain

import torch
import torch.nn as nn

from .features import (DenseFeat, InputView, SparseFeat, VarLenSparseFeat, build_input_features, create_embedding_matrix, of_kind)
from .layers import PredictionLayer, SequencePoolingLayer


class Linear(nn.Module):
    """The part of first order: a weight for every id, and for every dense value."""

    def __init__(self, feature_columns, feature_index):
        super().__init__()
        self.feature_index = feature_index
        self.sparse, self.dense = of_kind(SparseFeat, feature_columns), of_kind(DenseFeat, feature_columns)
        self.embedding_dict = create_embedding_matrix(self.sparse, linear=True)
        if self.dense:
            self.weight = nn.Parameter(torch.empty(sum(fc.dimension for fc in self.dense), 1))

    def forward(self, X):
        view = InputView(X, self.feature_index)
        sparse = [self.embedding_dict[fc.embedding_name](view.ids(fc.name)) for fc in self.sparse]
        logit = torch.sum(torch.cat(sparse, dim=-1), dim=-1, keepdim=False)
        if self.dense:
            logit = logit + torch.cat([view[fc.name] for fc in self.dense], dim=-1).matmul(self.weight)
        return logit


class BaseModel(nn.Module, ABC):
    """A model is its embeddings, their interaction, and what is predicted of it; subclasses fill these steps."""

    def __init__(self, feature_columns, tasks, init_std=1e-4, device="cpu"):
        super().__init__()
        self.tasks, self.device = OrderedDict(tasks), device
        self.feature_columns = feature_columns
        self.feature_index = build_input_features(feature_columns)
        self.sparse_columns = of_kind(SparseFeat, feature_columns)
        self.varlen_columns = of_kind(VarLenSparseFeat, feature_columns)
        self.dense_columns = of_kind(DenseFeat, feature_columns)
        self.embedding_dict = create_embedding_matrix(feature_columns, init_std)
        self.linear_model = Linear(feature_columns, self.feature_index)
        self.pooling = nn.ModuleDict({fc.name: SequencePoolingLayer(fc.combiner) for fc in self.varlen_columns
                                      if fc.combiner != "attention"})
        self.out = nn.ModuleDict({task: PredictionLayer(kind) for task, kind in self.tasks.items()})

    def forward(self, X):
        view = InputView(X, self.feature_index)
        embedded = self._embed(view)
        hidden = self._interact(embedded)
        logits = self._predict(hidden, self.linear_model(X))
        return self._finish(logits)

    def lookup(self, fc, view):
        return self.embedding_dict[fc.embedding_name](view.ids(fc.name))

    def _embed(self, view):
        embedded = OrderedDict((fc.name, self.lookup(fc, view)) for fc in self.sparse_columns)
        for fc in self.varlen_columns:
            if fc.name in self.pooling:
                embedded[fc.name] = self.pooling[fc.name](self.lookup(fc, view), view.mask(fc))
        return {"sparse": embedded, "dense": self._dense_values(view)}

    def _dense_values(self, view):
        return [fc.transform_fn(view[fc.name]) if fc.transform_fn else view[fc.name] for fc in self.dense_columns]

    def _finish(self, logits):
        outputs = OrderedDict((task, self.out[task](logits[task])) for task in self.tasks)
        return torch.cat(list(chain(outputs.values())), -1)

    @abstractmethod
    def _interact(self, embedded):
        ...

    @abstractmethod
    def _predict(self, hidden, linear_logit):
        ...

    def compute_input_dim(self):
        sparse = sum(fc.embedding_dim for fc in chain(self.sparse_columns, self.varlen_columns))
        return sparse + sum(fc.dimension for fc in self.dense_columns)
