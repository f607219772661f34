import torch
import torch.nn as nn
import torch.nn.functional as F

from .pointnet2_modules import PointNetFeaturePropagation, PointNetSetAbstraction, PointNetSetAbstractionMsg
from .pointnet2_utils import normalize_cloud


class Model(nn.Module):
    """Part segmentation with a multi scale first level."""

    def __init__(self, num_classes=13, normal_channel=True):
        super(Model, self).__init__()
        additional_channel = 3 if normal_channel else 0
        self.normal_channel = normal_channel
        self.sa1 = PointNetSetAbstractionMsg(6, [0.1, 0.2], [8, 16], additional_channel, [[16, 32], [32]])
        self.sa2 = PointNetSetAbstraction(npoint=4, radius=0.4, nsample=4, in_channel=64 + 3, mlp=[64, 96], use_knn=True)
        self.sa3 = PointNetSetAbstraction(npoint=None, radius=None, nsample=None, in_channel=96 + 3, mlp=[128], group_all=True)
        self.fp3 = PointNetFeaturePropagation(in_channel=128 + 96, mlp=[96])
        self.fp2 = PointNetFeaturePropagation(in_channel=96 + 64, mlp=[64])
        self.fp1 = PointNetFeaturePropagation(in_channel=64 + 3 + additional_channel, mlp=[64])
        self.conv1 = nn.Conv1d(64, 64, 1)
        self.bn1 = nn.BatchNorm1d(64)
        self.drop1 = nn.Dropout(0.5)
        self.conv2 = nn.Conv1d(64, num_classes, 1)

    def split_input(self, xyz):
        coords = normalize_cloud(xyz[:, :3, :].permute(0, 2, 1)).permute(0, 2, 1)
        if not self.normal_channel:
            return coords, None
        return coords, xyz[:, 3:, :]

    def forward(self, xyz):
        l0_xyz, normals = self.split_input(xyz)
        l0_points = l0_xyz if normals is None else torch.cat([l0_xyz, normals], dim=1)

        l1_xyz, l1_points = self.sa1(l0_xyz, normals)
        l2_xyz, l2_points = self.sa2(l1_xyz, l1_points)
        l3_xyz, l3_points = self.sa3(l2_xyz, l2_points)

        l2_points = self.fp3(l2_xyz, l3_xyz, l2_points, l3_points)
        l1_points = self.fp2(l1_xyz, l2_xyz, l1_points, l2_points)
        l0_points = self.fp1(l0_xyz, l1_xyz, l0_points, l1_points)

        x = self.drop1(F.relu(self.bn1(self.conv1(l0_points))))
        x = self.conv2(x)
        x = F.log_softmax(x, dim=1)
        return x.permute(0, 2, 1), l3_points


def example():
    return [(2, 6, 64)]
