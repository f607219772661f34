from functools import partial

import torch
import torch.nn.functional as F
from torch import nn

from . import ImageEncoder
from .mask_decoder import MaskDecoder, PromptEncoder


class Segmenter(nn.Module):
    mask_threshold: float = 0.0
    image_format: str = "RGB"

    def __init__(self, image_encoder, prompt_encoder, mask_decoder, pixel_mean=(123.675, 116.28, 103.53), pixel_std=(58.395, 57.12, 57.375)):
        super().__init__()
        self.image_encoder = image_encoder
        self.prompt_encoder = prompt_encoder
        self.mask_decoder = mask_decoder
        self.register_buffer("pixel_mean", torch.zeros(len(pixel_mean)).view(-1, 1, 1), False)
        self.register_buffer("pixel_std", torch.zeros(len(pixel_std)).view(-1, 1, 1), False)

    def preprocess(self, x):
        x = (x - self.pixel_mean) / self.pixel_std
        h, w = x.shape[-2:]
        padh = self.image_encoder.img_size - h
        padw = self.image_encoder.img_size - w
        x = F.pad(x, (0, padw, 0, padh))
        return x

    def postprocess_masks(self, masks, input_size, original_size):
        masks = F.interpolate(masks, (self.image_encoder.img_size, self.image_encoder.img_size), mode="bilinear", align_corners=False)
        masks = masks[..., : input_size[0], : input_size[1]]
        masks = F.interpolate(masks, original_size, mode="bilinear", align_corners=False)
        return masks

    def forward(self, batched_input, multimask_output=True):
        input_images = torch.stack([self.preprocess(x["image"]) for x in batched_input], dim=0)
        image_embeddings = self.image_encoder(input_images)
        outputs = []
        for image_record, curr_embedding in zip(batched_input, image_embeddings.unbind(0)):
            if "point_coords" in image_record:
                points = (image_record["point_coords"], image_record["point_labels"])
            else:
                points = None
            sparse, dense = self.prompt_encoder(points=points, boxes=image_record.get("boxes", None), masks=image_record.get("mask_inputs", None))
            low_res_masks, iou_predictions = self.mask_decoder(
                curr_embedding.unsqueeze(0), self.prompt_encoder.get_dense_pe(), sparse, dense, multimask_output=multimask_output
            )
            masks = self.postprocess_masks(low_res_masks, input_size=image_record["image"].shape[-2:], original_size=image_record["original_size"])
            masks = masks > self.mask_threshold
            outputs.append({"masks": masks, "iou_predictions": iou_predictions, "low_res_logits": low_res_masks})
        return outputs


def _build(depth, dim, window, **encoder):
    side = 40 // 8
    return Segmenter(
        image_encoder=ImageEncoder(
            depth=depth, embed_dim=dim, norm_layer=partial(nn.LayerNorm, eps=1e-6), use_rel_pos=True, window_size=window, out_chans=12, **encoder
        ),
        prompt_encoder=PromptEncoder(embed_dim=12, image_embedding_size=(side, side), input_image_size=(40, 40)),
        mask_decoder=MaskDecoder(transformer_dim=12),
    ).eval()


segmenter_registry = {"default": partial(_build, 2, 16, 3), "tiny": lambda: _build(depth=2, dim=16, window=3, global_attn_indexes=(1,))}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = segmenter_registry["tiny"]()

    def forward(self, image, coords, labels):
        batched = [dict(image=image[0], point_coords=coords, point_labels=labels, original_size=(30, 36))]
        outputs = self.net(batched, multimask_output=True)
        masks, scores = zip(*[(o["masks"], o["iou_predictions"]) for o in outputs])
        return masks[0], scores[0]


def example():
    return [(1, 3, 33, 40), (1, 2, 2), (1, 2)]
