from typing import Dict

import torch
import torch.nn.functional as F
from torch import nn

from conformer.encoder import ConformerEncoder


class CTC(nn.Module):
    def __init__(self, odim: int, encoder_output_size: int, dropout_rate: float = 0.0, blank_id: int = 0):
        super().__init__()
        self.dropout_rate = dropout_rate
        self.blank_id = blank_id
        self.ctc_lo = nn.Linear(encoder_output_size, odim)

    def log_softmax(self, hs_pad: torch.Tensor) -> torch.Tensor:
        return F.log_softmax(self.ctc_lo(hs_pad), dim=2)


class GlobalCMVN(nn.Module):
    def __init__(self, mean: torch.Tensor, istd: torch.Tensor, norm_var: bool = True):
        super().__init__()
        self.norm_var = norm_var
        self.register_buffer("mean", mean)
        self.register_buffer("istd", istd)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x - self.mean
        if self.norm_var:
            x = x * self.istd
        return x


class ASRModel(nn.Module):
    def __init__(self, vocab_size: int, encoder: nn.Module, ctc: CTC, global_cmvn=None, reverse_weight: float = 0.0):
        super().__init__()
        self.vocab_size = vocab_size
        self.global_cmvn = global_cmvn
        self.encoder = encoder
        self.ctc = ctc

    def _forward_encoder(self, speech, speech_lengths, **decode_args):
        if self.global_cmvn is not None:
            speech = self.global_cmvn(speech)
        return self.encoder(speech, speech_lengths, **decode_args)

    def ctc_logprobs(self, encoder_out: torch.Tensor, blank_penalty: float = 0.0) -> torch.Tensor:
        if blank_penalty > 0.0:
            logits = self.ctc.ctc_lo(encoder_out)
            logits[:, :, self.ctc.blank_id] -= blank_penalty
            return logits.log_softmax(dim=2)
        return self.ctc.log_softmax(encoder_out)

    def forward(self, speech: torch.Tensor, speech_lengths: torch.Tensor):
        encoder_out, encoder_mask = self._forward_encoder(speech, speech_lengths, decoding_chunk_size=4, num_decoding_left_chunks=1)
        return self.ctc_logprobs(encoder_out), encoder_mask.squeeze(1).sum(1)


def init_model(configs: Dict) -> ASRModel:
    input_dim, vocab_size = configs["input_dim"], configs["output_dim"]
    cmvn = GlobalCMVN(torch.zeros(input_dim), torch.ones(input_dim)) if configs.get("cmvn") else None
    encoder = ConformerEncoder(input_dim, **configs["encoder_conf"])
    return ASRModel(vocab_size=vocab_size, encoder=encoder, ctc=CTC(vocab_size, encoder.output_size()), global_cmvn=cmvn)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        encoder_conf = dict(output_size=16, attention_heads=2, linear_units=32, num_blocks=2, cnn_module_kernel=7, cnn_module_norm="layer_norm", causal=True)
        self.asr = init_model({"input_dim": 20, "output_dim": 30, "cmvn": "global", "encoder_conf": encoder_conf})

    def forward(self, feats, feats_lengths):
        return self.asr(feats, feats_lengths)


def example():
    return [(2, 40, 20), (2,)]
