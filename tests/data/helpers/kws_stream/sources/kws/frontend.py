import torch
import torch.nn as nn

from . import ops


class LogMelFrontend(nn.Module):
    """STFT as one strided conv, mel as one matmul, so that it all ends up on the accelerator."""

    def __init__(self, sr=16000, win=64, hop=32, n_fft=64, n_mels=16, alpha=0.05):
        super().__init__()
        self.hop, self.win, self.alpha = hop, win, alpha
        self.register_buffer("basis", ops.dft_basis(n_fft, win), persistent=False)
        self.register_buffer("mel_fb", ops.mel_filters(n_mels, n_fft, sr, 60.0, 7600.0), persistent=False)
        self.gain = nn.Parameter(torch.zeros(n_mels, 1))

    @property
    def overlap(self) -> int:
        return self.win - self.hop

    @torch.no_grad()
    def mel(self, wav: torch.Tensor) -> torch.Tensor:
        power = ops.power_spectrogram(ops.preemphasis(wav), self.basis, self.hop)
        # [B, bins, T] -> [B, n_mels, T]
        frames = power.transpose(1, 2).contiguous()
        return torch.matmul(frames, self.mel_fb).transpose(1, 2)

    def forward(self, chunk, samples, floor):
        wav, samples = ops.push_context(samples, chunk)
        feats, floor = ops.pcen_like(self.mel(wav), floor, self.gain, self.alpha)
        return feats, samples, floor
