import itertools
from dataclasses import dataclass, field, fields
from enum import Enum
from typing import List, Optional, Sequence


class BlockType(str, Enum):
    RECURRENT = "recurrent"
    ATTENTION = "attention"


@dataclass
class MoeArgs:
    num_experts: int = 3
    num_experts_per_tok: int = 2


@dataclass
class KestrelArgs:
    dim: int = 16
    n_layers: int = 2
    head_dim: int = 8
    n_heads: int = 2
    hidden_dim: int = 32
    lru_width: int = 16
    conv_width: int = 3
    window: int = 4
    vocab_size: int = 64
    norm_eps: float = 1e-6
    rope_theta: float = 10000.0
    pattern: Sequence[str] = ("recurrent", "attention")
    moe: Optional[MoeArgs] = field(default_factory=MoeArgs)
    moe_every: int = 2

    @classmethod
    def from_dict(cls, params: dict) -> "KestrelArgs":
        known = {f.name for f in fields(cls)}
        return cls(**{k: v for k, v in params.items() if k in known})

    @property
    def block_types(self) -> List[BlockType]:
        return [BlockType(p) for p in itertools.islice(itertools.cycle(self.pattern), self.n_layers)]

    def uses_moe(self, layer_id: int) -> bool:
        return self.moe is not None and layer_id % self.moe_every == self.moe_every - 1
