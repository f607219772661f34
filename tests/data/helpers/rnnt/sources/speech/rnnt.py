from typing import List, Optional, Tuple

import torch

from .components import _get_feature_extractor, _get_frontend
from .emformer import Emformer


class _CustomLSTM(torch.nn.Module):
    """LSTM with layer norms in its gates."""

    def __init__(self, input_dim: int, hidden_dim: int, layer_norm: bool = False, layer_norm_epsilon: float = 1e-5):
        super().__init__()
        self.x2g = torch.nn.Linear(input_dim, 4 * hidden_dim, bias=(not layer_norm))
        self.p2g = torch.nn.Linear(hidden_dim, 4 * hidden_dim, bias=False)
        if layer_norm:
            self.c_norm = torch.nn.LayerNorm(hidden_dim, eps=layer_norm_epsilon)
            self.g_norm = torch.nn.LayerNorm(4 * hidden_dim, eps=layer_norm_epsilon)
        else:
            self.c_norm = torch.nn.Identity()
            self.g_norm = torch.nn.Identity()
        self.hidden_dim = hidden_dim

    def _cell(self, gates: torch.Tensor, prev: Tuple[torch.Tensor, torch.Tensor]):
        h, c = prev
        gates = self.g_norm(gates + self.p2g(h))
        input_gate, forget_gate, cell_gate, output_gate = gates.chunk(4, 1)
        input_gate = input_gate.sigmoid()
        forget_gate = forget_gate.sigmoid()
        cell_gate = cell_gate.tanh()
        output_gate = output_gate.sigmoid()
        c = self.c_norm(forget_gate * c + input_gate * cell_gate)
        return output_gate * c.tanh(), c

    def forward(self, input: torch.Tensor, state: Optional[List[torch.Tensor]]):
        if state is None:
            B = input.size(1)
            h = torch.zeros(B, self.hidden_dim, device=input.device, dtype=input.dtype)
            c = torch.zeros(B, self.hidden_dim, device=input.device, dtype=input.dtype)
        else:
            h, c = state
        outputs = []
        for gates in self.x2g(input).unbind(0):
            h, c = self._cell(gates, (h, c))
            outputs.append(h)
        return torch.stack(outputs, dim=0), [h, c]


class _EmformerEncoder(torch.nn.Module):
    def __init__(self, *, feature_extractor, frontend, emformer: Emformer, input_dim: int, output_dim: int):
        super().__init__()
        self.feature_extractor = feature_extractor
        self.frontend = frontend
        self.transformer = emformer
        self.output_linear = torch.nn.Linear(input_dim, output_dim)
        self.layer_norm = torch.nn.LayerNorm(output_dim)

    def _featurize(self, input, lengths):
        features, lengths = self.feature_extractor(input, lengths)
        return self.frontend(features, lengths)

    @torch.jit.export
    def infer(self, input: torch.Tensor, lengths: torch.Tensor, states: List[List[torch.Tensor]]):
        encoded, lengths = self._featurize(input, lengths)
        encoded, lengths, states = self.transformer.infer(encoded, lengths, states)
        return self.layer_norm(self.output_linear(encoded)), lengths, states


class _Predictor(torch.nn.Module):
    def __init__(self, num_symbols: int, output_dim: int, symbol_embedding_dim: int, num_lstm_layers: int,
                 lstm_hidden_dim: int, lstm_layer_norm: bool = False):
        super().__init__()
        self.embedding = torch.nn.Embedding(num_symbols, symbol_embedding_dim)
        self.input_layer_norm = torch.nn.LayerNorm(symbol_embedding_dim)
        self.lstm_layers = torch.nn.ModuleList([
            _CustomLSTM(symbol_embedding_dim if idx == 0 else lstm_hidden_dim, lstm_hidden_dim, lstm_layer_norm)
            for idx in range(num_lstm_layers)])
        self.linear = torch.nn.Linear(lstm_hidden_dim, output_dim)
        self.output_layer_norm = torch.nn.LayerNorm(output_dim)

    def forward(self, input, lengths, state: Optional[List[List[torch.Tensor]]] = None):
        input_tb = input.permute(1, 0)
        lstm_out = self.input_layer_norm(self.embedding(input_tb))
        state_out: List[List[torch.Tensor]] = []
        for layer_idx, lstm in enumerate(self.lstm_layers):
            lstm_out, lstm_state_out = lstm(lstm_out, None if state is None else state[layer_idx])
            state_out.append(lstm_state_out)
        output = self.output_layer_norm(self.linear(lstm_out))
        return output.permute(1, 0, 2), lengths, state_out


