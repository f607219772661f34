import torch
from torch import nn

from .configuration import DecoderConfig
from .modeling import DecoderForCausalLM


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        config = DecoderConfig(hidden_act="relu2", sliding_window=3)
        self.model = DecoderForCausalLM(config)

    def forward(self, input_ids: torch.Tensor):
        outs = self.model(input_ids, logits_to_keep=1)
        return outs.logits


def example():
    return [(1, 5)]
