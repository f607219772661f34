import math

import torch
import torch.nn.functional as F
from torch import nn

from .attention import Transformer2DModel

ACTIVATION_FUNCTIONS = {"swish": nn.SiLU, "silu": nn.SiLU, "gelu": nn.GELU, "relu": nn.ReLU}


def get_activation(act_fn: str) -> nn.Module:
    return ACTIVATION_FUNCTIONS[act_fn.lower()]()


def get_timestep_embedding(timesteps, embedding_dim, flip_sin_to_cos=False, downscale_freq_shift=1, scale=1, max_period=10000):
    assert len(timesteps.shape) == 1, "Timesteps should be a 1d-array"
    half_dim = embedding_dim // 2
    exponent = -math.log(max_period) * torch.arange(start=0, end=half_dim, dtype=torch.float32, device=timesteps.device)
    exponent = exponent / (half_dim - downscale_freq_shift)

    emb = torch.exp(exponent)
    emb = timesteps[:, None].float() * emb[None, :]
    emb = scale * emb
    emb = torch.cat([torch.sin(emb), torch.cos(emb)], dim=-1)

    if flip_sin_to_cos:
        emb = torch.cat([emb[:, half_dim:], emb[:, :half_dim]], dim=-1)
    return emb


class Timesteps(nn.Module):
    def __init__(self, num_channels: int, **kwargs):
        super().__init__()
        self.num_channels = num_channels
        self.embedding_kwargs = kwargs

    def forward(self, timesteps):
        return get_timestep_embedding(timesteps, self.num_channels, **self.embedding_kwargs)


class TimestepEmbedding(nn.Module):
    def __init__(self, in_channels: int, time_embed_dim: int, act_fn: str = "silu"):
        super().__init__()
        self.linear_1 = nn.Linear(in_channels, time_embed_dim)
        self.act = get_activation(act_fn)
        self.linear_2 = nn.Linear(time_embed_dim, time_embed_dim)

    def forward(self, sample):
        return self.linear_2(self.act(self.linear_1(sample)))


class Upsample2D(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, 3, padding=1)

    def forward(self, hidden_states):
        return self.conv(F.interpolate(hidden_states, scale_factor=2.0, mode="nearest"))


class ResnetBlock2D(nn.Module):
    def __init__(self, *, in_channels, out_channels, temb_channels, groups=8, eps=1e-5, non_linearity="swish",
                 time_embedding_norm="default"):
        super().__init__()
        self.time_embedding_norm = time_embedding_norm
        self.norm1 = nn.GroupNorm(num_groups=groups, num_channels=in_channels, eps=eps, affine=True)
        self.conv1 = nn.Conv2d(in_channels, out_channels, kernel_size=3, stride=1, padding=1)
        temb_out = 2 * out_channels if time_embedding_norm == "scale_shift" else out_channels
        self.time_emb_proj = nn.Linear(temb_channels, temb_out)
        self.norm2 = nn.GroupNorm(num_groups=groups, num_channels=out_channels, eps=eps, affine=True)
        self.dropout = nn.Dropout(0.0)
        self.conv2 = nn.Conv2d(out_channels, out_channels, kernel_size=3, stride=1, padding=1)
        self.nonlinearity = get_activation(non_linearity)
        self.conv_shortcut = nn.Conv2d(in_channels, out_channels, kernel_size=1) if in_channels != out_channels else None

    def _project_temb(self, temb):
        return self.time_emb_proj(self.nonlinearity(temb))[:, :, None, None]

    def _apply_temb(self, hidden_states, temb):
        if self.time_embedding_norm == "scale_shift":
            time_scale, time_shift = torch.chunk(temb, 2, dim=1)
            return self.norm2(hidden_states) * (1 + time_scale) + time_shift
        return self.norm2(hidden_states + temb)

    def forward(self, input_tensor, temb):
        hidden_states = self.conv1(self.nonlinearity(self.norm1(input_tensor)))
        hidden_states = self._apply_temb(hidden_states, self._project_temb(temb))
        hidden_states = self.conv2(self.dropout(self.nonlinearity(hidden_states)))
        if self.conv_shortcut is not None:
            input_tensor = self.conv_shortcut(input_tensor)
        return input_tensor + hidden_states


