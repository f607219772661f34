import torch


def make_grid(nx=20, ny=20):
    yv, xv = torch.meshgrid([torch.arange(ny), torch.arange(nx)], indexing="ij")
    return torch.stack((xv, yv), 2).view((1, 1, ny, nx, 2)).float()


def xywh2xyxy(x):
    """[x, y, w, h] of the centre -> [x1, y1, x2, y2]"""
    y = x.clone()
    y[..., 0] = x[..., 0] - x[..., 2] / 2
    y[..., 1] = x[..., 1] - x[..., 3] / 2
    y[..., 2] = x[..., 0] + x[..., 2] / 2
    y[..., 3] = x[..., 1] + x[..., 3] / 2
    return y


def split_predictions(prediction):
    """Boxes, the score of the best class, and that class."""
    boxes, objectness, classes = xywh2xyxy(prediction[..., :4]), prediction[..., 4:5], prediction[..., 5:]
    conf, label = (classes * objectness).max(-1)
    return boxes, conf, label
