from typing import Any, Optional

import torch


class CacheLayer:
    is_sliding = False

    def __init__(self):
        self.keys, self.values = None, None
        self.is_initialized = False

    def lazy_initialization(self, key_states):
        self.dtype, self.device = key_states.dtype, key_states.device
        self.keys = torch.zeros(1, key_states.shape[1], 1, key_states.shape[-1])
        self.values = torch.zeros(1, key_states.shape[1], 1, key_states.shape[-1])
        self.is_initialized = True

    def update(self, key_states, value_states, cache_kwargs: Optional[dict[str, Any]] = None):
        if not self.is_initialized:
            self.lazy_initialization(key_states)
        self.keys = torch.cat([self.keys, key_states], dim=-2)
        self.values = torch.cat([self.values, value_states], dim=-2)
        return self.keys, self.values

    def get_seq_length(self) -> int:
        if not self.is_initialized or self.keys.numel() == 0:
            return 0
        return self.keys.shape[-2]


class DynamicCache:
    def __init__(self, config=None):
        self.layers = []
        self.layer_class_to_replicate = CacheLayer

    def __len__(self):
        return len(self.layers)

    def update(self, key_states, value_states, layer_idx: int, cache_kwargs=None):
        while len(self.layers) <= layer_idx:
            self.layers.append(self.layer_class_to_replicate())
        keys, values = self.layers[layer_idx].update(key_states, value_states, cache_kwargs)
        return keys, values

    def get_seq_length(self, layer_idx: int = 0) -> int:
        if layer_idx >= len(self.layers):
            return 0
        return self.layers[layer_idx].get_seq_length()
