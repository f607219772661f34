import torch
import torch.nn as nn
import torch.nn.functional as F

from .builder import HEADS, build_conv_layer


def flat_softmax(featmaps, beta=1.0):
    """Softmax over all places of every map."""
    _, n, h, w = featmaps.shape
    heatmaps = F.softmax((featmaps * beta).reshape(-1, n, h * w), dim=2)
    return heatmaps.reshape(-1, n, h, w)


def linear_expectation(heatmaps, linspace, dim):
    """Mean place along one axis: the other one is summed up, the rest weighted."""
    marginal = heatmaps.sum(dim=dim)
    return (marginal * linspace).sum(dim=-1, keepdim=True)


def soft_argmax(heatmaps):
    h, w = heatmaps.shape[2:]
    pred_x = linear_expectation(heatmaps, torch.linspace(0.0, w - 1.0, w), dim=2)
    pred_y = linear_expectation(heatmaps, torch.linspace(0.0, h - 1.0, h), dim=3)
    return torch.cat([pred_x, pred_y], dim=-1)


def get_max_preds(heatmaps):
    n, k, h, w = heatmaps.shape
    maxvals, idx = torch.max(heatmaps.reshape(n, k, -1), dim=2, keepdim=True)
    preds = torch.cat([idx % w, idx // w], dim=2).float()
    return torch.where(maxvals > 0.0, preds, torch.full_like(preds, -1.0)), maxvals


def transform_preds(coords, scale, output_size, center):
    """From the heatmap back to the picture."""
    scale_x, scale_y = scale[0] / output_size[0], scale[1] / output_size[1]
    target_coords = torch.ones_like(coords)
    target_coords[..., 0] = coords[..., 0] * scale_x + center[:, :1] - scale[0] * 0.5
    target_coords[..., 1] = coords[..., 1] * scale_y + center[:, 1:] - scale[1] * 0.5
    return target_coords


@HEADS.register_module()
class TopdownHeatmapSimpleHead(nn.Module):

    def __init__(self, in_channels, out_channels, in_index=0, extra=None, test_cfg=None):
        super().__init__()
        self.in_index, self.test_cfg = in_index, test_cfg or {}
        kernel_size = (extra or {}).get('final_conv_kernel', 1)
        self.final_layer = build_conv_layer(None, in_channels, out_channels, kernel_size, padding=kernel_size // 2)

    def _transform_inputs(self, inputs):
        return inputs[self.in_index] if isinstance(inputs, (list, tuple)) else inputs

    def forward(self, x):
        return self.final_layer(self._transform_inputs(x))

    def inference_model(self, x):
        return self.forward(x)

    def decode(self, heatmaps, img_size, center):
        kind = self.test_cfg.get('post_process', 'default')
        preds, maxvals = get_max_preds(heatmaps)
        if kind == 'integral':
            preds = soft_argmax(flat_softmax(heatmaps, self.test_cfg.get('beta', 10.0)))
        output_size = (heatmaps.shape[3], heatmaps.shape[2])
        preds = transform_preds(preds, img_size, output_size, center)
        return dict(preds=torch.cat([preds, maxvals], dim=2), boxes=self._enclosing(preds))

    @staticmethod
    def _enclosing(preds):
        lo, hi = preds.amin(dim=1), preds.amax(dim=1)
        return torch.cat([lo, hi - lo], dim=-1)
