# Base classes that keep the arguments of a constructor as a config.
import functools
import inspect
from collections import OrderedDict
from dataclasses import fields
from typing import Any, Dict, Tuple


class FrozenDict(OrderedDict):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        for key, value in self.items():
            setattr(self, key, value)


class BaseOutput(OrderedDict):
    """Output that is a dictionary, and a tuple when asked for one by `to_tuple`."""

    def __post_init__(self):
        for field in fields(self):
            value = getattr(self, field.name)
            if value is not None:
                super().__setitem__(field.name, value)

    def to_tuple(self) -> Tuple[Any, ...]:
        return tuple(self.values())


class ConfigMixin:
    config_name = None

    def register_to_config(self, **kwargs):
        self._internal_dict = FrozenDict({**getattr(self, "_internal_dict", {}), **kwargs})

    @property
    def config(self) -> Dict[str, Any]:
        return self._internal_dict

    @classmethod
    def from_config(cls, config, **kwargs):
        expected = set(inspect.signature(cls.__init__).parameters) - {"self"}
        return cls(**{k: v for k, v in {**config, **kwargs}.items() if k in expected})


def register_to_config(init):
    @functools.wraps(init)
    def inner_init(self, *args, **kwargs):
        init_kwargs = {k: v for k, v in kwargs.items() if not k.startswith("_")}
        parameters = list(inspect.signature(init).parameters.items())[1:]
        new_kwargs = {name: p.default for name, p in parameters}
        new_kwargs.update({name: arg for arg, (name, _) in zip(args, parameters)})
        new_kwargs.update(init_kwargs)
        getattr(self, "register_to_config")(**new_kwargs)
        init(self, *args, **init_kwargs)

    return inner_init
