"""Iterators are walked once: what one place took, the next one does not see again."""
import itertools

import torch
from torch import nn


def carried(layers):
    """The first layer's sum, changed by each of the others."""
    rest = iter(layers)
    kept = next(rest)
    for layer in rest:
        kept = kept.tanh() + layer
    return kept, next(rest, None)


def neighbours(items):
    walk = iter(items)
    return [a * b for a, b in zip(walk, walk)]


def head_and_tail(items):
    walk = reversed(items)
    tail = list(itertools.islice(walk, 2))
    return [item.sigmoid() for item in tail], [item.relu() for item in walk]


def numbered(items):
    count = enumerate(items, start=1)
    place, first = next(count)
    scaled = [first * (0.5 * place)]
    for place, item in count:
        scaled.append(item / (1.5 * place))
    return scaled


def once(items):
    """A map that was walked gives nothing more."""
    turned = map(torch.tanh, items)
    walked = [item.exp() for item in turned]
    return walked + [item.cos() for item in turned]


def ramps(x, count):
    for step in range(count):
        x = x - step
        yield x.abs()


def paired(x, y):
    return [torch.maximum(a, b) for a, b in zip(ramps(x, 3), [y, y.sin()])]


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(6, 6) for _ in range(4))

    def outputs(self, x):
        walk = iter(self.layers)
        x = next(walk)(x)
        yield x
        for layer in walk:
            x = layer(x)
            yield x

    def forward(self, x):
        outputs = list(self.outputs(x))
        kept, nothing = carried(outputs)
        if nothing is not None:
            kept = kept * 2
        tail, head = head_and_tail(outputs)
        return torch.stack([kept, *neighbours(outputs), *tail, *head, *numbered(outputs), *once(outputs[:2]), *paired(kept, x)])


def example():
    return [(2, 6)]
