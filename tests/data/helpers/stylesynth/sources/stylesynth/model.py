import torch

from . import util

cfg_specs = {
    "tiny":  dict(res=8, fmaps=0.5, map=2, clamp=None),
    "small": dict(res=16, fmaps=1, map=2, clamp=256),
}


def setup_generator_kwargs(cfg="small", c_dim=5):
    spec = util.EasyDict(cfg_specs[cfg])
    args = util.EasyDict(class_name=f"{__package__}.networks.Generator", z_dim=16, w_dim=16, c_dim=c_dim)
    args.update(img_resolution=spec.res, img_channels=3)
    args.mapping_kwargs = util.EasyDict(num_layers=spec.map)
    args.synthesis_kwargs = util.EasyDict(channel_base=int(spec.fmaps * 128), channel_max=16, conv_clamp=spec.clamp)
    return args


class Model(torch.nn.Module):
    def __init__(self, cfg="small", truncation_psi=0.7):
        super().__init__()
        self.G_ema = util.construct_class_by_name(**setup_generator_kwargs(cfg)).eval().requires_grad_(False)
        self.truncation_psi = truncation_psi

    def forward(self, z, c):
        img = self.G_ema(z, c, truncation_psi=self.truncation_psi, truncation_cutoff=3, noise_mode="const")
        return self.to_pixels(img)

    @staticmethod
    def to_pixels(img):
        return (img.permute(0, 2, 3, 1) * 127.5 + 128).clamp(0, 255)


def example():
    return [(2, 16), (2, 5)]
