import torch


class DynamicLayer:
    is_sliding = False

    def __init__(self, config):
        self.keys, self.values = None, None
        self.cumulative_length = 0

    def update(self, key_states, value_states, cache_kwargs=None):
        self.cumulative_length += key_states.shape[-2]
        if self.keys is None:
            self.keys, self.values = key_states, value_states
        else:
            self.keys = torch.cat([self.keys, key_states], dim=-2)
            self.values = torch.cat([self.values, value_states], dim=-2)
        return self.keys, self.values

    def get_mask_sizes(self, cache_position) -> tuple[int, int]:
        return self.cumulative_length + cache_position.shape[0], 0


class DynamicSlidingWindowLayer(DynamicLayer):
    is_sliding = True

    def __init__(self, config):
        super().__init__(config)
        self.sliding_window = config.sliding_window

    def update(self, key_states, value_states, cache_kwargs=None):
        full_keys, full_values = super().update(key_states, value_states, cache_kwargs)
        self.keys = full_keys[:, :, -self.sliding_window + 1 :, :]
        self.values = full_values[:, :, -self.sliding_window + 1 :, :]
        return full_keys, full_values

    def get_mask_sizes(self, cache_position) -> tuple[int, int]:
        kv_offset = max(self.cumulative_length - self.sliding_window + 1, 0)
        return self.cumulative_length - kv_offset + cache_position.shape[0], kv_offset


LAYER_TYPE_CACHE_MAPPING = {"full_attention": DynamicLayer, "sliding_attention": DynamicSlidingWindowLayer}


class DynamicCache:
    def __init__(self, config):
        self.layers = [LAYER_TYPE_CACHE_MAPPING[layer_type](config) for layer_type in config.layer_types]

    @property
    def is_sliding(self) -> list[bool]:
        return [layer.is_sliding for layer in self.layers]

    def update(self, key_states, value_states, layer_idx: int, cache_kwargs=None):
        return self.layers[layer_idx].update(key_states, value_states, cache_kwargs)

    def get_seq_length(self, layer_idx: int = 0) -> int:
        return self.layers[layer_idx].cumulative_length

    def get_mask_sizes(self, cache_position, layer_idx: int) -> tuple[int, int]:
        return self.layers[layer_idx].get_mask_sizes(cache_position)

    def to_legacy_cache(self):
        return tuple((layer.keys, layer.values) for layer in self.layers)

    @classmethod
    def from_legacy_cache(cls, config, past_key_values):
        cache = cls(config)
        for layer_idx, (key_states, value_states) in enumerate(past_key_values):
            cache.update(key_states, value_states, layer_idx)
        return cache
