import torch
import torch.nn as nn


class Dice(nn.Module):
    def __init__(self, emb_size, dim=2, epsilon=1e-8):
        super().__init__()
        assert dim == 2 or dim == 3
        self.sigmoid = nn.Sigmoid()
        self.dim = dim
        self.alpha = nn.Parameter(torch.zeros((emb_size,)))

    def forward(self, x):
        x_p = self.sigmoid(x)
        return self.alpha * (1 - x_p) * x + x_p * x


def activation_layer(act_name, hidden_size=None, dice_dim=2):
    if isinstance(act_name, str):
        if act_name.lower() == "sigmoid":
            act_layer = nn.Sigmoid()
        elif act_name.lower() == "linear":
            act_layer = nn.Identity()
        elif act_name.lower() == "relu":
            act_layer = nn.ReLU(inplace=True)
        elif act_name.lower() == "dice":
            act_layer = Dice(hidden_size, dice_dim)
    elif issubclass(act_name, nn.Module):
        act_layer = act_name()
    else:
        raise NotImplementedError
    return act_layer


class DNN(nn.Module):
    def __init__(self, inputs_dim, hidden_units, activation="relu", dropout_rate=0, use_bn=False):
        super(DNN, self).__init__()
        self.dropout_rate = dropout_rate
        self.use_bn = use_bn
        if len(hidden_units) == 0:
            raise ValueError("hidden_units is empty!!")
        hidden_units = [inputs_dim] + list(hidden_units)
        self.linears = nn.ModuleList([nn.Linear(hidden_units[i], hidden_units[i + 1]) for i in range(len(hidden_units) - 1)])
        if self.use_bn:
            self.bn = nn.ModuleList([nn.BatchNorm1d(n) for n in hidden_units[1:]])
        self.activation_layers = nn.ModuleList([activation_layer(activation, n) for n in hidden_units[1:]])
        self.dropout = nn.Dropout(dropout_rate)

    def forward(self, inputs):
        deep_input = inputs
        for i in range(len(self.linears)):
            fc = self.linears[i](deep_input)
            if self.use_bn:
                fc = self.bn[i](fc)
            fc = self.activation_layers[i](fc)
            deep_input = self.dropout(fc)
        return deep_input


class PredictionLayer(nn.Module):
    def __init__(self, task="binary", use_bias=True):
        if task not in ["binary", "multiclass", "regression"]:
            raise ValueError("task must be binary, multiclass or regression")
        super().__init__()
        self.use_bias = use_bias
        self.task = task
        if self.use_bias:
            self.bias = nn.Parameter(torch.zeros((1,)))

    def forward(self, X):
        output = X
        if self.use_bias:
            output += self.bias
        if self.task == "binary":
            output = torch.sigmoid(output)
        return output
