"""Layer constructors by name, so that architectures can be described by plain strings and dictionaries.

    Norm["instance", 3]               -> nn.InstanceNorm3d
    Act["leakyrelu"]                  -> nn.LeakyReLU
    Act["softmax"]                    -> nn.Softmax
"""
from __future__ import annotations

from typing import Any, Callable

import torch.nn as nn

__all__ = ["LayerFactory", "Act", "Conv", "Dropout", "Norm", "split_args"]


class LayerFactory:
    def __init__(self, name: str, description: str = "") -> None:
        self.name = name
        self.description = description
        self.factories: dict[str, Callable] = {}

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.factories)

    def add_callable(self, name: str, func: Callable) -> None:
        self.factories[name.upper()] = func

    def factory_function(self, name: str) -> Callable:
        def _register(func: Callable) -> Callable:
            self.add_callable(name, func)
            return func

        return _register

    def __getitem__(self, args) -> Any:
        name, *rest = (args,) if isinstance(args, str) else args
        try:
            return self.factories[name.upper()](*rest)
        except KeyError as e:
            raise KeyError(f"{self.name} knows {', '.join(self.names)}, not {name}") from e


def split_args(args):
    """"relu" -> ("relu", {}), and ("relu", {...}) stays as it is."""
    return (args, {}) if isinstance(args, str) else (args[0], dict(args[1]))


Act = LayerFactory("activations")
Conv = LayerFactory("convolutions")
Dropout = LayerFactory("dropout")
Norm = LayerFactory("normalizations")

Act.add_callable("relu", lambda: nn.ReLU)
Act.add_callable("leakyrelu", lambda: nn.LeakyReLU)
Act.add_callable("prelu", lambda: nn.PReLU)
Act.add_callable("sigmoid", lambda: nn.Sigmoid)
Act.add_callable("softmax", lambda: nn.Softmax)


@Norm.factory_function("instance")
def instance_factory(dim: int) -> type:
    return (nn.InstanceNorm1d, nn.InstanceNorm2d, nn.InstanceNorm3d)[dim - 1]


@Norm.factory_function("batch")
def batch_factory(dim: int) -> type:
    return (nn.BatchNorm1d, nn.BatchNorm2d, nn.BatchNorm3d)[dim - 1]


@Conv.factory_function("conv")
def conv_factory(dim: int) -> type:
    return (nn.Conv1d, nn.Conv2d, nn.Conv3d)[dim - 1]


@Conv.factory_function("convtrans")
def convtrans_factory(dim: int) -> type:
    return (nn.ConvTranspose1d, nn.ConvTranspose2d, nn.ConvTranspose3d)[dim - 1]


@Dropout.factory_function("dropout")
def dropout_factory(dim: int) -> type:
    return (nn.Dropout1d, nn.Dropout2d, nn.Dropout3d)[dim - 1]
