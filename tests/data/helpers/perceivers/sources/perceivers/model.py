from collections import namedtuple
from functools import partial, wraps
from math import log2, pi

import torch
import torch.nn.functional as F
from torch import nn, einsum

# helpers

Intermediates = namedtuple('Intermediates', ['pre_softmax', 'post_softmax'])

def exists(val):
    return val is not None

def default(val, d):
    if exists(val):
        return val
    return d() if callable(d) else d

def cast_tuple(val, depth = 1):
    return val if isinstance(val, tuple) else (val,) * depth

def compact(arr):
    return [*filter(exists, arr)]

def identity(t, *args, **kwargs):
    return t

def always(val):
    def inner(*args, **kwargs):
        return val
    return inner

def once(fn):
    called = False
    @wraps(fn)
    def inner(x):
        nonlocal called
        if called:
            return x
        called = True
        return fn(x)
    return inner

def cache_fn(f):
    cache = None
    @wraps(f)
    def cached_fn(*args, _cache = True, **kwargs):
        if not _cache:
            return f(*args, **kwargs)
        nonlocal cache
        if cache is not None:
            return cache
        cache = f(*args, **kwargs)
        return cache
    return cached_fn

def maybe(fn):
    @wraps(fn)
    def inner(x, *args, **kwargs):
        if not exists(x):
            return x
        return fn(x, *args, **kwargs)
    return inner

def groupby_prefix_and_trim(prefix, d):
    with_prefix = {k: v for k, v in d.items() if k.startswith(prefix)}
    rest = {k: v for k, v in d.items() if not k.startswith(prefix)}
    return {k[len(prefix):]: v for k, v in with_prefix.items()}, rest

def l2norm(t, groups = 1):
    t = t.reshape(*t.shape[:-1], groups, -1)
    t = F.normalize(t, p = 2, dim = -1)
    return t.reshape(*t.shape[:-2], -1)

def split_heads(t, h):
    b, n, _ = t.shape
    return t.reshape(b, n, h, -1).transpose(1, 2)

merge_heads = lambda t: t.transpose(1, 2).flatten(2)

def fourier_encode(x, max_freq, num_bands = 2):
    x = x.unsqueeze(-1)
    orig_x = x
    scales = torch.linspace(1., max_freq / 2, num_bands)
    scales = scales[(*((None,) * (len(x.shape) - 1)), Ellipsis)]
    x = x * scales * pi
    x = torch.cat([x.sin(), x.cos()], dim = -1)
    x = torch.cat((x, orig_x), dim = -1)
    return x

# helper classes

class PreNorm(nn.Module):
    def __init__(self, dim, fn, context_dim = None):
        super().__init__()
        self.fn = fn
        self.norm = nn.LayerNorm(dim)
        self.norm_context = nn.LayerNorm(context_dim) if exists(context_dim) else None

    def forward(self, x, **kwargs):
        x = self.norm(x)

        if exists(self.norm_context):
            context = kwargs['context']
            normed_context = self.norm_context(context)
            kwargs.update(context = normed_context)

        return self.fn(x, **kwargs)

class Residual(nn.Module):
    def __init__(self, dim, scale_residual = False):
        super().__init__()
        self.residual_scale = nn.Parameter(torch.ones(dim)) if scale_residual else None

    def forward(self, x, residual):
        if exists(self.residual_scale):
            residual = residual * self.residual_scale
        return x + residual

class Scale(nn.Module):
    def __init__(self, value, fn):
        super().__init__()
        self.value = value
        self.fn = fn

    def forward(self, x, **kwargs):
        out = self.fn(x, **kwargs)
        scale_fn = lambda t: t * self.value
        if not isinstance(out, tuple):
            return scale_fn(out)
        return (scale_fn(out[0]), *out[1:])

class GEGLU(nn.Module):
    def forward(self, x):
        x, gates = x.chunk(2, dim = -1)
        return x * F.gelu(gates)

class ReluSquared(nn.Module):
    def forward(self, x):
        return F.relu(x) ** 2

