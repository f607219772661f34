from dataclasses import dataclass
from typing import List, Optional


def find_multiple(n: int, k: int) -> int:
    if n % k == 0:
        return n
    return n + k - (n % k)


@dataclass
class ModelArgs:
    dim: int = 64
    n_layers: int = 2
    n_heads: int = 4
    n_kv_heads: Optional[int] = None
    head_dim: Optional[int] = None  # Optional customized head_dim
    vocab_size: int = 128
    hidden_dim: Optional[int] = None
    multiple_of: int = 32
    ffn_dim_multiplier: Optional[float] = None
    norm_eps: float = 1e-5
    max_seq_len: int = 16
    max_context_len: int = 32
    use_kv_cache: bool = False
    use_qk_norm: bool = False
    generate_full_logits: bool = False
    attention_type: str = "mha"  # see ATTENTION_REGISTRY
    sliding_window: Optional[int] = None
    layer_types: Optional[List[str]] = None
    use_hf_rope: bool = False
    rope_theta: Optional[float] = None
    rope_freq_base: float = 10000.0
    partial_rotary_factor: float = 1.0
    use_scaled_rope: bool = False
    rope_scale_factor: int = 8
    embedding_scale_factor: float = 1.0
    final_logit_softcapping: Optional[float] = None

    def __post_init__(self):
        if self.n_kv_heads is None:
            self.n_kv_heads = self.n_heads
        # rope_theta overrides rope_freq_base since it's the official name.
        if self.rope_theta is not None:
            self.rope_freq_base = self.rope_theta
        if self.hidden_dim is None:
            hidden_dim = int(2 * 4 * self.dim / 3)
            if self.ffn_dim_multiplier is not None:
                hidden_dim = int(self.ffn_dim_multiplier * hidden_dim)
            self.hidden_dim = find_multiple(hidden_dim, self.multiple_of)
        if self.head_dim is None:
            self.head_dim = self.dim // self.n_heads
        if self.layer_types is None:
            self.layer_types = ["full_attention"] * self.n_layers
        assert len(self.layer_types) == self.n_layers
        if "sliding_attention" in self.layer_types:
            assert self.use_kv_cache, "ring buffers need a kv cache"
            assert self.sliding_window is not None
