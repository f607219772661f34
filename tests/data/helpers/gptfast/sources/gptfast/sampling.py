from typing import Optional, Tuple

import torch
import torch.nn.functional as F
from torch import Tensor


def softcap(logits: Tensor, cap: float) -> Tensor:
    return cap * torch.tanh(logits / cap)


def top_k_filter(logits: Tensor, k: int) -> Tensor:
    v, _ = torch.topk(logits, min(k, logits.size(-1)))
    pivot = v.select(-1, -1).unsqueeze(-1)
    return torch.where(logits < pivot, -float("Inf"), logits)


def logits_to_probs(logits: Tensor, temperature: float = 1.0, top_k: Optional[int] = None) -> Tensor:
    logits = logits / max(temperature, 1e-5)
    if top_k is not None:
        logits = top_k_filter(logits, top_k)
    return F.softmax(logits, dim=-1)


def multinomial_sample_one_no_sync(probs: Tensor, noise: Tensor) -> Tensor:
    """Exponential races in place of torch.multinomial; the noise comes from outside."""
    q = -torch.log(noise)
    return torch.argmax(probs / q, dim=-1, keepdim=True).to(dtype=torch.int)


def sample(logits: Tensor, noise: Tensor, temperature: float = 1.0, top_k: Optional[int] = None) -> Tuple[Tensor, Tensor]:
    probs = logits_to_probs(logits[:, -1], temperature, top_k)
    return multinomial_sample_one_no_sync(probs, noise), probs
