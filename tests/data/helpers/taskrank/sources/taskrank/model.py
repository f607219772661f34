import torch
import torch.nn as nn

from .base import BaseModel
from .features import DenseFeat, SparseFeat, VarLenSparseFeat, combined_dnn_input
from .interactions import CrossNetMixin, FMMixin, InterestMixin, MMoEMixin
from .layers import DNN


class InterestRanker(FMMixin, CrossNetMixin, InterestMixin, MMoEMixin, BaseModel):
    def __init__(self, feature_columns, tasks, num_experts=3, expert_units=(32,), gate_units=(), tower_units=(16,), cross_layers=2, **kwargs):
        super().__init__(feature_columns, tasks, **kwargs)
        self.history_columns = [fc for fc in self.varlen_columns if fc.combiner == "attention"]
        dim = self.compute_input_dim()
        self.init_interest(self.history_columns, att_hidden_units=(16,))
        self.init_cross(dim, cross_layers)
        self.init_mmoe(dim, num_experts, expert_units, gate_units, len(tasks))
        self.towers = nn.ModuleDict({task: DNN(expert_units[-1], tower_units, use_bn=True) for task in self.tasks})
        self.heads = nn.ModuleDict({task: nn.Linear(tower_units[-1], 1, bias=False) for task in self.tasks})

    def _embed(self, view):
        embedded = super()._embed(view)
        queries = {fc.name: embedded["sparse"][fc.embedding_name] for fc in self.history_columns}
        keys = {fc.name: self.lookup(fc, view) for fc in self.history_columns}
        masks = {fc.name: view.mask(fc) for fc in self.history_columns}
        embedded["sparse"].update(self.interests(queries, keys, masks))
        return embedded

    def _interact(self, embedded):
        sparse = list(embedded["sparse"].values())
        dnn_input = combined_dnn_input(sparse, embedded["dense"])
        return {"fm": self.fm_logit(sparse), "tasks": self.mmoe(self.cross(dnn_input))}

    def _predict(self, hidden, linear_logit):
        logits = {task: self.heads[task](self.towers[task](x)) for task, x in zip(self.tasks, hidden["tasks"])}
        return {task: logit + linear_logit + hidden["fm"] for task, logit in logits.items()}


class EntireSpaceRanker(InterestRanker):
    """Conversion is learnt over all impressions: pCTCVR = pCTR * pCVR."""

    def _finish(self, logits):
        ctr, cvr, *rest = [self.out[task](logits[task]) for task in self.tasks]
        return torch.cat([ctr, ctr * cvr, *rest], -1)


def log1p_positive(x):
    return torch.log1p(x.clamp(min=0))


FEATURES = [
    SparseFeat("user_id", 200), SparseFeat("gender", 3), SparseFeat("item_id", 120), SparseFeat("cate_id", 12),
    DenseFeat("price", 1, log1p_positive), DenseFeat("context", 3),
    VarLenSparseFeat(SparseFeat("hist_item_id", 120, embedding_name="item_id"), 6, "attention", "seq_length"),
    VarLenSparseFeat(SparseFeat("hist_cate_id", 12, embedding_name="cate_id"), 6, "attention", "seq_length"),
    VarLenSparseFeat(SparseFeat("tags", 40), 4, "mean"),
]


class Model(EntireSpaceRanker):
    def __init__(self):
        super().__init__(FEATURES, {"ctr": "binary", "ctcvr": "binary", "dwell": "regression"})


def example():
    return [(4, 4 + 1 + 3 + 6 + 1 + 6 + 4)]
