from .configuration_murmur import MurmurConfig
from .modeling_murmur import MurmurForConditionalGeneration


class Model(MurmurForConditionalGeneration):
    def __init__(self):
        super().__init__(MurmurConfig(attn_implementation="eager"))


def example():
    return [(1, 16, 32), ((1, 32), "int64"), ((1, 8), "int64")]
