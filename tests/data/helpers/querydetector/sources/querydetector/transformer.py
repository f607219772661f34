from typing import Optional

import torch
from torch import nn, Tensor

from .misc import MLP, activation_by_name, clones_of, inverse_sigmoid, sine_embedding_of, with_pos


class PositionEmbeddingSine(nn.Module):
    def __init__(self, num_pos_feats=16, temperature=10000, normalize=False, scale=None):
        super().__init__()
        if scale is not None and normalize is False:
            raise ValueError("normalize should be True if scale is passed")
        self.num_pos_feats = num_pos_feats
        self.temperature = temperature
        self.normalize = normalize
        self.scale = 6.283185307179586 if scale is None else scale

    def forward(self, nested):
        x, mask = nested.tensors, nested.mask
        assert mask is not None
        y_embed = mask.cumsum(1)
        x_embed = mask.cumsum(2)
        if self.normalize:
            eps = 1e-6
            y_embed = y_embed / (y_embed[:, -1:, :] + eps) * self.scale
            x_embed = x_embed / (x_embed[:, :, -1:] + eps) * self.scale

        dim_t = torch.arange(self.num_pos_feats, dtype=torch.float32, device=x.device)
        dim_t = self.temperature ** (2 * (dim_t // 2) / self.num_pos_feats)
        pos_x = x_embed[:, :, :, None] / dim_t
        pos_y = y_embed[:, :, :, None] / dim_t
        pos_x = torch.stack((pos_x[:, :, :, 0::2].sin(), pos_x[:, :, :, 1::2].cos()), dim=4).flatten(3)
        pos_y = torch.stack((pos_y[:, :, :, 0::2].sin(), pos_y[:, :, :, 1::2].cos()), dim=4).flatten(3)
        return torch.cat((pos_y, pos_x), dim=3).permute(0, 3, 1, 2)


class EncoderLayer(nn.Module):
    def __init__(self, d_model, nhead, dim_feedforward=64, dropout=0.1, activation="relu", normalize_before=False):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, nhead, dropout=dropout)
        self.linear1 = nn.Linear(d_model, dim_feedforward)
        self.dropout = nn.Dropout(dropout)
        self.linear2 = nn.Linear(dim_feedforward, d_model)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.dropout1 = nn.Dropout(dropout)
        self.dropout2 = nn.Dropout(dropout)
        self.activation = activation_by_name(activation)
        self.normalize_before = normalize_before

    def forward_post(self, src, pos: Optional[Tensor] = None):
        q = k = with_pos(src, pos)
        src2 = self.self_attn(q, k, value=src)[0]
        src = src + self.dropout1(src2)
        src = self.norm1(src)
        src2 = self.linear2(self.dropout(self.activation(self.linear1(src))))
        src = src + self.dropout2(src2)
        return self.norm2(src)

    def forward_pre(self, src, pos: Optional[Tensor] = None):
        src2 = self.norm1(src)
        q = k = with_pos(src2, pos)
        src2 = self.self_attn(q, k, value=src2)[0]
        src = src + self.dropout1(src2)
        src2 = self.norm2(src)
        src2 = self.linear2(self.dropout(self.activation(self.linear1(src2))))
        return src + self.dropout2(src2)

    def forward(self, src, pos: Optional[Tensor] = None):
        if self.normalize_before:
            return self.forward_pre(src, pos)
        return self.forward_post(src, pos)


class DecoderLayer(nn.Module):
    def __init__(self, d_model, nhead, dim_feedforward=64, dropout=0.0, activation="relu"):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, nhead, dropout=dropout)
        self.cross_attn = nn.MultiheadAttention(d_model, nhead, dropout=dropout)
        self.linear1 = nn.Linear(d_model, dim_feedforward)
        self.linear2 = nn.Linear(dim_feedforward, d_model)
        self.norms = nn.ModuleList([nn.LayerNorm(d_model) for _ in range(3)])
        self.dropouts = nn.ModuleList([nn.Dropout(dropout) for _ in range(3)])
        self.activation = activation_by_name(activation)

    def forward_ffn(self, tgt):
        tgt2 = self.linear2(self.activation(self.linear1(tgt)))
        tgt = tgt + self.dropouts[2](tgt2)
        return self.norms[2](tgt)

    def _sa(self, tgt, query_pos):
        q = k = with_pos(tgt, query_pos)
        tgt2 = self.self_attn(q, k, tgt)[0]
        return self.norms[0](tgt + self.dropouts[0](tgt2))

    def _ca(self, tgt, memory, query_pos, pos):
        tgt2, _ = self.cross_attn(query=with_pos(tgt, query_pos), key=with_pos(memory, pos), value=memory)
        return self.norms[1](tgt + self.dropouts[1](tgt2))

    def forward(self, tgt, memory, pos: Optional[Tensor] = None, query_pos: Optional[Tensor] = None):
        tgt = self._sa(tgt, query_pos)
        tgt = self._ca(tgt, memory, query_pos, pos)
        return self.forward_ffn(tgt)


class Encoder(nn.Module):
    def __init__(self, make_layer, num_layers, norm=None):
        super().__init__()
        self.layers = clones_of(make_layer, num_layers)
        self.num_layers = num_layers
        self.norm = norm

    def forward(self, src, pos: Optional[Tensor] = None):
        output = src
        for layer in self.layers:
            output = layer(output, pos=pos)
        if self.norm is not None:
            output = self.norm(output)
        return output


class Decoder(nn.Module):
    """Reference points get better with every layer; the model hangs its box heads in here."""

    def __init__(self, make_layer, num_layers, d_model, norm=None, return_intermediate=False):
        super().__init__()
        self.layers = clones_of(make_layer, num_layers)
        self.norm = norm
        self.return_intermediate = return_intermediate
        self.ref_point_head = MLP(2 * d_model, d_model, d_model, 2)
        self.query_scale = MLP(d_model, d_model, d_model, 2)
        self.bbox_embed = None
        self.d_model = d_model

    def refine(self, layer_id, output, reference_points):
        delta = self.bbox_embed[layer_id](output)
        new_reference_points = delta + inverse_sigmoid(reference_points)
        return new_reference_points.sigmoid()

    def forward(self, tgt, memory, refpoints_unsigmoid, pos: Optional[Tensor] = None):
        output = tgt
        intermediate = []
        reference_points = refpoints_unsigmoid.sigmoid()
        ref_points = [reference_points]

        for layer_id, layer in enumerate(self.layers):
            query_sine_embed = sine_embedding_of(reference_points, self.d_model // 2)
            query_pos = self.ref_point_head(query_sine_embed)
            if layer_id != 0:
                query_pos = query_pos * self.query_scale(output)
            output = layer(output, memory, pos=pos, query_pos=query_pos)

            if self.bbox_embed is not None:
                reference_points = self.refine(layer_id, output, reference_points)
                ref_points.append(reference_points)
            if self.return_intermediate:
                intermediate.append(self.norm(output) if self.norm is not None else output)

        if self.return_intermediate:
            return [torch.stack(intermediate), torch.stack(ref_points[:-1])]
        return output.unsqueeze(0), reference_points
