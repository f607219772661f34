import torch
import torch.nn as nn

from tseries.exp import get_args
from tseries.layers import (AttentionLayer, Encoder, EncoderLayer, FullAttention, PatchEmbedding, RevIN, Transpose,
                            series_decomp)


class FlattenHead(nn.Module):
    def __init__(self, individual, n_vars, nf, target_window, head_dropout=0):
        super().__init__()
        self.individual = individual
        self.n_vars = n_vars
        if individual:
            self.linears = nn.ModuleList()
            self.flattens = nn.ModuleList()
            for i in range(n_vars):
                self.flattens.append(nn.Flatten(start_dim=-2))
                self.linears.append(nn.Linear(nf, target_window))
        else:
            self.flatten = nn.Flatten(start_dim=-2)
            self.linear = nn.Linear(nf, target_window)
        self.dropout = nn.Dropout(head_dropout)

    def _one(self, i, z):  # z: [bs x patch_num x d_model]
        z = self.flattens[i](z.transpose(1, 2))
        return self.dropout(self.linears[i](z))

    def forward(self, x):  # x: [bs x nvars x patch_num x d_model]
        if self.individual:
            return torch.stack([self._one(i, x[:, i, :, :]) for i in range(self.n_vars)], dim=1)
        return self.dropout(self.linear(self.flatten(x.transpose(2, 3))))


class Model(nn.Module):
    """
    Trend by one linear layer over time, season by a Transformer over patches, all channels on their own;
    both on several scales of the series, whose forecasts are summed up.
    """

    def __init__(self, configs=None):
        super(Model, self).__init__()
        configs = configs or get_args(['--individual'])
        self.configs = configs
        self.task_name = configs.task_name
        self.seq_len = configs.seq_len
        self.pred_len = configs.pred_len
        if self.task_name in ('imputation', 'anomaly_detection'):
            self.pred_len = configs.seq_len
        self.revin_layer = RevIN(configs.enc_in, affine=bool(configs.affine))
        self.decompsition = series_decomp(configs.moving_avg)
        self.down_pool = nn.AvgPool1d(configs.down_sampling_window)

        self.patch_embedding = PatchEmbedding(configs.d_model, configs.patch_len, configs.stride, configs.dropout)
        self.encoder = Encoder(
            [
                EncoderLayer(
                    AttentionLayer(
                        FullAttention(False, attention_dropout=configs.dropout, output_attention=False),
                        configs.d_model, configs.n_heads),
                    configs.d_model,
                    configs.d_ff,
                    dropout=configs.dropout,
                    activation=configs.activation
                ) for l in range(configs.e_layers)
            ],
            norm_layer=nn.Sequential(Transpose(1, 2), nn.BatchNorm1d(configs.d_model), Transpose(1, 2))
        )

        lens = [self.seq_len // configs.down_sampling_window ** i for i in range(configs.down_sampling_layers + 1)]
        self.heads = nn.ModuleList([
            FlattenHead(configs.individual, configs.enc_in, configs.d_model * self._patch_num(n), self.pred_len,
                        head_dropout=configs.dropout)
            for n in lens
        ])
        self.Linear_Trend = nn.ModuleList([nn.Linear(n, self.pred_len) for n in lens])

    def _patch_num(self, length):
        return -(-(length - self.configs.patch_len) // self.configs.stride) + 1

    def __multi_scale_process_inputs(self, x_enc):
        # B,T,C -> B,C,T
        x_enc = x_enc.permute(0, 2, 1)
        x_enc_sampling_list = [x_enc.permute(0, 2, 1)]
        for _ in range(self.configs.down_sampling_layers):
            x_enc = self.down_pool(x_enc)
            x_enc_sampling_list.append(x_enc.permute(0, 2, 1))
        return x_enc_sampling_list

    def season(self, x, scale):
        # do patching and embedding: [bs * nvars x patch_num x d_model]
        enc_out, n_vars = self.patch_embedding(x.permute(0, 2, 1))
        enc_out, attns = self.encoder(enc_out)
        # z: [bs x nvars x patch_num x d_model]
        return self.heads[scale](enc_out.unflatten(0, (-1, n_vars)))

    def trend(self, x, scale):
        return self.Linear_Trend[scale](x.permute(0, 2, 1))

    def out_projection(self, x_enc):
        outs = []
        for i, x in enumerate(self.__multi_scale_process_inputs(x_enc)):
            seasonal_init, trend_init = self.decompsition(x)
            outs.append(self.season(seasonal_init, i) + self.trend(trend_init, i))
        return torch.stack(outs, dim=-1).sum(-1).permute(0, 2, 1)

    def forecast(self, x_enc, x_mark_enc, x_dec, x_mark_dec):
        x_enc = self.revin_layer(x_enc, 'norm')
        dec_out = self.out_projection(x_enc)
        return self.revin_layer(dec_out, 'denorm')

    def imputation(self, x_enc, x_mark_enc, x_dec, x_mark_dec, mask):
        # statistics of what is there only
        means = torch.sum(x_enc, dim=1) / torch.sum(mask, dim=1)
        means = means.unsqueeze(1).detach()
        x_enc = (x_enc - means).masked_fill(mask == 0, 0)
        stdev = torch.sqrt(torch.sum(x_enc * x_enc, dim=1) / torch.sum(mask, dim=1) + 1e-5)
        stdev = stdev.unsqueeze(1).detach()
        dec_out = self.out_projection(x_enc / stdev)
        return dec_out * stdev + means

    def anomaly_detection(self, x_enc):
        x_enc = self.revin_layer(x_enc, 'norm')
        return self.revin_layer(self.out_projection(x_enc), 'denorm')

    def forward(self, x_enc, x_mark_enc=None, x_dec=None, x_mark_dec=None, mask=None):
        if self.task_name == 'long_term_forecast' or self.task_name == 'short_term_forecast':
            dec_out = self.forecast(x_enc, x_mark_enc, x_dec, x_mark_dec)
            return dec_out[:, -self.pred_len:, :]  # [B, L, D]
        if self.task_name == 'imputation':
            return self.imputation(x_enc, x_mark_enc, x_dec, x_mark_dec, mask)
        if self.task_name == 'anomaly_detection':
            return self.anomaly_detection(x_enc)
        return None


def example():
    args = get_args()
    return [(2, args.seq_len, args.enc_in)]
