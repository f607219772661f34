import copy

import torch
import torch.nn.functional as F
from torch import nn

from .common import HEADS


@HEADS.register_module()
class CTCHead(nn.Module):
    def __init__(self, in_channels, out_channels, mid_channels=None, return_feats=False, **kwargs):
        super(CTCHead, self).__init__()
        if mid_channels is None:
            self.fc = nn.Linear(in_channels, out_channels)
        else:
            self.fc1 = nn.Linear(in_channels, mid_channels)
            self.fc2 = nn.Linear(mid_channels, out_channels)
        self.mid_channels = mid_channels
        self.return_feats = return_feats

    def _predict(self, x):
        if self.mid_channels is None:
            return x, self.fc(x)
        x = self.fc1(x)
        return x, self.fc2(x)

    @staticmethod
    def _best_path(preds, blank=0):
        preds_prob, preds_idx = preds.max(dim=2)
        # blanks and repeats take no part in the score of the line
        selection = preds_idx[:, 1:] != preds_idx[:, :-1]
        selection = F.pad(selection, (1, 0), value=True)
        selection = torch.logical_and(selection, preds_idx.ne(blank)).float()
        score = (preds_prob * selection).sum(dim=1) / selection.sum(dim=1).clamp(min=1.0)
        return {"idx": preds_idx, "score": score}

    def forward(self, x, targets=None):
        x, predicts = self._predict(x)
        result = {"feats": x} if self.return_feats else {}
        if not self.training:
            predicts = F.softmax(predicts, dim=2)
            result.update(self._best_path(predicts))
        result["predicts"] = predicts
        return result


@HEADS.register_module()
class ClsHead(nn.Module):
    """Is the line upside down?"""

    def __init__(self, in_channels, class_dim=2, **kwargs):
        super(ClsHead, self).__init__()
        self.fc = nn.Linear(in_channels, class_dim)

    def pool(self, x):
        if x.dim() == 4:
            return x.flatten(2).mean(dim=-1)
        return x.mean(dim=1)

    def forward(self, x, targets=None):
        x = self.fc(self.pool(x))
        if not self.training:
            x = F.softmax(x, dim=1)
        return {"cls": x}


@HEADS.register_module()
class MultiHead(nn.Module):
    def __init__(self, in_channels, out_channels_list, **kwargs):
        super(MultiHead, self).__init__()
        self.head_list = kwargs.pop("head_list")
        self.head_names = []
        for head_cfg in copy.deepcopy(self.head_list):
            name = list(head_cfg)[0]
            args = head_cfg[name] or {}
            if name in out_channels_list:
                args["out_channels"] = out_channels_list[name]
            key = name.replace("Head", "").lower() + "_head"
            setattr(self, key, HEADS.get(name)(in_channels=in_channels, **args))
            self.head_names.append(key)

    def forward(self, x, targets=None):
        out = dict()
        for key in self.head_names:
            for k, v in getattr(self, key)(x, targets).items():
                out[key.split("_")[0] + "_" + k] = v
        return out
