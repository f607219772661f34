from .core import DNN, PredictionLayer
from .interaction import *
