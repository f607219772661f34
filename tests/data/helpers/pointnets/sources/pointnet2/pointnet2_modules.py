import torch
import torch.nn as nn
import torch.nn.functional as F

from .pointnet2_utils import (farthest_point_sample, index_points, query_ball_point, sample_and_group,
                              sample_and_group_all, three_interpolate, three_nn)


def build_shared_mlp(in_channel, mlp, conv, norm):
    convs, bns = nn.ModuleList(), nn.ModuleList()
    for out_channel in mlp:
        convs.append(conv(in_channel, out_channel, 1))
        bns.append(norm(out_channel))
        in_channel = out_channel
    return convs, bns


def run_shared_mlp(x, convs, bns):
    for conv, bn in zip(convs, bns):
        x = F.relu(bn(conv(x)))
    return x


def channels_last(*tensors):
    return tuple(None if t is None else t.permute(0, 2, 1) for t in tensors)


class PointNetSetAbstraction(nn.Module):
    def __init__(self, npoint, radius, nsample, in_channel, mlp, group_all=False, use_knn=False):
        super(PointNetSetAbstraction, self).__init__()
        self.npoint = npoint
        self.radius = radius
        self.nsample = nsample
        self.group_all = group_all
        self.use_knn = use_knn
        self.mlp_convs, self.mlp_bns = build_shared_mlp(in_channel, mlp, nn.Conv2d, nn.BatchNorm2d)

    def group(self, xyz, points):
        if self.group_all:
            return sample_and_group_all(xyz, points)
        return sample_and_group(self.npoint, self.radius, self.nsample, xyz, points, self.use_knn)

    def forward(self, xyz, points):
        """xyz: B x 3 x N, points: B x C x N (or None)  ->  B x 3 x S, B x C' x S"""
        xyz, points = channels_last(xyz, points)
        new_xyz, new_points = self.group(xyz, points)
        new_points = new_points.permute(0, 3, 2, 1)     # B, C, nsample, S
        new_points = run_shared_mlp(new_points, self.mlp_convs, self.mlp_bns)
        new_points = torch.max(new_points, 2)[0]
        return new_xyz.permute(0, 2, 1), new_points


class PointNetSetAbstractionMsg(nn.Module):
    """Multi scale grouping: one ball query and one shared MLP per radius."""

    def __init__(self, npoint, radius_list, nsample_list, in_channel, mlp_list):
        super(PointNetSetAbstractionMsg, self).__init__()
        self.npoint = npoint
        self.radius_list = radius_list
        self.nsample_list = nsample_list
        self.conv_blocks = nn.ModuleList()
        self.bn_blocks = nn.ModuleList()
        for mlp in mlp_list:
            convs, bns = build_shared_mlp(in_channel + 3, mlp, nn.Conv2d, nn.BatchNorm2d)
            self.conv_blocks.append(convs)
            self.bn_blocks.append(bns)

    def _one_scale(self, i, xyz, points, new_xyz):
        idx = query_ball_point(self.radius_list[i], self.nsample_list[i], xyz, new_xyz)
        grouped = index_points(xyz, idx)
        grouped -= new_xyz[:, :, None, :]
        if points is not None:
            grouped = torch.cat([index_points(points, idx), grouped], dim=-1)
        grouped = run_shared_mlp(grouped.permute(0, 3, 2, 1), self.conv_blocks[i], self.bn_blocks[i])
        return grouped.max(dim=2)[0]

    def forward(self, xyz, points):
        xyz, points = channels_last(xyz, points)
        new_xyz = index_points(xyz, farthest_point_sample(xyz, self.npoint))
        scales = [self._one_scale(i, xyz, points, new_xyz) for i in range(len(self.radius_list))]
        return new_xyz.permute(0, 2, 1), torch.cat(scales, dim=1)


class PointNetFeaturePropagation(nn.Module):
    def __init__(self, in_channel, mlp):
        super(PointNetFeaturePropagation, self).__init__()
        self.mlp_convs, self.mlp_bns = build_shared_mlp(in_channel, mlp, nn.Conv1d, nn.BatchNorm1d)

    @staticmethod
    def upsample(xyz, known_xyz, known_points):
        N, S = xyz.shape[1], known_xyz.shape[1]
        if S == 1:
            return known_points.repeat(1, N, 1)
        dist, idx = three_nn(xyz, known_xyz, k=min(3, S))
        return three_interpolate(known_points, idx, dist)

    def forward(self, xyz, known_xyz, points, known_points):
        """Carries known_points (B x C x S) to the places xyz (B x 3 x N), next to the features that are there."""
        new_points = self.upsample(*channels_last(xyz, known_xyz, known_points)).permute(0, 2, 1)
        if points is not None:
            new_points = torch.cat([points, new_points], dim=1)
        return run_shared_mlp(new_points, self.mlp_convs, self.mlp_bns)
