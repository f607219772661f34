import math
from typing import Tuple

import torch
from torch import nn


class RelPositionalEncoding(nn.Module):
    """Relative positional encoding, one row for each distance from T-1 down to -(T-1)."""

    def __init__(self, d_model: int, dropout_rate: float, max_len: int = 64):
        super().__init__()
        self.d_model = d_model
        self.xscale = math.sqrt(self.d_model)
        self.dropout = nn.Dropout(p=dropout_rate)
        self.max_len = max_len
        pe_positive, pe_negative = self._sinusoid(1), self._sinusoid(-1)
        # reverse the order of positive indices and concat both
        pe_positive = torch.flip(pe_positive, [0]).unsqueeze(0)
        pe_negative = pe_negative[1:].unsqueeze(0)
        self.register_buffer("pe", torch.cat([pe_positive, pe_negative], dim=1), persistent=False)

    def _sinusoid(self, sign: int) -> torch.Tensor:
        pe = torch.zeros(self.max_len, self.d_model)
        position = torch.arange(0, self.max_len, dtype=torch.float32).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, self.d_model, 2, dtype=torch.float32) * -(math.log(10000.0) / self.d_model))
        pe[:, 0::2] = torch.sin(sign * position * div_term)
        pe[:, 1::2] = torch.cos(sign * position * div_term)
        return pe

    def position_encoding(self, size: int, apply_dropout: bool = True) -> torch.Tensor:
        center = self.pe.size(1) // 2
        pos_emb = self.pe[:, center - size + 1 : center + size]
        if apply_dropout:
            pos_emb = self.dropout(pos_emb)
        return pos_emb

    def forward(self, x: torch.Tensor, offset: int = 0) -> Tuple[torch.Tensor, torch.Tensor]:
        x = x * self.xscale
        pos_emb = self.position_encoding(x.size(1) + offset, False)
        return self.dropout(x), self.dropout(pos_emb)


class BaseSubsampling(nn.Module):
    def __init__(self):
        super().__init__()
        self.right_context = 0
        self.subsampling_rate = 1

    def position_encoding(self, offset, size: int) -> torch.Tensor:
        return self.pos_enc.position_encoding(size)


class LinearNoSubsampling(BaseSubsampling):
    def __init__(self, idim: int, odim: int, dropout_rate: float, pos_enc_class: nn.Module):
        super().__init__()
        self.out = nn.Sequential(nn.Linear(idim, odim), nn.LayerNorm(odim, eps=1e-5), nn.Dropout(dropout_rate))
        self.pos_enc = pos_enc_class

    def forward(self, x, x_mask, offset=0):
        x = self.out(x)
        x, pos_emb = self.pos_enc(x, offset)
        return x, pos_emb, x_mask


class Conv2dSubsampling4(BaseSubsampling):
    """Convolutional 2D subsampling (to 1/4 length)."""

    def __init__(self, idim: int, odim: int, dropout_rate: float, pos_enc_class: nn.Module):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv2d(1, odim, 3, 2), nn.ReLU(), nn.Conv2d(odim, odim, 3, 2), nn.ReLU())
        self.out = nn.Sequential(nn.Linear(odim * (((idim - 1) // 2 - 1) // 2), odim))
        self.pos_enc = pos_enc_class
        self.subsampling_rate = 4
        self.right_context = 6

    def forward(self, x: torch.Tensor, x_mask: torch.Tensor, offset: int = 0):
        x = x.unsqueeze(1)  # (b, c=1, t, f)
        x = self.conv(x)
        b, c, t, f = x.size()
        x = self.out(x.transpose(1, 2).contiguous().view(b, t, c * f))
        x, pos_emb = self.pos_enc(x, offset)
        return x, pos_emb, x_mask[:, :, 2::2][:, :, 2::2]
