import math
from typing import List, Tuple, Type

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from .image_encoder import LayerNorm2d, MLPBlock


class PositionEmbeddingRandom(nn.Module):
    def __init__(self, num_pos_feats: int = 6, scale=None) -> None:
        super().__init__()
        if scale is None or scale <= 0.0:
            scale = 1.0
        self.register_buffer("positional_encoding_gaussian_matrix", scale * torch.randn((2, num_pos_feats)))

    def _pe_encoding(self, coords: torch.Tensor) -> torch.Tensor:
        coords = 2 * coords - 1
        coords = coords @ self.positional_encoding_gaussian_matrix
        coords = 2 * math.pi * coords
        return torch.cat([torch.sin(coords), torch.cos(coords)], dim=-1)

    def forward(self, size: Tuple[int, int]) -> torch.Tensor:
        h, w = size
        grid = torch.ones((h, w))
        y_embed = grid.cumsum(dim=0) - 0.5
        x_embed = grid.cumsum(dim=1) - 0.5
        y_embed = y_embed / h
        x_embed = x_embed / w
        pe = self._pe_encoding(torch.stack([x_embed, y_embed], dim=-1))
        return pe.permute(2, 0, 1)

    def forward_with_coords(self, coords_input: torch.Tensor, image_size: Tuple[int, int]) -> torch.Tensor:
        coords = coords_input / image_size[1]
        return self._pe_encoding(coords)


