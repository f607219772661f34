from torch import nn

from .factory import create_model


class Model(nn.Module):
    """Deployment wrapper: a tuple instead of the dictionary."""

    def __init__(self, name: str = "tiny-coca-B/16"):
        super().__init__()
        self.clip = create_model(name)

    def forward(self, image, text):
        out = self.clip(image, text)
        return out["logits_per_image"], out["image_features"], out["text_features"]


def example():
    return [(2, 3, 64, 64), ((3, 12), "int64")]
