from functools import partial

import torch
import torch.nn.functional as F
from torch import nn

from .misc import MLP, NestedTensor, box_cxcywh_to_xyxy, clip_boxes, inverse_sigmoid
from .transformer import Decoder, DecoderLayer, Encoder, EncoderLayer, PositionEmbeddingSine


class FrozenBatchNorm2d(nn.Module):
    """Statistics and affine parameters are fixed."""

    def __init__(self, n):
        super(FrozenBatchNorm2d, self).__init__()
        self.register_buffer("weight", torch.ones(n))
        self.register_buffer("bias", torch.zeros(n))
        self.register_buffer("running_mean", torch.zeros(n))
        self.register_buffer("running_var", torch.ones(n))

    def forward(self, x):
        w = self.weight.reshape(1, -1, 1, 1)
        b = self.bias.reshape(1, -1, 1, 1)
        rv = self.running_var.reshape(1, -1, 1, 1)
        rm = self.running_mean.reshape(1, -1, 1, 1)
        scale = w * (rv + 1e-5).rsqrt()
        bias = b - rm * scale
        return x * scale + bias


class Backbone(nn.Module):
    def __init__(self, widths, return_layers):
        super().__init__()
        self.stem = nn.Conv2d(3, widths[0], 3, stride=2, padding=1, bias=False)
        self.bn = FrozenBatchNorm2d(widths[0])
        self.stages = nn.ModuleDict({f"layer{i + 1}": nn.Conv2d(a, b, 3, stride=2, padding=1)
                                     for i, (a, b) in enumerate(zip(widths, widths[1:]))})
        self.return_layers = return_layers

    def _features(self, x):
        out = {}
        x = F.relu(self.bn(self.stem(x)))
        for name, stage in self.stages.items():
            x = F.relu(stage(x))
            if name in self.return_layers:
                out[self.return_layers[name]] = x
        return out

    def forward(self, nested: NestedTensor):
        xs = self._features(nested.tensors)
        out = {}
        for name, x in xs.items():
            m = nested.mask
            assert m is not None, "images come with a mask"
            mask = F.interpolate(m[None], size=x.shape[-2:])[0]
            out[name] = NestedTensor(x, mask)
        return out


class Joiner(nn.Sequential):
    def __init__(self, backbone, position_embedding):
        super().__init__(backbone, position_embedding)

    def forward(self, nested):
        xs = self[0](nested)
        out, pos = [], []
        for _, x in sorted(xs.items()):
            out.append(x)
            pos.append(self[1](x).to(x.tensors.dtype))
        return out, pos


class Transformer(nn.Module):
    def __init__(self, d_model=32, nhead=4, num_encoder_layers=1, num_decoder_layers=2, normalize_before=False):
        super().__init__()
        encoder_norm = nn.LayerNorm(d_model) if normalize_before else None
        self.encoder = Encoder(partial(EncoderLayer, d_model, nhead, normalize_before=normalize_before), num_encoder_layers, encoder_norm)
        self.decoder = Decoder(lambda: DecoderLayer(d_model, nhead), num_decoder_layers, d_model, nn.LayerNorm(d_model), return_intermediate=True)
        self.d_model = d_model

    def forward(self, src, query_embed, refpoint_embed, pos_embed):
        bs, c, h, w = src.shape
        src = src.flatten(2).permute(0, 2, 1)
        pos_embed = pos_embed.flatten(2).permute(0, 2, 1)
        tgt = query_embed.unsqueeze(0).expand(bs, -1, -1)
        refpoint_embed = refpoint_embed.unsqueeze(0).expand(bs, -1, -1)
        memory = self.encoder(src, pos=pos_embed)
        hs, references = self.decoder(tgt, memory, refpoint_embed, pos=pos_embed)
        return hs, references, memory.permute(0, 2, 1).view(bs, c, h, w)


class Detector(nn.Module):
    def __init__(self, backbone, transformer, num_classes, num_queries, aux_loss=False):
        super().__init__()
        self.num_queries = num_queries
        self.transformer = transformer
        hidden_dim = transformer.d_model
        self.class_embed = nn.Linear(hidden_dim, num_classes + 1)
        self.bbox_embed = nn.ModuleList([MLP(hidden_dim, hidden_dim, 4, 3) for _ in range(2)])
        self.transformer.decoder.bbox_embed = self.bbox_embed
        self.query_embed = nn.Embedding(num_queries, hidden_dim)
        self.refpoint_embed = nn.Embedding(num_queries, 4)
        self.input_proj = nn.Conv2d(16, hidden_dim, kernel_size=1)
        self.backbone = backbone
        self.aux_loss = aux_loss

    def _predict(self, hs, references):
        outputs_coord = []
        for level, (output, reference) in enumerate(zip(hs, references)):
            tmp = self.bbox_embed[level](output)
            tmp += inverse_sigmoid(reference)
            outputs_coord.append(tmp.sigmoid())
        return self.class_embed(torch.stack(hs)), torch.stack(outputs_coord)

    @torch.jit.unused
    def _set_aux_loss(self, outputs_class, outputs_coord):
        return [{"pred_logits": a, "pred_boxes": b} for a, b in zip(outputs_class.unbind(0)[:-1], outputs_coord.unbind(0)[:-1])]

    def forward(self, samples: NestedTensor):
        features, pos = self.backbone(samples)
        src, mask = features[-1].decompose()
        assert mask is not None
        hs, references, memory = self.transformer(self.input_proj(src), self.query_embed.weight, self.refpoint_embed.weight, pos[-1])
        outputs_class, outputs_coord = self._predict(hs.unbind(0), references.unbind(0))
        out = {"pred_logits": outputs_class[-1], "pred_boxes": outputs_coord[-1]}
        if self.aux_loss:
            out["aux_outputs"] = self._set_aux_loss(outputs_class, outputs_coord)
        return out


class PostProcess(nn.Module):
    def forward(self, outputs, target_sizes):
        out_logits, out_bbox = outputs["pred_logits"], outputs["pred_boxes"]
        prob = F.softmax(out_logits, -1)
        scores = prob[..., :-1].amax(-1)
        boxes = clip_boxes(box_cxcywh_to_xyxy(out_bbox))
        img_h, img_w = target_sizes.unbind(1)
        scale_fct = torch.stack([img_w, img_h, img_w, img_h], dim=1)
        boxes = boxes * scale_fct[:, None, :]
        results = [{"scores": s, "boxes": b} for s, b in zip(scores.unbind(0), boxes.unbind(0))]
        return results


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        backbone = Joiner(Backbone([8, 12, 16], {"layer1": "0", "layer2": "1"}), PositionEmbeddingSine(16, normalize=True))
        self.detector = Detector(backbone, Transformer(), num_classes=5, num_queries=6, aux_loss=True)
        self.postprocessor = PostProcess()

    def forward(self, images, masks, sizes):
        outputs = self.detector(NestedTensor(images, masks))
        results = self.postprocessor(outputs, sizes)
        return {**outputs, "results": results}


def example():
    return [(1, 3, 32, 32), (1, 32, 32), (1, 2)]
