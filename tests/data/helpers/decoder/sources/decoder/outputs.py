from collections import OrderedDict
from dataclasses import dataclass, fields
from typing import Optional


class ModelOutput(OrderedDict):
    def __post_init__(self):
        for f in fields(self):
            v = getattr(self, f.name)
            if v is not None:
                self[f.name] = v

    def __getitem__(self, k):
        if isinstance(k, str):
            return dict(self.items())[k]
        return self.to_tuple()[k]

    def to_tuple(self):
        return tuple(self[k] for k in self.keys())


@dataclass
class BaseModelOutput(ModelOutput):
    last_hidden_state: Optional[object] = None
    past_key_values: Optional[object] = None
    hidden_states: Optional[tuple] = None


@dataclass
class CausalLMOutput(ModelOutput):
    loss: Optional[object] = None
    logits: Optional[object] = None
    hidden_states: Optional[tuple] = None