class DownBlock2D(nn.Module):
    def __init__(self, in_channels, out_channels, temb_channels, num_layers=1, add_downsample=True, **resnet_kwargs):
        super().__init__()
        self.resnets = nn.ModuleList([
            ResnetBlock2D(in_channels=in_channels if i == 0 else out_channels, out_channels=out_channels,
                          temb_channels=temb_channels, **resnet_kwargs)
            for i in range(num_layers)
        ])
        self.downsamplers = nn.ModuleList([nn.Conv2d(out_channels, out_channels, 3, stride=2, padding=1)]) if add_downsample else None

    def _downsample(self, hidden_states, output_states):
        if self.downsamplers is not None:
            for downsampler in self.downsamplers:
                hidden_states = downsampler(hidden_states)
            output_states = output_states + (hidden_states,)
        return hidden_states, output_states

    def forward(self, hidden_states, temb=None, encoder_hidden_states=None):
        output_states = ()
        for resnet in self.resnets:
            hidden_states = resnet(hidden_states, temb)
            output_states = output_states + (hidden_states,)
        return self._downsample(hidden_states, output_states)


class CrossAttnDownBlock2D(DownBlock2D):
    def __init__(self, in_channels, out_channels, temb_channels, num_layers=1, num_attention_heads=2, cross_attention_dim=32, **kwargs):
        super().__init__(in_channels, out_channels, temb_channels, num_layers, **kwargs)
        self.attentions = nn.ModuleList([
            Transformer2DModel(num_attention_heads, out_channels // num_attention_heads, out_channels,
                               cross_attention_dim=cross_attention_dim)
            for _ in range(num_layers)
        ])

    def forward(self, hidden_states, temb=None, encoder_hidden_states=None):
        output_states = ()
        for resnet, attn in zip(self.resnets, self.attentions):
            hidden_states = resnet(hidden_states, temb)
            hidden_states = attn(hidden_states, encoder_hidden_states=encoder_hidden_states, return_dict=False)[0]
            output_states = output_states + (hidden_states,)
        return self._downsample(hidden_states, output_states)


class UpBlock2D(nn.Module):
    def __init__(self, in_channels, prev_output_channel, out_channels, temb_channels, num_layers=1, add_upsample=True, **resnet_kwargs):
        super().__init__()
        resnets = []
        for i in range(num_layers):
            res_skip_channels = in_channels if i == num_layers - 1 else out_channels
            resnet_in_channels = prev_output_channel if i == 0 else out_channels
            resnets.append(ResnetBlock2D(in_channels=resnet_in_channels + res_skip_channels, out_channels=out_channels,
                                         temb_channels=temb_channels, **resnet_kwargs))
        self.resnets = nn.ModuleList(resnets)
        self.upsamplers = nn.ModuleList([Upsample2D(out_channels)]) if add_upsample else None

    def forward(self, hidden_states, res_hidden_states_tuple, temb=None):
        for resnet in self.resnets:
            *res_hidden_states_tuple, res_hidden_states = res_hidden_states_tuple
            hidden_states = torch.cat([hidden_states, res_hidden_states], dim=1)
            hidden_states = resnet(hidden_states, temb)
        if self.upsamplers is not None:
            for upsampler in self.upsamplers:
                hidden_states = upsampler(hidden_states)
        return hidden_states


def get_down_block(down_block_type, num_layers, in_channels, out_channels, temb_channels, add_downsample,
                   cross_attention_dim=None, num_attention_heads=None, **kwargs):
    if down_block_type == "DownBlock2D":
        return DownBlock2D(in_channels, out_channels, temb_channels, num_layers, add_downsample, **kwargs)
    elif down_block_type == "CrossAttnDownBlock2D":
        return CrossAttnDownBlock2D(in_channels, out_channels, temb_channels, num_layers, num_attention_heads,
                                    cross_attention_dim, add_downsample=add_downsample, **kwargs)
    raise ValueError(f"{down_block_type} does not exist.")


def get_up_block(up_block_type, num_layers, in_channels, out_channels, prev_output_channel, temb_channels, add_upsample, **kwargs):
    if up_block_type == "UpBlock2D":
        return UpBlock2D(in_channels, prev_output_channel, out_channels, temb_channels, num_layers, add_upsample, **kwargs)
    raise ValueError(f"{up_block_type} does not exist.")
