from typing import Dict, Iterable, Tuple

import torch as th


class RunningMeanStd:
    """Moments of a stream of batches (parallel variance algorithm).  Frozen for evaluation."""

    def __init__(self, shape: Tuple[int, ...], epsilon: float = 1e-4):
        self.mean = th.zeros(shape)
        self.var = th.ones(shape)
        self.count = epsilon

    def update(self, batch: th.Tensor) -> None:
        n = batch.shape[0]
        delta, total = batch.mean(dim=0) - self.mean, self.count + n
        m2 = self.var * self.count + batch.var(dim=0, unbiased=False) * n + delta ** 2 * (self.count * n / total)
        self.mean, self.var, self.count = self.mean + delta * (n / total), m2 / total, total


class ObsNormalizer:
    def __init__(self, shapes: Dict[str, Tuple[int, ...]], keys: Iterable[str], clip_obs: float = 10.0, epsilon: float = 1e-8):
        self.clip_obs = clip_obs
        self.epsilon = epsilon
        self.obs_rms = {key: RunningMeanStd(shapes[key]) for key in keys}

    def _normalize(self, obs: th.Tensor, rms: RunningMeanStd) -> th.Tensor:
        return th.clamp((obs - rms.mean) / th.sqrt(rms.var + self.epsilon), -self.clip_obs, self.clip_obs)

    def __call__(self, obs: Dict[str, th.Tensor]) -> Dict[str, th.Tensor]:
        return {key: self._normalize(item, self.obs_rms[key]) if key in self.obs_rms else item for key, item in obs.items()}


class ReturnNormalizer:
    def __init__(self, epsilon: float = 1e-8):
        self.rms = RunningMeanStd(())
        self.epsilon = epsilon

    @property
    def std(self) -> th.Tensor:
        return th.sqrt(self.rms.var + self.epsilon)

    def unnormalize(self, values: th.Tensor) -> th.Tensor:
        return values * self.std + self.rms.mean
