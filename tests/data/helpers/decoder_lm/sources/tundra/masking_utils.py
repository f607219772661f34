import torch


def and_masks(*mask_functions):
    """Returns a mask function that is the intersection of the given ones."""

    def and_mask(batch_idx, head_idx, q_idx, kv_idx):
        result = q_idx.new_ones((), dtype=torch.bool)
        for mask in mask_functions:
            result = result & mask(batch_idx, head_idx, q_idx, kv_idx)
        return result

    return and_mask


def causal_mask_function(batch_idx, head_idx, q_idx, kv_idx):
    return kv_idx <= q_idx


def sliding_window_overlay(sliding_window):
    def inner_mask(batch_idx, head_idx, q_idx, kv_idx):
        return kv_idx > q_idx - sliding_window

    return inner_mask


def padding_mask_function(padding_mask):
    def inner_mask(batch_idx, head_idx, q_idx, kv_idx):
        return padding_mask[batch_idx, kv_idx]

    return inner_mask


def sdpa_mask(batch_size, cache_position, kv_length, kv_offset, mask_function, attention_mask=None, **kwargs):
    if attention_mask is not None:
        mask_function = and_masks(mask_function, padding_mask_function(attention_mask))
    kv_arange = torch.arange(kv_length, device=cache_position.device) + kv_offset
    batch_idx = torch.arange(batch_size, device=cache_position.device)[:, None, None, None]
    mask = mask_function(batch_idx, None, cache_position[None, None, :, None], kv_arange[None, None, None, :])
    return mask.expand(batch_size, -1, cache_position.shape[0], kv_length)


def eager_mask(dtype=torch.float32, **kwargs):
    mask = sdpa_mask(**kwargs)
    return torch.where(mask, torch.tensor(0.0, device=mask.device, dtype=dtype), torch.finfo(dtype).min)


ALL_MASK_ATTENTION_FUNCTIONS = {"eager": eager_mask, "sdpa": sdpa_mask}


def create_causal_mask(config, input_embeds, attention_mask, cache_position, past_key_values, mask_factory=None):
    layer_idx = past_key_values.is_sliding.index(mask_factory is not None)
    if attention_mask is not None and attention_mask.ndim == 2:
        attention_mask = attention_mask.to(device=cache_position.device, dtype=torch.bool)
    kv_length, kv_offset = past_key_values.get_mask_sizes(cache_position, layer_idx)
    mask_interface = ALL_MASK_ATTENTION_FUNCTIONS[config._attn_implementation]
    return mask_interface(
        batch_size=input_embeds.shape[0], cache_position=cache_position, kv_length=kv_length, kv_offset=kv_offset,
        mask_function=mask_factory or causal_mask_function, attention_mask=attention_mask, dtype=input_embeds.dtype,
    )


def create_sliding_window_causal_mask(config, **kwargs):
    mask_factory = and_masks(sliding_window_overlay(config.sliding_window), causal_mask_function)
    return create_causal_mask(config, **kwargs, mask_factory=mask_factory)
