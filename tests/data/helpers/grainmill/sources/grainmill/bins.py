"""Where flour is kept: names of sorts, and what is in them."""


class Hopper:
    """Lets flour through as often as the workshop's gap says."""

    def __init__(self, gap):
        self.shares = []
        for place in range(gap):
            self.shares.append(0.5 ** (place + 1))

    def poured(self, flour):
        for share in self.shares:
            flour = flour * share
        return flour


class Bins(dict):
    """Sorts of flour by name; two bins can be poured together."""

    def poured(self, other):
        both = Bins(self)
        both.update(other)
        return both

    def heaviest(self, count):
        return sorted(self.keys(), reverse=True)[:count]


def sorted_out(flour, rest):
    bins = Bins(bran=rest)
    bins["meal"] = flour * 0.5
    for name in ("bran", "semolina"):
        bins.setdefault(name, flour.cos())
    return bins


def emptied(bins):
    """Takes the bran out; what was not there is nothing."""
    kept = bins.copy()
    bran = kept.pop("bran")
    nothing = kept.pop("husks", None)
    return kept, bran, nothing


def named(bins):
    return {name.upper(): flour for name, flour in bins.items()}
