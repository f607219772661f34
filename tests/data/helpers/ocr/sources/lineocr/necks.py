import torch
import torch.nn.functional as F
from torch import nn

from .common import NECKS, ConvBNLayer, Mlp


class Im2Seq(nn.Module):
    def __init__(self, in_channels, **kwargs):
        super(Im2Seq, self).__init__()
        self.out_channels = in_channels

    def forward(self, x):
        B, C, H, W = x.shape
        assert H == 1
        x = x.reshape(B, C, H * W)
        x = x.permute(0, 2, 1)  # (NTC)(batch, width, channels)
        return x


class Attention(nn.Module):
    def __init__(self, dim, num_heads=8, mixer="Global", HW=(1, 32), local_k=(1, 7), qkv_bias=True):
        super(Attention, self).__init__()
        self.num_heads = num_heads
        self.head_dim = dim // num_heads
        self.scale = self.head_dim**-0.5
        self.qkv = nn.Linear(dim, dim * 3, bias=qkv_bias)
        self.proj = nn.Linear(dim, dim)
        self.mixer = mixer
        if mixer == "Local":
            self.mask = self._local_mask(HW, local_k)

    @staticmethod
    def _local_mask(HW, local_k):
        H, W = HW
        hk, wk = local_k
        mask = torch.ones([H * W, H + hk - 1, W + wk - 1])
        for h in range(0, H):
            for w in range(0, W):
                mask[h * W + w, h:h + hk, w:w + wk] = 0.
        mask = mask[:, hk // 2:H + hk // 2, wk // 2:W + wk // 2].flatten(1)
        mask_inf = torch.full([H * W, H * W], float("-inf"))
        mask = torch.where(mask < 1, mask, mask_inf)
        return mask.unsqueeze(0).unsqueeze(1)

    def _project(self, x):
        B, N, C = x.shape
        qkv = self.qkv(x).reshape(B, N, 3, self.num_heads, self.head_dim).permute(2, 0, 3, 1, 4)
        q, k, v = qkv[0] * self.scale, qkv[1], qkv[2]
        return q, k, v

    def _mix(self, q, k, v):
        attn = torch.matmul(q, k.permute(0, 1, 3, 2))
        if self.mixer == "Local":
            attn += self.mask
        attn = F.softmax(attn, dim=-1)
        return torch.matmul(attn, v)

    def forward(self, x):
        B, N, C = x.shape
        x = self._mix(*self._project(x))
        x = x.permute(0, 2, 1, 3).reshape(B, N, C)
        return self.proj(x)


class Block(nn.Module):
    def __init__(self, dim, num_heads, mixer="Global", HW=None, mlp_ratio=2., act="swish", prenorm=False):
        super(Block, self).__init__()
        self.norm1 = nn.LayerNorm(dim, eps=1e-6)
        self.mixer = Attention(dim, num_heads=num_heads, mixer=mixer, HW=HW)
        self.norm2 = nn.LayerNorm(dim, eps=1e-6)
        self.mlp = Mlp(in_features=dim, hidden_features=int(dim * mlp_ratio), act=act)
        self.prenorm = prenorm

    def _sublayer(self, x, norm, fn):
        if self.prenorm:
            return norm(x + fn(x))
        return x + fn(norm(x))

    def forward(self, x):
        x = self._sublayer(x, self.norm1, self.mixer)
        x = self._sublayer(x, self.norm2, self.mlp)
        return x


class EncoderWithSVTR(nn.Module):
    def __init__(self, in_channels, dims=48, hidden_dims=32, mixers=("Local",), num_heads=4, width=32, use_guide=False):
        super(EncoderWithSVTR, self).__init__()
        self.use_guide = use_guide
        self.conv1 = ConvBNLayer(in_channels, in_channels // 2, (1, 3), padding=(0, 1), act="swish")
        self.conv2 = ConvBNLayer(in_channels // 2, hidden_dims, 1, act="swish")
        self.svtr_block = nn.ModuleList([
            Block(hidden_dims, num_heads, mixer=mixer, HW=(1, width)) for mixer in mixers
        ])
        self.norm = nn.LayerNorm(hidden_dims, eps=1e-6)
        self.conv3 = ConvBNLayer(hidden_dims, in_channels, 1, act="swish")
        self.conv4 = ConvBNLayer(2 * in_channels, in_channels // 2, (1, 3), padding=(0, 1), act="swish")
        self.conv1x1 = ConvBNLayer(in_channels // 2, dims, 1, act="swish")
        self.out_channels = dims

    def global_mixing(self, z):
        # flatten, transformer blocks, back to a map
        B, C, H, W = z.shape
        z = z.flatten(2).transpose(1, 2)
        for blk in self.svtr_block:
            z = blk(z)
        z = self.norm(z)
        return z.reshape(B, H, W, C).permute(0, 3, 1, 2)

    def forward(self, x):
        z = x.detach() if self.use_guide else x
        # for short cut
        h = z
        z = self.conv2(self.conv1(z))
        z = self.global_mixing(z)
        z = self.conv3(z)
        z = torch.cat((h, z), dim=1)
        return self.conv1x1(self.conv4(z))


@NECKS.register_module()
class SequenceEncoder(nn.Module):
    support_encoder_dict = {
        "reshape": Im2Seq,
        "svtr": EncoderWithSVTR,
    }

    def __init__(self, in_channels, encoder_type, **kwargs):
        super(SequenceEncoder, self).__init__()
        self.encoder_reshape = Im2Seq(in_channels)
        self.out_channels = self.encoder_reshape.out_channels
        self.encoder_type = encoder_type
        if encoder_type == "reshape":
            self.only_reshape = True
        else:
            assert encoder_type in self.support_encoder_dict
            self.encoder = self.support_encoder_dict[encoder_type](self.encoder_reshape.out_channels, **kwargs)
            self.out_channels = self.encoder.out_channels
            self.only_reshape = False

    def forward(self, x):
        if self.encoder_type != "svtr":
            x = self.encoder_reshape(x)
            if not self.only_reshape:
                x = self.encoder(x)
            return x
        return self.encoder_reshape(self.encoder(x))
