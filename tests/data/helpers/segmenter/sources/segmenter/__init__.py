from .image_encoder import ImageEncoder
