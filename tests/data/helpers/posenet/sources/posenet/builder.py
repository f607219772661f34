import torch.nn as nn


class Registry:
    """Classes by name, built from dictionaries whose 'type' is that name."""

    def __init__(self, name):
        self._name = name
        self._module_dict = {}

    def register_module(self, name=None):

        def _register(cls):
            self._module_dict[name or cls.__name__] = cls
            return cls

        return _register

    def get(self, key):
        if key not in self._module_dict:
            raise KeyError(f'{key} is not in the {self._name} registry')
        return self._module_dict[key]

    def build(self, cfg, **default_args):
        args = {**default_args, **cfg}
        return self.get(args.pop('type'))(**args)


BACKBONES = Registry('backbone')
HEADS = Registry('head')
POSENETS = Registry('posenet')
CONV_LAYERS = Registry('conv layer')
NORM_LAYERS = Registry('norm layer')

CONV_LAYERS.register_module('Conv2d')(nn.Conv2d)
NORM_LAYERS.register_module('BN')(nn.BatchNorm2d)


def build_conv_layer(cfg, *args, **kwargs):
    cfg_ = dict(type='Conv2d') if cfg is None else dict(cfg)
    return CONV_LAYERS.get(cfg_.pop('type'))(*args, **kwargs, **cfg_)


def build_norm_layer(cfg, num_features, postfix=''):
    cfg_ = dict(cfg)
    layer_type = cfg_.pop('type')
    return f'{layer_type.lower()}{postfix}', NORM_LAYERS.get(layer_type)(num_features, **cfg_)