class PromptEncoder(nn.Module):
    def __init__(self, embed_dim: int, image_embedding_size: Tuple[int, int], input_image_size: Tuple[int, int]) -> None:
        super().__init__()
        self.embed_dim = embed_dim
        self.input_image_size = input_image_size
        self.image_embedding_size = image_embedding_size
        self.pe_layer = PositionEmbeddingRandom(embed_dim // 2)
        self.num_point_embeddings: int = 2
        self.point_embeddings = nn.ModuleList([nn.Embedding(1, embed_dim) for i in range(self.num_point_embeddings)])
        self.not_a_point_embed = nn.Embedding(1, embed_dim)
        self.no_mask_embed = nn.Embedding(1, embed_dim)

    def get_dense_pe(self) -> torch.Tensor:
        return self.pe_layer(self.image_embedding_size).unsqueeze(0)

    def _embed_points(self, points: torch.Tensor, labels: torch.Tensor, pad: bool) -> torch.Tensor:
        points = points + 0.5
        if pad:
            padding_point = torch.zeros((points.shape[0], 1, 2), device=points.device)
            padding_label = torch.zeros((labels.shape[0], 1), device=labels.device)
            points = torch.cat([points, padding_point], dim=1)
            labels = torch.cat([labels, padding_label], dim=1)
        point_embedding = self.pe_layer.forward_with_coords(points, self.input_image_size)
        for value, embed in zip([0, 1], self.point_embeddings):
            point_embedding = torch.where((labels == value).unsqueeze(-1), point_embedding + embed.weight, point_embedding)
        return torch.where((labels == -1).unsqueeze(-1), self.not_a_point_embed.weight, point_embedding)

    def forward(self, points, boxes=None, masks=None):
        bs = points[0].shape[0]
        sparse_embeddings = []
        if points is not None:
            coords, labels = points
            sparse_embeddings.append(self._embed_points(coords, labels, pad=(boxes is None)))
        sparse = torch.cat(sparse_embeddings, dim=1) if len(sparse_embeddings) > 1 else sparse_embeddings[0]
        dense_embeddings = self.no_mask_embed.weight.reshape(1, -1, 1, 1).expand(bs, -1, *self.image_embedding_size)
        return sparse, dense_embeddings


class DownAttention(nn.Module):
    def __init__(self, embedding_dim: int, num_heads: int, downsample_rate: int = 1) -> None:
        super().__init__()
        self.internal_dim = embedding_dim // downsample_rate
        self.num_heads = num_heads
        assert self.internal_dim % num_heads == 0, "num_heads must divide embedding_dim."
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(embedding_dim, self.internal_dim) for _ in range(3))
        self.out_proj = nn.Linear(self.internal_dim, embedding_dim)

    def _separate_heads(self, x: Tensor, num_heads: int) -> Tensor:
        b, n, c = x.shape
        x = x.reshape(b, n, num_heads, c // num_heads)
        return x.transpose(1, 2)

    def _recombine_heads(self, x: Tensor) -> Tensor:
        b, n_heads, n_tokens, c_per_head = x.shape
        x = x.transpose(1, 2)
        return x.reshape(b, n_tokens, n_heads * c_per_head)

    def forward(self, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        q, k, v = self.q_proj(q), self.k_proj(k), self.v_proj(v)
        q, k, v = (self._separate_heads(t, self.num_heads) for t in (q, k, v))
        _, _, _, c_per_head = q.shape
        attn = q @ k.permute(0, 1, 3, 2)
        attn = attn / math.sqrt(c_per_head)
        attn = torch.softmax(attn, dim=-1)
        out = attn @ v
        return self.out_proj(self._recombine_heads(out))


class TwoWayBlock(nn.Module):
    def __init__(self, dim: int, heads: int, mlp_dim: int, skip_first_layer_pe: bool = False) -> None:
        super().__init__()
        self.self_attn = DownAttention(dim, heads)
        self.norm1 = nn.LayerNorm(dim)
        self.cross = DownAttention(dim, heads, downsample_rate=2)
        self.norm2 = nn.LayerNorm(dim)
        self.mlp = MLPBlock(dim, mlp_dim, nn.ReLU)
        self.norm3 = nn.LayerNorm(dim)
        self.skip_first_layer_pe = skip_first_layer_pe

    def forward(self, queries, keys, query_pe, key_pe):
        if self.skip_first_layer_pe:
            queries = self.self_attn(q=queries, k=queries, v=queries)
        else:
            q = queries + query_pe
            queries = queries + self.self_attn(q=q, k=q, v=queries)
        queries = self.norm1(queries)
        queries = self.norm2(queries + self.cross(q=queries + query_pe, k=keys + key_pe, v=keys))
        queries = self.norm3(queries + self.mlp(queries))
        return queries, keys


class HyperMLP(nn.Module):
    def __init__(self, input_dim: int, hidden_dim: int, output_dim: int, num_layers: int, sigmoid_output: bool = False) -> None:
        super().__init__()
        self.num_layers = num_layers
        h = [hidden_dim] * (num_layers - 1)
        self.layers = nn.ModuleList(nn.Linear(n, k) for n, k in zip([input_dim] + h, h + [output_dim]))
        self.sigmoid_output = sigmoid_output

    def forward(self, x):
        for i, layer in enumerate(self.layers):
            x = F.relu(layer(x)) if i < self.num_layers - 1 else layer(x)
        if self.sigmoid_output:
            x = F.sigmoid(x)
        return x


class MaskDecoder(nn.Module):
    def __init__(self, *, transformer_dim: int, num_multimask_outputs: int = 2, activation: Type[nn.Module] = nn.GELU, depth: int = 2) -> None:
        super().__init__()
        self.transformer_dim = transformer_dim
        self.layers = nn.ModuleList(TwoWayBlock(transformer_dim, 2, 16, skip_first_layer_pe=(i == 0)) for i in range(depth))
        self.num_mask_tokens = num_multimask_outputs + 1
        self.iou_token = nn.Embedding(1, transformer_dim)
        self.mask_tokens = nn.Embedding(self.num_mask_tokens, transformer_dim)
        self.output_upscaling = nn.Sequential(
            nn.ConvTranspose2d(transformer_dim, transformer_dim // 2, kernel_size=2, stride=2),
            LayerNorm2d(transformer_dim // 2),
            activation(),
        )
        self.output_hypernetworks_mlps = nn.ModuleList([HyperMLP(transformer_dim, transformer_dim, transformer_dim // 2, 3) for _ in range(self.num_mask_tokens)])
        self.iou_prediction_head = HyperMLP(transformer_dim, 8, self.num_mask_tokens, 2)

    def predict_masks(self, image_embeddings, image_pe, sparse_prompt_embeddings, dense_prompt_embeddings) -> Tuple[Tensor, Tensor]:
        learned = torch.cat([self.iou_token.weight, self.mask_tokens.weight], dim=0)
        learned = learned.unsqueeze(0).expand(sparse_prompt_embeddings.size(0), -1, -1)
        src = image_embeddings + dense_prompt_embeddings
        b, c, h, w = src.shape
        hs, keys = self._two_way(src, image_pe, torch.cat((learned, sparse_prompt_embeddings), dim=1))
        for_iou, for_masks = hs[:, 0, :], hs[:, 1 : (1 + self.num_mask_tokens), :]

        image = self.output_upscaling(keys.transpose(1, 2).view(b, c, h, w))
        rows: List[Tensor] = []
        for i in range(self.num_mask_tokens):
            rows.append(self.output_hypernetworks_mlps[i](for_masks[:, i, :]))
        b, c, h, w = image.shape
        masks = (torch.stack(rows, dim=1) @ image.view(b, c, h * w)).view(b, -1, h, w)
        return masks, self.iou_prediction_head(for_iou)

    def _two_way(self, src, pe, point_embedding):
        image_embedding = src.flatten(2).permute(0, 2, 1)
        pe = pe.flatten(2).permute(0, 2, 1)
        queries, keys = point_embedding, image_embedding
        for layer in self.layers:
            queries, keys = layer(queries=queries, keys=keys, query_pe=point_embedding, key_pe=pe)
        return queries, keys

    def forward(self, image_embeddings, image_pe, sparse, dense, multimask_output: bool):
        masks, iou_pred = self.predict_masks(image_embeddings, image_pe, sparse, dense)
        if multimask_output:
            mask_slice = slice(1, None)
        else:
            mask_slice = slice(0, 1)
        masks = masks[:, mask_slice, :, :]
        iou_pred = iou_pred[:, mask_slice]
        return masks, iou_pred
