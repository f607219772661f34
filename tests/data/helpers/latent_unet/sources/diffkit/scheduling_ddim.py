from dataclasses import dataclass
from typing import Optional, Tuple, Union

import torch

from .configuration_utils import BaseOutput, ConfigMixin, register_to_config


@dataclass
class DDIMSchedulerOutput(BaseOutput):
    prev_sample: torch.Tensor
    pred_original_sample: Optional[torch.Tensor] = None


class DDIMScheduler(ConfigMixin):
    config_name = "scheduler_config.json"

    @register_to_config
    def __init__(
        self,
        num_train_timesteps: int = 1000,
        beta_start: float = 0.00085,
        beta_end: float = 0.012,
        clip_sample: bool = True,
        clip_sample_range: float = 4.0,
        prediction_type: str = "epsilon",
    ):
        self.betas = torch.linspace(beta_start**0.5, beta_end**0.5, num_train_timesteps, dtype=torch.float32) ** 2
        self.alphas = 1.0 - self.betas
        self.alphas_cumprod = torch.cumprod(self.alphas, dim=0)
        self.final_alpha_cumprod = torch.tensor(1.0)
        self.num_inference_steps = None

    def set_timesteps(self, num_inference_steps: int):
        self.num_inference_steps = num_inference_steps
        step_ratio = self.config.num_train_timesteps // num_inference_steps
        self.timesteps = [i * step_ratio for i in range(num_inference_steps)][::-1]

    def scale_model_input(self, sample: torch.Tensor, timestep: Optional[torch.Tensor] = None) -> torch.Tensor:
        return sample

    def _alpha_prod_at(self, timestep, sample):
        alpha_prod = self.alphas_cumprod.to(device=sample.device)[timestep.clamp(min=0)]
        return torch.where(timestep >= 0, alpha_prod, self.final_alpha_cumprod)

    def _get_variance(self, alpha_prod_t, alpha_prod_t_prev):
        beta_prod_t = 1 - alpha_prod_t
        beta_prod_t_prev = 1 - alpha_prod_t_prev
        return (beta_prod_t_prev / beta_prod_t) * (1 - alpha_prod_t / alpha_prod_t_prev)

    def _convert_model_output(self, model_output, sample, alpha_prod_t):
        beta_prod_t = 1 - alpha_prod_t
        if self.config.prediction_type == "epsilon":
            pred_original_sample = (sample - beta_prod_t ** (0.5) * model_output) / alpha_prod_t ** (0.5)
            pred_epsilon = model_output
        elif self.config.prediction_type == "v_prediction":
            pred_original_sample = (alpha_prod_t**0.5) * sample - (beta_prod_t**0.5) * model_output
            pred_epsilon = (alpha_prod_t**0.5) * model_output + (beta_prod_t**0.5) * sample
        return pred_original_sample, pred_epsilon

    def step(self, model_output, timestep, sample, eta: float = 0.0, return_dict: bool = True) -> Union[DDIMSchedulerOutput, Tuple]:
        # 1. get previous step value (=t-1)
        prev_timestep = timestep - self.config.num_train_timesteps // self.num_inference_steps

        # 2. compute alphas
        def expand(alpha):
            while len(alpha.shape) < len(sample.shape):
                alpha = alpha.unsqueeze(-1)
            return alpha

        alpha_prod_t = expand(self._alpha_prod_at(timestep, sample))
        alpha_prod_t_prev = expand(self._alpha_prod_at(prev_timestep, sample))

        # 3. predicted x_0 and epsilon
        pred_original_sample, pred_epsilon = self._convert_model_output(model_output, sample, alpha_prod_t)

        # 4. clip "predicted x_0"
        if self.config.clip_sample:
            pred_original_sample = pred_original_sample.clamp(-self.config.clip_sample_range, self.config.clip_sample_range)

        # 5. "direction pointing to x_t"
        std_dev_t = eta * self._get_variance(alpha_prod_t, alpha_prod_t_prev) ** (0.5)
        pred_sample_direction = (1 - alpha_prod_t_prev - std_dev_t**2) ** (0.5) * pred_epsilon

        # 6. x_t without "random noise"
        prev_sample = alpha_prod_t_prev ** (0.5) * pred_original_sample + pred_sample_direction
        return (prev_sample, pred_original_sample) if not return_dict else DDIMSchedulerOutput(prev_sample=prev_sample, pred_original_sample=pred_original_sample)
