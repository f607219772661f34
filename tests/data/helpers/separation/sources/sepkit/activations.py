from torch import nn

_REGISTRY = {}


def register(*names):
    def decorate(factory):
        for name in names:
            _REGISTRY[name] = factory
        return factory

    return decorate


@register("linear", "identity")
def linear():
    return nn.Identity()


register("relu")(nn.ReLU)
register("prelu")(nn.PReLU)
register("sigmoid")(nn.Sigmoid)
register("tanh")(nn.Tanh)
register("swish", "silu")(nn.SiLU)


def get(identifier):
    """Returns what makes the activation of this name.  A callable is returned as it is, None as well."""
    if identifier is None or callable(identifier):
        return identifier
    if identifier not in _REGISTRY:
        raise ValueError("Could not interpret activation identifier: " + str(identifier))
    return _REGISTRY[identifier]
