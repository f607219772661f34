import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def positional_encoding(pe, learn_pe, q_len, d_model):
    W_pos = torch.zeros(q_len, d_model)
    if pe == 'sincos':
        position = torch.arange(0, q_len).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2) * -(math.log(10000.0) / d_model))
        W_pos[:, 0::2] = torch.sin(position * div_term)
        W_pos[:, 1::2] = torch.cos(position * div_term)
    return nn.Parameter(W_pos) if learn_pe else W_pos


class PatchEmbedding(nn.Module):
    def __init__(self, d_model, patch_len, stride, patch_num, dropout):
        super(PatchEmbedding, self).__init__()
        self.patch_len = patch_len
        self.stride = stride
        self.padding_patch_layer = nn.ReplicationPad1d((0, stride))
        self.value_embedding = nn.Linear(patch_len, d_model, bias=False)
        self.register_buffer('W_pos', positional_encoding('sincos', False, patch_num, d_model))
        self.dropout = nn.Dropout(dropout)

    def create_patch(self, x):
        # x: [bs x nvars x seq_len] -> [bs * nvars x patch_num x patch_len]
        x = self.padding_patch_layer(x)
        x = x.unfold(dimension=-1, size=self.patch_len, step=self.stride)
        return torch.reshape(x, (x.shape[0] * x.shape[1], x.shape[2], x.shape[3]))

    def forward(self, x):
        n_vars = x.shape[1]
        x = self.create_patch(x)
        x = self.value_embedding(x) + self.W_pos
        return self.dropout(x), n_vars


class CategoricalEncoder(nn.Module):
    """Static covariates: one table for each column, all of them summed with the numerical ones"""

    def __init__(self, cardinalities, n_num, d_model):
        super(CategoricalEncoder, self).__init__()
        self.tables = nn.ModuleList([nn.Embedding(c, d_model) for c in cardinalities])
        self.num_weight = nn.Parameter(torch.randn(n_num, d_model))
        self.num_bias = nn.Parameter(torch.zeros(n_num, d_model))

    def tokenize(self, x_num):
        return x_num.unsqueeze(-1) * self.num_weight + self.num_bias

    def lookup(self, x_cat):
        return torch.stack([table(x_cat[:, i]) for i, table in enumerate(self.tables)], dim=1)

    def forward(self, x_num, x_cat):
        tokens = torch.cat([self.tokenize(x_num), self.lookup(x_cat)], dim=1)
        return F.normalize(tokens, dim=-1).mean(dim=1)
