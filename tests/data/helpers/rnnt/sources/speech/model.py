from typing import Dict, List, Tuple

import torch

from .rnnt import RNNT, emformer_rnnt_model

Hypothesis = Tuple[List[torch.Tensor], torch.Tensor]


def emformer_rnnt_tiny(num_symbols: int = 33) -> RNNT:
    params: Dict = dict(
        conv_shapes=[(16, 8, 4), (24, 4, 2)], time_reduction_stride=2, input_dim=32, num_heads=4, ffn_dim=64,
        num_layers=2, segment_length=8, left_context_length=6, right_context_length=4, max_memory_size=3,
        encoding_dim=40, symbol_embedding_dim=48, num_lstm_layers=1, joiner_activation="tanh")
    return emformer_rnnt_model(num_symbols=num_symbols, **params)


class StreamingStep(torch.nn.Module):
    """One step of the search: a segment and the tokens of the hypotheses in, scores and the next states out."""

    def __init__(self, model: RNNT, blank: int, temperature: float = 1.0) -> None:
        super().__init__()
        self.model = model
        self.blank = blank
        self.temperature = temperature

    def _gen_next_token_probs(self, enc_out, hyp_out, hyp_lengths) -> torch.Tensor:
        one = torch.ones_like(hyp_lengths)
        joined_out, _, _ = self.model.join(enc_out, one, hyp_out, hyp_lengths)
        joined_out = torch.nn.functional.log_softmax(joined_out / self.temperature, dim=3)
        return joined_out[:, :, 0]

    def _expand(self, probs: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
        non_blank = probs[..., :self.blank]
        scores, tokens = non_blank.topk(4, dim=-1)
        return scores, tokens

    def forward(self, input, length, token, mems, lc_key, lc_val, hidden, cell):
        state = [[m, k, v] for m, k, v in zip(mems.unbind(0), lc_key.unbind(0), lc_val.unbind(0))]
        enc_out, out_length, state = self.model.transcribe_streaming(input, length, state)
        pred_out, pred_length, pred_state = self.model.predict(token, torch.ones_like(length), [[hidden, cell]])
        probs = self._gen_next_token_probs(enc_out, pred_out, pred_length)
        scores, tokens = self._expand(probs)
        next_state = [torch.stack(group) for group in zip(*state)]
        return scores, tokens, out_length, next_state, pred_state


class Model(StreamingStep):
    def __init__(self):
        super().__init__(emformer_rnnt_tiny(), blank=32)


def example():
    # (12 - 1) * 2 + 4 = 26 frames of the first convolution, (26 - 1) * 4 + 8 samples
    return [(1, 108), ((1,), "int64"), ((1, 1), "int64"), (2, 3, 1, 32), (2, 6, 1, 32), (2, 6, 1, 32), (1, 48), (1, 48)]
