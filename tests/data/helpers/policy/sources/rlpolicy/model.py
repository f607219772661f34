import math
from typing import Dict

import torch as th
from torch import nn

from .normalizer import ObsNormalizer
from .policies import ActionSpace, ActorCriticPolicy

OBS_SHAPES = {"image": (3, 36, 36), "proprio": (9,), "goal": (3,), "object_pose": (2, 7)}


class Model(nn.Module):
    """Evaluation of a manipulation policy on one flat observation vector per environment."""

    def __init__(self):
        super().__init__()
        self.obs_shapes = dict(OBS_SHAPES)
        self.policy = ActorCriticPolicy(
            self.obs_shapes,
            ActionSpace(low=[-0.05] * 6 + [0.0], high=[0.05] * 6 + [0.08]),
            net_arch={"pi": [64, 64], "vf": [64, 64]},
            normalizer=ObsNormalizer(self.obs_shapes, keys=("proprio", "goal", "object_pose")),
            share_features_extractor=False,
            dist_kwargs={"use_expln": True, "squash_output": True},
        )

    def to_obs_dict(self, flat: th.Tensor) -> Dict[str, th.Tensor]:
        sizes = [math.prod(shape) for shape in self.obs_shapes.values()]
        parts = th.split(flat, sizes, dim=1)
        return {key: part.reshape(-1, *shape) for (key, shape), part in zip(self.obs_shapes.items(), parts)}

    def forward(self, flat_obs):
        obs = self.to_obs_dict(flat_obs)
        actions, values, log_prob = self.policy(obs, deterministic=True)
        return {"actions": self.policy.unscale_action(actions), "values": values, "log_prob": log_prob}


def example():
    return [(2, 3 * 36 * 36 + 9 + 3 + 14)]
