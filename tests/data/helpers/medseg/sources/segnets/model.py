import torch.nn as nn

from .network import DeeplySupervisedUNet

PLAN = dict(
    spatial_dims=3,
    in_channels=2,
    num_classes=4,
    channels=(8, 16, 32),
    strides=(1, 2, (1, 2, 2)),
    num_convs=2,
    act=("leakyrelu", {"negative_slope": 0.01, "inplace": True}),
    norm=("instance", {"eps": 1e-5, "affine": True}),
    dropout=0.1,
    use_gates=True,
    use_se=True,
)


class Model(nn.Module):
    """The network of the plan with the preprocessing and the mirroring of the validation."""

    def __init__(self, plan=None, mirror_axes=(2,)):
        super().__init__()
        self.network = DeeplySupervisedUNet(**(plan or PLAN))
        self.mirror_axes = mirror_axes

    def forward(self, x):
        x = self.network.zscore(x)
        seg_outputs = self.network(x)
        probabilities = self.network.predict_with_mirroring(x, seg_outputs[0], self.mirror_axes)
        return {"seg": probabilities, "aux": seg_outputs[1:]}


def example():
    return [(1, 2, 15, 24, 20)]
