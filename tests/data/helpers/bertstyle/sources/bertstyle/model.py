from typing import Optional

import torch
from torch import nn

from .configuration_bertstyle import BertStyleConfig
from .modeling_bertstyle import BertStyleModel, BertStylePreTrainedModel
from .modeling_utils import ClassifierOutput


class _Classification(BertStylePreTrainedModel):
    add_pooling_layer = True

    def __init__(self, config):
        super().__init__(config)
        self.num_labels = config.num_labels
        self.bertstyle = BertStyleModel(config, add_pooling_layer=self.add_pooling_layer)
        classifier_dropout = config.classifier_dropout if config.classifier_dropout is not None else config.hidden_dropout_prob
        self.dropout = nn.Dropout(classifier_dropout)
        self.classifier = nn.Linear(config.hidden_size, config.num_labels)
        self.post_init()

    def select_features(self, outputs):
        raise NotImplementedError

    def mean_hidden_state(self, outputs) -> torch.Tensor:
        return torch.stack(list(outputs.hidden_states[-2:]), dim=0).mean(dim=0)

    def forward(self, input_ids=None, attention_mask=None, token_type_ids=None, head_mask=None, return_dict: Optional[bool] = None):
        return_dict = return_dict if return_dict is not None else self.config.use_return_dict
        outputs = self.bertstyle(
            input_ids,
            attention_mask=attention_mask,
            token_type_ids=token_type_ids,
            head_mask=head_mask,
            return_dict=return_dict,
        )
        logits = self.classifier(self.dropout(self.select_features(outputs)))
        if not return_dict:
            return (logits,) + outputs[2:]
        return ClassifierOutput(logits=logits, attentions=outputs.attentions)


class BertStyleForSequenceClassification(_Classification):
    def select_features(self, outputs):
        return outputs[1] + self.mean_hidden_state(outputs)[:, 0] if self.config.output_hidden_states else outputs[1]


class BertStyleForTokenClassification(_Classification):
    add_pooling_layer = False

    def select_features(self, outputs):
        return self.mean_hidden_state(outputs) if self.config.output_hidden_states else outputs[0]


MODEL_MAPPING = {cls.__name__: cls for cls in (BertStyleForSequenceClassification, BertStyleForTokenClassification)}


class AutoModel:
    @classmethod
    def from_config(cls, config, **kwargs):
        return MODEL_MAPPING[config.architectures[0]](config, **kwargs)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        config = BertStyleConfig(
            vocab_size=100,
            hidden_size=16,
            num_hidden_layers=2,
            num_attention_heads=2,
            intermediate_size=32,
            hidden_act="gelu_python",
            max_position_embeddings=32,
            chunk_size_feed_forward=4,
            num_labels=5,
            output_hidden_states=True,
            architectures=["BertStyleForTokenClassification"],
        )
        self.model = AutoModel.from_config(config)

    def forward(self, input_ids, attention_mask, head_mask):
        return self.model(input_ids, attention_mask=attention_mask, head_mask=head_mask).logits


def example():
    return [(2, 8), (2, 8), (2,)]
