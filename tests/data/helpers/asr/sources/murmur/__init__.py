from .decoding import DecodingOptions, DecodingResult, decode
from .model import Model, ModelDimensions

__version__ = "20250114"