class _Joiner(torch.nn.Module):
    def __init__(self, input_dim: int, output_dim: int, activation: str = "relu"):
        super().__init__()
        self.linear = torch.nn.Linear(input_dim, output_dim, bias=True)
        if activation == "relu":
            self.activation = torch.nn.ReLU()
        elif activation == "tanh":
            self.activation = torch.nn.Tanh()
        else:
            raise ValueError(f"Unsupported activation {activation}")

    def forward(self, source_encodings, source_lengths, target_encodings, target_lengths):
        joint_encodings = source_encodings.unsqueeze(2).contiguous() + target_encodings.unsqueeze(1).contiguous()
        output = self.linear(self.activation(joint_encodings))
        return output, source_lengths, target_lengths


class RNNT(torch.nn.Module):
    def __init__(self, transcriber: _EmformerEncoder, predictor: _Predictor, joiner: _Joiner):
        super().__init__()
        self.transcriber = transcriber
        self.predictor = predictor
        self.joiner = joiner

    @torch.jit.export
    def transcribe_streaming(self, sources, source_lengths, state: List[List[torch.Tensor]]):
        return self.transcriber.infer(sources, source_lengths, state)

    @torch.jit.export
    def predict(self, targets, target_lengths, state: Optional[List[List[torch.Tensor]]]):
        return self.predictor(input=targets, lengths=target_lengths, state=state)

    @torch.jit.export
    def join(self, source_encodings, source_lengths, target_encodings, target_lengths):
        output, source_lengths, target_lengths = self.joiner(
            source_encodings, source_lengths, target_encodings, target_lengths)
        return output, source_lengths, target_lengths


def _get_encoder(*, conv_shapes: List[Tuple[int, int, int]], time_reduction_stride: int, input_dim: int,
                 num_heads: int, ffn_dim: int, num_layers: int, segment_length: int, left_context_length: int,
                 right_context_length: int, max_memory_size: int, encoding_dim: int) -> _EmformerEncoder:
    if input_dim % time_reduction_stride != 0:
        raise ValueError("input_dim must be a multiple of time_reduction_stride")
    emformer = Emformer(input_dim, num_heads, ffn_dim, num_layers, segment_length // time_reduction_stride,
                        left_context_length=left_context_length, max_memory_size=max_memory_size,
                        right_context_length=right_context_length // time_reduction_stride, tanh_on_mem=True)
    return _EmformerEncoder(
        feature_extractor=_get_feature_extractor("layer_norm", conv_shapes, bias=False),
        frontend=_get_frontend(conv_shapes[-1][0], input_dim // time_reduction_stride, 0.1, pos_conv_kernel=4,
                               pos_conv_groups=4, stride=time_reduction_stride),
        emformer=emformer, input_dim=input_dim, output_dim=encoding_dim)


def emformer_rnnt_model(*, num_symbols: int, encoding_dim: int, symbol_embedding_dim: int, num_lstm_layers: int,
                        joiner_activation: str = "relu", **encoder_options) -> RNNT:
    encoder = _get_encoder(encoding_dim=encoding_dim, **encoder_options)
    predictor = _Predictor(num_symbols, encoding_dim, symbol_embedding_dim, num_lstm_layers,
                           lstm_hidden_dim=symbol_embedding_dim, lstm_layer_norm=True)
    return RNNT(encoder, predictor, _Joiner(encoding_dim, num_symbols, joiner_activation))
