from .model import DPTDepthModel, Model
