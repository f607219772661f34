from typing import Any, Dict, List

import torch
from torch import nn
from torch.nn import functional as F

from .image_encoder import ImageEncoderViT
from .mask_decoder import MaskDecoder
from .prompt_encoder import PromptEncoder


class Outliner(nn.Module):
    mask_threshold: float = 0.0

    def __init__(self, image_encoder, prompt_encoder, mask_decoder, pixel_mean: List[float], pixel_std: List[float]) -> None:
        super().__init__()
        self.image_encoder = image_encoder
        self.prompt_encoder = prompt_encoder
        self.mask_decoder = mask_decoder
        self.register_buffer("pixel_mean", torch.Tensor(len(pixel_mean)).view(-1, 1, 1), False)
        self.register_buffer("pixel_std", torch.Tensor(len(pixel_std)).view(-1, 1, 1), False)

    def forward(self, batched_input: Dict[str, Any], multimask_output: bool = False) -> Dict[str, torch.Tensor]:
        input_images = self.preprocess(batched_input["image"])
        image_embeddings = self.image_encoder(input_images)
        sparse_embeddings, dense_embeddings = self.prompt_encoder(
            points=(batched_input["point_coords"], batched_input["point_labels"]),
            boxes=batched_input.get("boxes", None),
        )
        low_res_masks, iou_predictions = self.mask_decoder(
            image_embeddings=image_embeddings,
            image_pe=self.prompt_encoder.get_dense_pe(),
            sparse_prompt_embeddings=sparse_embeddings,
            dense_prompt_embeddings=dense_embeddings,
            multimask_output=multimask_output,
        )
        masks = self.postprocess_masks(low_res_masks, batched_input["image"].shape[-2:])
        return {"masks": masks > self.mask_threshold, "iou_predictions": iou_predictions, "low_res_logits": low_res_masks}

    def postprocess_masks(self, masks: torch.Tensor, input_size) -> torch.Tensor:
        size = self.image_encoder.img_size
        masks = F.interpolate(masks, (size, size), mode="bilinear", align_corners=False)
        return masks[..., : input_size[0], : input_size[1]]

    def preprocess(self, x: torch.Tensor) -> torch.Tensor:
        """Normalize pixel values and pad to a square input."""
        x = (x - self.pixel_mean) / self.pixel_std
        h, w = x.shape[-2:]
        padh = self.image_encoder.img_size - h
        padw = self.image_encoder.img_size - w
        return F.pad(x, (0, padw, 0, padh))


def _build_outliner(prompt_embed_dim=16, image_size=64, vit_patch_size=8, **encoder_kwargs) -> Outliner:
    image_embedding_size = image_size // vit_patch_size
    return Outliner(
        image_encoder=ImageEncoderViT(
            img_size=image_size, patch_size=vit_patch_size, out_chans=prompt_embed_dim, **encoder_kwargs
        ),
        prompt_encoder=PromptEncoder(
            embed_dim=prompt_embed_dim,
            image_embedding_size=(image_embedding_size, image_embedding_size),
            input_image_size=(image_size, image_size),
        ),
        mask_decoder=MaskDecoder(transformer_dim=prompt_embed_dim),
        pixel_mean=[123.675, 116.28, 103.53],
        pixel_std=[58.395, 57.12, 57.375],
    )


def build_outliner_vit_t() -> Outliner:
    return _build_outliner(embed_dim=32, depth=1, num_heads=2, window_size=5)


outliner_model_registry = {"default": build_outliner_vit_t, "vit_t": build_outliner_vit_t}


class Model(nn.Module):
    """What is exported: one image and its points."""

    def __init__(self, model_type: str = "vit_t") -> None:
        super().__init__()
        self.outliner = outliner_model_registry[model_type]()

    def forward(self, image, point_coords, point_labels):
        return self.outliner({"image": image, "point_coords": point_coords, "point_labels": point_labels})


def example():
    return (1, 3, 48, 64), (1, 2, 2), (1, 2)
