import abc
import torch
from torch import nn


class Registry(dict):
    def register(self, name=None):
        def deco(fn):
            self[name or fn.__name__] = fn
            return fn
        return deco


POOL = Registry()


@POOL.register()
def mean_pool(x):
    return x.mean(dim=1)


@POOL.register("first")
def first_token(x):
    return x[:, 0]


class Shaped:
    """Knows the sizes of what it gets."""

    group = 4

    @property
    def fan(self):
        return self.group * 2

    @classmethod
    def make(cls, *args, **kwargs):
        made = cls(*args, **kwargs)
        return made

    @staticmethod
    def clip(x, low=-3.0, high=3.0):
        return x.clamp(min=low, max=high)

    def grouped(self, x):
        b, n, c = x.shape
        g = self.group
        return x.reshape(b, n // g, g, c)

    def ungrouped(self, x):
        b, m, g, c = x.shape
        return x.reshape(b, m * g, c)


class Base(nn.Module, abc.ABC):
    residual_scale: float = 1.0

    @abc.abstractmethod
    def inner(self, x, *extra, **options):
        ...

    def wrap(self, x, *extra, **options):
        y = self.inner(self.before(x), *extra, **options)
        return self.after(x, y)

    def before(self, x):
        return x

    def after(self, x, y):
        return x + y * self.residual_scale if self.residual_scale != 1.0 else x + y

    def forward(self, x, *extra, **options):
        return self.wrap(x, *extra, **options)
