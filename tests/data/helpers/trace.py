#!/usr/bin/env python3
# Makes a case of this folder from sources alone, without PyTorch (README.md):
#   trace.py SOURCES PACKAGE CASE
# It stands in for torch and for torch.export: the model runs on tensors that have shapes only, and
# every call of torch becomes the nodes that a default export records for it, with the frames that it
# keeps. What Python's own stack says is the truth. PACKAGE.model has Model and example() -> shapes.
import contextlib
import functools
import json
import linecache
import math
import os
import shutil
import sys
import types
import zipfile

HERE = os.path.abspath(__file__)


class Graph:
    def __init__(self):
        self.nodes, self.shapes, self.inputs, self.specs, self.truth = [], {}, [], [], []
        self.counts, self.stack, self.calls = {}, [], {}

    def number(self, name):
        self.counts[name] = self.counts.get(name, 0) + 1
        return self.counts[name]


G = Graph()
ROOT = None


def value(name, shape):
    G.shapes[name] = list(shape)
    return Tensor(name, shape)


# Frames of the sources as Python 3.12 and later have them: comprehensions of lists, sets and dicts are no functions.
def frames():
    found, frame, inner = [], sys._getframe(1), None
    while frame is not None:
        path = frame.f_code.co_filename
        if path.startswith(ROOT + "/"):
            name = frame.f_code.co_name
            if name in ("<listcomp>", "<setcomp>", "<dictcomp>"):
                inner = inner or frame.f_lineno
            else:
                found.append(("/home/user/" + os.path.relpath(path, ROOT), inner or frame.f_lineno, name, path))
                inner = None
        frame = frame.f_back
    return [f for f in reversed(found) if f[2] != "<module>"]


RANK = {"bool": 0, "int32": 1, "int64": 2, "float32": 3}
KEEPS = set("""add sub mul neg clamp pow view_copy permute_copy unsqueeze_copy squeeze_copy expand_copy select_copy slice_copy split_with_sizes_copy clone
    cat bitwise_and flip amax maximum minimum copy slice_scatter constant_pad_nd repeat""".split())


def promoted(tensors):
    return max((t.dtype for t in tensors), key=RANK.get, default="float32")


def result_type(target, tensors):
    op, flat = target.split(".")[0], [u for t in tensors for u in (t if isinstance(t, (list, tuple)) else [t])]
    if op in ("eq", "ne", "lt", "le", "gt", "ge", "logical_not"): return "bool"
    if op == "cumsum": return "int64" if flat[0].dtype != "float32" else "float32"
    if op in ("index", "index_select"): return flat[0].dtype
    if op == "where": return promoted(flat[1:])
    return promoted(flat) if op in KEEPS else "float32"


class Call:
    def __init__(self, kind, name):
        self.fn = f"{name}_{G.number('fn ' + name)};{kind}.{name}"
        self.origin = f"{name}_{G.counts['fn ' + name]}"
        self.op, self.frames = name, frames()

    def node(self, target, tensors, shapes, constants=(), dtype=None):
        base = "aten_" + target.replace(".", "_")
        n = G.number(base)
        name = base if n == 1 else f"{base}_{n - 1}"
        outputs = [value(name if len(shapes) == 1 else f"{name}_out{i}", s) for i, s in enumerate(shapes)]
        for o in outputs: o.dtype = dtype or result_type(target, tensors)
        inputs = [{"name": f"in{i}", "arg": {"as_tensor": {"name": t.name}} if isinstance(t, Tensor) else
                   {"as_tensors": [{"name": u.name} for u in t]}} for i, t in enumerate(tensors)]
        inputs += [{"name": k, "arg": {"as_ints" if isinstance(v, (list, tuple)) else "as_int": v}} for k, v in constants]
        own = [f for f in self.frames if f[2] == "forward"]
        text = "\n".join(f'  File "{f}", line {line}, in {function}\n    {linecache.getline(path, line).strip()}'
                         for f, line, function, path in own)[2:]
        origin = [{"name": self.origin, "target": f"aten.{self.op.strip('_')}.default", "graph_id": 1, "pass_name": "",
                   "action": "create", "from_node": []}]
        result = {"as_tensor": {"name": outputs[0].name}} if len(outputs) == 1 else \
            {"as_tensors": [{"name": o.name} for o in outputs]}
        metadata = {"nn_module_stack": ";".join(G.stack), "torch_fn": self.fn, "debug_handle": str(len(G.nodes) + 1),
                    "from_node": json.dumps(origin)}
        if text:
            metadata["stack_trace"] = text
        G.nodes.append({"name": name, "target": "executorch.exir.dialects.edge.ops.aten." + target, "inputs": inputs,
                        "outputs": [result], "metadata": metadata})
        G.truth.append((name, len(own), own[-1:] != self.frames[-1:], [f[:3] for f in self.frames]))
        return outputs[0] if len(outputs) == 1 else tuple(outputs)


def broadcast(a, b):
    n = max(len(a), len(b))
    a, b = [1] * (n - len(a)) + list(a), [1] * (n - len(b)) + list(b)
    return [max(x, y) for x, y in zip(a, b)]


def pointwise(kind, name, *args, target=None):
    call = Call(kind, name)
    tensors = [a for a in args if isinstance(a, Tensor)]
    known = target or f"{name}.Tensor"
    kept = result_type(known, tensors)
    if kept != "bool" and (any(isinstance(a, float) for a in args) or known == "div.Tensor"): kept = "float32"
    return call.node(known, tensors, [functools.reduce(broadcast, [t.shape for t in tensors])], dtype=kept)


def moved(call, x, dims):
    result = call.node("permute_copy.default", [x], [[x.shape[d] for d in dims]], [("dims", list(dims))])
    result.is_strided = True
    return result


def dense(call, x):  # a copy, where the elements do not lie in order
    return call.node("clone.default", [x], [x.shape]) if x.is_strided else x


def viewed(call, x, size):
    size = list(size)
    if -1 in size:
        size[size.index(-1)] = math.prod(x.shape) // -math.prod(size)
    return call.node("view_copy.default", [x], [size], [("size", size)])


def reduced(kind, name, x, dim, keepdim):
    dims = list(range(len(x.shape))) if dim is None else [d % len(x.shape) for d in (dim if isinstance(dim, (list, tuple)) else [dim])]
    shape = [1 if i in dims else s for i, s in enumerate(x.shape) if keepdim or i not in dims]
    return Call(kind, name).node(f"{name}.dim", [x], [shape], [("dim", dims)])


def multiplied(kind, x, y):
    call, lead = Call(kind, "matmul"), broadcast(x.shape[:-2], y.shape[:-2])
    wanted = lead + [x.shape[-2], y.shape[-1]]
    if len(lead) < 2: return call.node("bmm.default", [x, y], [wanted])
    sides = [call.node("expand_copy.default", [t], [lead + list(t.shape[-2:])], [("size", lead + list(t.shape[-2:]))]) for t in (x, y)]
    sides = [viewed(call, t, [math.prod(lead)] + list(t.shape[-2:])) for t in sides]
    return viewed(call, call.node("bmm.default", sides, [[math.prod(lead)] + wanted[-2:]]), wanted)


