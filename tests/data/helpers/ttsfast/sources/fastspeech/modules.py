from collections import OrderedDict

import torch
import torch.nn as nn

from .utils import Conv, get_mask_from_lengths, mask_fill_sequence, sequence_mask_to_path


def predictor_layer(n_in, n_out, kernel_size, dropout):
    return nn.Sequential(OrderedDict([
        ("conv", Conv(n_in, n_out, kernel_size=kernel_size, w_init="relu")),
        ("relu", nn.ReLU()),
        ("norm", nn.LayerNorm(n_out)),
        ("dropout", nn.Dropout(dropout)),
    ]))


class VariancePredictor(nn.Module):
    """Duration, pitch and energy predictor."""

    def __init__(self, d_model, config, n_layers=2, offset=1.0):
        super().__init__()
        n_out = config["filter_size"]
        self.offset = offset
        self.conv_layer = nn.ModuleList([
            predictor_layer(d_model if i == 0 else n_out, n_out, config["kernel_size"], config["dropout"])
            for i in range(n_layers)
        ])
        self.linear_layer = nn.Linear(n_out, 1)

    def _forward(self, x, mask):
        for layer in self.conv_layer:
            x = layer(x)
        return mask_fill_sequence(self.linear_layer(x).squeeze(-1), mask)

    def forward(self, x, mask=None):
        return self._forward(x, mask)

    def inference(self, x, mask=None, control=1.0):
        """For durations: back from the log domain, whole frames."""
        log_duration = self._forward(x, mask)
        frames = torch.round((torch.exp(log_duration) - self.offset) * control)
        return log_duration, mask_fill_sequence(torch.clamp(frames, min=0), mask)


class LengthRegulator(nn.Module):
    """Repeats every token as often as its duration says.

    The expansion is a product with a 0/1 matrix that always has max_len rows, so all shapes are known.
    """

    def expand(self, x, duration, max_len):
        path = sequence_mask_to_path(duration, max_len)
        return torch.matmul(path, x)

    def forward(self, x, duration, max_len):
        output = self.expand(x, duration, max_len)
        mel_len = torch.clamp(duration.sum(dim=-1), max=max_len)
        return output, mel_len


class QuantizedEmbedding(nn.Module):
    """Looks a scalar per position up in a table of bins."""

    def __init__(self, minimum, maximum, n_bins, d_model):
        super().__init__()
        self.register_buffer("bins", torch.linspace(minimum, maximum, n_bins - 1))
        self.table = nn.Embedding(n_bins, d_model)

    def quantize(self, values):
        return torch.bucketize(values, self.bins)

    def forward(self, values):
        return self.table(self.quantize(values))


class VarianceAdaptor(nn.Module):
    def __init__(self, preprocess_config, model_config):
        super().__init__()
        d_model = model_config["transformer"]["encoder_hidden"]
        predictor = model_config["variance_predictor"]
        n_bins = model_config["variance_embedding"]["n_bins"]
        self.duration_predictor = VariancePredictor(d_model, predictor)
        self.length_regulator = LengthRegulator()
        self.pitch_predictor = VariancePredictor(d_model, predictor)
        self.energy_predictor = VariancePredictor(d_model, predictor)
        self.pitch_embedding = QuantizedEmbedding(*preprocess_config["stats"]["pitch"], n_bins, d_model)
        self.energy_embedding = QuantizedEmbedding(*preprocess_config["stats"]["energy"], n_bins, d_model)
        self.levels = {name: preprocess_config["preprocessing"][name]["feature"] for name in ("pitch", "energy")}

    def get_variance_embedding(self, name, x, mask, control):
        prediction = getattr(self, f"{name}_predictor")(x, mask)
        prediction = prediction * control
        return prediction, getattr(self, f"{name}_embedding")(prediction)

    def add_variances(self, level, x, mask, controls, predictions):
        for name in ("pitch", "energy"):
            if self.levels[name] != level:
                continue
            predictions[name], embedding = self.get_variance_embedding(name, x, mask, controls[name])
            x = x + embedding
        return x

    def forward(self, x, src_mask, max_len, p_control=1.0, e_control=1.0, d_control=1.0):
        controls, predictions = {"pitch": p_control, "energy": e_control}, {}
        log_d, d_rounded = self.duration_predictor.inference(x, src_mask, d_control)
        x = self.add_variances("phoneme_level", x, src_mask, controls, predictions)
        x, mel_len = self.length_regulator(x, d_rounded, max_len)
        mel_mask = get_mask_from_lengths(mel_len, max_len)
        x = self.add_variances("frame_level", x, mel_mask, controls, predictions)
        predictions["log_duration"] = log_d
        return x, predictions, d_rounded, mel_len, mel_mask


class PostNet(nn.Module):
    """Convolutions that refine the whole mel spectrogram at once."""

    def __init__(self, n_mel_channels=80, embedding_dim=512, kernel_size=5, n_convolutions=5):
        super().__init__()
        widths = [n_mel_channels] + [embedding_dim] * (n_convolutions - 1) + [n_mel_channels]
        self.convolutions = nn.ModuleList([
            nn.Sequential(nn.Conv1d(n_in, n_out, kernel_size, padding=kernel_size // 2), nn.BatchNorm1d(n_out))
            for n_in, n_out in zip(widths[:-1], widths[1:])
        ])
        self.dropout = nn.Dropout(0.5)

    def refine(self, x):
        x = x.transpose(1, 2)
        for conv in self.convolutions[:-1]:
            x = self.dropout(torch.tanh(conv(x)))
        x = self.dropout(self.convolutions[-1](x))
        return x.transpose(1, 2)

    def forward(self, x):
        return x + self.refine(x)
