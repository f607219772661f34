import torch
from torch import nn

from . import features as feats
from .features import DenseFeat, SparseFeat, VarLenFeat
from .layers import *
from .layers import DNN, PredictionLayer

DEFAULTS = {"hidden_units": (16, 8), "activation": "relu", "use_bn": True}


class Linear(nn.Module):
    def __init__(self, columns, index):
        super().__init__()
        self.feature_index = index
        self.sparse = [c for c in columns if isinstance(c, SparseFeat)]
        self.dense = [c for c in columns if isinstance(c, DenseFeat)]
        self.embedding_dict = feats.create_embedding_dict(self.sparse, linear=True)
        if len(self.dense) > 0:
            self.weight = nn.Parameter(torch.zeros(sum(c.dimension for c in self.dense), 1))

    def forward(self, X):
        sparse = [self.embedding_dict[c.name](X[:, self.feature_index[c.name][0]:self.feature_index[c.name][1]].long()) for c in self.sparse]
        dense = [X[:, self.feature_index[c.name][0]:self.feature_index[c.name][1]] for c in self.dense]
        logit = torch.zeros([X.shape[0], 1])
        if len(sparse) > 0:
            cat = torch.cat(sparse, dim=-1)
            logit += torch.sum(cat, dim=-1, keepdim=False)
        if len(dense) > 0:
            logit += torch.cat(dense, dim=-1).matmul(self.weight)
        return logit


class BaseModel(nn.Module):
    def __init__(self, linear_columns, dnn_columns, task="binary"):
        super().__init__()
        self.dnn_feature_columns = dnn_columns
        self.feature_index = feats.build_input_features(linear_columns + dnn_columns)
        self.embedding_dict = feats.create_embedding_dict(dnn_columns)
        self.linear_model = Linear(linear_columns, self.feature_index)
        self.out = PredictionLayer(task)

    @property
    def embedding_size(self):
        return {c.embedding_dim for c in self.dnn_feature_columns if isinstance(c, SparseFeat)}.pop()

    def input_from_feature_columns(self, X, columns):
        sparse = list(filter(lambda c: isinstance(c, SparseFeat), columns)) if len(columns) else []
        varlen = list(filter(lambda c: isinstance(c, VarLenFeat), columns)) if columns else []
        dense = [c for c in columns if isinstance(c, DenseFeat)]
        groups = feats.embedding_lookup(X, self.embedding_dict, self.feature_index, sparse)
        sparse_list = [e for name in sorted(groups) for e in groups[name]]
        sparse_list += feats.pooled_lookup(X, self.embedding_dict, self.feature_index, varlen)
        dense_list = [X[:, slice(*self.feature_index[c.name])] for c in dense]
        return sparse_list, dense_list


class Ranker(BaseModel):
    def __init__(self, linear_columns, dnn_columns, **options):
        super().__init__(linear_columns, dnn_columns)
        options = {**DEFAULTS, **options}
        n = len([c for c in dnn_columns if not isinstance(c, DenseFeat)])
        width = self.embedding_size
        dense = sum(c.dimension for c in dnn_columns if isinstance(c, DenseFeat))
        self.dnn = DNN(n * width + dense, **options)
        self.dnn_linear = nn.Linear(options["hidden_units"][-1], 1, bias=False)
        self.use_fm = True
        self.fm = FM()
        self.cross = CrossNet(n * width + dense, 2)
        self.cross_linear = nn.Linear(n * width + dense, 1, bias=False)
        self.se = SENet(n)
        self.bilinear = BilinearInteraction(n, width)
        self.inner = InnerProduct()
        self.int_layers = nn.ModuleList([InteractingLayer(width) for _ in range(2)])
        self.mix = nn.Linear(n * (n - 1) // 2 * (width + 1) + n * width, 1)

    def _interactions(self, sparse_list):
        stacked = feats.concat_fun(sparse_list, axis=1)
        pairs = self.bilinear(self.se(stacked))
        products = self.inner(sparse_list)
        attended = stacked
        for layer in self.int_layers:
            attended = layer(attended)
        return feats.concat_fun([t.flatten(1) for t in (pairs, products, attended)])

    def forward(self, X):
        sparse_list, dense_list = self.input_from_feature_columns(X, self.dnn_feature_columns)
        logit = self.linear_model(X)
        if self.use_fm and len(sparse_list) > 0:
            fm_input = torch.cat(sparse_list, dim=1)
            logit += self.fm(fm_input)
        dnn_input = feats.combined_dnn_input(sparse_list, dense_list)
        logit += self.dnn_linear(self.dnn(dnn_input))
        logit += self.cross_linear(self.cross(dnn_input))
        logit += self.mix(self._interactions(sparse_list))
        return self.out(logit)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        sparse = [SparseFeat(f"C{i}", 10 + i, 4, group_name="user" if i < 2 else "item") for i in range(3)]
        dense = [DenseFeat("I1", 1), DenseFeat("I2", 3)]
        history = [VarLenFeat(SparseFeat("genres", 7, 4), maxlen=5)]
        self.ranker = Ranker(sparse + dense, sparse + history + dense)

    def forward(self, X):
        return self.ranker(X)


def example():
    return [(2, 12)]
