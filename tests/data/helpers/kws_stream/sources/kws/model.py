from collections import OrderedDict

import torch
import torch.nn as nn
import torch.nn.functional as F

from . import ops
from .frontend import LogMelFrontend
from .layers import BCBlock, ConvBNAct, GRUCell

CFG = dict(n_mels=16, width=16, hidden=24, n_labels=12, dilations=(1, 2), chunk=128)


class Stem(nn.Sequential):
    def __init__(self, width):
        super().__init__(
            OrderedDict(
                [
                    ("conv", ConvBNAct(1, width, (5, 1), stride=(2, 1), padding=(2, 0))),
                    ("mix", ConvBNAct(width, width, act="silu")),
                ]
            )
        )

    def forward(self, feats):
        x = super().forward(feats.unsqueeze(1))
        return x


class Encoder(nn.Module):
    def __init__(self, width, dilations):
        super().__init__()
        self.stem = Stem(width)
        self.blocks = nn.ModuleList([BCBlock(width, dilation=d) for d in dilations])

    @property
    def context_sizes(self):
        return [b.time.context for b in self.blocks]

    def forward(self, feats, context):
        x = self.stem(feats)
        kept = []
        for block, ctx in zip(self.blocks, context.split(self.context_sizes, dim=-1)):
            x, ctx = block(x, ctx)
            kept.append(ctx)
        return x, torch.cat(kept, dim=-1)


class StreamingKWS(nn.Module):
    def __init__(self, n_mels, width, hidden, n_labels, dilations, chunk):
        super().__init__()
        self.chunk = chunk
        self.frontend = LogMelFrontend(n_mels=n_mels)
        self.encoder = Encoder(width, dilations)
        self.score = nn.Conv1d(width, 1, 1)
        self.gru = GRUCell(width, hidden)
        self.head = nn.Sequential(
            OrderedDict(drop=nn.Dropout(0.1), fc=nn.Linear(hidden, hidden), act=nn.Hardswish(), out=nn.Linear(hidden, n_labels))
        )
        self.register_buffer("label_prior", torch.ones(n_labels))

    def init_state(self, batch=1):
        return ops.StreamState(
            samples=torch.zeros(batch, self.frontend.overlap),
            floor=torch.zeros(batch, CFG["n_mels"], 1),
            context=torch.zeros(batch, CFG["width"], sum(self.encoder.context_sizes)),
            hidden=torch.zeros(batch, CFG["hidden"]),
        )

    def embed(self, feats, state):
        x, context = self.encoder(feats, state.context)
        x = x.mean(dim=2)
        pooled = ops.attend_pool(x, self.score(x))
        hidden = self.gru(pooled, state.hidden)
        return hidden, state._replace(context=context, hidden=hidden)

    def classify(self, hidden):
        logits = self.head(hidden) - torch.log(self.label_prior)
        prob = F.softmax(logits, dim=-1)
        # the first label is silence, it never triggers
        return prob, ops.max_smooth(prob[:, 1:], k=2)

    def step(self, chunk, state):
        feats, samples, floor = self.frontend(chunk, state.samples, state.floor)
        state = state._replace(samples=samples, floor=floor)
        hidden, state = self.embed(feats, state)
        return self.classify(hidden), state

    def forward(self, chunk, *state):
        (prob, trigger), state = self.step(chunk, ops.StreamState(*state))
        return (prob, trigger, *state)


class Model(StreamingKWS):
    def __init__(self):
        super().__init__(**CFG)


def example():
    state = StreamingKWS(**CFG).init_state()
    return [(1, CFG["chunk"]), *(tuple(s.shape) for s in state)]
