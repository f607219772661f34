import math
import typing as tp

import torch
from torch import nn

from . import quantization as qt
from . import seanet as m

EncodedFrame = tp.Tuple[torch.Tensor, tp.Optional[torch.Tensor]]


class CodecModel(nn.Module):
    def __init__(self, encoder: m.SEANetEncoder, decoder: m.SEANetDecoder, quantizer: qt.ResidualVectorQuantizer,
                 sample_rate: int, ratios, normalize: bool = False, segment: tp.Optional[int] = None):
        super().__init__()
        self.encoder, self.decoder, self.quantizer = encoder, decoder, quantizer
        self.sample_rate, self.normalize, self.segment = sample_rate, normalize, segment
        self.frame_rate = math.ceil(sample_rate / math.prod(ratios))

    @property
    def segment_length(self) -> tp.Optional[int]:
        return self.segment

    def encode(self, x: torch.Tensor) -> tp.List[EncodedFrame]:
        _, _, length = x.shape
        stride = self.segment_length or length
        return [self._encode_frame(x[:, :, offset:offset + stride]) for offset in range(0, length, stride)]

    def _preprocess(self, x):
        if not self.normalize:
            return x, None
        mono = x.mean(dim=1, keepdim=True)
        volume = mono.pow(2).mean(dim=2, keepdim=True).sqrt()
        scale = 1e-8 + volume
        return x / scale, scale.view(-1, 1)

    def _encode_frame(self, x: torch.Tensor) -> EncodedFrame:
        x, scale = self._preprocess(x)
        emb = self.encoder(x)
        codes = self.quantizer.encode(emb)
        return codes.transpose(0, 1), scale

    def _decode_frame(self, encoded_frame: EncodedFrame) -> torch.Tensor:
        codes, scale = encoded_frame
        emb = self.quantizer.decode(codes.transpose(0, 1))
        out = self.decoder(emb)
        if scale is not None:
            out = out * scale.view(-1, 1, 1)
        return out

    def decode(self, encoded_frames: tp.List[EncodedFrame]) -> torch.Tensor:
        return torch.cat([self._decode_frame(frame) for frame in encoded_frames], dim=-1)

    def forward(self, x: torch.Tensor):
        frames = self.encode(x)
        return self.decode(frames)[:, :, :x.shape[-1]], torch.cat([codes for codes, _ in frames], dim=-1)

    @classmethod
    def _get_model(cls, sample_rate: int = 24_000, channels: int = 1, causal: bool = True, norm: str = "weight_norm",
                   dimension: int = 24, n_q: int = 3, ratios=(4, 2), **kwargs):
        conv = dict(causal=causal, norm=norm, pad_mode="reflect")
        encoder = m.SEANetEncoder(channels, dimension, n_filters=8, ratios=ratios, **conv)
        decoder = m.SEANetDecoder(channels, dimension, n_filters=8, ratios=ratios, **conv)
        quantizer = qt.ResidualVectorQuantizer(dimension, n_q=n_q, bins=64, codebook_dim=8)
        return cls(encoder, decoder, quantizer, sample_rate, ratios, **kwargs)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.codec = CodecModel._get_model(normalize=True)

    def forward(self, wav):
        return self.codec(wav)


def example():
    return [(1, 1, 250)]
