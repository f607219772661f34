from typing import Tuple

import torch
import torch.nn as nn
from torch import Tensor


class KVCache(nn.Module):
    """Keys and values of the whole context; a step writes the rows of its positions."""

    def __init__(self, max_batch_size: int, max_seq_length: int, n_heads: int, head_dim: int, dtype=torch.float32):
        super().__init__()
        shape = (max_batch_size, n_heads, max_seq_length, head_dim)
        self.register_buffer("k_cache", torch.zeros(shape, dtype=dtype))
        self.register_buffer("v_cache", torch.zeros(shape, dtype=dtype))

    def update(self, input_pos: Tensor, k_val: Tensor, v_val: Tensor) -> Tuple[Tensor, Tensor]:
        # input_pos: (T,), k_val: (B, H, T, D)
        assert input_pos.shape[0] == k_val.shape[2]
        k_out, v_out = self.k_cache, self.v_cache
        k_out[:, :, input_pos] = k_val
        v_out[:, :, input_pos] = v_val
        return k_out, v_out

    def mask(self, causal_mask: Tensor, input_pos: Tensor) -> Tensor:
        return causal_mask[None, None, input_pos]


class SlidingKVCache(KVCache):
    """Only the last `window` positions: what is there moves left, the new ones go to the right end."""

    @staticmethod
    def _shift_in(buf: Tensor, new: Tensor) -> Tensor:
        t = new.shape[2]
        buf[:, :, :-t] = buf[:, :, t:].clone()
        buf[:, :, -t:] = new
        return buf

    def update(self, input_pos, k_val, v_val):
        return self._shift_in(self.k_cache, k_val), self._shift_in(self.v_cache, v_val)

    def mask(self, causal_mask, input_pos):
        window = self.k_cache.shape[2]
        # the positions that lie in the slots of the window after this step
        slots = input_pos[-1:] - torch.arange(window - 1, -1, -1, device=input_pos.device)
        visible = (slots >= 0) & (slots <= input_pos[:, None])
        return visible[None, None]
