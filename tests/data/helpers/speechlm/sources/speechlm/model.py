from argparse import Namespace
from typing import Dict, List, Optional, Tuple

import torch
from torch import Tensor, nn

from speechlm import utils
from speechlm.modules import Embedding
from speechlm.s2t_transformer import S2TTransformerEncoder, TransformerDecoderScriptable
from speechlm.transformer_layer import TransformerEncoderLayer


class MacaronEncoderLayer(TransformerEncoderLayer):
    """Half a residual, as in conformers."""

    def residual_connection(self, x, residual):
        return super().residual_connection(0.5 * x, residual)


class SpeechEncoder(S2TTransformerEncoder):
    def build_encoder_layer(self, args):
        return MacaronEncoderLayer(args)


class S2TTransformerModel(nn.Module):
    def __init__(self, encoder, decoder):
        super().__init__()
        self.encoder = encoder
        self.decoder = decoder

    @classmethod
    def build_model(cls, args):
        base_architecture(args)
        decoder_embed_tokens = Embedding(args.vocab_size, args.embed_dim, padding_idx=1)
        return cls(SpeechEncoder(args), TransformerDecoderScriptable(args, decoder_embed_tokens))

    def get_normalized_probs(self, net_output: Tuple[Tensor, Optional[Dict[str, List[Optional[Tensor]]]]], log_probs: bool):
        logits = net_output[0]
        if log_probs:
            return utils.log_softmax(logits, dim=-1)
        return utils.softmax(logits, dim=-1)

    def prepare_for_decoder(self, encoder_out, prev_output_tokens, features):
        """The same memory for prefix scoring and for the next step."""
        bsz = prev_output_tokens.size(0)
        incremental_state = {}
        for layer, (prev_key, prev_value) in zip(self.decoder.layers, features):
            layer.self_attn._set_input_buffer(incremental_state, {"prev_key": prev_key, "prev_value": prev_value})
        assert encoder_out.encoder_out.size(1) == bsz
        return incremental_state

    def forward(self, src_tokens, src_lengths, prev_output_tokens):
        encoder_out = self.encoder(src_tokens=src_tokens, src_lengths=src_lengths)
        return self.decoder(prev_output_tokens=prev_output_tokens, encoder_out=encoder_out), encoder_out

    def decode_step(self, tokens, encoder_out, incremental_state):
        decoder_out = self.decoder(tokens, encoder_out, incremental_state=incremental_state)
        logits = decoder_out[0][:, -1:, :]
        return self.get_normalized_probs((logits, None), log_probs=False)[:, -1, :], decoder_out[1]["attn"][0]


def base_architecture(args):
    args.dropout = getattr(args, "dropout", 0.1)
    args.activation_fn = getattr(args, "activation_fn", "relu")
    args.normalize_before = getattr(args, "normalize_before", True)
    args.encoder_embed_dim = getattr(args, "encoder_embed_dim", args.embed_dim)
    args.conv_kernel_sizes = getattr(args, "conv_kernel_sizes", "5,5")
    args.no_scale_embedding = getattr(args, "no_scale_embedding", False)
    args.decoder_learned_pos = getattr(args, "decoder_learned_pos", False)
    args.layernorm_embedding = getattr(args, "layernorm_embedding", False)
    args.share_decoder_input_output_embed = getattr(args, "share_decoder_input_output_embed", True)
    args.max_source_positions = getattr(args, "max_source_positions", 100)
    args.max_target_positions = getattr(args, "max_target_positions", 32)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        args = Namespace(
            vocab_size=50, input_feat_per_channel=10, conv_channels=24, embed_dim=16, ffn_embed_dim=32, attention_heads=2,
            encoder_layers=1, decoder_layers=1, activation_fn="gelu_accurate", decoder_learned_pos=True, layernorm_embedding=True,
        )  # fmt: skip
        self.model = S2TTransformerModel.build_model(args)

    def forward(self, fbank, lengths, tokens, prev_key, prev_value):
        net_output, encoder_out = self.model(fbank, lengths, tokens[:, :-1])
        lprobs = self.model.get_normalized_probs(net_output, log_probs=True)
        incremental_state = self.model.prepare_for_decoder(encoder_out, tokens, [(prev_key, prev_value)])
        probs, attn = self.model.decode_step(tokens, encoder_out, incremental_state)
        return lprobs, probs, attn


def example():
    return [(2, 33, 10), (2,), (2, 6), (2, 2, 5, 8), (2, 2, 5, 8)]
