import typing as tp
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F


@dataclass
class QuantizedResult:
    quantized: torch.Tensor
    codes: torch.Tensor
    bandwidth: float


class EuclideanCodebook(nn.Module):
    def __init__(self, dim: int, codebook_size: int):
        super().__init__()
        self.codebook_size = codebook_size
        self.register_buffer("embed", torch.randn(codebook_size, dim))

    def preprocess(self, x):
        return x.reshape(-1, x.shape[-1])

    def quantize(self, x):
        embed = self.embed.t()
        dist = -(x.pow(2).sum(1, keepdim=True) - 2 * x @ embed + embed.pow(2).sum(0, keepdim=True))
        return dist.max(dim=-1).indices

    def postprocess_emb(self, embed_ind, shape):
        return embed_ind.view(*shape[:-1])

    def dequantize(self, embed_ind):
        return F.embedding(embed_ind, self.embed)

    def encode(self, x):
        shape = x.shape
        return self.postprocess_emb(self.quantize(self.preprocess(x)), shape)

    def decode(self, embed_ind):
        return self.dequantize(embed_ind)


class VectorQuantization(nn.Module):
    def __init__(self, dim: int, codebook_size: int, codebook_dim: tp.Optional[int] = None):
        super().__init__()
        _dim = codebook_dim or dim
        self.project_in = nn.Linear(dim, _dim) if _dim != dim else nn.Identity()
        self.project_out = nn.Linear(_dim, dim) if _dim != dim else nn.Identity()
        self._codebook = EuclideanCodebook(_dim, codebook_size)

    @property
    def codebook(self):
        return self._codebook.embed

    def encode(self, x):
        x = self.project_in(x.transpose(1, 2))
        return self._codebook.encode(x)

    def decode(self, embed_ind):
        quantize = self._codebook.decode(embed_ind)
        return self.project_out(quantize).transpose(1, 2)


class ResidualVectorQuantizer(nn.Module):
    def __init__(self, dimension: int = 256, n_q: int = 8, bins: int = 1024, codebook_dim: tp.Optional[int] = None):
        super().__init__()
        self.n_q, self.bins = n_q, bins
        self.layers = nn.ModuleList([VectorQuantization(dimension, bins, codebook_dim) for _ in range(n_q)])

    def get_bandwidth(self, frame_rate: float) -> float:
        return self.n_q * (self.bins.bit_length() - 1) * frame_rate

    def encode(self, x, n_q: tp.Optional[int] = None):
        residual = x
        all_indices = []
        for layer in list(self.layers)[:n_q or self.n_q]:
            indices = layer.encode(residual)
            residual = residual - layer.decode(indices)
            all_indices.append(indices)
        return torch.stack(all_indices)

    def decode(self, q_indices):
        quantized_out = 0.0
        for i, layer in enumerate(list(self.layers)[:len(q_indices)]):
            quantized_out = quantized_out + layer.decode(q_indices[i])
        return quantized_out

    def forward(self, x, frame_rate: float) -> QuantizedResult:
        codes = self.encode(x)
        return QuantizedResult(self.decode(codes), codes, self.get_bandwidth(frame_rate))
