"""Operations on images: filters that resample, convolutions with them, bias and activation in one."""
import math

import torch

from . import util

activation_funcs = {
    "linear":  util.EasyDict(func=lambda x, **_: x,                                             def_alpha=0,   def_gain=1),
    "relu":    util.EasyDict(func=lambda x, **_: torch.nn.functional.relu(x),                   def_alpha=0,   def_gain=math.sqrt(2)),
    "lrelu":   util.EasyDict(func=lambda x, alpha, **_: torch.nn.functional.leaky_relu(x, alpha), def_alpha=0.2, def_gain=math.sqrt(2)),
    "tanh":    util.EasyDict(func=lambda x, **_: torch.tanh(x),                                 def_alpha=0,   def_gain=1),
    "sigmoid": util.EasyDict(func=lambda x, **_: torch.sigmoid(x),                              def_alpha=0,   def_gain=1),
    "swish":   util.EasyDict(func=lambda x, **_: torch.sigmoid(x) * x,                          def_alpha=0,   def_gain=math.sqrt(2)),
}


@util.profiled_function
def bias_act(x, b=None, dim=1, act="linear", alpha=None, gain=None, clamp=None):
    assert clamp is None or clamp >= 0
    spec = activation_funcs[act]
    alpha = float(alpha if alpha is not None else spec.def_alpha)
    gain = float(gain if gain is not None else spec.def_gain)

    # Add bias.
    if b is not None:
        x = x + b.reshape([-1 if i == dim else 1 for i in range(x.ndim)])

    # Evaluate activation function, scale by gain, clamp.
    x = spec.func(x, alpha=alpha)
    if gain != 1:
        x = x * gain
    if clamp is not None:
        x = x.clamp(-clamp, clamp)
    return x


def _parse_scaling(scaling):
    sx, sy = [scaling, scaling] if isinstance(scaling, int) else scaling
    assert sx >= 1 and sy >= 1
    return sx, sy


def _parse_padding(padding):
    padding = [padding, padding] if isinstance(padding, int) else list(padding)
    if len(padding) == 2:
        px, py = padding
        padding = [px, px, py, py]
    return padding


def _get_filter_size(f):
    if f is None:
        return 1, 1
    return int(f.shape[-1]), int(f.shape[0])


def setup_filter(f, normalize=True, gain=1, separable=None):
    f = torch.as_tensor(f if f is not None else [1], dtype=torch.float32)
    if separable is None:
        separable = f.ndim == 1 and f.numel() >= 8
    if f.ndim == 1 and not separable:
        f = f.ger(f)
    if normalize:
        f = f / f.sum()
    return f * (gain ** (f.ndim / 2))


@util.profiled_function
def upfirdn2d(x, f, up=1, down=1, padding=0, flip_filter=False, gain=1):
    """Pad, upsample, filter, and downsample a batch of 2D images."""
    batch_size, num_channels, in_height, in_width = x.shape
    upx, upy = _parse_scaling(up)
    downx, downy = _parse_scaling(down)
    padx0, padx1, pady0, pady1 = _parse_padding(padding)

    # Upsample by inserting zeros.
    x = x.reshape([batch_size, num_channels, in_height, 1, in_width, 1])
    x = torch.nn.functional.pad(x, [0, upx - 1, 0, 0, 0, upy - 1])
    x = x.reshape([batch_size, num_channels, in_height * upy, in_width * upx])

    # Pad or crop.
    x = torch.nn.functional.pad(x, [max(padx0, 0), max(padx1, 0), max(pady0, 0), max(pady1, 0)])
    x = x[:, :, max(-pady0, 0) : x.shape[2] - max(-pady1, 0), max(-padx0, 0) : x.shape[3] - max(-padx1, 0)]

    # Setup filter.
    f = f * (gain ** (f.ndim / 2))
    f = f.to(x.dtype)
    if not flip_filter:
        f = f.flip(list(range(f.ndim)))

    # Convolve with the filter.
    f = f[None, None].repeat([num_channels, 1] + [1] * f.ndim)
    if f.ndim == 4:
        x = torch.nn.functional.conv2d(x, f, groups=num_channels)
    else:
        x = torch.nn.functional.conv2d(x, f.unsqueeze(2), groups=num_channels)
        x = torch.nn.functional.conv2d(x, f.unsqueeze(3), groups=num_channels)

    # Downsample by throwing away pixels.
    return x[:, :, ::downy, ::downx]


def upsample2d(x, f, up=2, padding=0, flip_filter=False, gain=1):
    upx, upy = _parse_scaling(up)
    padx0, padx1, pady0, pady1 = _parse_padding(padding)
    fw, fh = _get_filter_size(f)
    p = [
        padx0 + (fw + upx - 1) // 2,
        padx1 + (fw - upx) // 2,
        pady0 + (fh + upy - 1) // 2,
        pady1 + (fh - upy) // 2,
    ]
    return upfirdn2d(x, f, up=up, padding=p, flip_filter=flip_filter, gain=gain * upx * upy)


def _conv2d_wrapper(x, w, stride=1, padding=0, groups=1, transpose=False, flip_weight=True):
    if not flip_weight:  # conv2d() actually performs correlation, so an unflipped weight has to be flipped
        w = w.flip([2, 3])
    op = torch.nn.functional.conv_transpose2d if transpose else torch.nn.functional.conv2d
    return op(x, w, stride=stride, padding=padding, groups=groups)


@util.profiled_function
def conv2d_resample(x, w, f=None, up=1, padding=0, groups=1, flip_weight=True):
    out_channels, in_channels_per_group, kh, kw = w.shape
    fw, fh = _get_filter_size(f)
    px0, px1, py0, py1 = _parse_padding(padding)

    # Fast path: no resampling, the padding is left to the convolution.
    if up == 1 and px0 == px1 and py0 == py1:
        return _conv2d_wrapper(x, w, padding=[py0, px0], groups=groups, flip_weight=flip_weight)

    # 1x1 convolution first, then the filter.
    px0, px1 = px0 + (fw + up - 1) // 2, px1 + (fw - up) // 2
    py0, py1 = py0 + (fh + up - 1) // 2, py1 + (fh - up) // 2
    if kw == 1 and kh == 1:
        x = _conv2d_wrapper(x, w, groups=groups, flip_weight=flip_weight)
        return upfirdn2d(x, f, up=up, padding=[px0, px1, py0, py1], gain=up ** 2)

    # Upsampling: transpose strided convolution.
    if groups == 1:
        w = w.transpose(0, 1)
    else:
        w = w.reshape(groups, out_channels // groups, in_channels_per_group, kh, kw)
        w = w.transpose(1, 2)
        w = w.reshape(groups * in_channels_per_group, out_channels // groups, kh, kw)
    px0, px1, py0, py1 = px0 - (kw - 1), px1 - (kw - up), py0 - (kh - 1), py1 - (kh - up)
    pxt, pyt = max(min(-px0, -px1), 0), max(min(-py0, -py1), 0)
    x = _conv2d_wrapper(x, w, stride=up, padding=[pyt, pxt], groups=groups, transpose=True, flip_weight=not flip_weight)
    return upfirdn2d(x, f, padding=[px0 + pxt, px1 + pxt, py0 + pyt, py1 + pyt], gain=up ** 2)