class FeedForward(nn.Module):
    def __init__(self, dim, mult = 2, glu = True, no_bias = False):
        super().__init__()
        activation = GEGLU() if glu else ReluSquared()
        self.net = nn.Sequential(*compact([
            nn.Linear(dim, dim * mult * (2 if glu else 1), bias = not no_bias),
            activation,
            nn.Dropout(0.) if glu else None,
            nn.Linear(dim * mult, dim)
        ]))

    def forward(self, x):
        return self.net(x)

class Attention(nn.Module):
    def __init__(self, query_dim, context_dim = None, heads = 4, dim_head = 4, qk_norm = False, talking_heads = False, gate_values = False):
        super().__init__()
        inner_dim = dim_head * heads
        context_dim = default(context_dim, query_dim)

        self.scale = dim_head ** -0.5
        self.heads = heads
        self.qk_norm = qk_norm

        self.to_q = nn.Linear(query_dim, inner_dim, bias = False)
        self.to_kv = nn.Linear(context_dim, inner_dim * 2, bias = False)
        self.to_out = nn.Linear(inner_dim, query_dim)
        self.pre_softmax = nn.Parameter(torch.randn(heads, heads)) if talking_heads else None

        self.to_v_gate = None
        if gate_values:
            self.to_v_gate = nn.Linear(query_dim, inner_dim)

    def forward(self, x, context = None, mask = None, rel_pos = None, return_intermediates = False):
        h, scale, has_context = self.heads, self.scale, exists(context)

        q = self.to_q(x)
        context = default(context, x)
        k, v = self.to_kv(context).chunk(2, dim = -1)

        q, k, v = map(lambda t: split_heads(t, h), (q, k, v))

        if self.qk_norm:
            qk_l2norm = partial(l2norm, groups = 1)
            q, k = map(qk_l2norm, (q, k))
            scale = 10

        dots = einsum('b h i d, b h j d -> b h i j', q, k) * scale

        if exists(rel_pos):
            dots = rel_pos(dots)

        pre_softmax_attn = dots

        if exists(self.pre_softmax):
            dots = einsum('b h i j, h k -> b k i j', dots, self.pre_softmax)

        if exists(mask):
            mask_value = -1e4
            dots = dots.masked_fill(~mask, mask_value)

        attn = dots.softmax(dim = -1)
        post_softmax_attn = attn

        out = einsum('b h i j, b h j d -> b h i d', attn, v)
        out = merge_heads(out)

        if exists(self.to_v_gate):
            gates = self.to_v_gate(x)
            out = out * gates.sigmoid()

        out = self.to_out(out)

        if not return_intermediates:
            return out

        return out, Intermediates(pre_softmax = pre_softmax_attn, post_softmax = post_softmax_attn)

class AlibiBias(nn.Module):
    def __init__(self, heads, **kwargs):
        super().__init__()
        self.heads = heads
        self.slopes = nn.Parameter(torch.randn(heads, 1, 1))

    def get_bias(self, i, j):
        i_arange = torch.arange(j - i, j)
        j_arange = torch.arange(j)
        return -(j_arange[None, None, :] - i_arange[None, :, None]).abs()

    def forward(self, qk_dots):
        h, i, j = qk_dots.shape[-3:]
        bias = self.get_bias(i, j)
        bias = bias * self.slopes
        return qk_dots + bias

