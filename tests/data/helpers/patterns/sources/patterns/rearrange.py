"""A small cousin of einops: names of dimensions in text."""


def parse(side):
    groups, current = [], None
    for token in side.replace("(", " ( ").replace(")", " ) ").split():
        if token == "(":
            current = []
        elif token == ")":
            groups.append(current)
            current = None
        elif current is None:
            groups.append([token])
        else:
            current.append(token)
    return groups


def sizes_of(x, groups, known):
    sizes = dict(known)
    for size, group in zip(x.shape, groups):
        unknown = [name for name in group if name not in sizes]
        rest = size
        for name in group:
            if name in sizes:
                rest //= sizes[name]
        for name in unknown:
            sizes[name] = rest
    return sizes


def rearrange(x, pattern, **known):
    left, right = (parse(side) for side in pattern.split("->"))
    sizes = sizes_of(x, left, known)
    names = [name for group in left for name in group]
    x = x.reshape([sizes[name] for name in names])
    wanted = [name for group in right for name in group]
    x = x.permute([names.index(name) for name in wanted])
    shape = []
    for group in right:
        size = 1
        for name in group:
            size *= sizes[name]
        shape.append(size)
    return x.reshape(shape)


def reduced(x, axis, how):
    return getattr(x, how)(axis)
