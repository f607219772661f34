from .registry import register, build


def normalise(x, dim=-1):
    total = x.abs().sum(dim, keepdim=True)
    return x / (total + 1e-5)
