from dataclasses import dataclass, field
from typing import Optional


@dataclass
class DecoderConfig:
    vocab_size: int = 32
    hidden_size: int = 16
    intermediate_size: int = 24
    num_hidden_layers: int = 2
    num_attention_heads: int = 4
    num_key_value_heads: Optional[int] = 2
    hidden_act: str = "silu"
    rms_norm_eps: float = 1e-6
    rope_theta: float = 10000.0
    attention_bias: bool = False
    attention_dropout: float = 0.0
    use_cache: bool = True
    sliding_window: Optional[int] = None
    logit_softcapping: Optional[float] = 30.0
    layer_types: list = field(default_factory=list)
    _attn_implementation: str = "eager"

    def __post_init__(self):
        if not self.layer_types:
            self.layer_types = ["sliding" if bool((i + 1) % 2) else "full" for i in range(self.num_hidden_layers)]

    @property
    def head_dim(self):
        return self.hidden_size // self.num_attention_heads
