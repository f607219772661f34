_KINDS = {}


def register(name):
    def wrap(cls):
        _KINDS[name] = cls
        return cls

    return wrap


def build(name, *args, **kwargs):
    return _KINDS[name](*args, **kwargs)
