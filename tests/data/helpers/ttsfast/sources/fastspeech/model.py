import torch.nn as nn

from .modules import PostNet, VarianceAdaptor
from .transformer import Decoder, Encoder
from .utils import get_mask_from_lengths, mask_fill_sequence

# the yaml files of the recipe
default_preprocess_config = {
    "preprocessing": {
        "mel": {"n_mel_channels": 80},
        "pitch": {"feature": "phoneme_level"},
        "energy": {"feature": "frame_level"},
    },
    "stats": {"pitch": (-2.9, 11.3), "energy": (-1.4, 8.2)},
}
default_model_config = {
    "n_symbols": 84,
    "max_seq_len": 48,
    "multi_speaker": True,
    "n_speakers": 4,
    "transformer": {
        "encoder_layer": 2, "encoder_head": 2, "encoder_hidden": 64,
        "decoder_layer": 1, "decoder_head": 2, "decoder_hidden": 64,
        "conv_filter_size": 128, "conv_kernel_size": [9, 1],
        "dropout": 0.2, "normalize_before": False,
    },
    "variance_predictor": {"filter_size": 64, "kernel_size": 3, "dropout": 0.5},
    "variance_embedding": {"n_bins": 32},
    "postnet": {"embedding_dim": 64, "kernel_size": 5, "n_convolutions": 4},
}


class Model(nn.Module):
    """Non-autoregressive text to mel."""

    def __init__(self, preprocess_config=None, model_config=None):
        super().__init__()
        preprocess_config = preprocess_config or default_preprocess_config
        model_config = model_config or default_model_config
        n_mel = preprocess_config["preprocessing"]["mel"]["n_mel_channels"]
        transformer = model_config["transformer"]
        self.model_config = model_config

        self.encoder = Encoder(model_config)
        self.variance_adaptor = VarianceAdaptor(preprocess_config, model_config)
        self.decoder = Decoder(model_config)
        self.mel_linear = nn.Linear(transformer["decoder_hidden"], n_mel)
        self.postnet = PostNet(n_mel, **model_config["postnet"])

        self.speaker_emb = None
        if model_config["multi_speaker"]:
            self.speaker_emb = nn.Embedding(model_config["n_speakers"], transformer["encoder_hidden"])

    def _integrate_speaker(self, hs, speakers):
        if self.speaker_emb is None:
            return hs
        spk = self.speaker_emb(speakers)
        return hs + spk.unsqueeze(1).expand(-1, hs.size(1), -1)

    def _decode_mel(self, hs, mel_mask):
        hs, mel_mask = self.decoder(hs, mel_mask)
        before = mask_fill_sequence(self.mel_linear(hs), mel_mask)
        return before, self.postnet(before)

    def _forward(self, speakers, texts, src_lens, max_mel_len, **controls):
        src_masks = get_mask_from_lengths(src_lens, texts.size(1))
        hs = self._integrate_speaker(self.encoder(texts, src_masks), speakers)
        hs, predictions, durations, mel_lens, mel_masks = self.variance_adaptor(hs, src_masks, max_mel_len, **controls)
        before, after = self._decode_mel(hs, mel_masks)
        return {
            "mel": before,
            "postnet_mel": after,
            **predictions,
            "duration": durations,
            "mel_lens": mel_lens,
        }

    def forward(self, speakers, texts, src_lens):
        return self._forward(speakers, texts, src_lens, self.model_config["max_seq_len"])


def example():
    return [((2,), "int64"), ((2, 14), "int64"), ((2,), "int64")]
