from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Dict, List, Optional, Tuple

import torch
import torch.nn.functional as F
from torch import Tensor

if TYPE_CHECKING:
    from .model import Model


@dataclass(frozen=True)
class DecodingOptions:
    sample_len: int = 2
    temperature: float = 0.0
    eot: int = 2
    no_speech: Optional[int] = 3


@dataclass(frozen=True)
class DecodingResult:
    tokens: Tensor
    avg_logprob: Tensor
    no_speech_prob: Optional[Tensor] = None


class Inference:
    """Runs the decoder step by step and keeps its keys and values between the steps"""

    def __init__(self, model: "Model", initial_token_length: int):
        self.model = model
        self.initial_token_length = initial_token_length
        self.kv_cache: Dict = {}
        self.hooks: List = []

    def logits(self, tokens: Tensor, audio_features: Tensor) -> Tensor:
        if not self.kv_cache:
            self.kv_cache, self.hooks = self.model.install_kv_cache_hooks()

        if tokens.shape[-1] > self.initial_token_length:
            # only need to use the last token except in the first forward pass
            tokens = tokens[:, -1:]

        return self.model.decoder(tokens, audio_features, kv_cache=self.kv_cache)

    def cleanup_caching(self):
        for hook in self.hooks:
            hook.remove()

        self.kv_cache = {}
        self.hooks = []


class GreedyDecoder:
    def __init__(self, temperature: float, eot: int):
        self.temperature = temperature
        self.eot = eot

    def update(self, tokens: Tensor, logits: Tensor, sum_logprobs: Tensor) -> Tuple[Tensor, Tensor]:
        if self.temperature != 0:
            logits = logits / self.temperature
        next_tokens = logits.argmax(dim=-1)

        logprobs = F.log_softmax(logits.float(), dim=-1)
        current = logprobs.gather(1, next_tokens[:, None]).squeeze(1)
        is_open = tokens[:, -1] != self.eot
        sum_logprobs += current * is_open

        next_tokens = torch.where(is_open, next_tokens, self.eot)
        return torch.cat([tokens, next_tokens[:, None]], dim=-1), sum_logprobs

    def finalize(self, tokens: Tensor) -> Tensor:
        # make sure each sequence has at least one EOT token at the end
        return F.pad(tokens, (0, 1), value=self.eot)


class DecodingTask:
    def __init__(self, model: "Model", options: DecodingOptions, sample_begin: int):
        self.options = options
        self.sample_begin = sample_begin
        self.inference = Inference(model, sample_begin)
        self.decoder = GreedyDecoder(options.temperature, options.eot)

    def _main_loop(self, audio_features: Tensor, tokens: Tensor):
        sum_logprobs = torch.zeros(tokens.shape[0], device=audio_features.device)
        no_speech_prob = None

        try:
            for i in range(self.options.sample_len):
                logits = self.inference.logits(tokens, audio_features)

                if i == 0 and self.options.no_speech is not None:
                    probs_at_sot = logits[:, 0].float().softmax(dim=-1)
                    no_speech_prob = probs_at_sot[:, self.options.no_speech]

                # only the last position says what comes next
                tokens, sum_logprobs = self.decoder.update(tokens, logits[:, -1], sum_logprobs)
        finally:
            self.inference.cleanup_caching()

        return tokens, sum_logprobs, no_speech_prob

    def run(self, audio_features: Tensor, prompt: Tensor) -> DecodingResult:
        tokens, sum_logprobs, no_speech_prob = self._main_loop(audio_features, prompt)
        tokens = self.decoder.finalize(tokens)
        n_sampled = tokens.shape[-1] - self.sample_begin
        return DecodingResult(tokens, sum_logprobs / n_sampled, no_speech_prob)


def decode(
    model: "Model",
    audio_features: Tensor,
    prompt: Tensor,
    options: DecodingOptions = DecodingOptions(),
    **kwargs,
) -> DecodingResult:
    """
    Continue the prompt with what the audio says
    """
    if kwargs:
        options = replace(options, **kwargs)
    return DecodingTask(model, options, prompt.shape[-1]).run(audio_features, prompt)
