import torch
import torch.nn.functional as F
from torch import nn


class AttnProcessor2_0:
    r"""Processor for scaled dot-product attention; it is no module, the projections are those of `attn`."""

    def __call__(self, attn: "Attention", hidden_states, encoder_hidden_states=None, attention_mask=None):
        query = attn.to_q(hidden_states)
        if encoder_hidden_states is None:
            encoder_hidden_states = hidden_states
        key = attn.to_k(encoder_hidden_states)
        value = attn.to_v(encoder_hidden_states)

        query, key, value = (attn.head_to_batch_dim(t) for t in (query, key, value))
        hidden_states = F.scaled_dot_product_attention(query, key, value, attn_mask=attention_mask, dropout_p=0.0)
        hidden_states = attn.batch_to_head_dim(hidden_states)
        hidden_states = attn.to_out[0](hidden_states)
        return attn.to_out[1](hidden_states)


class Attention(nn.Module):
    def __init__(self, query_dim, cross_attention_dim=None, heads=8, dim_head=64, dropout=0.0, bias=False, processor=None):
        super().__init__()
        self.inner_dim = dim_head * heads
        self.heads = heads
        cross_attention_dim = cross_attention_dim if cross_attention_dim is not None else query_dim

        self.to_q = nn.Linear(query_dim, self.inner_dim, bias=bias)
        self.to_k = nn.Linear(cross_attention_dim, self.inner_dim, bias=bias)
        self.to_v = nn.Linear(cross_attention_dim, self.inner_dim, bias=bias)
        self.to_out = nn.ModuleList([nn.Linear(self.inner_dim, query_dim), nn.Dropout(dropout)])
        self.processor = processor if processor is not None else AttnProcessor2_0()

    def head_to_batch_dim(self, tensor: torch.Tensor) -> torch.Tensor:
        batch_size, seq_len, dim = tensor.shape
        return tensor.view(batch_size, seq_len, self.heads, dim // self.heads).transpose(1, 2)

    def batch_to_head_dim(self, tensor: torch.Tensor) -> torch.Tensor:
        batch_size, heads, seq_len, dim = tensor.shape
        return tensor.transpose(1, 2).reshape(batch_size, seq_len, heads * dim)

    def forward(self, hidden_states, encoder_hidden_states=None, attention_mask=None, **cross_attention_kwargs):
        return self.processor(self, hidden_states, encoder_hidden_states, attention_mask, **cross_attention_kwargs)


class GEGLU(nn.Module):
    def __init__(self, dim_in: int, dim_out: int):
        super().__init__()
        self.proj = nn.Linear(dim_in, dim_out * 2)

    def forward(self, hidden_states):
        hidden_states, gate = self.proj(hidden_states).chunk(2, dim=-1)
        return hidden_states * F.gelu(gate)


class FeedForward(nn.Module):
    def __init__(self, dim: int, mult: int = 2, dropout: float = 0.0):
        super().__init__()
        self.net = nn.ModuleList([GEGLU(dim, dim * mult), nn.Dropout(dropout), nn.Linear(dim * mult, dim)])

    def forward(self, hidden_states):
        for module in self.net:
            hidden_states = module(hidden_states)
        return hidden_states


class BasicTransformerBlock(nn.Module):
    def __init__(self, dim, num_attention_heads, attention_head_dim, cross_attention_dim=None):
        super().__init__()
        self.norm1 = nn.LayerNorm(dim)
        self.attn1 = Attention(dim, None, num_attention_heads, attention_head_dim)
        self.norm2 = nn.LayerNorm(dim)
        self.attn2 = Attention(dim, cross_attention_dim, num_attention_heads, attention_head_dim)
        self.norm3 = nn.LayerNorm(dim)
        self.ff = FeedForward(dim)

    def forward(self, hidden_states, encoder_hidden_states=None):
        # 1. Self-Attention
        hidden_states = self.attn1(self.norm1(hidden_states)) + hidden_states
        # 2. Cross-Attention
        hidden_states = self.attn2(self.norm2(hidden_states), encoder_hidden_states) + hidden_states
        # 3. Feed-forward
        return self.ff(self.norm3(hidden_states)) + hidden_states


class Transformer2DModel(nn.Module):
    def __init__(self, num_attention_heads, attention_head_dim, in_channels, num_layers=1, cross_attention_dim=None, norm_num_groups=8):
        super().__init__()
        inner_dim = num_attention_heads * attention_head_dim
        self.norm = nn.GroupNorm(num_groups=norm_num_groups, num_channels=in_channels, eps=1e-6, affine=True)
        self.proj_in = nn.Conv2d(in_channels, inner_dim, kernel_size=1)
        self.transformer_blocks = nn.ModuleList([
            BasicTransformerBlock(inner_dim, num_attention_heads, attention_head_dim, cross_attention_dim) for _ in range(num_layers)
        ])
        self.proj_out = nn.Conv2d(inner_dim, in_channels, kernel_size=1)

    def _operate_on_inputs(self, hidden_states):
        batch, _, height, width = hidden_states.shape
        hidden_states = self.proj_in(self.norm(hidden_states))
        inner_dim = hidden_states.shape[1]
        return hidden_states.permute(0, 2, 3, 1).reshape(batch, height * width, inner_dim), inner_dim

    def _get_output(self, hidden_states, residual, inner_dim):
        batch, _, height, width = residual.shape
        hidden_states = hidden_states.reshape(batch, height, width, inner_dim).permute(0, 3, 1, 2).contiguous()
        return self.proj_out(hidden_states) + residual

    def forward(self, hidden_states, encoder_hidden_states=None, return_dict: bool = True):
        residual = hidden_states
        hidden_states, inner_dim = self._operate_on_inputs(hidden_states)
        for block in self.transformer_blocks:
            hidden_states = block(hidden_states, encoder_hidden_states=encoder_hidden_states)
        output = self._get_output(hidden_states, residual, inner_dim)
        return (output,)
