import sys
from copy import deepcopy
from typing import Any, Callable, Dict

import torch.nn as nn
from torch.utils.checkpoint import checkpoint

_model_entrypoints: Dict[str, Callable[..., Any]] = {}
_model_default_cfgs: Dict[str, Dict] = {}


def register_model(fn: Callable[..., Any]) -> Callable[..., Any]:
    mod = sys.modules[fn.__module__]
    model_name = fn.__name__
    if hasattr(mod, '__all__'):
        mod.__all__.append(model_name)
    _model_entrypoints[model_name] = fn
    _model_default_cfgs[model_name] = getattr(mod, 'default_cfgs', {}).get(model_name, {})
    return fn


def create_model(model_name: str, pretrained: bool = False, **kwargs):
    kwargs = {k: v for k, v in kwargs.items() if v is not None}
    create_fn = _model_entrypoints[model_name]
    return create_fn(pretrained=pretrained, **kwargs)


def build_model_with_cfg(model_cls: Callable[..., nn.Module], variant: str, pretrained: bool, pretrained_cfg=None, kwargs_filter=None, **kwargs):
    pretrained_cfg = deepcopy(pretrained_cfg or _model_default_cfgs.get(variant, {}))
    for n, key in (('num_classes', 'num_classes'), ('img_size', 'input_size')):
        if key in pretrained_cfg:
            value = pretrained_cfg[key]
            kwargs.setdefault(n, value[-1] if isinstance(value, (tuple, list)) else value)
    for n in kwargs_filter or ():
        kwargs.pop(n, None)
    model = model_cls(**kwargs)
    model.pretrained_cfg = pretrained_cfg
    model.default_cfg = model.pretrained_cfg
    return model


def named_apply(fn: Callable, module: nn.Module, name='', depth_first: bool = True, include_root: bool = False) -> nn.Module:
    if not depth_first and include_root:
        fn(module=module, name=name)
    for child_name, child_module in module.named_children():
        child_name = '.'.join((name, child_name)) if name else child_name
        named_apply(fn=fn, module=child_module, name=child_name, depth_first=depth_first, include_root=True)
    if depth_first and include_root:
        fn(module=module, name=name)
    return module


def checkpoint_seq(functions, x, every=1, flatten=False, skip_last=False):
    """Checkpoints a list of modules, several of them at a time."""
    def run_function(start, end, functions):
        def forward(_x):
            for j in range(start, end + 1):
                _x = functions[j](_x)
            return _x
        return forward

    functions = tuple(functions)
    num_checkpointed = len(functions) - int(skip_last)
    end = -1
    for start in range(0, num_checkpointed, every):
        end = min(start + every - 1, num_checkpointed - 1)
        x = checkpoint(run_function(start, end, functions), x, use_reentrant=True)
    if skip_last:
        return run_function(end + 1, len(functions) - 1, functions)(x)
    return x
