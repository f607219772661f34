import itertools
from functools import reduce

import torch
import torch.nn as nn
import torch.nn.functional as F

__all__ = ["FM", "CrossNet", "BilinearInteraction", "SENet", "InnerProduct", "InteractingLayer"]


class FM(nn.Module):
    """Second order of a factorization machine."""

    def forward(self, inputs):
        square_of_sum = torch.pow(torch.sum(inputs, dim=1, keepdim=True), 2)
        sum_of_square = torch.sum(inputs * inputs, dim=1, keepdim=True)
        cross_term = square_of_sum - sum_of_square
        return 0.5 * torch.sum(cross_term, dim=2, keepdim=False)


class CrossNet(nn.Module):
    def __init__(self, in_features, layer_num=2, parameterization="vector"):
        super().__init__()
        self.layer_num = layer_num
        self.parameterization = parameterization
        if self.parameterization == "vector":
            self.kernels = nn.Parameter(torch.zeros(self.layer_num, in_features, 1))
        elif self.parameterization == "matrix":
            self.kernels = nn.Parameter(torch.zeros(self.layer_num, in_features, in_features))
        else:
            raise ValueError("parameterization should be 'vector' or 'matrix'")
        self.bias = nn.ParameterList([nn.Parameter(torch.zeros(in_features, 1)) for _ in range(layer_num)])

    def _cross(self, x_0, x_l, i):
        if self.parameterization == "vector":
            xl_w = torch.matmul(x_l.transpose(1, 2), self.kernels[i])
            dot_ = torch.matmul(x_0, xl_w)
            return dot_ + self.bias[i] + x_l
        xl_w = torch.matmul(self.kernels[i], x_l)
        dot_ = xl_w + self.bias[i]
        return x_0 * dot_ + x_l

    def forward(self, inputs):
        x_0 = inputs.unsqueeze(2)
        x_l = x_0
        for i in range(self.layer_num):
            x_l = self._cross(x_0, x_l, i)
        return torch.squeeze(x_l, dim=2)


class SENet(nn.Module):
    def __init__(self, filed_size, reduction_ratio=3):
        super().__init__()
        reduction_size = max(1, filed_size // reduction_ratio)
        self.excitation = nn.Sequential(nn.Linear(filed_size, reduction_size, bias=False), nn.ReLU(), nn.Linear(reduction_size, filed_size, bias=False), nn.ReLU())

    def forward(self, inputs):
        if len(inputs.shape) != 3:
            raise ValueError("expected 3 dimensions, not %d" % len(inputs.shape))
        Z = torch.mean(inputs, dim=-1, keepdim=False)
        A = self.excitation(Z)
        return torch.mul(inputs, torch.unsqueeze(A, dim=2))


class BilinearInteraction(nn.Module):
    def __init__(self, filed_size, embedding_size, bilinear_type="interaction"):
        super().__init__()
        self.bilinear_type = bilinear_type
        self.bilinear = nn.ModuleList()
        if self.bilinear_type == "all":
            self.bilinear = nn.Linear(embedding_size, embedding_size, bias=False)
        elif self.bilinear_type == "each":
            for _ in range(filed_size):
                self.bilinear.append(nn.Linear(embedding_size, embedding_size, bias=False))
        elif self.bilinear_type == "interaction":
            for _, _ in itertools.combinations(range(filed_size), 2):
                self.bilinear.append(nn.Linear(embedding_size, embedding_size, bias=False))
        else:
            raise NotImplementedError

    def forward(self, inputs):
        inputs = torch.split(inputs, 1, dim=1)
        if self.bilinear_type == "all":
            p = [torch.mul(self.bilinear(v_i), v_j) for v_i, v_j in itertools.combinations(inputs, 2)]
        elif self.bilinear_type == "each":
            p = [torch.mul(self.bilinear[i](inputs[i]), inputs[j]) for i, j in itertools.combinations(range(len(inputs)), 2)]
        else:
            p = [torch.mul(bilinear(v[0]), v[1]) for v, bilinear in zip(itertools.combinations(inputs, 2), self.bilinear)]
        return torch.cat(p, dim=1)


class InnerProduct(nn.Module):
    def __init__(self, reduce_sum=True):
        super().__init__()
        self.reduce_sum = reduce_sum

    @staticmethod
    def _pairs(n):
        row, col = [], []
        for i in range(n - 1):
            for j in range(i + 1, n):
                row.append(i)
                col.append(j)
        return row, col

    def _product(self, embed_list):
        row, col = self._pairs(len(embed_list))
        p = torch.cat([embed_list[idx] for idx in row], dim=1)
        q = torch.cat([embed_list[idx] for idx in col], dim=1)
        inner_product = p * q
        if self.reduce_sum:
            inner_product = torch.sum(inner_product, dim=2, keepdim=True)
        return inner_product

    def forward(self, inputs):
        return self._product(inputs)


class InteractingLayer(nn.Module):
    def __init__(self, embedding_size, head_num=2, use_res=True, scaling=False):
        super().__init__()
        self.att_embedding_size = embedding_size // head_num
        self.head_num = head_num
        self.use_res = use_res
        self.scaling = scaling
        self.weights = nn.ParameterDict({k: nn.Parameter(torch.zeros(embedding_size, embedding_size)) for k in ("query", "key", "value")})
        if self.use_res:
            self.W_Res = nn.Parameter(torch.zeros(embedding_size, embedding_size))

    def _heads(self, x):
        return torch.stack(torch.split(x, self.att_embedding_size, dim=2))

    def attend(self, inputs):
        q, k, v = (self._heads(torch.matmul(inputs, self.weights[n])) for n in ("query", "key", "value"))
        scores = torch.einsum("bnik,bnjk->bnij", q, k)
        if self.scaling:
            scores /= self.att_embedding_size ** 0.5
        attention = F.softmax(scores, dim=-1)
        heads = torch.matmul(attention, v).unbind(0)
        return reduce(lambda a, b: torch.cat([a, b], dim=-1), heads)

    def forward(self, inputs):
        result = self.attend(inputs)
        if self.use_res:
            result += torch.matmul(inputs, self.W_Res)
        return F.relu(result)
