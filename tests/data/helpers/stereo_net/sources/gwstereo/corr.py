import torch
import torch.nn.functional as F

from .utils import linear_sampler


class CorrBlock1D:
    def __init__(self, fmap1, fmap2, num_levels=2, radius=2):
        self.num_levels = num_levels
        self.radius = radius
        self.corr_pyramid = []

        # all pairs correlation along the epipolar line
        corr = CorrBlock1D.corr(fmap1, fmap2)
        batch, h1, w1, dim, w2 = corr.shape
        corr = corr.reshape(batch*h1*w1, dim, 1, w2)

        self.corr_pyramid.append(corr)
        for i in range(self.num_levels - 1):
            corr = F.avg_pool2d(corr, [1, 2], stride=[1, 2])
            self.corr_pyramid.append(corr)

    def __call__(self, coords):
        r = self.radius
        coords = coords[:, :1].permute(0, 2, 3, 1)
        batch, h1, w1, _ = coords.shape

        out_pyramid = []
        dx = torch.linspace(-r, r, 2*r+1, device=coords.device)
        for i in range(self.num_levels):
            corr = self.corr_pyramid[i]
            x = dx.view(1, -1) + coords.reshape(batch*h1*w1, 1) / 2**i
            corr = linear_sampler(corr.view(batch*h1*w1, -1), x)
            out_pyramid.append(corr.view(batch, h1, w1, -1))

        out = torch.cat(out_pyramid, dim=-1)
        return out.permute(0, 3, 1, 2).contiguous().float()

    @staticmethod
    def corr(fmap1, fmap2):
        B, D, H, W1 = fmap1.shape
        _, _, _, W2 = fmap2.shape
        fmap1 = fmap1.view(B, D, H, W1)
        fmap2 = fmap2.view(B, D, H, W2)
        corr = torch.einsum('aijk,aijh->ajkh', fmap1, fmap2)
        corr = corr.reshape(B, H, W1, 1, W2).contiguous()
        return corr / torch.sqrt(torch.tensor(D).float())


CORR_IMPLEMENTATIONS = {'reg': CorrBlock1D}