def parted(kind, name, x, sizes, dim):
    shapes = [[s if i == dim % len(x.shape) else old for i, old in enumerate(x.shape)] for s in sizes]
    return Call(kind, name).node("split_with_sizes_copy.default", [x], shapes, [("split_sizes", sizes), ("dim", dim)])


def sliced(call, x, d, start, stop, step):
    shape = x.shape[:d] + (len(range(start, stop, step)),) + x.shape[d + 1:]
    return call.node("slice_copy.Tensor", [x], [shape], [("dim", d), ("start", start), ("end", stop), ("step", step)])


def selected(call, x, d, i):
    return call.node("select_copy.int", [x], [x.shape[:d] + x.shape[d + 1:]], [("dim", d), ("index", i % x.shape[d])])


def softened(kind, x, dim):
    return Call(kind, "softmax").node("_softmax.default", [x], [x.shape], [("dim", dim)])


METHOD, BUILTIN, FUNCTION = "method_descriptor", "builtin_function_or_method", "function"


class Tensor:
    def __init__(self, name, shape):
        self.name, self.shape, self.is_strided, self.dtype = name, tuple(shape), False, "float32"

    device, ndim = types.SimpleNamespace(type="cpu"), property(lambda self: len(self.shape))
    requires_grad = False

    def __add__(self, o): return pointwise(METHOD, "add", self, o)
    __radd__ = lambda self, o: pointwise(METHOD, "add", self, o)
    def __sub__(self, o): return pointwise(METHOD, "sub", self, o)
    def __rsub__(self, o): return pointwise(FUNCTION, "__rsub__", self, o, target="sub.Tensor")
    def __mul__(self, o): return pointwise(METHOD, "mul", self, o)
    __rmul__ = lambda self, o: pointwise(METHOD, "mul", self, o)
    def __truediv__(self, o): return pointwise(METHOD, "div", self, o)
    def __rtruediv__(self, o):
        call = Call(FUNCTION, "__rdiv__")
        return call.node("mul.Tensor", [call.node("reciprocal.default", [self], [self.shape])], [self.shape])
    def __floordiv__(self, o): return pointwise(FUNCTION, "__floordiv__", self, o, target="div.Tensor_mode")
    def __rpow__(self, o): return pointwise(FUNCTION, "__rpow__", self, target="pow.Scalar")
    def __neg__(self): return pointwise(METHOD, "neg", self, target="neg.default")
    def __pow__(self, o): return pointwise(METHOD, "pow", self, target="pow.Tensor_Scalar")
    def __gt__(self, o): return pointwise(METHOD, "gt", self, o)
    def __lt__(self, o): return pointwise(METHOD, "lt", self, o)
    def __ge__(self, o): return pointwise(METHOD, "ge", self, o)
    def __le__(self, o): return pointwise(METHOD, "le", self, o)
    def eq(self, o): return pointwise(METHOD, "eq", self, o)
    def __ne__(self, o): return pointwise(METHOD, "ne", self, o)
    __eq__, __hash__ = eq, object.__hash__
    def __and__(self, o): return pointwise(METHOD, "__and__", self, o, target="bitwise_and.Tensor")
    def __matmul__(self, o): return multiplied(METHOD, self, o)
    mul, add, sub, div, pow, matmul = __mul__, __add__, __sub__, __truediv__, __pow__, __matmul__
    def __iadd__(self, o): return self.become(pointwise(METHOD, "add_", self, o, target="add.Tensor"))
    def __imul__(self, o): return self.become(pointwise(METHOD, "mul_", self, o, target="mul.Tensor"))
    def __isub__(self, o): return self.become(pointwise(METHOD, "sub_", self, o, target="sub.Tensor"))
    def __itruediv__(self, o): return self.become(pointwise(METHOD, "div_", self, o, target="div.Tensor"))
    add_, mul_, sub_, div_ = __iadd__, __imul__, __isub__, __itruediv__
    def __invert__(self): return pointwise(METHOD, "__invert__", self, target="logical_not.default")

    def become(self, other):  # an operator in place: the same object is another value from now on
        self.name, self.shape, self.dtype = other.name, other.shape, other.dtype
        return self

    def size(self, d=None): return self.shape if d is None else self.shape[d]
    def dim(self): return len(self.shape)
    def numel(self): return math.prod(self.shape)
    def __len__(self): return self.shape[0]
    def cast(self, name, dtype):
        return self if dtype in (None, self.dtype) else Call(METHOD, name).node("_to_copy.default", [self], [self.shape], dtype=dtype)

    def to(self, *a, **k):
        wanted = [t.dtype if isinstance(t, Tensor) else t for t in [*a, *k.values()] if isinstance(t, Tensor) or isinstance(t, str) and t in RANK]
        return self.cast("to", wanted[0] if wanted else None)
    def detach(self): return self
    def type_as(self, o): return self.cast("type_as", o.dtype)
    def float(self): return self.cast("float", "float32")
    def int(self): return self.cast("int", "int32")
    def bool(self): return self.cast("bool", "bool")
    def long(self): return self.cast("long", "int64")
    def contiguous(self): return dense(Call(METHOD, "contiguous"), self) if self.is_strided else self
    def view(self, *s): return viewed(Call(METHOD, "view"), self, s[0] if isinstance(s[0], (list, tuple)) else s)
    def view_as(self, other): return viewed(Call(METHOD, "view_as"), self, other.shape)

    def reshape(self, *s):
        call = Call(METHOD, "reshape")
        return viewed(call, dense(call, self), s[0] if isinstance(s[0], (list, tuple)) else s)
    def permute(self, *d): return moved(Call(METHOD, "permute"), self, [i % self.ndim for i in (d[0] if isinstance(d[0], (list, tuple)) else d)])
    def mean(self, dim=None, keepdim=False): return reduced(METHOD, "mean", self, dim, keepdim)
    def sum(self, dim=None, keepdim=False): return reduced(METHOD, "sum", self, dim, keepdim)
    def amax(self, dim=None, keepdim=False): return reduced(METHOD, "amax", self, dim, keepdim)
    def softmax(self, dim): return softened(METHOD, self, dim)

    def transpose(self, a, b):
        dims = list(range(self.ndim))
        dims[a], dims[b] = dims[b], dims[a]
        return moved(Call(METHOD, "transpose"), self, dims)

    def flatten(self, start_dim=0, end_dim=-1):
        start, end = start_dim, end_dim % self.ndim
        size = self.shape[:start] + (math.prod(self.shape[start:end + 1]),) + self.shape[end + 1:]
        return viewed(Call(METHOD, "flatten"), self, size)

    def unsqueeze(self, dim):
        d = dim % (self.ndim + 1)
        return Call(METHOD, "unsqueeze").node("unsqueeze_copy.default", [self], [self.shape[:d] + (1,) + self.shape[d:]], [("dim", d)])

    def squeeze(self, dim):
        d = dim % self.ndim
        return Call(METHOD, "squeeze").node("squeeze_copy.dims", [self], [self.shape[:d] + self.shape[d + 1:]], [("dim", [d])])

    def expand(self, *s):
        s = s[0] if isinstance(s[0], (list, tuple)) else s
        size = [old if new == -1 else new for new, old in zip(s, (1,) * (len(s) - self.ndim) + self.shape)]
        return Call(METHOD, "expand").node("expand_copy.default", [self], [size], [("size", size)])

    def chunk(self, n, dim=0): return parted(METHOD, "chunk", self, [self.shape[dim] // n] * n, dim)
    def split(self, size, dim=0):
        sizes = list(size) if isinstance(size, (list, tuple)) else [size] * (self.shape[dim] // size)
        return parted(FUNCTION, "split", self, sizes, dim)

    def unbind(self, dim=0):
        call, d = Call(METHOD, "unbind"), dim % self.ndim
        shape = self.shape[:d] + self.shape[d + 1:]
        return tuple(call.node("select_copy.int", [self], [shape], [("dim", d), ("index", i)]) for i in range(self.shape[d]))

    def std(self, dim=None, keepdim=False):
        call, dims = Call(METHOD, "std"), [dim % self.ndim]
        shape = [1 if i in dims else n for i, n in enumerate(self.shape) if keepdim or i not in dims]
        return call.node("sqrt.default", [call.node("var.correction", [self], [shape], [("dim", dims)])], [shape])

    def topk(self, k, dim=-1, kind=METHOD):
        d = dim % self.ndim
        shape = self.shape[:d] + (k,) + self.shape[d + 1:]
        return Call(kind, "topk").node("topk.default", [self], [shape, shape], [("k", k), ("dim", d)])

    def cumsum(self, dim): return Call(METHOD, "cumsum").node("cumsum.default", [self], [self.shape], [("dim", dim)])
    def flip(self, *dims, kind=METHOD):
        return Call(kind, "flip").node("flip.default", [self], [self.shape], [("dims", [d % self.ndim for d in dims])])

    def narrow(self, dim, start, length):
        part = sliced(Call(METHOD, "narrow"), self, dim % self.ndim, start, start + length, 1)
        part.__dict__.update(whole=self, whole_name=self.name, place=(dim % self.ndim, start, start + length))
        return part

    def copy_(self, source):  # into a part of another tensor, which is another value from now on
        dim, start, stop = self.place
        call = Call(METHOD, "copy_")
        part = self if self.whole.name == self.whole_name else sliced(call, self.whole, dim, start, stop, 1)
        part = call.node("copy.default", [part, source], [self.shape])
        self.whole.become(call.node("slice_scatter.default", [self.whole, part], [self.whole.shape], [("dim", dim), ("start", start), ("end", stop)]))
        return self.become(part)

    def __setitem__(self, index, source):
        call, known = Call("wrapper_descriptor", "__setitem__"), self.resolved(index)
        dim, i = next((d, i) for d, i in enumerate(known) if i != slice(None))
        part = sliced(call, self, dim, *i.indices(self.shape[dim])) if isinstance(i, slice) else selected(call, self, dim, i)
        constant = [source] if isinstance(source, Tensor) else []
        part = call.node("copy.default", [part] + constant, [part.shape])
        if isinstance(i, slice):
            self.become(call.node("slice_scatter.default", [self, part], [self.shape], [("dim", dim), ("start", i.start or 0), ("end", i.stop)]))
            return
        n, rest = self.shape[dim], [1] * (self.ndim - dim - 1)
        places = viewed(call, call.node("arange.start_step", [], [[n]], [("end", n)]), [1] * dim + [n] + rest)
        chosen = call.node("eq.Scalar", [places], [places.shape], [("other", i % n)])
        wide = call.node("unsqueeze_copy.default", [part], [part.shape[:dim] + (1,) + part.shape[dim:]], [("dim", dim)])
        wide = call.node("expand_copy.default", [wide], [self.shape], [("size", list(self.shape))])
        self.become(call.node("where.self", [chosen, wide, self], [self.shape]))

    def resolved(self, index):
        index = index if isinstance(index, tuple) else (index,)
        at = next((n for n, i in enumerate(index) if i is Ellipsis), None)
        if at is None: return index
        return index[:at] + (slice(None),) * (self.ndim - sum(i is not None for i in index) + 1) + index[at + 1:]

    @property
    def T(self): return moved(Call("method-wrapper", "__get__"), self, list(reversed(range(self.ndim))))

    def clamp(self, min=None, max=None): return pointwise(METHOD, "clamp", self, target="clamp.default")

    def ne(self, o): return pointwise(METHOD, "ne", self, o)
    def lt(self, o): return pointwise(METHOD, "lt", self, o)
    def ge(self, o): return pointwise(METHOD, "ge", self, o)
    def clone(self): return Call(METHOD, "clone").node("clone.default", [self], [self.shape])
    def floor(self): return pointwise(METHOD, "floor", self, target="floor.default")
    def fill_(self, number): return self.become(Call(METHOD, "fill_").node("full_like.default", [self], [self.shape], dtype=self.dtype))
    def index_select(self, dim, index):
        shape = self.shape[:dim] + index.shape + self.shape[dim + 1:]
        return Call(METHOD, "index_select").node("index_select.default", [self, index], [shape], [("dim", dim)])

    def masked_fill_(self, mask, number):
        call = Call(METHOD, "masked_fill_")
        scalar = call.node("scalar_tensor.default", [], [[]])
        return self.become(call.node("where.self", [mask, scalar, self], [self.shape]))

    def new_zeros(self, *size, **k): return created("new_zeros", METHOD)(*size)

    def masked_fill(self, mask, number):
        call = Call(METHOD, "masked_fill")
        scalar = call.node("scalar_tensor.default", [], [[]])
        return call.node("where.self", [mask, scalar, self], [self.shape])

    def __getitem__(self, index):
        call, x, d = Call("wrapper_descriptor", "__getitem__"), self, 0
        for i in self.resolved(index):
            if i is None:
                x = call.node("unsqueeze_copy.default", [x], [x.shape[:d] + (1,) + x.shape[d:]], [("dim", d)])
                d += 1
            elif isinstance(i, slice):
                start, stop, step = i.indices(x.shape[d])
                if (start, stop, step) != (0, x.shape[d], 1): x = sliced(call, x, d, start, stop, step)
                d += 1
            elif isinstance(i, Tensor):
                x = call.node("index.Tensor", [x, i], [x.shape[:d] + i.shape + x.shape[d + 1:]])
                d += i.ndim
            else:
                x = selected(call, x, d, i)
        return x


def unary(name, kind=METHOD):
    return lambda x, *a, **k: pointwise(kind, name, x, target=f"{name}.default")


for _name in "relu sigmoid tanh exp sqrt rsqrt abs sin cos log".split():
    setattr(Tensor, _name, unary(_name))


def cat(tensors, dim=0):
    tensors = list(tensors)
    if isinstance(tensors[0], Plain):
        d = dim % len(tensors[0].shape)
        return Plain([sum(t.shape[d] for t in tensors) if i == d else s for i, s in enumerate(tensors[0].shape)])
    d = dim % tensors[0].ndim
    shape = [sum(t.shape[d] for t in tensors) if i == d else s for i, s in enumerate(tensors[0].shape)]
    return Call(BUILTIN, "cat").node("cat.default", [tensors], [shape], [("dim", d)])


def stack(tensors, dim=0):
    tensors, call = list(tensors), Call(BUILTIN, "stack")
    shape = list(tensors[0].shape)
    shape.insert(dim % (len(shape) + 1), len(tensors))
    flat = call.node("cat.default", [tensors], [[tensors[0].shape[0] * len(tensors)] + list(tensors[0].shape[1:])], [("dim", 0)])
    return viewed(call, flat, shape)


def created(name, kind=BUILTIN):
    def make(*size, **k):
        size = size[0] if isinstance(size[0], (list, tuple)) else size
        return Call(kind, name).node("full.default", [], [size], [("size", list(size))], dtype=k.get("dtype"))
    return make


def arange(*bounds, start=0, end=None, step=1, dtype=None, **k):
    if bounds: start, end, step = {1: (0, *bounds, 1), 2: (*bounds, 1), 3: bounds}[len(bounds)]
    shape = [len(range(start, end, step))]
    if not G.stack: return Plain(shape)
    return Call(BUILTIN, "arange").node("arange.start_step", [], [shape], [("start", start), ("end", end), ("step", step)],
                                        dtype=dtype or ("float32" if any(isinstance(n, float) for n in (start, end, step)) else "int64"))


def linspace(first, last, n):
    call = Call(BUILTIN, "linspace")
    steps = call.node("arange.start_step", [], [[n]], [("end", n)])
    return call.node("add.Tensor", [call.node("mul.Tensor", [steps], [[n]])], [[n]])


def linear(x, weight, bias=None):
    call = Call(BUILTIN, "linear")
    turned = moved(call, weight, [1, 0])
    flat = viewed(call, x, [math.prod(x.shape[:-1]), x.shape[-1]]) if x.ndim > 2 else x
    out = call.node("mm.default" if bias is None else "addmm.default", [flat, turned] if bias is None else [bias, flat, turned],
                    [[flat.shape[0], weight.shape[0]]])
    return viewed(call, out, list(x.shape[:-1]) + [weight.shape[0]]) if x.ndim > 2 else out


def meshgrid(*tensors, indexing="ij"):
    call, shape = Call(FUNCTION, "meshgrid"), [t.shape[0] for t in tensors]
    return tuple(call.node("expand_copy.default", [viewed(call, t, [-1 if j == i else 1 for j in range(len(shape))])], [shape], [("size", shape)])
                 for i, t in enumerate(tensors))


def grid_sample(x, grid, mode="bilinear", padding_mode="zeros", align_corners=None):
    return Call(FUNCTION, "grid_sample").node("grid_sampler_2d.default", [x, grid], [list(x.shape[:2]) + list(grid.shape[1:3])])


def pixel_shuffle(x, n):
    return Call(BUILTIN, "pixel_shuffle").node("pixel_shuffle.default", [x], [[x.shape[0], x.shape[1] // n ** 2] + [s * n for s in x.shape[2:]]], [("upscale_factor", n)])


def triu(x, diagonal=0):
    call = Call(BUILTIN, "triu")
    steps = call.node("arange.start_step", [], [[x.shape[-1]]], dtype="int64")
    return call.node("where.self", [call.node("ge.Tensor", [steps], [x.shape]), x, call.node("scalar_tensor.default", [], [[]])], [x.shape])


def conv2d(x, weight, bias=None, stride=1, padding=0, name="conv2d", dilation=1):
    shape = [x.shape[0], weight.shape[0]] + [(n + 2 * padding - dilation * (k - 1) - 1) // stride + 1 for n, k in zip(x.shape[2:], weight.shape[2:])]
    return Call(BUILTIN, name).node("convolution.default", [x, weight] + ([bias] if bias else []), [shape])


def conv_transpose(x, weight, bias, stride, name):
    shape = [x.shape[0], weight.shape[1]] + [(n - 1) * stride + k for n, k in zip(x.shape[2:], weight.shape[2:])]
    return Call(BUILTIN, name).node("convolution.default", [x, weight, bias], [shape])


def multihead(query, key, value, weight, bias, out_weight, out_bias, heads):
    call, (b, n, c) = Call(FUNCTION, "multi_head_attention_forward"), query.shape
    def split(x, i):
        part = sliced(call, weight, 0, i * c, i * c + c, 1)
        shift = sliced(call, bias, 0, i * c, i * c + c, 1)
        flat = viewed(call, x, [x.shape[0] * x.shape[1], c])
        out = call.node("addmm.default", [shift, flat, moved(call, part, [1, 0])], [flat.shape])
        return moved(call, viewed(call, out, [b, x.shape[1], heads, c // heads]), [0, 2, 1, 3])
    q, k, v = (split(x, i) for i, x in enumerate((query, key, value)))
    scores = call.node("bmm.default", [q, moved(call, k, [0, 1, 3, 2])], [[b, heads, n, key.shape[1]]])
    weights = call.node("_softmax.default", [scores], [scores.shape], [("dim", 3)])
    mixed = viewed(call, dense(call, moved(call, call.node("bmm.default", [weights, v], [q.shape]), [0, 2, 1, 3])), [b * n, c])
    out = call.node("addmm.default", [out_bias, mixed, moved(call, out_weight, [1, 0])], [mixed.shape])
    return viewed(call, out, [b, n, c]), call.node("mean.dim", [weights], [[b, n, key.shape[1]]], [("dim", [1])])


def layer_norm(x, size, weight=None, bias=None, eps=1e-5):
    return Call(FUNCTION, "layer_norm").node("native_layer_norm.default", [x] + [t for t in (weight, bias) if t], [x.shape])


def batch_norm(x, weight, bias, mean, var):
    return Call(FUNCTION, "batch_norm").node("_native_batch_norm_legit_no_training.default", [x, weight, bias, mean, var], [x.shape])


def group_norm(x, groups, weight, bias, eps=1e-5):
    return Call(FUNCTION, "group_norm").node("native_group_norm.default", [x, weight, bias], [x.shape])


def glu(x, dim=-1):
    call, shape = Call(FUNCTION, "glu"), list(x.shape)
    shape[dim] //= 2
    halves = call.node("split_with_sizes_copy.default", [x], [shape, shape], [("split_sizes", [shape[dim]] * 2), ("dim", dim)])
    return call.node("mul.Tensor", [halves[0], call.node("sigmoid.default", [halves[1]], [shape])], [shape])


def softplus(x):
    call = Call(BUILTIN, "softplus")
    grown = call.node("log1p.default", [call.node("exp.default", [x], [x.shape])], [x.shape])
    return call.node("where.self", [call.node("gt.Scalar", [x], [x.shape]), x, grown], [x.shape])


def normalize(x, p=2.0, dim=1, eps=1e-12):
    call, shape = Call(FUNCTION, "normalize"), list(x.shape)
    shape[dim] = 1
    length = call.node("clamp.default", [call.node("linalg_vector_norm.default", [x], [shape], [("dim", [dim % x.ndim])])], [shape])
    return call.node("div.Tensor", [x, call.node("expand_copy.default", [length], [x.shape], [("size", list(x.shape))])], [x.shape])


def silu(x, inplace=False):
    call = Call(FUNCTION, "silu")
    return call.node("mul.Tensor", [x, call.node("sigmoid.default", [x], [x.shape])], [x.shape])


def einsum(equation, *tensors):
    call, (given, wanted) = Call(FUNCTION, "einsum"), equation.replace(" ", "").split("->")
    size = {c: n for word, t in zip(given.split(","), tensors) for c, n in zip(word, t.shape)}
    moved_in = [moved(call, t, range(t.ndim)) for t in tensors]
    return viewed(call, call.node("bmm.default", moved_in, [[math.prod(size[c] for c in wanted)]]), [size[c] for c in wanted])


def attention(q, k, v, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None):
    call = Call(BUILTIN, "scaled_dot_product_attention")
    scores = call.node("bmm.default", [q, k], [list(q.shape[:-1]) + [k.shape[-2]]])
    if attn_mask is not None: scores = call.node("add.Tensor", [scores, attn_mask], [scores.shape])
    weights = call.node("_softmax.default", [scores], [scores.shape], [("dim", q.ndim - 1)])
    return call.node("bmm.default", [weights, v], [list(q.shape[:-1]) + [v.shape[-1]]])


def pooled(kind, name, target):
    def make(x, size, stride=None, padding=0):
        n = stride or size
        return Call(kind, name).node(target, [x], [list(x.shape[:2]) + [(s + 2 * padding - size) // n + 1 for s in x.shape[2:]]])
    return make


def interpolate(input, size=None, scale_factor=None, mode="nearest", align_corners=None, antialias=False):
    x = input
    size = size or [int(s * scale_factor) for s in x.shape[2:]]
    target = "upsample_bilinear2d.vec" if mode == "bilinear" else "upsample_nearest2d.vec"
    return Call(FUNCTION, "interpolate").node(target, [x], [list(x.shape[:2]) + list(size)])


def adaptive_avg_pool2d(x, size):
    if size == 1:  # ATen takes the mean then
        return Call(FUNCTION, "adaptive_avg_pool2d").node("mean.dim", [x], [list(x.shape[:2]) + [1, 1]], [("dim", [-1, -2])])
    return Call(FUNCTION, "adaptive_avg_pool2d").node("_adaptive_avg_pool2d.default", [x], [list(x.shape[:2]) + [size, size]])


def pad(x, widths, mode="constant", value=0):
    shape = list(x.shape)
    for i in range(len(widths) // 2): shape[-1 - i] += widths[2 * i] + widths[2 * i + 1]
    target = {"constant": "constant_pad_nd", "reflect": f"reflection_pad{len(widths) // 2}d"}[mode]
    return Call(FUNCTION, "pad").node(target + ".default", [x], [shape], [("pad", list(widths))])


def embedding(x, weight):
    return Call(FUNCTION, "embedding").node("embedding.default", [weight, x], [list(x.shape) + [weight.shape[1]]])


def where(c, a, b):
    call = Call(BUILTIN, "where")
    sides = [t if isinstance(t, Tensor) else call.node("scalar_tensor.default", [], [[]]) for t in (a, b)]
    return call.node("where.self", [c, *sides], [functools.reduce(broadcast, [t.shape for t in (c, *sides)])])


def dropout(x, p=0.5, training=True): return x


class Parameter:
    requires_grad, dtype = True, "float32"
    def __init__(self, shape): self.shape = tuple(getattr(shape, "shape", shape))
    def size(self, d=None): return self.shape if d is None else self.shape[d]
    def __getitem__(self, index): return Plain(self.shape[1:])
    data = property(lambda self: Plain(self.shape), lambda self, v: None)


class Plain:  # torch.zeros in a constructor
    def __init__(self, shape): self.shape = tuple(shape) if not isinstance(shape, int) else (shape,)
    def float(self): return self
    def size(self, d=None): return self.shape if d is None else self.shape[d]
    def filled(self, *a, **k): return self
    normal_ = zero_ = fill_ = filled
    def __setitem__(self, index, item): pass
    def __neg__(self): return self
    def unsqueeze(self, d): return Plain(self.shape[:d % (len(self.shape) + 1)] + (1,) + self.shape[d % (len(self.shape) + 1):])
    def expand(self, size):
        return Plain([old if new == -1 else new for new, old in zip(size, (1,) * (len(size) - len(self.shape)) + self.shape)])
    def view(self, *size): return Plain(size) if -1 not in size else Plain([math.prod(self.shape) // -math.prod(size) if n == -1 else n for n in size])
    def __getitem__(self, index):
        return Plain((len(range(self.shape[0])[index]),) + self.shape[1:]) if isinstance(index, slice) else Plain(self.shape[1:])
    def combined(self, other): return Plain(broadcast(self.shape, getattr(other, "shape", [])))
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __pow__ = __rpow__ = combined


class Module:
    training = False

    def __init__(self):
        self.__dict__.update(_modules={}, _held={}, _values={})

    def __setattr__(self, name, item):
        self.__dict__.pop(name, None)
        if isinstance(item, Module): self._modules[name] = item
        elif isinstance(item, Parameter): self._held[name] = item
        else: self.__dict__[name] = item

    def __getattr__(self, name):
        d = self.__dict__
        if name in d.get("_values", {}): return d["_values"][name]
        if name in d.get("_modules", {}): return self.held()[name]
        if name in d.get("_held", {}): return d["_held"][name]
        raise AttributeError(name)

    def held(self):  # a module that several hold has the path by which it is reached
        if "_path" in self.__dict__:
            for name, item in self._modules.items():
                if item is not None: item.__dict__["_path"] = f"{self._path}.{name}".lstrip(".")
        return self._modules

    def register_buffer(self, name, item, persistent=True):
        if item is None: self.__dict__[name] = None
        else: self._held[name] = Parameter(item.shape)

    def register_parameter(self, name, item): self.register_buffer(name, item)
    def add_module(self, name, item): setattr(self, name, item)
    def children(self): return iter([m for m in self.held().values() if m is not None])
    def named_children(self): return iter([(n, m) for n, m in self.held().items() if m is not None])
    def modules(self): return iter([self] + [m for c in self.children() for m in c.modules()])
    def apply(self, f): return self
    def parameters(self): return iter([self._values.get(n, p) for m in self.modules() for n, p in m._held.items()
                                       for self in [m]])
    def eval(self): return self

    def paths(self, path=""):
        below = [(n, m) for n, m in self._modules.items() if m is not None]
        return [path] + [p for n, m in below for p in m.paths(f"{path}.{n}".lstrip("."))]

    def settle(self, path=""):
        if "_path" in self.__dict__: return
        self.__dict__["_path"] = path
        below = path + "." if path else ""
        for name, item in self._held.items():
            known = "p_" + (below + name).replace(".", "_")
            self._values[name] = value(known, item.shape)
            G.inputs.append(known)
            G.specs.append({"parameter": {"arg": {"name": known}, "parameter_name": below + name}})
        for name, item in self._modules.items():
            if item is not None: item.settle(below + name)

    def __call__(self, *args, **kwargs):
        cls = type(self)
        kind = vars(cls).get("_torch", f"{cls.__module__}.{cls.__qualname__}")
        n = G.calls[self._path] = G.calls.get(self._path, -1) + 1
        key = "L__self__" + self._path.replace(".", "_") + (f"@{n}" if n else "")
        G.stack.append(f"{key},{self._path},{kind}")
        try: return self.forward(*args, **kwargs)
        finally: G.stack.pop()


def layer(name, where, forward, held=None):
    def init(self, *args, **kwargs):
        Module.__init__(self)
        for key, item in (held(*args, **kwargs) if held else {}).items():
            if isinstance(item, list): self._held[key] = Parameter(item)
            elif item is None: self.__dict__[key] = None
            else: self.__dict__[key] = item
    return type(name, (Module,), {"__init__": init, "forward": forward, "_torch": f"torch.nn.modules.{where}.{name}"})


class Sequential(Module):
    _torch = "torch.nn.modules.container.Sequential"

    def __init__(self, *items):
        super().__init__()
        for i, item in enumerate(items[0].items() if items and isinstance(items[0], dict) else enumerate(items)):
            self._modules[str(item[0])] = item[1]

    def forward(self, x):
        for item in self.held().values(): x = item(x)
        return x

    def __iter__(self): return iter(self.held().values())
    def __len__(self): return len(self._modules)
    def __getitem__(self, i): return list(self.held().values())[i]


class ModuleList(Sequential):
    _torch = "torch.nn.modules.container.ModuleList"

    def __init__(self, items=()): super().__init__(*items)
    def append(self, item): self._modules[str(len(self._modules))] = item
    def extend(self, items):
        for item in items: self.append(item)


class ParameterList(Module):
    _torch = "torch.nn.modules.container.ParameterList"

    def __init__(self, items=()):
        super().__init__()
        for key, item in items.items() if isinstance(items, dict) else enumerate(items): self._held[str(key)] = item

    def __getitem__(self, key): return self._values[str(key)]
    def __len__(self): return len(self._held)
    def __iter__(self): return iter(self._values.values())


class ParameterDict(ParameterList):
    _torch = "torch.nn.modules.container.ParameterDict"


class ModuleDict(Sequential):
    _torch = "torch.nn.modules.container.ModuleDict"

    def __init__(self, items=()): super().__init__(dict(items))
    def __getitem__(self, name): return self.held()[name]
    def items(self): return self.held().items()
    def keys(self): return self._modules.keys()
    def values(self): return self.held().values()
    def __iter__(self): return iter(self._modules)
    def __contains__(self, name): return name in self._modules


def torch_modules():
    torch, nn, functional = (types.ModuleType(n) for n in ("torch", "torch.nn", "torch.nn.functional"))
    for name in "sigmoid tanh exp sqrt rsqrt abs sin cos log relu".split():
        setattr(torch, name, lambda x, f=unary(name, BUILTIN): x if isinstance(x, Plain) else f(x))
    for name in "relu sigmoid tanh".split():
        setattr(functional, name, unary(name, FUNCTION))
    functional.gelu = unary("gelu", BUILTIN)
    functional.silu, functional.linear, functional.conv2d = silu, linear, conv2d
    functional.layer_norm, functional.dropout = layer_norm, dropout
    functional.interpolate, functional.adaptive_avg_pool2d, functional.pad, functional.embedding = interpolate, adaptive_avg_pool2d, pad, embedding
    functional.max_pool2d = pooled(FUNCTION, "max_pool2d", "max_pool2d_with_indices.default")
    functional.avg_pool2d = pooled(BUILTIN, "avg_pool2d", "avg_pool2d.default")
    functional.scaled_dot_product_attention, functional.log_softmax = attention, lambda x, dim: Call(FUNCTION, "log_softmax").node("_log_softmax.default", [x], [x.shape], [("dim", dim)])
    functional.mse_loss = lambda a, b: (lambda c: c.node("mean.dim", [c.node("pow.Tensor_Scalar", [c.node("sub.Tensor", [a, b], [a.shape])], [a.shape])], [[]]))(Call(BUILTIN, "mse_loss"))
    functional.normalize, functional.softplus, functional.glu, functional.group_norm = normalize, softplus, glu, group_norm
    torch.einsum, torch.Size = einsum, tuple
    torch.minimum = lambda x, y: pointwise(BUILTIN, "minimum", x, y, target="minimum.default")
    torch.clamp = lambda x, min=None, max=None: pointwise(BUILTIN, "clamp", x, target="clamp.default")
    functional.leaky_relu, functional.relu6 = unary("leaky_relu", FUNCTION), lambda x: pointwise(FUNCTION, "relu6", x, target="hardtanh.default")
    torch.flatten, torch.transpose, torch.unsqueeze, torch.squeeze = (lambda x, *a, n=n, **k: getattr(x, n)(*a, **k) for n in ("flatten", "transpose", "unsqueeze", "squeeze"))
    torch.pow = lambda x, y: pointwise(BUILTIN, "pow", x, target="pow.Tensor_Scalar")
    torch.flip = lambda x, dims: x.flip(*dims, kind=BUILTIN)
    torch.topk = lambda x, k, dim=-1: x.topk(k, dim, kind=BUILTIN)
    torch.outer = lambda x, y: Plain(x.shape + y.shape)
    torch.chunk, torch.split, torch.unbind = (lambda x, *a, n=n, **k: getattr(x, n)(*a, **k) for n in ("chunk", "split", "unbind"))
    torch.bmm = lambda x, y: Call(BUILTIN, "bmm").node("bmm.default", [x, y], [list(x.shape[:-1]) + [y.shape[-1]]])
    functional.softmax, torch.softmax = (lambda x, dim, dtype=None, kind=kind: softened(kind, x, dim) for kind in (FUNCTION, BUILTIN))
    torch.square = lambda x: pointwise(BUILTIN, "square", x, target="pow.Tensor_Scalar")
    torch.cumsum = lambda x, dim: Call(BUILTIN, "cumsum").node("cumsum.default", [x], [x.shape], [("dim", dim)])
    torch.tril = lambda x, diagonal=0: (lambda c: c.node("where.self", [c.node("le.Tensor", [c.node("arange.start_step", [], [[x.shape[-1]]])], [x.shape]), x,
                                                         c.node("scalar_tensor.default", [], [[]])], [x.shape]))(Call(BUILTIN, "tril"))
    torch.zeros_like = lambda x: Call(BUILTIN, "zeros_like").node("full_like.default", [x], [x.shape])
    torch.full = lambda size, v, **k: created("full")(size)
    torch.linspace, torch.is_tensor = linspace, lambda x: isinstance(x, Tensor)
    torch.jit = types.SimpleNamespace(ignore=lambda f: f, unused=lambda f: f, is_scripting=lambda: False)
    torch.cat, torch.stack, torch.where, torch.arange = cat, stack, where, arange
    torch.matmul = lambda x, y: multiplied(BUILTIN, x, y)
    torch.maximum = lambda x, y: pointwise(BUILTIN, "maximum", x, y, target="maximum.default")
    torch.mean, torch.sum = (lambda x, *a, n=n, **k: getattr(x, n)(*a, **k) for n in ("mean", "sum"))
    torch.mul, torch.add = (lambda x, y, n=n: pointwise(BUILTIN, n, x, y) for n in ("mul", "add"))
    torch.zeros = lambda *s, **k: created("zeros")(*s) if G.stack else Plain(s[0] if isinstance(s[0], (list, tuple)) else s)
    torch.ones = lambda *s, **k: created("ones")(*s) if G.stack else Plain(s[0] if isinstance(s[0], (list, tuple)) else s)
    torch.randn = torch.rand = torch.empty = lambda *s, **k: Plain(s[0] if isinstance(s[0], (list, tuple)) else s)
    torch.Tensor, torch.nn, torch.float32, torch.no_grad = Tensor, nn, "float32", contextlib.nullcontext
    nn.Module, nn.Parameter, nn.Sequential, nn.ModuleList, nn.ModuleDict = Module, Parameter, Sequential, ModuleList, ModuleDict
    nn.functional, nn.ParameterList, nn.ParameterDict = functional, ParameterList, ParameterDict
    nn.Linear = layer("Linear", "linear", lambda self, x: linear(x, self.weight, self._values.get("bias")),
                      lambda i, o, bias=True: {"weight": [o, i], "bias": [o] if bias else None})
    for sides in (1, 2):
        setattr(nn, f"Conv{sides}d", layer(
            f"Conv{sides}d", "conv", lambda self, x, name=f"conv{sides}d": conv2d(x, self.weight, self._values.get("bias"), self.step, self.pad, name, self.apart),
            lambda i, o, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True, sides=sides:
            {"weight": [o, i // groups] + [kernel_size] * sides, "bias": [o] if bias else None, "step": stride, "pad": padding, "apart": dilation}))
        setattr(nn, f"ConvTranspose{sides}d", layer(
            f"ConvTranspose{sides}d", "conv", lambda self, x, name=f"conv_transpose{sides}d": conv_transpose(x, self.weight, self.bias, self.step, name),
            lambda i, o, kernel_size, stride=1, sides=sides: {"weight": [i, o] + [kernel_size] * sides, "bias": [o], "step": stride}))
    nn.MultiheadAttention = layer(
        "MultiheadAttention", "activation",
        lambda self, query, key, value: multihead(query, key, value, self.in_proj_weight, self.in_proj_bias, self.out_weight, self.out_bias, self.heads),
        lambda n, heads, dropout=0.0: {"in_proj_weight": [3 * n, n], "in_proj_bias": [3 * n], "out_weight": [n, n], "out_bias": [n], "heads": heads})
    nn.GroupNorm = layer("GroupNorm", "normalization", lambda self, x: group_norm(x, self.groups, self.weight, self.bias),
                         lambda groups, n, eps=1e-5: {"weight": [n], "bias": [n], "groups": groups})
    nn.Upsample = layer("Upsample", "upsampling", lambda self, x: interpolate(x, self.size, self.scale_factor, self.mode),
                        lambda size=None, scale_factor=None, mode="nearest": {"size": size, "scale_factor": scale_factor, "mode": mode})
    nn.Embedding = layer("Embedding", "sparse", lambda self, x: embedding(x, self.weight), lambda n, width, padding_idx=None: {"weight": [n, width], **({} if padding_idx is None else {"padding_idx": padding_idx})})
    nn.Embedding.padding_idx = None
    nn.LeakyReLU = layer("LeakyReLU", "activation", lambda self, x: functional.leaky_relu(x), lambda negative_slope=0.01, inplace=False: {})
    nn.PixelShuffle = layer("PixelShuffle", "pixelshuffle", lambda self, x: pixel_shuffle(x, self.factor), lambda factor: {"factor": factor})
    nn.AdaptiveAvgPool2d = layer("AdaptiveAvgPool2d", "pooling", lambda self, x: adaptive_avg_pool2d(x, self.side), lambda side: {"side": side})
    nn.MaxPool2d = layer("MaxPool2d", "pooling", lambda self, x: functional.max_pool2d(x, self.side, self.step, self.rim),
                         lambda kernel_size, stride=None, padding=0: {"side": kernel_size, "step": stride, "rim": padding})
    nn.Tanh = layer("Tanh", "activation", lambda self, x: functional.tanh(x), lambda: {})
    nn.Sigmoid = layer("Sigmoid", "activation", lambda self, x: functional.sigmoid(x), lambda: {})
    nn.LayerNorm = layer("LayerNorm", "normalization", lambda self, x: layer_norm(x, None, self.weight, self.bias),
                         lambda n, eps=1e-5: {"weight": [n], "bias": [n]})
    nn.BatchNorm2d = layer("BatchNorm2d", "batchnorm", lambda self, x: batch_norm(x, self.weight, self.bias, self.running_mean, self.running_var),
                           lambda n, eps=1e-5, momentum=0.1: {k: [n] for k in ("weight", "bias", "running_mean", "running_var")})
    nn.BatchNorm1d = type("BatchNorm1d", (nn.BatchNorm2d,), {"_torch": "torch.nn.modules.batchnorm.BatchNorm1d"})
    nn.Identity = layer("Identity", "linear", lambda self, x: x, lambda *a: {})
    nn.Dropout = layer("Dropout", "dropout", lambda self, x: x, lambda p=0.5, inplace=False: {})
    nn.ReLU = layer("ReLU", "activation", lambda self, x: functional.relu(x), lambda inplace=False: {})
    nn.GELU = layer("GELU", "activation", lambda self, x: functional.gelu(x), lambda: {})
    nn.SiLU = layer("SiLU", "activation", lambda self, x: silu(x), lambda inplace=False: {})
    functional.grid_sample, functional.pixel_shuffle = grid_sample, pixel_shuffle
    torch.meshgrid, torch.triu = meshgrid, triu
    torch.erf = unary("erf", BUILTIN)
    torch.div = lambda x, y, rounding_mode=None: pointwise(BUILTIN, "div", x, y, target="div.Tensor_mode" if rounding_mode else None)
    torch.tensor = lambda v, **k: Plain([len(v)] if isinstance(v, (list, tuple)) else [])
    torch.eye = lambda n: Plain([n, n])
    torch.Tensor = type("Tensor", (Tensor,), {"__new__": lambda cls, *s: Plain(s)})
    torch.FloatTensor = torch.LongTensor = Tensor
    torch.flip = lambda x, dims: x if isinstance(x, Plain) else x.flip(*dims, kind=BUILTIN)
    torch.device, torch.dtype = lambda name: types.SimpleNamespace(type=name), str
    torch.float, torch.bool, torch.long, torch.int64, torch.int32 = "float32", "bool", "int64", "int64", "int32"
    torch.finfo = lambda dtype: types.SimpleNamespace(min=-3.4e38, max=3.4e38, eps=1.2e-7)
    torch.no_grad = type("no_grad", (contextlib.ContextDecorator,), {"__enter__": lambda self: self, "__exit__": lambda self, *a: None})
    jit = types.ModuleType("torch.jit")
    jit.__dict__.update(vars(torch.jit), Final=__import__("typing").Final)
    torch.jit = jit
    init, names = types.ModuleType("torch.nn.init"), "xavier_uniform_ kaiming_normal_ normal_ constant_ zeros_ ones_ trunc_normal_"
    for name in names.split(): setattr(init, name, lambda x, *a, **k: x)
    nn.init = init
    utils, check, parts, norms = (types.ModuleType("torch." + n) for n in ("utils", "utils.checkpoint", "nn.modules", "nn.modules.batchnorm"))
    check.checkpoint = lambda f, *a, **k: f(*a)
    torch.utils, utils.checkpoint, nn.modules, parts.batchnorm, norms._BatchNorm = utils, check, parts, norms, nn.BatchNorm2d
    return {"torch": torch, "torch.nn": nn, "torch.nn.functional": functional, "torch.nn.init": init, "torch.jit": jit, "torch.utils": utils,
            "torch.utils.checkpoint": check, "torch.nn.modules": parts, "torch.nn.modules.batchnorm": norms}


def leaves(result):
    if isinstance(result, Tensor): return [result]
    if isinstance(result, dict): return [t for item in result.values() for t in leaves(item)]
    if isinstance(result, (list, tuple)): return [t for item in result for t in leaves(item)]
    return [t for item in vars(result).values() for t in leaves(item)] if hasattr(result, "__dict__") else []


# What nothing reads is not in an exported program.
def remove_unused(returned):
    read, kept = {t.name for t in returned}, []
    for node, truth in reversed(list(zip(G.nodes, G.truth))):
        written = [t["name"] for o in node["outputs"] for t in (o.get("as_tensors") or [o["as_tensor"]])]
        if read.isdisjoint(written): continue
        for i in node["inputs"]:
            read.update(t["name"] for t in i["arg"].get("as_tensors") or ([i["arg"]["as_tensor"]] if "as_tensor" in i["arg"] else []))
        kept.append((node, truth))
    G.nodes, G.truth = ([k[i] for k in reversed(kept)] for i in (0, 1))


def main(sources, package, case):
    global ROOT
    ROOT = os.path.abspath(sources)
    sys.path.insert(0, ROOT)
    sys.dont_write_bytecode = True
    sys.modules.update(torch_modules())
    source = __import__(package + ".model", fromlist=["Model"])
    model = source.Model()
    model.settle()
    inputs = [value(f"x{i}" if i else "x", shape) for i, shape in enumerate(source.example())]
    for x in inputs:
        G.inputs.append(x.name)
        G.specs.append({"user_input": {"arg": {"as_tensor": {"name": x.name}}}})
    returned = leaves(model(*inputs))
    remove_unused(returned + [v for m in model.modules() for v in m._values.values()])
    paths = model.paths()
    program = {
        "graph_module": {
            "graph": {"inputs": [{"as_tensor": {"name": n}} for n in G.inputs],
                      "outputs": [{"as_tensor": {"name": t.name}} for t in returned], "nodes": G.nodes,
                      "tensor_values": {n: {"dtype": 7, "sizes": [{"as_int": s} for s in shape]} for n, shape in G.shapes.items()},
                      "sym_int_values": {}, "sym_bool_values": {}, "is_single_tensor_return": False, "custom_obj_values": {}},
            "signature": {"input_specs": G.specs, "output_specs": []},
            "module_call_graph": [{"fqn": p} for p in paths]},
        "opset_version": {}, "range_constraints": {}, "schema_version": {"major": 8, "minor": 1}, "dialect": "EDGE", "verifiers": []}
    os.makedirs(case, exist_ok=True)
    handles = {str(i): int(n["metadata"]["debug_handle"]) for i, n in enumerate(G.nodes)}
    with zipfile.ZipFile(f"{case}/model.etrecord", "w") as out:
        for name, data in (("ETRECORD_V0", ""), ("edge_dialect_exported_program/forward", json.dumps(program)),
                           ("debug_handle_map", json.dumps({"forward": handles})), ("delegate_map", '{"forward": {}}'),
                           ("instruction_id_to_num_outs_map", '{"forward": {}}')):
            kept = zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0))
            kept.compress_type = zipfile.ZIP_DEFLATED if data else zipfile.ZIP_STORED
            out.writestr(kept, data)
    with open(f"{case}/truth.tsv", "w") as out:
        for name, own, is_lost, real in G.truth:
            out.write(f"{name}\t{own}\t{int(is_lost)}\t" + ";".join(f"{f}:{n}:{function}" for f, n, function in real) + "\n")
    if os.path.abspath(f"{case}/sources") != ROOT:
        shutil.rmtree(f"{case}/sources", ignore_errors=True)
        shutil.copytree(ROOT, f"{case}/sources")
    print(case, len(G.nodes), "nodes,", sum(t[2] for t in G.truth), "lost")


main(*sys.argv[1:])
