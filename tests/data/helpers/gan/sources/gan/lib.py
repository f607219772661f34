import torch
import torch.nn.functional as F

leak = 0.2
lrelu = lambda x, a=leak: torch.maximum(x, x * a)
pixel_norm = lambda t: t * (t.pow(2).mean(1, keepdim=True) + 1e-8).rsqrt()


def upsample(x, times=1):
    for _ in range(times):
        x = F.interpolate(x, scale_factor=2, mode="nearest")
    return x


def blur(x):
    return F.avg_pool2d(F.pad(x, (1, 1, 1, 1)), 3, 1)


def lerp(a, b, w):
    return a + (b - a) * w


class Style:
    __slots__ = ("w", "layers")

    def __init__(self, w, layers):
        self.w = w
        self.layers = layers

    def __iter__(self):
        for layer in self.layers:
            yield layer, self.split(layer(self.w))

    def __len__(self):
        return len(self.layers)

    @staticmethod
    def split(s):
        gain, bias = s[:, :, None, None].chunk(2, dim=1)
        return 1 + gain, bias

    def __call__(self, index):
        return self.split(self.layers[index](self.w))
