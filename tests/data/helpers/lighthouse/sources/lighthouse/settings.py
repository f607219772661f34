import copy
from dataclasses import dataclass


@dataclass
class Settings:
    width: int = 24
    heads: int = 2
    layers: int = 2
    signals: int = 40
    kind: str = "plain"
    looks_ahead: bool = True
    keeps_log: bool = False
    kinds: list = None
    watch_limit: int = None
    two_way: bool = False

    def of_watch(self, deep=False):
        if self.two_way and deep:
            inner = copy.deepcopy(self)
            for key, value in inner.__dict__.items():
                if key.startswith("watch_"):
                    setattr(inner, key[6:], value)
            return inner
        return self
