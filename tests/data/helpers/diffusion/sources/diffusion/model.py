import inspect
from dataclasses import dataclass
from functools import wraps
from typing import Optional, Tuple, Union

import torch
from torch import nn

from .blocks import DownBlock2D, MidBlock2D, UpBlock2D
from .embeddings import TimestepEmbedding, Timesteps, get_activation


class FrozenDict(dict):
    def __getattr__(self, name):
        return self[name]


def register_to_config(init):
    @wraps(init)
    def inner_init(self, *args, **kwargs):
        init_kwargs = {k: v for k, v in kwargs.items() if not k.startswith("_")}
        new_kwargs = {}
        signature = inspect.signature(init)
        parameters = {name: p.default for i, (name, p) in enumerate(signature.parameters.items()) if i > 0}
        for arg, name in zip(args, parameters.keys()):
            new_kwargs[name] = arg
        new_kwargs.update({k: init_kwargs.get(k, default) for k, default in parameters.items() if k not in new_kwargs})
        init(self, *args, **init_kwargs)
        self._internal_dict = FrozenDict(new_kwargs)

    return inner_init


class ConfigMixin:
    @property
    def config(self):
        return self._internal_dict


@dataclass
class UNetOutput:
    sample: torch.Tensor = None


class UNet2DConditionModel(nn.Module, ConfigMixin):
    @register_to_config
    def __init__(self, sample_size=8, in_channels=2, center_input_sample=False, flip_sin_to_cos=True, freq_shift=0,
                 down_block_types: Tuple[str, ...] = ("CrossAttnDownBlock2D", "DownBlock2D"), block_out_channels=(8, 16), layers_per_block=1,
                 cross_attention_dim=6, class_embed_type=None, act_fn="silu", norm_num_groups: Optional[int] = 4, time_cond_proj_dim=None):
        super().__init__()
        self.sample_size = sample_size
        time_embed_dim = block_out_channels[0] * 2
        self.conv_in = nn.Conv2d(in_channels, block_out_channels[0], 3, padding=1)
        self.time_proj = Timesteps(block_out_channels[0], flip_sin_to_cos, freq_shift)
        self.time_embedding = TimestepEmbedding(block_out_channels[0], time_embed_dim, act_fn=act_fn, cond_proj_dim=time_cond_proj_dim)
        self.class_embedding = None if class_embed_type is None else nn.Embedding(4, time_embed_dim)
        self.down_blocks = nn.ModuleList([])
        self.up_blocks = nn.ModuleList([])
        output_channel = block_out_channels[0]
        for i, down_block_type in enumerate(down_block_types):
            input_channel = output_channel
            output_channel = block_out_channels[i]
            is_final_block = i == len(block_out_channels) - 1
            down_block = DownBlock2D(input_channel, output_channel, time_embed_dim, layers_per_block,
                                     cross_attention_dim if down_block_type.startswith("CrossAttn") else None, not is_final_block)
            self.down_blocks.append(down_block)
        self.mid_block = MidBlock2D(block_out_channels[-1], time_embed_dim)
        self.num_upsamplers = 0
        reversed_block_out_channels = list(reversed(block_out_channels))
        output_channel = reversed_block_out_channels[0]
        for i in range(len(block_out_channels)):
            is_final_block = i == len(block_out_channels) - 1
            prev_output_channel = output_channel
            output_channel = reversed_block_out_channels[i]
            input_channel = reversed_block_out_channels[min(i + 1, len(block_out_channels) - 1)]
            if not is_final_block:
                self.num_upsamplers += 1
            self.up_blocks.append(UpBlock2D(input_channel, prev_output_channel, output_channel, time_embed_dim, layers_per_block + 1, not is_final_block))
        if norm_num_groups is not None:
            self.conv_norm_out = nn.GroupNorm(norm_num_groups, block_out_channels[0])
            self.conv_act = get_activation(act_fn)
        else:
            self.conv_norm_out = None
            self.conv_act = None
        self.conv_out = nn.Conv2d(block_out_channels[0], in_channels, 3, padding=1)

    def get_time_embed(self, sample, timestep):
        timesteps = timestep
        if not torch.is_tensor(timesteps):
            timesteps = torch.tensor([timesteps], dtype=torch.int64, device=sample.device)
        elif len(timesteps.shape) == 0:
            timesteps = timesteps[None].to(sample.device)
        timesteps = timesteps.expand(sample.shape[0])
        t_emb = self.time_proj(timesteps)
        t_emb = t_emb.to(dtype=sample.dtype)
        return t_emb

    def get_class_embed(self, sample, class_labels):
        class_emb = None
        if self.class_embedding is not None:
            if class_labels is None:
                raise ValueError("class_labels should be provided when num_class_embeds > 0")
            class_emb = self.class_embedding(class_labels).to(dtype=sample.dtype)
        return class_emb

    def forward(self, sample, timestep, encoder_hidden_states, class_labels=None, timestep_cond=None, attention_mask=None,
                down_block_additional_residuals=None, return_dict: bool = True) -> Union[UNetOutput, Tuple]:
        default_overall_up_factor = 2**self.num_upsamplers
        forward_upsample_size = False
        upsample_size = None
        for dim in sample.shape[-2:]:
            if dim % default_overall_up_factor != 0:
                forward_upsample_size = True
                break
        if attention_mask is not None:
            attention_mask = (1 - attention_mask.to(sample.dtype)) * -10000.0
            attention_mask = attention_mask.unsqueeze(1)
        if self.config.center_input_sample:
            sample = 2 * sample - 1.0

        t_emb = self.get_time_embed(sample=sample, timestep=timestep)
        emb = self.time_embedding(t_emb, timestep_cond)
        class_emb = self.get_class_embed(sample=sample, class_labels=class_labels)
        if class_emb is not None:
            emb = emb + class_emb

        sample = self.conv_in(sample)

        down_block_res_samples = (sample,)
        for downsample_block in self.down_blocks:
            if hasattr(downsample_block, "has_cross_attention") and downsample_block.has_cross_attention:
                sample, res_samples = downsample_block(hidden_states=sample, temb=emb, encoder_hidden_states=encoder_hidden_states)
            else:
                sample, res_samples = downsample_block(hidden_states=sample, temb=emb)
            down_block_res_samples += res_samples

        if down_block_additional_residuals is not None:
            new_down_block_res_samples = ()
            for down_block_res_sample, residual in zip(down_block_res_samples, down_block_additional_residuals):
                down_block_res_sample = down_block_res_sample + residual
                new_down_block_res_samples = new_down_block_res_samples + (down_block_res_sample,)
            down_block_res_samples = new_down_block_res_samples

        if self.mid_block is not None:
            sample = self.mid_block(sample, emb)

        for i, upsample_block in enumerate(self.up_blocks):
            is_final_block = i == len(self.up_blocks) - 1
            res_samples = down_block_res_samples[-len(upsample_block.resnets) :]
            down_block_res_samples = down_block_res_samples[: -len(upsample_block.resnets)]
            if not is_final_block and forward_upsample_size:
                upsample_size = down_block_res_samples[-1].shape[2:]
            sample = upsample_block(hidden_states=sample, temb=emb, res_hidden_states_tuple=res_samples, upsample_size=upsample_size)

        if self.conv_norm_out:
            sample = self.conv_norm_out(sample)
            sample = self.conv_act(sample)
        sample = self.conv_out(sample)

        if not return_dict:
            return (sample,)
        return UNetOutput(sample=sample)


