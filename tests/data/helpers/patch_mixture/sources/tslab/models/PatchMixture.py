import torch
import torch.nn as nn
import torch.nn.functional as F

from ..layers.Embed import CategoricalEncoder, PatchEmbedding
from ..layers.Normalization import RevIN, series_decomp_multi
from ..layers.Transformer_EncDec import AttentionLayer, DSAttention, Encoder, EncoderLayer, get_norm


class FlattenHead(nn.Module):
    def __init__(self, nf, target_window, head_dropout=0):
        super().__init__()
        self.flatten = nn.Flatten(start_dim=-2)
        self.linear = nn.Linear(nf, target_window)
        self.dropout = nn.Dropout(head_dropout)

    def forward(self, x):  # x: [bs x nvars x d_model x patch_num]
        return self.dropout(self.linear(self.flatten(x)))


class MixtureHead(nn.Module):
    """K Gaussians at each step of the horizon"""

    def __init__(self, nf, pred_len, n_components, min_sigma=1e-3):
        super().__init__()
        self.pred_len = pred_len
        self.K = n_components
        self.min_sigma = min_sigma
        self.head = FlattenHead(nf, pred_len * n_components * 3)

    def get_params(self, out):
        pi, mu, sigma = torch.chunk(out, 3, dim=-1)
        log_pi = F.log_softmax(pi, dim=-1)
        sigma = F.softplus(sigma) + self.min_sigma
        return log_pi, mu, sigma

    @staticmethod
    def moments(log_pi, mu, sigma):
        pi = log_pi.exp()
        mean = (pi * mu).sum(-1)
        second = (pi * (sigma ** 2 + mu ** 2)).sum(-1)
        return mean, torch.clamp(second - mean ** 2, min=0.).sqrt()

    def forward(self, x):
        B, N = x.shape[:2]
        out = self.head(x).reshape(B, N, self.pred_len, 3 * self.K)
        return self.get_params(out)


class Projector(nn.Module):
    """MLP to learn the de-stationary factors"""

    def __init__(self, enc_in, seq_len, hidden_dim, output_dim):
        super(Projector, self).__init__()
        self.series_linear = nn.Linear(seq_len, 1, bias=False)
        self.backbone = nn.Sequential(nn.Linear(2 * enc_in, hidden_dim), nn.ReLU(), nn.Linear(hidden_dim, output_dim, bias=False))

    def forward(self, x, stats):
        # x: B x S x E, stats: B x 1 x E
        x = self.series_linear(x.permute(0, 2, 1)).squeeze(-1)
        return self.backbone(torch.cat([x, stats.squeeze(1)], dim=1))


class Model(nn.Module):
    def __init__(self, configs):
        super(Model, self).__init__()
        self.task_name = configs.task_name
        self.seq_len = configs.seq_len
        self.pred_len = configs.pred_len
        self.d_model = configs.d_model
        self.patch_num = int((configs.seq_len - configs.patch_len) / configs.stride + 2)
        self.head_nf = configs.d_model * self.patch_num

        self.revin_layer = RevIN(configs.enc_in, affine=True)
        self.decomposition = series_decomp_multi(configs.moving_avg)
        self.patch_embedding = PatchEmbedding(configs.d_model, configs.patch_len, configs.stride, self.patch_num, configs.dropout)
        self.static_encoder = CategoricalEncoder(configs.cardinalities, configs.n_static, configs.d_model)
        self.encoder = Encoder(
            [
                EncoderLayer(
                    AttentionLayer(DSAttention(output_attention=configs.output_attention), configs.d_model, configs.n_heads),
                    configs.d_model, configs.d_ff, norm=configs.norm, dropout=configs.dropout, activation=configs.activation
                ) for l in range(configs.e_layers)
            ],
            norm_layer=get_norm(configs.norm, configs.d_model)
        )
        self.tau_learner = Projector(configs.enc_in, configs.seq_len, configs.p_hidden_dim, 1)
        self.trend_head = nn.Linear(configs.seq_len, configs.pred_len)
        if self.task_name == 'probabilistic_forecast':
            self.head = MixtureHead(self.head_nf, configs.pred_len, configs.n_components)
        else:
            self.head = FlattenHead(self.head_nf, configs.pred_len, head_dropout=configs.dropout)

    def encode(self, x_enc, static, tau):
        # patching and embedding, channel independent
        enc_out, n_vars = self.patch_embedding(x_enc.permute(0, 2, 1))
        enc_out = enc_out + static.unsqueeze(1).repeat_interleave(n_vars, dim=0)
        enc_out, attns = self.encoder(enc_out, tau=tau.repeat_interleave(n_vars, dim=0))
        enc_out = torch.reshape(enc_out, (-1, n_vars, enc_out.shape[-2], enc_out.shape[-1]))
        return enc_out.permute(0, 1, 3, 2)

    def project_trend(self, trend):
        return self.trend_head(trend.permute(0, 2, 1)).permute(0, 2, 1)

    def forecast(self, x_enc, x_num, x_cat):
        x_raw = x_enc
        x_enc, stats = self.revin_layer(x_enc, 'norm')
        tau = self.tau_learner(x_raw, stats[1]).exp()
        seasonal, trend = self.decomposition(x_enc)
        enc_out = self.encode(seasonal, self.static_encoder(x_num, x_cat), tau)
        return self.head(enc_out), self.project_trend(trend), stats

    def probabilistic_forecast(self, x_enc, x_num, x_cat):
        (log_pi, mu, sigma), trend, stats = self.forecast(x_enc, x_num, x_cat)
        mean, std = MixtureHead.moments(log_pi, mu, sigma)
        dec_out = self.revin_layer(mean.permute(0, 2, 1) + trend, 'denorm', stats)
        return dec_out, std.permute(0, 2, 1) * stats[1], log_pi

    def forward(self, x_enc, x_num, x_cat):
        if self.task_name == 'probabilistic_forecast':
            return self.probabilistic_forecast(x_enc, x_num, x_cat)
        if self.task_name == 'long_term_forecast':
            dec_out, trend, stats = self.forecast(x_enc, x_num, x_cat)
            dec_out = self.revin_layer(dec_out.permute(0, 2, 1) + trend, 'denorm', stats)
            return dec_out[:, -self.pred_len:, :]  # [B, L, D]
        return None
