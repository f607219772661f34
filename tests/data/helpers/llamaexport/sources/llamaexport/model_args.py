import dataclasses
from dataclasses import dataclass
from typing import Any, Dict, Optional


@dataclass
class ModelArgs:
    dim: int = 16
    n_layers: int = 2
    n_heads: int = 4
    n_kv_heads: Optional[int] = None
    vocab_size: int = 19
    hidden_dim: Optional[int] = None
    head_dim: Optional[int] = None
    multiple_of: int = 4
    ffn_dim_multiplier: Optional[float] = None
    norm_eps: float = 1e-5
    max_batch_size: int = 1
    max_seq_len: int = 8
    moe: bool = False
    num_experts: int = 4
    num_activated_experts: int = 2
    attention_type: str = "mha"
    use_kv_cache: bool = False
    use_hf_rope: bool = False
    use_qk_norm: bool = False
    partial_rotary_factor: float = 1.0
    rope_freq_base: float = 10000.0
    generate_full_logits: bool = False
    attention_kwargs: Dict[str, Any] = dataclasses.field(default_factory=dict)

    def __post_init__(self):
        if self.n_kv_heads is None:
            self.n_kv_heads = self.n_heads
        if self.hidden_dim is None:
            hidden_dim = int(2 * 4 * self.dim / 3)
            if self.ffn_dim_multiplier is not None:
                hidden_dim = int(self.ffn_dim_multiplier * hidden_dim)
            self.hidden_dim = self.multiple_of * ((hidden_dim + self.multiple_of - 1) // self.multiple_of)
        if self.head_dim is None:
            self.head_dim = self.dim // self.n_heads
