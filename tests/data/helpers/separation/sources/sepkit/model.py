import torch
from torch import nn
from torch.nn import functional as F

from . import activations
from .dual_path import DualPathMasker
from .filterbanks import make_enc_dec


def unsqueeze_to_3d(x):
    """(time) or (batch, time) -> (batch, 1, time)"""
    if x.ndim == 1:
        return x.view(1, 1, -1)
    return x.unsqueeze(1) if x.ndim == 2 else x


def pad_x_to_y(x, y, axis=-1):
    """Pads or cuts the end of x so that it is as long as y."""
    missing = y.shape[axis] - x.shape[axis]
    if missing >= 0:
        return F.pad(x, [0, missing])
    return x[..., :missing]


class BaseEncoderMaskerDecoder(nn.Module):
    """Encoder, masker and decoder as the usual pipeline.  Subclasses overwrite the steps they need otherwise."""

    def __init__(self, encoder, masker, decoder, encoder_activation=None):
        super().__init__()
        self.encoder, self.masker, self.decoder = encoder, masker, decoder
        self.enc_activation = activations.get(encoder_activation or "linear")()

    def forward(self, wav):
        shape = wav.shape
        wav = unsqueeze_to_3d(wav)
        tf_rep = self.forward_encoder(wav)
        est_masks = self.forward_masker(tf_rep)
        masked_tf_rep = self.apply_masks(tf_rep, est_masks)
        decoded = self.forward_decoder(masked_tf_rep)
        reconstructed = self.postprocess_decoded(pad_x_to_y(decoded, wav), wav)
        return reconstructed.squeeze(0) if len(shape) == 1 else reconstructed

    def forward_encoder(self, wav):
        return self.enc_activation(self.encoder(wav))

    def forward_masker(self, tf_rep):
        return self.masker(tf_rep)

    def apply_masks(self, tf_rep, est_masks):
        return est_masks * tf_rep.unsqueeze(1)

    def forward_decoder(self, masked_tf_rep):
        return self.decoder(masked_tf_rep)

    def postprocess_decoded(self, decoded, wav):
        return decoded


class Model(BaseEncoderMaskerDecoder):
    """Dual path separation whose estimates sum up to the mixture."""

    def __init__(self, n_src=2, fb_name="param_sinc", kernel_size=16, n_filters=48, enc_act="relu", **masker_kwargs):
        encoder, decoder = make_enc_dec(fb_name, n_filters, kernel_size)
        masker = DualPathMasker(n_filters, n_src, **masker_kwargs)
        super().__init__(encoder, masker, decoder, encoder_activation=enc_act)

    @staticmethod
    def rms(wav, eps=1e-8):
        return torch.sqrt(wav.pow(2).mean(dim=-1, keepdim=True) + eps)

    def forward_encoder(self, wav):
        return super().forward_encoder(wav / self.rms(wav))

    def postprocess_decoded(self, decoded, wav):
        scaled = decoded * self.rms(wav)
        residual = wav - scaled.sum(dim=1, keepdim=True)
        return scaled + residual / decoded.shape[1]


def example():
    return [(1, 456)]
