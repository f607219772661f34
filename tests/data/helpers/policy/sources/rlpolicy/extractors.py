import math
from typing import Dict, List, Tuple, Type

import torch as th
from torch import nn


def layer_init(layer: nn.Module, std: float = math.sqrt(2), bias_const: float = 0.0) -> nn.Module:
    nn.init.orthogonal_(layer.weight, std)
    nn.init.constant_(layer.bias, bias_const)
    return layer


def create_mlp(input_dim: int, net_arch: List[int], activation_fn: Type[nn.Module]) -> nn.Sequential:
    modules: List[nn.Module] = []
    for width in net_arch:
        modules += [layer_init(nn.Linear(input_dim, width)), activation_fn()]
        input_dim = width
    return nn.Sequential(*modules)


class BaseFeaturesExtractor(nn.Module):
    def __init__(self, features_dim: int):
        super().__init__()
        assert features_dim > 0
        self._features_dim = features_dim

    @property
    def features_dim(self) -> int:
        return self._features_dim


class NatureCNN(BaseFeaturesExtractor):
    def __init__(self, image_shape: Tuple[int, int, int], features_dim: int = 64):
        super().__init__(features_dim)
        c, h, w = image_shape
        self.cnn = nn.Sequential(
            layer_init(nn.Conv2d(c, 16, kernel_size=8, stride=4)),
            nn.ReLU(),
            layer_init(nn.Conv2d(16, 32, kernel_size=4, stride=2)),
            nn.ReLU(),
            nn.Flatten(),
        )
        side = [((n - 8) // 4 + 1 - 4) // 2 + 1 for n in (h, w)]
        self.linear = nn.Sequential(layer_init(nn.Linear(32 * side[0] * side[1], features_dim)), nn.ReLU())

    def forward(self, observations: th.Tensor) -> th.Tensor:
        return self.linear(self.cnn(observations))


class CombinedExtractor(BaseFeaturesExtractor):
    """One extractor per key of the observation; what they find is concatenated."""

    def __init__(self, shapes: Dict[str, Tuple[int, ...]], cnn_output_dim: int = 64):
        extractors, total = {}, 0
        for key, shape in shapes.items():
            is_image = len(shape) == 3
            extractors[key] = NatureCNN(shape, cnn_output_dim) if is_image else nn.Flatten()
            total += cnn_output_dim if is_image else math.prod(shape)
        super().__init__(total)
        self.extractors = nn.ModuleDict(extractors)

    def forward(self, observations: Dict[str, th.Tensor]) -> th.Tensor:
        return th.cat([extractor(observations[key]) for key, extractor in self.extractors.items()], dim=1)


class MlpExtractor(nn.Module):
    """Latent representations of the actor and of the critic."""

    def __init__(self, feature_dim: int, net_arch: Dict[str, List[int]], activation_fn: Type[nn.Module] = nn.Tanh):
        super().__init__()
        self.policy_net = create_mlp(feature_dim, net_arch["pi"], activation_fn)
        self.value_net = create_mlp(feature_dim, net_arch["vf"], activation_fn)
        self.latent_dim_pi, self.latent_dim_vf = net_arch["pi"][-1], net_arch["vf"][-1]

    def forward(self, features: Dict[str, th.Tensor]) -> Dict[str, th.Tensor]:
        return {"pi": self.forward_actor(features["pi"]), "vf": self.forward_critic(features["vf"])}

    def forward_actor(self, features: th.Tensor) -> th.Tensor:
        return self.policy_net(features)

    def forward_critic(self, features: th.Tensor) -> th.Tensor:
        return self.value_net(features)
