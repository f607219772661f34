import torch
import torch.nn as nn

from .builder import BACKBONES, HEADS, POSENETS

channel_cfg = dict(num_output_channels=17, image_size=(64, 96))
model = dict(
    type='TopDown',
    backbone=dict(
        type='HRNet',
        in_channels=3,
        extra=dict(
            stage1=dict(num_modules=1, num_branches=1, block='BOTTLENECK', num_blocks=(1, ), num_channels=(16, )),
            stage2=dict(num_modules=1, num_branches=2, block='BASIC', num_blocks=(1, 1), num_channels=(16, 32)),
            stage3=dict(num_modules=1, num_branches=3, block='BASIC', num_blocks=(1, 1, 1), num_channels=(16, 32, 64)))),
    keypoint_head=dict(
        type='TopdownHeatmapSimpleHead',
        in_channels=16,
        out_channels=channel_cfg['num_output_channels'],
        extra=dict(final_conv_kernel=1)),
    test_cfg=dict(post_process='integral', beta=10.0))


class BasePose(nn.Module):

    def forward(self, img, center=None, return_loss=False, **kwargs):
        if return_loss:
            return self.forward_train(img, **kwargs)
        return self.forward_test(img, center, **kwargs)


@POSENETS.register_module()
class TopDown(BasePose):

    def __init__(self, backbone, keypoint_head, test_cfg=None):
        super().__init__()
        self.backbone = BACKBONES.build(backbone)
        self.keypoint_head = HEADS.build(keypoint_head, test_cfg=test_cfg)
        self.register_buffer('pixel_mean', torch.tensor([123.675, 116.28, 103.53]).view(1, 3, 1, 1))
        self.register_buffer('pixel_std', torch.tensor([58.395, 57.12, 57.375]).view(1, 3, 1, 1))

    def extract_feat(self, img):
        return self.backbone((img - self.pixel_mean) / self.pixel_std)

    def forward_train(self, img, **kwargs):
        return self.keypoint_head(self.extract_feat(img))

    def forward_test(self, img, center=None, **kwargs):
        output_heatmap = self.keypoint_head.inference_model(self.extract_feat(img))
        result = self.keypoint_head.decode(output_heatmap, (img.shape[3], img.shape[2]), center)
        result['output_heatmap'] = output_heatmap
        return result


class Model(nn.Module):

    def __init__(self, cfg=None):
        super().__init__()
        self.posenet = POSENETS.build(cfg or model)

    def forward(self, img, center):
        result = self.posenet(img, center)
        return result['preds'], result['boxes']


def example():
    w, h = channel_cfg['image_size']
    return [(1, 3, h, w), (1, 2)]
