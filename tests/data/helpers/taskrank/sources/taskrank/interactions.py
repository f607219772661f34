"""What models mix in: each mixin has an init_NAME for its parameters and the functions that use them."""
import torch
import torch.nn as nn
import torch.nn.functional as F

from .layers import DNN, AttentionSequencePooling


def fm_cross_term(concated_embeds_value):
    square_of_sum = torch.pow(torch.sum(concated_embeds_value, dim=1, keepdim=True), 2)
    sum_of_square = torch.sum(concated_embeds_value * concated_embeds_value, dim=1, keepdim=True)
    return 0.5 * torch.sum(square_of_sum - sum_of_square, dim=2, keepdim=False)


class FMMixin:
    def fm_logit(self, embeddings):
        return fm_cross_term(torch.cat(list(embeddings), dim=1))


class CrossNetMixin:
    """Cross layers of DCN-v2, or of DCN with parameterization="vector"."""

    def init_cross(self, in_features, layer_num=2, parameterization="matrix"):
        self.cross_layer_num, self.cross_parameterization = layer_num, parameterization
        wide = in_features if parameterization == "matrix" else 1
        self.cross_kernels = nn.ParameterList([nn.Parameter(torch.empty(in_features, wide)) for _ in range(layer_num)])
        self.cross_bias = nn.ParameterList([nn.Parameter(torch.zeros(1, in_features)) for _ in range(layer_num)])
        for kernel in self.cross_kernels:
            nn.init.xavier_normal_(kernel)

    def cross(self, inputs):
        x_0 = x_l = inputs
        for i in range(self.cross_layer_num):
            x_l = self._cross_step(x_0, x_l, self.cross_kernels[i], self.cross_bias[i])
        return x_l

    def _cross_step(self, x_0, x_l, kernel, bias):
        xl_w = torch.matmul(x_l, kernel)
        if self.cross_parameterization == "vector":
            return x_0 * xl_w + bias + x_l
        return x_0 * (xl_w + bias) + x_l


class InterestMixin:
    """Attention of the candidate over the history, for each feature that has one."""

    def init_interest(self, history_columns, **kwargs):
        self.interest = nn.ModuleDict({
            fc.name: AttentionSequencePooling(fc.embedding_dim, weight_normalization=True, **kwargs) for fc in history_columns})

    def interests(self, queries, keys, masks):
        return {name: pool(queries[name], keys[name], masks[name]) for name, pool in self.interest.items()}


class MMoEMixin:
    def init_mmoe(self, inputs_dim, num_experts, expert_units, gate_units, num_tasks, **kwargs):
        self.experts = nn.ModuleList([DNN(inputs_dim, expert_units, **kwargs) for _ in range(num_experts)])
        self.gate_dnns = nn.ModuleList([DNN(inputs_dim, gate_units, **kwargs) if gate_units else nn.Identity() for _ in range(num_tasks)])
        gate_dim = gate_units[-1] if gate_units else inputs_dim
        self.gates = nn.ModuleList([nn.Linear(gate_dim, num_experts, bias=False) for _ in range(num_tasks)])

    def mmoe(self, x):
        expert_outs = torch.stack([expert(x) for expert in self.experts], dim=1)
        return [self._mix(expert_outs, self._gate_weights(i, x)) for i in range(len(self.gates))]

    def _gate_weights(self, i, x):
        return F.softmax(self.gates[i](self.gate_dnns[i](x)), dim=-1)

    @staticmethod
    def _mix(expert_outs, weights):
        return torch.matmul(weights.unsqueeze(1), expert_outs).squeeze(1)
