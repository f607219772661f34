"""Masks for padded batches and for chunk based (streaming) attention."""
from typing import Optional

import torch


def make_pad_mask(lengths: torch.Tensor, max_len: int = 0) -> torch.Tensor:
    """Make mask tensor containing indices of padded part.

    Examples:
        >>> lengths = [5, 3, 2]
        >>> make_pad_mask(lengths)
        masks = [[0, 0, 0, 0, 0],
                 [0, 0, 0, 1, 1],
                 [0, 0, 1, 1, 1]]
    """
    batch_size = lengths.size(0)
    max_len = max_len if max_len > 0 else lengths.max().item()
    seq_range = torch.arange(0, max_len, dtype=torch.int64, device=lengths.device)
    seq_range_expand = seq_range.unsqueeze(0).expand(batch_size, max_len)
    seq_length_expand = lengths.unsqueeze(-1)
    mask = seq_range_expand >= seq_length_expand
    return mask


def make_non_pad_mask(lengths: torch.Tensor, max_len: int = 0) -> torch.Tensor:
    return ~make_pad_mask(lengths, max_len)


def subsequent_chunk_mask(size: int, chunk_size: int, num_left_chunks: int = -1, device=torch.device("cpu")) -> torch.Tensor:
    pos_idx = torch.arange(size, device=device)
    block_value = (torch.div(pos_idx, chunk_size, rounding_mode="trunc") + 1) * chunk_size
    ret = pos_idx.unsqueeze(0) < block_value.unsqueeze(1)
    if num_left_chunks >= 0:
        start = block_value - (num_left_chunks + 1) * chunk_size
        ret = ret & (pos_idx.unsqueeze(0) >= start.unsqueeze(1))
    return ret


def add_optional_chunk_mask(
    xs: torch.Tensor, masks: torch.Tensor, static_chunk_size: int, num_decoding_left_chunks: int, decoding_chunk_size: Optional[int] = None
) -> torch.Tensor:
    chunk_size = static_chunk_size if decoding_chunk_size is None else decoding_chunk_size
    if chunk_size > 0:
        chunk_masks = subsequent_chunk_mask(xs.size(1), chunk_size, num_decoding_left_chunks, xs.device)  # (L, L)
        chunk_masks = chunk_masks.unsqueeze(0)  # (1, L, L)
        chunk_masks = masks & chunk_masks  # (B, L, L)
    else:
        chunk_masks = masks
    return chunk_masks
