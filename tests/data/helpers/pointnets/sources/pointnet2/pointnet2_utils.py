"""Functional part of the network: distances, sampling, grouping and interpolation.

Clouds are channel-last in this file: coordinates B x N x 3, features B x N x C.
"""
import torch


def normalize_cloud(pc):
    """Center each cloud and scale it into the unit sphere."""
    pc = pc - torch.mean(pc, dim=1, keepdim=True)
    radius = pc.norm(dim=-1, keepdim=True).max(dim=1, keepdim=True)[0]
    return pc / (radius + 1e-8)


def square_distance(a, b):
    """|a - b|^2 = |a|^2 - 2ab + |b|^2 for all pairs; a is B x N x C, b is B x M x C, the result B x N x M."""
    dist = -2.0 * a @ b.transpose(1, 2)
    dist += (a ** 2).sum(dim=-1, keepdim=True)
    dist += torch.sum(b ** 2, dim=-1).unsqueeze(1)
    return dist


def batch_index(idx):
    """The number of the batch at every place of idx (for advanced indexing)."""
    B = idx.shape[0]
    numbers = torch.arange(B, dtype=torch.long, device=idx.device)
    for _ in range(idx.dim() - 1):
        numbers = numbers.unsqueeze(-1)
    return numbers.repeat(1, *idx.shape[1:])


def index_points(points, idx):
    """points[b, idx[b, ...]], idx may have any number of dimensions behind the batch."""
    return points[batch_index(idx), idx, :]


def gather_neighbours(points, idx):
    """index_points for B x S x K only, on top of torch.gather (faster in the backward pass)."""
    B, S, K = idx.shape
    C = points.shape[-1]
    flat = idx.reshape(B, S * K)[..., None].expand(-1, -1, C)
    return torch.gather(points, 1, flat).view(B, S, K, C)


def farthest_point_sample(xyz, npoint):
    """Greedy farthest point sampling, B x npoint indices.  Starts at point 0 so that it is deterministic."""
    B, N, _ = xyz.shape
    rows = torch.arange(B, dtype=torch.long, device=xyz.device)
    last = torch.zeros(B, dtype=torch.long, device=xyz.device)
    nearest = torch.full((B, N), 1e10, device=xyz.device)
    picked = [last]
    while len(picked) < npoint:
        center = xyz[rows, last].unsqueeze(1)
        nearest = torch.min(nearest, ((xyz - center) ** 2).sum(-1))
        last = nearest.max(dim=-1)[1]
        picked.append(last)
    return torch.stack(picked, dim=1)


def query_ball_point(radius, nsample, xyz, new_xyz):
    """Up to nsample points of xyz inside the ball around each point of new_xyz, the first one repeated
    where the ball has fewer: B x S x nsample."""
    B, N, _ = xyz.shape
    S = new_xyz.shape[1]
    outside = square_distance(new_xyz, xyz) > radius ** 2
    candidates = torch.arange(N, dtype=torch.long, device=xyz.device).expand(B, S, N)
    candidates = candidates.masked_fill(outside, N)
    group_idx = candidates.sort(dim=-1)[0][:, :, :nsample]
    first = group_idx[:, :, :1].expand_as(group_idx)
    return torch.where(group_idx == N, first, group_idx)


def knn_point(k, xyz, new_xyz):
    _, group_idx = torch.topk(square_distance(new_xyz, xyz), k, dim=-1, largest=False, sorted=False)
    return group_idx


def sample_and_group(npoint, radius, nsample, xyz, points, use_knn=False):
    """Pick npoint centers and collect their neighbourhoods.

    Returns the centers, B x S x 3, and the neighbourhoods in local coordinates with the features behind
    them, B x S x nsample x (3 + C).
    """
    new_xyz = index_points(xyz, farthest_point_sample(xyz, npoint))
    idx = knn_point(nsample, xyz, new_xyz) if use_knn else query_ball_point(radius, nsample, xyz, new_xyz)
    local_xyz = index_points(xyz, idx) - new_xyz.unsqueeze(2)
    if points is None:
        return new_xyz, local_xyz
    return new_xyz, torch.cat([local_xyz, gather_neighbours(points, idx)], dim=-1)


def sample_and_group_all(xyz, points):
    """The whole cloud as a single group around the origin."""
    new_xyz = torch.zeros(xyz.shape[0], 1, xyz.shape[-1], device=xyz.device)
    grouped = xyz if points is None else torch.cat([xyz, points], dim=-1)
    return new_xyz, grouped.unsqueeze(1)


def three_nn(unknown, known, k=3):
    dist, idx = square_distance(unknown, known).sort(dim=-1)
    return dist[..., :k], idx[..., :k]


def three_interpolate(points, idx, dist, eps=1e-8):
    """Features of the known points, weighted by the inverse distance to each unknown point."""
    weight = 1.0 / (dist + eps)
    weight = weight / torch.sum(weight, dim=-1, keepdim=True)
    return (gather_neighbours(points, idx) * weight.unsqueeze(-1)).sum(dim=2)
