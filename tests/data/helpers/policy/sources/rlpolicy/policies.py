from abc import ABC, abstractmethod
from functools import partial
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

import torch as th
from torch import nn

from .distributions import Distribution, StateDependentNoiseDistribution
from .extractors import CombinedExtractor, MlpExtractor
from .normalizer import ObsNormalizer, ReturnNormalizer

TensorDict = Dict[str, th.Tensor]


class ActionSpace(NamedTuple):
    low: List[float]
    high: List[float]


def preprocess_obs(obs: Any, image_keys: Tuple[str, ...]) -> TensorDict:
    """Bytes to [0, 1] for images, floats for everything else."""
    return {key: item.float() / 255.0 if key in image_keys else item.float() for key, item in obs.items()}


class BasePolicy(nn.Module, ABC):
    def __init__(self, obs_shapes: Dict[str, Tuple[int, ...]], action_space: ActionSpace, normalizer: Optional[ObsNormalizer] = None):
        super().__init__()
        self.obs_shapes = obs_shapes
        self.action_space = action_space
        self.normalizer = normalizer
        self.image_keys = tuple(key for key, shape in obs_shapes.items() if len(shape) == 3)
        self.action_low, self.action_high = th.tensor(action_space.low), th.tensor(action_space.high)

    @staticmethod
    def init_weights(module: nn.Module, gain: float = 1) -> None:
        if isinstance(module, (nn.Linear, nn.Conv2d)):
            nn.init.orthogonal_(module.weight, gain=gain)
            if module.bias is not None:
                module.bias.data.fill_(0.0)

    def extract_features(self, obs: TensorDict, features_extractor: nn.Module) -> th.Tensor:
        obs = preprocess_obs(obs, self.image_keys)
        if self.normalizer is not None:
            obs = self.normalizer(obs)
        return features_extractor(obs)

    def unscale_action(self, scaled_action: th.Tensor) -> th.Tensor:
        """[-1, 1] to the bounds of the action space."""
        low, high = self.action_low, self.action_high
        return low + 0.5 * (scaled_action + 1.0) * (high - low)

    @abstractmethod
    def _predict(self, observation: TensorDict, deterministic: bool = False) -> th.Tensor: ...

    def predict(self, observation: TensorDict, deterministic: bool = False) -> th.Tensor:
        actions = self._predict(observation, deterministic=deterministic)
        return self.unscale_action(actions)


class ActorCriticPolicy(BasePolicy):
    def __init__(self, obs_shapes, action_space, net_arch, normalizer=None, share_features_extractor=True, n_critics=2,
                 log_std_init=-2.0, ortho_init=True, dist_kwargs=None):
        super().__init__(obs_shapes, action_space, normalizer)
        self.share_features_extractor = share_features_extractor
        self.features_extractor = CombinedExtractor(obs_shapes)
        self.pi_features_extractor = self.vf_features_extractor = self.features_extractor
        if not share_features_extractor:
            self.vf_features_extractor = CombinedExtractor(obs_shapes)
        self.return_normalizer = ReturnNormalizer()
        self.action_dist = StateDependentNoiseDistribution(len(action_space.low), **(dist_kwargs or {}))
        self._build(net_arch, n_critics, log_std_init, ortho_init)

    def _build(self, net_arch, n_critics, log_std_init, ortho_init) -> None:
        self.mlp_extractor = MlpExtractor(self.features_extractor.features_dim, net_arch)
        latent_pi, latent_vf = self.mlp_extractor.latent_dim_pi, self.mlp_extractor.latent_dim_vf
        self.action_net, self.log_std = self.action_dist.proba_distribution_net(latent_pi, log_std_init)
        self.value_nets = nn.ModuleList([nn.Linear(latent_vf, 1) for _ in range(n_critics)])
        if ortho_init:
            for module, gain in {self.features_extractor: 2 ** 0.5, self.action_net: 0.01, self.value_nets: 1.0}.items():
                module.apply(partial(self.init_weights, gain=gain))

    def extract_features(self, obs, features_extractor=None):
        if features_extractor is not None:
            return super().extract_features(obs, features_extractor)
        pi_features = super().extract_features(obs, self.pi_features_extractor)
        if self.share_features_extractor:
            return {"pi": pi_features, "vf": pi_features}
        return {"pi": pi_features, "vf": super().extract_features(obs, self.vf_features_extractor)}

    def _get_latent(self, obs: TensorDict) -> TensorDict:
        features = self.extract_features(obs)
        latent = self.mlp_extractor(features)
        latent["sde"] = latent["pi"].detach()
        return latent

    def _get_action_dist_from_latent(self, latent: TensorDict) -> Distribution:
        mean_actions = self.action_net(latent["pi"])
        return self.action_dist.proba_distribution(mean_actions, self.log_std, latent_sde=latent["sde"])

    def _values(self, latent_vf: th.Tensor) -> th.Tensor:
        estimates = th.cat([value_net(latent_vf) for value_net in self.value_nets], dim=1)
        return self.return_normalizer.unnormalize(estimates.min(dim=1, keepdim=True)[0])

    def forward(self, obs: TensorDict, deterministic: bool = False) -> Tuple[th.Tensor, th.Tensor, th.Tensor]:
        latent = self._get_latent(obs)
        values = self._values(latent["vf"])
        distribution = self._get_action_dist_from_latent(latent)
        actions = distribution.get_actions(deterministic=deterministic)
        return actions, values, distribution.log_prob(actions)

    def _predict(self, observation, deterministic=False):
        return self._get_action_dist_from_latent(self._get_latent(observation)).get_actions(deterministic)
