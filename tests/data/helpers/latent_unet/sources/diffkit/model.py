from dataclasses import dataclass
from typing import Tuple, Union

import torch
from torch import nn

from .configuration_utils import BaseOutput, ConfigMixin, register_to_config
from .scheduling_ddim import DDIMScheduler
from .unet_2d_blocks import ResnetBlock2D, TimestepEmbedding, Timesteps, get_activation, get_down_block, get_up_block


@dataclass
class UNet2DConditionOutput(BaseOutput):
    sample: torch.Tensor = None


class UNet2DConditionModel(nn.Module, ConfigMixin):
    config_name = "config.json"

    @register_to_config
    def __init__(
        self,
        in_channels: int = 4,
        out_channels: int = 4,
        down_block_types: Tuple[str, ...] = ("CrossAttnDownBlock2D", "DownBlock2D"),
        up_block_types: Tuple[str, ...] = ("UpBlock2D", "UpBlock2D"),
        block_out_channels: Tuple[int, ...] = (16, 32),
        layers_per_block: int = 1,
        act_fn: str = "silu",
        cross_attention_dim: int = 24,
        num_attention_heads: int = 2,
        resnet_time_scale_shift: str = "default",
    ):
        super().__init__()
        self.conv_in = nn.Conv2d(in_channels, block_out_channels[0], kernel_size=3, padding=1)

        # time
        time_embed_dim = block_out_channels[0] * 4
        self.time_proj = Timesteps(block_out_channels[0], flip_sin_to_cos=True, downscale_freq_shift=0)
        self.time_embedding = TimestepEmbedding(block_out_channels[0], time_embed_dim, act_fn=act_fn)

        resnet_kwargs = dict(non_linearity=act_fn, time_embedding_norm=resnet_time_scale_shift)

        # down
        self.down_blocks = nn.ModuleList([])
        output_channel = block_out_channels[0]
        for i, down_block_type in enumerate(down_block_types):
            input_channel, output_channel = output_channel, block_out_channels[i]
            is_final_block = i == len(block_out_channels) - 1
            down_block = get_down_block(
                down_block_type, layers_per_block, input_channel, output_channel, time_embed_dim, not is_final_block,
                cross_attention_dim=cross_attention_dim, num_attention_heads=num_attention_heads, **resnet_kwargs,
            )
            self.down_blocks.append(down_block)

        # mid
        self.mid_block = ResnetBlock2D(in_channels=output_channel, out_channels=output_channel, temb_channels=time_embed_dim, **resnet_kwargs)

        # up
        self.up_blocks = nn.ModuleList([])
        reversed_block_out_channels = list(reversed(block_out_channels))
        output_channel = reversed_block_out_channels[0]
        for i, up_block_type in enumerate(up_block_types):
            is_final_block = i == len(block_out_channels) - 1
            prev_output_channel, output_channel = output_channel, reversed_block_out_channels[i]
            input_channel = reversed_block_out_channels[min(i + 1, len(block_out_channels) - 1)]
            up_block = get_up_block(
                up_block_type, layers_per_block + 1, input_channel, output_channel, prev_output_channel, time_embed_dim,
                not is_final_block, **resnet_kwargs,
            )
            self.up_blocks.append(up_block)

        # out
        self.conv_norm_out = nn.GroupNorm(num_channels=block_out_channels[0], num_groups=8, eps=1e-5)
        self.conv_act = get_activation(act_fn)
        self.conv_out = nn.Conv2d(block_out_channels[0], out_channels, kernel_size=3, padding=1)

    def get_time_embed(self, sample: torch.Tensor, timestep: torch.Tensor) -> torch.Tensor:
        timesteps = timestep.expand(sample.shape[0])  # broadcast to batch dimension
        return self.time_proj(timesteps).to(dtype=sample.dtype)

    def forward(self, sample, timestep, encoder_hidden_states, return_dict: bool = True) -> Union[UNet2DConditionOutput, Tuple]:
        emb = self.time_embedding(self.get_time_embed(sample, timestep))
        sample = self.conv_in(sample)

        down_block_res_samples = (sample,)
        for downsample_block in self.down_blocks:
            sample, res_samples = downsample_block(sample, temb=emb, encoder_hidden_states=encoder_hidden_states)
            down_block_res_samples += res_samples

        sample = self.mid_block(sample, emb)

        for upsample_block in self.up_blocks:
            res_samples = down_block_res_samples[-len(upsample_block.resnets) :]
            down_block_res_samples = down_block_res_samples[: -len(upsample_block.resnets)]
            sample = upsample_block(sample, res_samples, emb)

        sample = self.conv_out(self.conv_act(self.conv_norm_out(sample)))
        if not return_dict:
            return (sample,)
        return UNet2DConditionOutput(sample=sample)


def rescale_noise_cfg(noise_cfg, noise_pred_text, guidance_rescale=0.0):
    std_text = noise_pred_text.std(dim=list(range(1, noise_pred_text.ndim)), keepdim=True)
    std_cfg = noise_cfg.std(dim=list(range(1, noise_cfg.ndim)), keepdim=True)
    noise_pred_rescaled = noise_cfg * (std_text / std_cfg)
    return guidance_rescale * noise_pred_rescaled + (1 - guidance_rescale) * noise_cfg


class Model(nn.Module):
    """One denoising step of the pipeline, guidance included, as it is deployed."""

    def __init__(self, guidance_scale: float = 7.5, guidance_rescale: float = 0.7, num_inference_steps: int = 20):
        super().__init__()
        self.unet = UNet2DConditionModel()
        self.scheduler = DDIMScheduler.from_config({"prediction_type": "epsilon", "clip_sample": True})
        self.scheduler.set_timesteps(num_inference_steps)
        self._guidance_scale = guidance_scale
        self._guidance_rescale = guidance_rescale

    @property
    def do_classifier_free_guidance(self) -> bool:
        return self._guidance_scale > 1

    def _perform_guidance(self, noise_pred):
        noise_pred_uncond, noise_pred_text = noise_pred.chunk(2)
        guided = noise_pred_uncond + self._guidance_scale * (noise_pred_text - noise_pred_uncond)
        if self._guidance_rescale > 0.0:
            guided = rescale_noise_cfg(guided, noise_pred_text, guidance_rescale=self._guidance_rescale)
        return guided

    def forward(self, latents: torch.Tensor, timestep: torch.Tensor, prompt_embeds: torch.Tensor):
        latent_model_input = torch.cat([latents] * 2) if self.do_classifier_free_guidance else latents
        latent_model_input = self.scheduler.scale_model_input(latent_model_input, timestep)
        noise_pred = self.unet(latent_model_input, timestep, encoder_hidden_states=prompt_embeds).sample
        if self.do_classifier_free_guidance:
            noise_pred = self._perform_guidance(noise_pred)
        return self.scheduler.step(noise_pred, timestep, latents, eta=0.3, return_dict=False)[0]


def example():
    return [(1, 4, 16, 16), ((1,), "int64"), (2, 6, 24)]
