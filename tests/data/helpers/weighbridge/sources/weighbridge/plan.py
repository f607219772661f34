"""What a weighbridge is made of: plain values, computed before any tensor is."""
import math
from collections import defaultdict

LANES = "LMR"
DEFAULTS = dict([("lanes", LANES), ("width", 8), ("limit", float("inf"))])
FLAGS = {"level": 1, "damp": 2, "clip": 4}


class Options(dict):
    """A dictionary whose keys are attributes, too."""

    def __getattr__(self, name):
        return self[name]

    def __setattr__(self, name, value):
        self[name] = value


def options(**given):
    made = Options(DEFAULTS | given)
    made.flags = FLAGS["level"] | FLAGS["clip"]
    made.stages = int(math.log2(made.width)) + round(0.4)
    return made


def by_lane(items):
    """Items go round the lanes."""
    lanes = defaultdict(list)
    for place, item in enumerate(items):
        lanes[LANES[place % len(LANES)]].append(item)
    return lanes


def damping(step):
    return math.exp(-step) if step & 1 else 1.0 / 2 ** step


def pieces(length, width):
    return max(math.ceil(length / width), math.floor(math.log(length)), abs(-1))