class Scheduler:
    order = 1

    def __init__(self, num_train_timesteps=10, beta_start=0.1, beta_end=0.2):
        self.betas = [beta_start + (beta_end - beta_start) * i / (num_train_timesteps - 1) for i in range(num_train_timesteps)]
        self.timesteps = [6, 2]

    def __len__(self):
        return len(self.betas)

    def alpha(self, t):
        product = 1.0
        for beta in self.betas[: t + 1]:
            product *= 1 - beta
        return product

    def step(self, model_output, timestep: int, sample, eta: float = 0.0):
        prev = timestep - len(self) // len(self.timesteps)
        alpha_t, alpha_prev = self.alpha(timestep), self.alpha(prev) if prev >= 0 else 1.0
        pred_original = (sample - (1 - alpha_t) ** 0.5 * model_output) / alpha_t**0.5
        pred_original = pred_original.clamp(-1, 1)
        direction = (1 - alpha_prev) ** 0.5 * model_output
        return alpha_prev**0.5 * pred_original + direction


class Model(nn.Module):
    def __init__(self, guidance_scale=3.0):
        super().__init__()
        self.unet = UNet2DConditionModel(down_block_types=("CrossAttnDownBlock2D", "DownBlock2D"))
        self._guidance_scale = guidance_scale
        self.scheduler = Scheduler()

    @property
    def do_classifier_free_guidance(self):
        return self._guidance_scale > 1

    def denoise(self, latents, t, embeds):
        latent_model_input = torch.cat([latents] * 2) if self.do_classifier_free_guidance else latents
        timestep = torch.full((1,), t)
        noise_pred = self.unet(latent_model_input, timestep, encoder_hidden_states=embeds, return_dict=False)[0]
        if self.do_classifier_free_guidance:
            noise_pred_uncond, noise_pred_text = noise_pred.chunk(2)
            noise_pred = noise_pred_uncond + self._guidance_scale * (noise_pred_text - noise_pred_uncond)
        return self.scheduler.step(noise_pred, t, latents)

    def forward(self, latents, prompt):
        embeds = torch.cat([torch.zeros_like(prompt), prompt])
        for i, t in enumerate(self.scheduler.timesteps[:1]):
            latents = self.denoise(latents, t, embeds)
        return latents


def example():
    return [(1, 2, 8, 8), (1, 3, 6)]
