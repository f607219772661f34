"""Steps between the scales."""
import contextlib

import torch


@contextlib.contextmanager
def quiet():
    yield


def leaves(tree):
    """All tensors of nested containers, in order."""
    if isinstance(tree, torch.Tensor):
        return [tree]
    if isinstance(tree, dict):
        return [leaf for part in tree.values() for leaf in leaves(part)]
    if isinstance(tree, (list, tuple)):
        return [leaf for part in tree for leaf in leaves(part)]
    return []


def counted(items):
    count = 0

    def scale(item):
        nonlocal count
        count += 1
        return item / count

    return list(map(scale, items))


def strongest(load, count):
    best = load.topk(count, dim=-1)
    return best.values, best.indices


def swapped(items):
    items = list(items)
    items[0], items[-1] = items[-1], items[0]
    items[1] = items[1] * 2
    items.insert(1, items.pop().abs())
    return items


def present(items):
    return list(filter(lambda item: item is not None, items))


def sides(items):
    return [a - b for a, b in map(lambda a, b: (a, b.exp()), items, items[1:])]


def cleaned(load, flags):
    if flags & 1:
        load = load - load.mean(-1, keepdim=True)
    if flags & 2:
        load = load * 0.5
    if flags ^ 1 and any(flags >= limit for limit in (4, 8)):
        load = load.clamp(-1, 1)
    return load


def window(load, reach):
    assert load.ndim == 3, "a load per lane"
    with torch.no_grad(), quiet():
        return load[:, -reach:].sum(1) if all(size > 0 for size in load.shape) else load