class AttentionLayers(nn.Module):
    def __init__(self, dim, depth, heads = 4, cross_attend = False, macaron = False, alibi_pos_bias = False, scale_residual = False, **kwargs):
        super().__init__()
        attn_kwargs, kwargs = groupby_prefix_and_trim('attn_', kwargs)
        ff_kwargs, kwargs = groupby_prefix_and_trim('ff_', kwargs)

        self.rel_pos = AlibiBias(heads) if alibi_pos_bias else always(None)
        if cross_attend:
            default_block = ('a', 'c', 'f')
        else:
            default_block = ('a', 'f')
        if macaron:
            default_block = ('f',) + default_block

        self.layer_types = default_block * depth
        self.layers = nn.ModuleList([])

        for layer_type in self.layer_types:
            if layer_type == 'a':
                layer = Attention(dim, heads = heads, **attn_kwargs)
            elif layer_type == 'c':
                layer = Attention(dim, heads = heads, qk_norm = True)
            elif layer_type == 'f':
                layer = FeedForward(dim, **ff_kwargs)
                layer = layer if not macaron else Scale(0.5, layer)
            else:
                raise Exception(f'invalid layer type {layer_type}')

            residual_fn = partial(Residual, scale_residual = scale_residual)
            norms = nn.ModuleList([nn.LayerNorm(dim), None if layer_type == 'c' else nn.Identity()])
            self.layers.append(nn.ModuleList([norms, layer, residual_fn(dim)]))

        self.final_norm = nn.LayerNorm(dim)

    def forward(self, x, context = None, mask = None, return_hiddens = False):
        hiddens = []
        intermediates = []

        for ind, (layer_type, (norms, block, residual_fn)) in enumerate(zip(self.layer_types, self.layers)):
            is_last = ind == (len(self.layers) - 1)
            pre_norm, post_norm = norms
            if return_hiddens:
                hiddens.append(x)
            residual = x

            if exists(pre_norm):
                x = pre_norm(x)

            if layer_type == 'a':
                out, inter = block(x, mask = mask, rel_pos = self.rel_pos, return_intermediates = True)
            elif layer_type == 'c':
                out, inter = block(x, context = context, return_intermediates = True)
            elif layer_type == 'f':
                out = block(x)

            if exists(post_norm):
                out = post_norm(out)

            x = residual_fn(out, residual)

            if layer_type in ('a', 'c'):
                intermediates.append(inter)

        x = self.final_norm(x)
        if return_hiddens:
            return x, hiddens, intermediates
        return x

class Resampler(nn.Module):
    def __init__(self, *, dim, num_latents = 3, depth = 2, weight_tie_layers = True, self_per_cross_attn = 1):
        super().__init__()
        self.latents = nn.Parameter(torch.randn(num_latents, dim))

        get_cross_attn = lambda: PreNorm(dim, Attention(dim, dim + 5, heads = 2, talking_heads = True), context_dim = dim + 5)
        get_cross_ff = lambda: PreNorm(dim, FeedForward(dim))
        get_latent_attn = lambda: PreNorm(dim, Attention(dim, gate_values = True))
        get_latent_ff = lambda: PreNorm(dim, FeedForward(dim, glu = False))

        self.layers = nn.ModuleList([])
        for i in range(depth):
            self_attns = nn.ModuleList([])
            for block_ind in range(self_per_cross_attn):
                self_attns.append(nn.ModuleList([get_latent_attn(), get_latent_ff()]))
            self.layers.append(nn.ModuleList([get_cross_attn(), get_cross_ff(), self_attns]))

    def forward(self, data, mask = None):
        x = self.latents.unsqueeze(0).expand(data.shape[0], -1, -1)

        for cross_attn, cross_ff, self_attns in self.layers:
            x = cross_attn(x, context = data, mask = mask) + x
            x = cross_ff(x) + x

            for self_attn, self_ff in self_attns:
                x = self_attn(x) + x
                x = self_ff(x) + x

        return x

class Model(nn.Module):
    def __init__(self, dim = 16):
        super().__init__()
        self.resampler = Resampler(dim = dim)
        self.attend = AttentionLayers(dim, 1, cross_attend = True, macaron = True, alibi_pos_bias = True, scale_residual = True, ff_glu = False, attn_gate_values = True)
        self.pool = once(lambda t: t.mean(dim = 1))

    def encode_positions(self, x):
        pos = torch.linspace(-1., 1., x.shape[1])
        enc = fourier_encode(pos, 8.)
        return torch.cat((x, enc.expand(x.shape[0], -1, -1)), dim = -1)

    def forward(self, x, context = None, return_embeddings = False):
        data = self.encode_positions(x)
        latents = self.resampler(data)
        context = maybe(lambda t: t + 1)(context)
        out, hiddens, intermediates = self.attend(latents, context = default(context, lambda: latents[:, 1:]), return_hiddens = True)
        attn = torch.stack([i.post_softmax.mean(dim = 1)[..., 0] for i in intermediates])
        if return_embeddings:
            return out
        return self.pool(out) + self.pool(hiddens[-1]), attn

def example():
    return [(1, 4, 16)]
