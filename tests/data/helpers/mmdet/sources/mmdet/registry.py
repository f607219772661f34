import inspect
from functools import partial
from typing import Dict, Optional

import torch.nn as nn


def build_from_cfg(cfg: dict, registry: 'Registry', default_args: Optional[dict] = None):
    if not isinstance(cfg, dict):
        raise TypeError(f'cfg should be a dict, but got {type(cfg)}')
    args = cfg.copy()
    if default_args is not None:
        for name, value in default_args.items():
            args.setdefault(name, value)
    obj_type = args.pop('type')
    if isinstance(obj_type, str):
        obj_cls = registry.get(obj_type)
        if obj_cls is None:
            raise KeyError(f'{obj_type} is not in the {registry.name} registry')
    elif inspect.isclass(obj_type) or inspect.isfunction(obj_type):
        obj_cls = obj_type
    else:
        raise TypeError(f'type must be a str or valid type, but got {type(obj_type)}')
    return obj_cls(**args)


class Registry:
    def __init__(self, name: str, build_func=build_from_cfg):
        self._name = name
        self._module_dict: Dict[str, type] = dict()
        self.build_func = build_func

    @property
    def name(self):
        return self._name

    def get(self, key: str):
        return self._module_dict.get(key, None)

    def build(self, cfg: dict, *args, **kwargs):
        return self.build_func(cfg, *args, **kwargs, registry=self)

    def _register_module(self, module, module_name=None, force=False):
        module_name = module_name or module.__name__
        for name in [module_name] if isinstance(module_name, str) else module_name:
            if not force and name in self._module_dict:
                raise KeyError(f'{name} is already registered in {self.name}')
            self._module_dict[name] = module

    def register_module(self, name=None, force=False, module=None):
        if module is not None:
            self._register_module(module=module, module_name=name, force=force)
            return module

        def _register(module):
            self._register_module(module=module, module_name=name, force=force)
            return module

        return _register


MODELS = Registry('model')
TASK_UTILS = Registry('task util')
for _name, _layer in (('Conv', nn.Conv2d), ('Conv2d', nn.Conv2d), ('BN', nn.BatchNorm2d), ('GN', nn.GroupNorm), ('ReLU', nn.ReLU), ('SiLU', nn.SiLU)):
    MODELS.register_module(name=_name, module=_layer)
