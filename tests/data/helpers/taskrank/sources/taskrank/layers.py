import torch
import torch.nn as nn
import torch.nn.functional as F


class Dice(nn.Module):
    """The data adaptive activation function of Deep Interest Network."""

    def __init__(self, emb_size, epsilon=1e-8):
        super().__init__()
        self.bn = nn.BatchNorm1d(emb_size, eps=epsilon)
        self.alpha = nn.Parameter(torch.zeros(emb_size))

    def _gate(self, x):
        if x.dim() == 3:
            return torch.sigmoid(self.bn(x.transpose(1, 2))).transpose(1, 2)
        return torch.sigmoid(self.bn(x))

    def forward(self, x):
        p = self._gate(x)
        return self.alpha * (1 - p) * x + p * x


def activation_layer(act_name, hidden_size=None):
    if not isinstance(act_name, str):
        return act_name()
    name = act_name.lower()
    if name == "dice":
        return Dice(hidden_size)
    known = {"sigmoid": nn.Sigmoid, "relu": nn.ReLU, "prelu": nn.PReLU, "linear": nn.Identity}
    if name not in known:
        raise NotImplementedError(act_name)
    return known[name]()


class DNN(nn.Module):
    def __init__(self, inputs_dim, hidden_units, activation="relu", dropout_rate=0.0, use_bn=False):
        super().__init__()
        sizes = [inputs_dim] + list(hidden_units)
        self.use_bn, self.dropout = use_bn, nn.Dropout(dropout_rate)
        self.linears = nn.ModuleList([nn.Linear(a, b) for a, b in zip(sizes[:-1], sizes[1:])])
        if use_bn:
            self.bn = nn.ModuleList([nn.BatchNorm1d(n) for n in sizes[1:]])
        self.activations = nn.ModuleList([activation_layer(activation, n) for n in sizes[1:]])

    def forward(self, inputs):
        deep_input = inputs
        for i in range(len(self.linears)):
            fc = self.linears[i](deep_input)
            if self.use_bn:
                fc = self.bn[i](fc)
            deep_input = self.dropout(self.activations[i](fc))
        return deep_input


class LocalActivationUnit(nn.Module):
    def __init__(self, embedding_dim, hidden_units=(16, 8), activation="dice"):
        super().__init__()
        self.dnn = DNN(4 * embedding_dim, hidden_units, activation=activation)
        self.dense = nn.Linear(hidden_units[-1], 1)

    @staticmethod
    def interplay(queries, keys):
        return torch.cat([queries, keys, queries - keys, queries * keys], dim=-1)

    def forward(self, query, user_behavior):
        queries = query.expand(-1, user_behavior.size(1), -1)
        return self.dense(self.dnn(self.interplay(queries, user_behavior)))


class AttentionSequencePooling(nn.Module):
    def __init__(self, embedding_dim, att_hidden_units=(16, 8), weight_normalization=False):
        super().__init__()
        self.weight_normalization = weight_normalization
        self.local_att = LocalActivationUnit(embedding_dim, att_hidden_units)

    def _masked(self, scores, mask):
        if self.weight_normalization:
            paddings = torch.ones_like(scores) * (-2 ** 32 + 1)
        else:
            paddings = torch.zeros_like(scores)
        return torch.where(mask, scores, paddings)

    def forward(self, query, keys, mask):
        scores = self._masked(self.local_att(query, keys).transpose(1, 2), mask.unsqueeze(1))
        if self.weight_normalization:
            scores = F.softmax(scores, dim=-1)
        return torch.matmul(scores, keys)


def _pool_mean(x, mask, eps=1e-8):
    return _pool_sum(x, mask) / (mask.sum(dim=1, keepdim=True) + eps)


def _pool_sum(x, mask):
    return (x * mask).sum(dim=1, keepdim=False)


def _pool_max(x, mask):
    return torch.max(x - (1 - mask) * 1e9, dim=1, keepdim=False)[0]


POOLING = {"mean": _pool_mean, "sum": _pool_sum, "max": _pool_max}


class SequencePoolingLayer(nn.Module):
    def __init__(self, mode="mean"):
        super().__init__()
        if mode not in POOLING:
            raise ValueError(f"no pooling {mode}, but {sorted(POOLING)}")
        self.mode = mode

    def forward(self, seq_embed, mask):
        mask = mask.unsqueeze(-1).float()
        return POOLING[self.mode](seq_embed, mask).unsqueeze(1)


class PredictionLayer(nn.Module):
    def __init__(self, task="binary", use_bias=True):
        super().__init__()
        self.task = task
        if use_bias:
            self.bias = nn.Parameter(torch.zeros((1,)))
        self.use_bias = use_bias

    def forward(self, logit):
        output = logit
        if self.use_bias:
            output = output + self.bias
        return torch.sigmoid(output) if self.task == "binary" else output
