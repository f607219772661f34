"""Action distributions.  They are no modules: a policy makes one, gives it parameters and asks it."""
from abc import ABC, abstractmethod
from typing import Tuple

import torch as th
from torch import nn
from torch.distributions import Normal


def sum_independent_dims(tensor: th.Tensor) -> th.Tensor:
    return tensor.sum(dim=1) if tensor.dim() > 1 else tensor.sum()


class TanhBijector:
    """Squashes actions into (-1, 1) and corrects the density."""

    def __init__(self, epsilon: float = 1e-6):
        self.epsilon = epsilon

    @staticmethod
    def forward(x: th.Tensor) -> th.Tensor:
        return th.tanh(x)

    @staticmethod
    def atanh(x: th.Tensor) -> th.Tensor:
        return 0.5 * (x.log1p() - (-x).log1p())

    @staticmethod
    def inverse(y: th.Tensor) -> th.Tensor:
        eps = th.finfo(y.dtype).eps
        return TanhBijector.atanh(y.clamp(min=-1.0 + eps, max=1.0 - eps))

    def log_prob_correction(self, x: th.Tensor) -> th.Tensor:
        return th.log(1.0 - th.tanh(x) ** 2 + self.epsilon)


class Distribution(ABC):
    def __init__(self):
        self.distribution = None

    @abstractmethod
    def proba_distribution(self, *args, **kwargs) -> "Distribution": ...

    @abstractmethod
    def log_prob(self, actions: th.Tensor) -> th.Tensor: ...

    @abstractmethod
    def mode(self) -> th.Tensor: ...

    @abstractmethod
    def sample(self) -> th.Tensor: ...

    def get_actions(self, deterministic: bool = False) -> th.Tensor:
        return self.mode() if deterministic else self.sample()


class DiagGaussianDistribution(Distribution):
    def __init__(self, action_dim: int):
        super().__init__()
        self.action_dim = action_dim

    def proba_distribution_net(self, latent_dim: int, log_std_init: float = 0.0) -> Tuple[nn.Module, nn.Parameter]:
        mean_actions = nn.Linear(latent_dim, self.action_dim)
        return mean_actions, nn.Parameter(th.ones(self.action_dim) * log_std_init)

    def proba_distribution(self, mean_actions: th.Tensor, log_std: th.Tensor) -> "DiagGaussianDistribution":
        self.distribution = Normal(mean_actions, th.ones_like(mean_actions) * log_std.exp())
        return self

    def log_prob(self, actions: th.Tensor) -> th.Tensor:
        return sum_independent_dims(self.distribution.log_prob(actions))

    def entropy(self) -> th.Tensor:
        return sum_independent_dims(self.distribution.entropy())

    def mode(self) -> th.Tensor:
        return self.distribution.mean

    def sample(self) -> th.Tensor:
        return self.distribution.rsample()


class StateDependentNoiseDistribution(DiagGaussianDistribution):
    """The exploration noise is a linear function of the latent state; optionally squashed."""

    def __init__(self, action_dim: int, use_expln: bool = False, squash_output: bool = False, epsilon: float = 1e-6):
        super().__init__(action_dim)
        self.use_expln = use_expln
        self.epsilon = epsilon
        self.bijector = TanhBijector(epsilon) if squash_output else None
        self.gaussian_actions = None

    def proba_distribution_net(self, latent_dim, log_std_init=-2.0):
        mean_actions, _ = super().proba_distribution_net(latent_dim)
        return mean_actions, nn.Parameter(th.ones(latent_dim, self.action_dim) * log_std_init)

    def get_std(self, log_std: th.Tensor) -> th.Tensor:
        if not self.use_expln:
            return th.exp(log_std)
        # exp for the negative part, a logarithm for the positive one, so that the variance does not explode
        is_positive = log_std > 0
        below = th.exp(log_std) * (log_std <= 0)
        above = (th.log1p(log_std * is_positive + self.epsilon) + 1.0) * is_positive
        return below + above

    def proba_distribution(self, mean_actions, log_std, latent_sde=None):
        variance = th.mm(latent_sde ** 2, self.get_std(log_std) ** 2)
        self.distribution = Normal(mean_actions, th.sqrt(variance + self.epsilon))
        return self

    def mode(self) -> th.Tensor:
        self.gaussian_actions = super().mode()
        return self.gaussian_actions if self.bijector is None else self.bijector.forward(self.gaussian_actions)

    def log_prob(self, actions):
        if self.bijector is None:
            return super().log_prob(actions)
        gaussian_actions = self.bijector.inverse(actions)
        log_prob = super().log_prob(gaussian_actions)
        return log_prob - th.sum(self.bijector.log_prob_correction(gaussian_actions), dim=1)
