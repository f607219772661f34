from .layers import *
from .registry import create_model, register_model
