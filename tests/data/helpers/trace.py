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
        self.constants, self.forced, self.root = {}, [], None

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
    cat bitwise_and bitwise_or flip amax amin max min maximum minimum copy slice_scatter constant_pad_nd repeat sort topk round remainder
    unfold_copy""".split())


def promoted(tensors):
    return max((t.dtype for t in tensors), key=RANK.get, default="float32")


def result_type(target, tensors):
    op, flat = target.split(".")[0], [u for t in tensors for u in (t if isinstance(t, (list, tuple)) else [t])]
    if op in ("eq", "ne", "lt", "le", "gt", "ge", "logical_not", "logical_and", "logical_or"): return "bool"
    if op in ("argmax", "argmin", "bucketize"): return "int64"
    if op in ("cumsum", "sum"): return "int64" if flat[0].dtype != "float32" else "float32"
    if op in ("index", "index_select", "index_put", "gather"): return flat[0].dtype
    if op == "where": return promoted(flat[1:])
    return promoted(flat) if op in KEEPS or target == "div.Tensor_mode" else "float32"


# A tensor that is no parameter and no buffer (an attribute of a plain object, say) becomes a constant of the program.
def lifted(item):
    if not isinstance(item, Plain): return item
    if id(item) not in G.constants:
        known = next((f"{m._traced_path}.{n}".lstrip(".") for m in G.root.modules() for n, v in vars(m).items() if v is item), None)
        known = known or f"lifted_tensor_{len(G.constants)}"
        tensor = value("c_" + known.replace(".", "_"), item.shape)
        at = next((i for i, spec in enumerate(G.specs) if "user_input" in spec), len(G.specs))
        G.inputs.insert(at, tensor.name)
        G.specs.insert(at, {"tensor_constant": {"arg": {"name": tensor.name}, "tensor_constant_name": known}})
        G.constants[id(item)] = (item, tensor)
    return G.constants[id(item)][1]


class Call:
    def __init__(self, kind, name):
        kind = G.forced[-1] if G.forced else kind
        self.fn = f"{name}_{G.number('fn ' + name)};{kind}.{name}"
        self.origin = f"{name}_{G.counts['fn ' + name]}"
        self.op, self.frames = name, frames()

    def node(self, target, tensors, shapes, constants=(), dtype=None):
        base = "aten_" + target.replace(".", "_")
        n = G.number(base)
        tensors = [[lifted(u) for u in t] if isinstance(t, (list, tuple)) else lifted(t) for t in tensors]
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
    args = [lifted(a) for a in args]
    tensors = [a for a in args if isinstance(a, Tensor)]
    known = target or f"{name}.Tensor"
    kept = result_type(known, tensors)
    if kept != "bool" and (any(isinstance(a, float) for a in args) or known == "div.Tensor"): kept = "float32"
    return call.node(known, tensors, [functools.reduce(broadcast, [t.shape for t in tensors])], dtype=kept)


def dense_strides(shape):
    return [math.prod(shape[i + 1:]) for i in range(len(shape))]


def laid(x, strides):  # a view has the strides of its whole, not those of a tensor of its own
    x.strides = list(strides)
    return x


def moved(call, x, dims):
    return laid(call.node("permute_copy.default", [x], [[x.shape[d] for d in dims]], [("dims", list(dims))]), [x.strides[d] for d in dims])


def widened(call, x, size):
    more = len(size) - x.ndim
    strides = [0] * more + [n if old == new else 0 for n, old, new in zip(x.strides, x.shape, size[more:])]
    return laid(call.node("expand_copy.default", [x], [size], [("size", size)]), strides)


def dense(call, x):  # a copy, where the elements do not lie in order
    return call.node("clone.default", [x], [x.shape]) if x.is_strided else x


def sized(x, size):
    return [math.prod(x.shape) // -math.prod(size) if n == -1 else n for n in size]


def viewed(call, x, size):
    size = sized(x, size)
    return call.node("view_copy.default", [x], [size], [("size", size)])


# Whether the strides allow this shape without a copy (computeStride of ATen).
def is_viewable(x, size):
    left, chunk, base = len(size) - 1, 1, x.strides[-1] if x.shape else 1
    for d in reversed(range(x.ndim)):
        chunk *= x.shape[d]
        if d == 0 or x.shape[d - 1] != 1 and x.strides[d - 1] != chunk * base:
            count = 1
            while left >= 0 and (count < chunk or size[left] == 1):
                count *= size[left]
                left -= 1
            if count != chunk: return False
            chunk, base = 1, x.strides[d - 1]
    return True


def reshaped(call, x, size):
    size = sized(x, size)
    return viewed(call, x if is_viewable(x, size) else dense(call, x), size)


def collapsed(x, dim, keepdim):
    dims = list(range(x.ndim)) if dim is None else [d % x.ndim for d in (dim if isinstance(dim, (list, tuple)) else [dim])]
    return dims, [1 if i in dims else n for i, n in enumerate(x.shape) if keepdim or i not in dims]


def reduced(kind, name, x, dim, keepdim):
    dims, shape = collapsed(x, dim, keepdim)
    target = {"sum": "sum.dim_IntList", "amax": "amax.default", "amin": "amin.default"}.get(name, f"{name}.dim")
    return Call(kind, name).node(target, [x], [shape], [("dim", dims)])


def variance(call, x, dim, keepdim):
    dims, shape = collapsed(x, dim, keepdim)
    return call.node("var.correction", [x], [shape], [("dim", dims)])


def multiplied(kind, x, y):
    call, x, y = Call(kind, "matmul"), lifted(x), lifted(y)
    lead = broadcast(x.shape[:-2], y.shape[:-2])
    wanted = lead + [x.shape[-2], y.shape[-1]]
    if y.ndim == 2:
        flat = viewed(call, x, [math.prod(x.shape[:-1]), x.shape[-1]]) if x.ndim > 2 else x
        out = call.node("mm.default", [flat, y], [[flat.shape[0], y.shape[-1]]])
        return viewed(call, out, wanted) if x.ndim > 2 else out
    if len(lead) < 2: return call.node("bmm.default", [x, y], [wanted])
    sides = [call.node("expand_copy.default", [t], [lead + list(t.shape[-2:])], [("size", lead + list(t.shape[-2:]))]) for t in (x, y)]
    sides = [viewed(call, t, [math.prod(lead)] + list(t.shape[-2:])) for t in sides]
    return viewed(call, call.node("bmm.default", sides, [[math.prod(lead)] + wanted[-2:]]), wanted)


def parted(kind, name, x, sizes, dim):
    shapes = [[s if i == dim % len(x.shape) else old for i, old in enumerate(x.shape)] for s in sizes]
    parts = Call(kind, name).node("split_with_sizes_copy.default", [x], shapes, [("split_sizes", sizes), ("dim", dim)])
    return tuple(laid(part, x.strides) for part in (parts if isinstance(parts, tuple) else (parts,)))


def sliced(call, x, d, start, stop, step):
    shape = x.shape[:d] + (len(range(start, stop, step)),) + x.shape[d + 1:]
    part = call.node("slice_copy.Tensor", [x], [shape], [("dim", d), ("start", start), ("end", stop), ("step", step)])
    return laid(part, x.strides[:d] + [x.strides[d] * step] + x.strides[d + 1:])


def selected(call, x, d, i):
    return call.node("select_copy.int", [x], [x.shape[:d] + x.shape[d + 1:]], [("dim", d), ("index", i % x.shape[d])])


def softened(kind, x, dim):
    return Call(kind, "softmax").node("_softmax.default", [x], [x.shape], [("dim", dim)])


METHOD, BUILTIN, FUNCTION = "method_descriptor", "builtin_function_or_method", "function"


class Tensor:
    def __init__(self, name, shape):
        self.name, self.shape, self.strides, self.dtype = name, tuple(shape), dense_strides(shape), "float32"

    device, ndim = types.SimpleNamespace(type="cpu"), property(lambda self: len(self.shape))
    requires_grad = False
    is_strided = property(lambda self: any(n != 1 and a != b for n, a, b in zip(self.shape, self.strides, dense_strides(self.shape))))

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
    def __mod__(self, o): return pointwise(METHOD, "remainder", self, o, target="remainder.Tensor" if isinstance(o, Tensor) else "remainder.Scalar")
    def __and__(self, o): return pointwise(METHOD, "__and__", self, o, target="bitwise_and.Tensor")
    def __matmul__(self, o): return multiplied(METHOD, self, o)
    mul, add, sub, pow, matmul = __mul__, __add__, __sub__, __pow__, __matmul__
    def div(self, o, rounding_mode=None): return pointwise(METHOD, "div", self, o, target="div.Tensor_mode" if rounding_mode else None)
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
    def type(self, dtype): return self.cast("type", dtype)
    def type_as(self, o): return self.cast("type_as", o.dtype)
    def float(self): return self.cast("float", "float32")
    def int(self): return self.cast("int", "int32")
    def bool(self): return self.cast("bool", "bool")
    def long(self): return self.cast("long", "int64")
    def contiguous(self): return dense(Call(METHOD, "contiguous"), self) if self.is_strided else self
    def view(self, *s): return viewed(Call(METHOD, "view"), self, s[0] if isinstance(s[0], (list, tuple)) else s)
    def view_as(self, other): return viewed(Call(METHOD, "view_as"), self, other.shape)

    def reshape(self, *s): return reshaped(Call(METHOD, "reshape"), self, s[0] if isinstance(s[0], (list, tuple)) else s)

    def unflatten(self, dim, sizes):
        d = dim % self.ndim
        sizes = [self.shape[d] // -math.prod(sizes) if n == -1 else n for n in sizes]
        return viewed(Call(FUNCTION, "unflatten"), self, [*self.shape[:d], *sizes, *self.shape[d + 1:]])

    def unfold(self, dimension, size, step):
        d, known = dimension % self.ndim, self.strides
        shape = self.shape[:d] + ((self.shape[d] - size) // step + 1,) + self.shape[d + 1:] + (size,)
        part = Call(METHOD, "unfold").node("unfold_copy.default", [self], [shape], [("dimension", d), ("size", size), ("step", step)])
        return laid(part, known[:d] + [known[d] * step] + known[d + 1:] + [known[d]])

    def repeat(self, *times):
        times = times[0] if isinstance(times[0], (list, tuple)) else times
        old = (1,) * (len(times) - self.ndim) + self.shape
        return Call(METHOD, "repeat").node("repeat.default", [self], [[n * t for n, t in zip(old, times)]], [("repeats", list(times))])

    def select(self, dim, index): return selected(Call(METHOD, "select"), self, dim % self.ndim, index)
    def permute(self, *d): return moved(Call(METHOD, "permute"), self, [i % self.ndim for i in (d[0] if isinstance(d[0], (list, tuple)) else d)])
    def mean(self, dim=None, keepdim=False): return reduced(METHOD, "mean", self, dim, keepdim)
    def sum(self, dim=None, keepdim=False): return reduced(METHOD, "sum", self, dim, keepdim)
    def amax(self, dim=None, keepdim=False): return reduced(METHOD, "amax", self, dim, keepdim)
    def amin(self, dim=None, keepdim=False): return reduced(METHOD, "amin", self, dim, keepdim)
    def softmax(self, dim): return softened(METHOD, self, dim)
    def log_softmax(self, dim): return Call(METHOD, "log_softmax").node("_log_softmax.default", [self], [self.shape], [("dim", dim)])

    def transpose(self, a, b):
        dims = list(range(self.ndim))
        dims[a], dims[b] = dims[b], dims[a]
        return moved(Call(METHOD, "transpose"), self, dims)

    def flatten(self, start_dim=0, end_dim=-1):
        start, end = start_dim % self.ndim, end_dim % self.ndim
        if start == end: return self
        size = self.shape[:start] + (math.prod(self.shape[start:end + 1]),) + self.shape[end + 1:]
        return reshaped(Call(METHOD, "flatten"), self, size)

    def unsqueeze(self, dim):
        d = dim % (self.ndim + 1)
        return Call(METHOD, "unsqueeze").node("unsqueeze_copy.default", [self], [self.shape[:d] + (1,) + self.shape[d:]], [("dim", d)])

    def squeeze(self, dim):
        d = dim % self.ndim
        return Call(METHOD, "squeeze").node("squeeze_copy.dims", [self], [self.shape[:d] + self.shape[d + 1:]], [("dim", [d])])

    def expand(self, *s):
        s = s[0] if isinstance(s[0], (list, tuple)) else s
        size = [old if new == -1 else new for new, old in zip(s, (1,) * (len(s) - self.ndim) + self.shape)]
        return widened(Call(METHOD, "expand"), self, size)

    def expand_as(self, other): return widened(Call(METHOD, "expand_as"), self, list(other.shape))

    def gather(self, dim, index):
        return Call(METHOD, "gather").node("gather.default", [self, index], [index.shape], [("dim", dim)])

    def found(self, name, dim, keepdim):  # max and min of all, of two tensors, or along a dimension
        if isinstance(dim, (Tensor, Plain)): return pointwise(METHOD, name, self, dim, target=f"{name}imum.default")
        if dim is None: return Call(METHOD, name).node(f"{name}.default", [self], [[]])
        dims, shape = collapsed(self, dim, keepdim)
        return Pair(Call(METHOD, name).node(f"{name}.dim", [self], [shape, shape], [("dim", dims[0])]))

    def max(self, dim=None, keepdim=False): return self.found("max", dim, keepdim)
    def min(self, dim=None, keepdim=False): return self.found("min", dim, keepdim)

    def position(self, name, dim, keepdim):
        dims, shape = collapsed(self, dim, keepdim)
        return Call(METHOD, name).node(f"{name}.default", [self], [shape], [] if dim is None else [("dim", dims[0])])

    def argmax(self, dim=None, keepdim=False): return self.position("argmax", dim, keepdim)
    def argmin(self, dim=None, keepdim=False): return self.position("argmin", dim, keepdim)

    def ordered(self, name, dim, descending):
        order = [("dim", dim % self.ndim), ("descending", int(descending))]
        return Pair(Call(METHOD, name).node("sort.default", [self], [self.shape, self.shape], order))

    def sort(self, dim=-1, descending=False): return self.ordered("sort", dim, descending)
    def argsort(self, dim=-1, descending=False): return self.ordered("argsort", dim, descending).indices
    def clamp_min(self, min): return pointwise(METHOD, "clamp_min", self, target="clamp.default")
    def clamp_max(self, max): return pointwise(METHOD, "clamp_max", self, target="clamp.default")
    def clip(self, min=None, max=None): return pointwise(METHOD, "clip", self, target="clamp.default")
    def square(self): return pointwise(METHOD, "square", self, target="pow.Tensor_Scalar")
    def gt(self, o): return pointwise(METHOD, "gt", self, o)
    def le(self, o): return pointwise(METHOD, "le", self, o)
    def __or__(self, o): return pointwise(METHOD, "__or__", self, o, target="bitwise_or.Tensor")
    def logical_and(self, o): return pointwise(METHOD, "logical_and", self, o, target="logical_and.default")
    def logical_not(self): return pointwise(METHOD, "logical_not", self, target="logical_not.default")

    def norm(self, p=2, dim=None, keepdim=False):
        dims, shape = collapsed(self, dim, keepdim)
        return Call(FUNCTION, "norm").node("linalg_vector_norm.default", [self], [shape], [("dim", dims)])

    def var(self, dim=None, unbiased=True, keepdim=False): return variance(Call(METHOD, "var"), self, dim, keepdim)

    def std(self, dim=None, unbiased=True, keepdim=False):
        call = Call(METHOD, "std")
        spread = variance(call, self, dim, keepdim)
        return call.node("sqrt.default", [spread], [spread.shape])

    def chunk(self, chunks, dim=0): return parted(METHOD, "chunk", self, [self.shape[dim] // chunks] * chunks, dim)
    def split(self, size=None, dim=0, **k):
        size = k.get("split_size", size)
        sizes = list(size) if isinstance(size, (list, tuple)) else [size] * (self.shape[dim] // size)
        return parted(FUNCTION, "split", self, sizes, dim)

    def unbind(self, dim=0):
        call, d = Call(METHOD, "unbind"), dim % self.ndim
        shape = self.shape[:d] + self.shape[d + 1:]
        return tuple(call.node("select_copy.int", [self], [shape], [("dim", d), ("index", i)]) for i in range(self.shape[d]))

    def topk(self, k, dim=-1, largest=True, sorted=True):
        d = dim % self.ndim
        shape, wanted = self.shape[:d] + (k,) + self.shape[d + 1:], [("k", k), ("dim", d)] + ([] if largest else [("largest", 0)])
        return Pair(Call(METHOD, "topk").node("topk.default", [self], [shape, shape], wanted))

    def cumsum(self, dim): return Call(METHOD, "cumsum").node("cumsum.default", [self], [self.shape], [("dim", dim)])
    def flip(self, *dims):
        dims = dims[0] if isinstance(dims[0], (list, tuple)) else dims
        return Call(METHOD, "flip").node("flip.default", [self], [self.shape], [("dims", [d % self.ndim for d in dims])])

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
        indices = [i for i in known if isinstance(i, Tensor)]
        if indices:  # the slices beside them are whole ones here
            self.become(call.node("index_put.default", [self, indices, source], [self.shape]))
            return
        chain, view, d = [], self, 0  # views of views: the innermost is written, then each goes back into the one around it
        for i in known:
            if i != slice(None):
                chain.append((view, d, i))
                view = sliced(call, view, d, *i.indices(view.shape[d])) if isinstance(i, slice) else selected(call, view, d, i)
            d += isinstance(i, slice)
        part = call.node("copy.default", [view] + ([source] if isinstance(source, Tensor) else []), [view.shape])
        for whole, dim, i in reversed(chain):
            part = self.put_back(call, whole, part, dim, i)
        self.become(part)

    @staticmethod
    def put_back(call, whole, part, dim, i):
        if isinstance(i, slice):
            place = [("dim", dim), *zip(("start", "end"), i.indices(whole.shape[dim]))]
            return call.node("slice_scatter.default", [whole, part], [whole.shape], place)
        n, rest = whole.shape[dim], [1] * (whole.ndim - dim - 1)
        places = viewed(call, call.node("arange.start_step", [], [[n]], [("end", n)]), [1] * dim + [n] + rest)
        chosen = call.node("eq.Scalar", [places], [places.shape], [("other", i % n)])
        wide = call.node("unsqueeze_copy.default", [part], [part.shape[:dim] + (1,) + part.shape[dim:]], [("dim", dim)])
        wide = call.node("expand_copy.default", [wide], [whole.shape], [("size", list(whole.shape))])
        return call.node("where.self", [chosen, wide, whole], [whole.shape])

    def resolved(self, index):
        index = index if isinstance(index, tuple) else (index,)
        at = next((n for n, i in enumerate(index) if i is Ellipsis), None)
        if at is None: return index
        return index[:at] + (slice(None),) * (self.ndim - sum(i is not None for i in index) + 1) + index[at + 1:]

    def t(self): return moved(Call(METHOD, "t"), self, [1, 0])

    def repeat_interleave(self, repeats, dim=None):  # by a number: ATen widens a new dimension, copies and flattens it away
        call, x = Call(METHOD, "repeat_interleave"), self
        if dim is None: x, dim = reshaped(call, x, [x.numel()]), 0
        d = dim % x.ndim
        wide = call.node("unsqueeze_copy.default", [x], [x.shape[:d + 1] + (1,) + x.shape[d + 1:]], [("dim", d + 1)])
        wide = widened(call, wide, list(x.shape[:d + 1] + (repeats,) + x.shape[d + 1:]))
        wide = call.node("clone.default", [wide], [wide.shape])
        return viewed(call, wide, [*x.shape[:d], x.shape[d] * repeats, *x.shape[d + 1:]])

    @property
    def T(self): return moved(Call("method-wrapper", "__get__"), self, list(reversed(range(self.ndim))))

    @property
    def mT(self): return moved(Call("method-wrapper", "__get__"), self, [*range(self.ndim - 2), self.ndim - 1, self.ndim - 2])

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

    def new_zeros(self, *size, **k): return created("new_zeros", METHOD)(*size, dtype=k.get("dtype") or self.dtype)
    def new_full(self, size, fill_value, **k): return created("new_full", METHOD)(size, dtype=k.get("dtype") or self.dtype)
    def new_tensor(self, data, **k): return sys.modules["torch"].tensor(data)
    def new_ones(self, *size, **k): return created("new_ones", METHOD)(*size, dtype=k.get("dtype") or self.dtype)
    def __iter__(self): return iter(self.unbind(0))  # as in torch._tensor: an unbind, not __getitem__

    def masked_fill(self, mask, number):
        call = Call(METHOD, "masked_fill")
        scalar = call.node("scalar_tensor.default", [], [[]])
        return call.node("where.self", [mask, scalar, self], [self.shape])

    def __getitem__(self, index):
        call, x, d, at = Call("wrapper_descriptor", "__getitem__"), self, 0, {}
        for i in self.resolved(index):
            if i is None:
                x = call.node("unsqueeze_copy.default", [x], [x.shape[:d] + (1,) + x.shape[d:]], [("dim", d)])
                d += 1
            elif isinstance(i, slice):
                start, stop, step = i.indices(x.shape[d])
                if (start, stop, step) != (0, x.shape[d], 1): x = sliced(call, x, d, start, stop, step)
                d += 1
            elif isinstance(i, Tensor):  # the tensors come last, all of them in one
                at[d] = i
                d += 1
            else:
                x = selected(call, x, d, i)
        if not at: return x
        places, common = list(at), tuple(functools.reduce(broadcast, [t.shape for t in at.values()]))
        rest, is_one_block = tuple(n for i, n in enumerate(x.shape) if i not in at), places[-1] - places[0] == len(places) - 1
        first = places[0] if is_one_block else 0
        return call.node("index.Tensor", [x, *at.values()], [rest[:first] + common + rest[first:]])


class Pair(tuple):  # what torch returns as values and indices
    def __new__(cls, outputs):
        outputs[1].dtype = "int64"
        return tuple.__new__(cls, outputs)

    values, indices = property(lambda self: self[0]), property(lambda self: self[1])


# torch.NAME that is the same as the method of the tensor, but for what the record calls it
def as_function(name, kind=BUILTIN):
    def run(x, *a, **k):
        if isinstance(x, Plain) and not G.stack: return getattr(x, name)(*a, **k)
        x = lifted(x)
        G.forced.append(kind)
        try: return getattr(x, name)(*a, **k)
        finally: G.forced.pop()
    return run


def unary(name, kind=METHOD):
    return lambda x, *a, **k: pointwise(kind, name, x, target=f"{name}.default")


for _name in "relu sigmoid tanh exp sqrt rsqrt abs sin cos log log10 log1p expm1 atanh round ceil sign reciprocal".split():
    setattr(Tensor, _name, unary(_name))


def cat(tensors, dim=0):
    tensors = list(tensors)
    d = dim % len(tensors[0].shape)
    shape = [sum(t.shape[d] for t in tensors) if i == d else s for i, s in enumerate(tensors[0].shape)]
    if isinstance(tensors[0], Plain) and not G.stack: return Plain(shape)
    return Call(BUILTIN, "cat").node("cat.default", [tensors], [shape], [("dim", d)])


def stack(tensors, dim=0):
    tensors = list(tensors)
    shape = list(tensors[0].shape)
    shape.insert(dim % (len(shape) + 1), len(tensors))
    if isinstance(tensors[0], Plain) and not G.stack: return Plain(shape)
    call, d = Call(BUILTIN, "stack"), dim % (len(shape))
    if d == tensors[0].ndim:  # torch._refs.stack: behind the last dimension every tensor is unsqueezed
        wide = [call.node("unsqueeze_copy.default", [t], [list(t.shape) + [1]], [("dim", d)]) for t in tensors]
        return call.node("cat.default", [wide], [shape], [("dim", d)])
    size = [n * len(tensors) if i == d else n for i, n in enumerate(tensors[0].shape)]
    return viewed(call, call.node("cat.default", [tensors], [size], [("dim", d)]), shape)


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


def linspace(start, end, steps, **k):
    if not G.stack: return Plain([steps])
    call = Call(BUILTIN, "linspace")
    steps = int(steps)
    places = call.node("arange.start_step", [], [[steps]], [("end", steps)])
    return call.node("add.Tensor", [call.node("mul.Tensor", [places], [[steps]])], [[steps]])


def linear(x, weight, bias=None):
    call = Call(BUILTIN, "linear")
    turned = moved(call, weight, [1, 0])
    flat = viewed(call, x, [math.prod(x.shape[:-1]), x.shape[-1]]) if x.ndim > 2 else x
    out = call.node("mm.default" if bias is None else "addmm.default", [flat, turned] if bias is None else [bias, flat, turned],
                    [[flat.shape[0], weight.shape[0]]])
    return viewed(call, out, list(x.shape[:-1]) + [weight.shape[0]]) if x.ndim > 2 else out


def one_hot(x, num_classes):  # the traceable form that ATen takes under export
    call, shape = Call(BUILTIN, "one_hot"), list(x.shape) + [num_classes]
    classes = call.node("arange.start_step", [], [[num_classes]], [("end", num_classes)], dtype="int64")
    wide = call.node("unsqueeze_copy.default", [x], [list(x.shape) + [1]], [("dim", x.ndim)])
    return call.node("_to_copy.default", [call.node("eq.Tensor", [wide, classes], [shape])], [shape], dtype="int64")


def addmm(bias, x, y):
    return Call(BUILTIN, "addmm").node("addmm.default", [bias, x, y], [[x.shape[0], y.shape[1]]])


def meshgrid(*tensors, indexing="ij"):
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)): tensors = tuple(tensors[0])
    if not G.stack: return tuple(Plain([t.shape[0] for t in tensors]) for _ in tensors)
    call, shape = Call(FUNCTION, "meshgrid"), [t.shape[0] for t in tensors]
    return tuple(call.node("expand_copy.default", [viewed(call, t, [-1 if j == i else 1 for j in range(len(shape))])], [shape], [("size", shape)])
                 for i, t in enumerate(tensors))


def grid_sample(x, grid, mode="bilinear", padding_mode="zeros", align_corners=None):
    return Call(FUNCTION, "grid_sample").node("grid_sampler_2d.default", [x, grid], [list(x.shape[:2]) + list(grid.shape[1:3])])


def pixel_shuffle(x, n):
    return Call(BUILTIN, "pixel_shuffle").node("pixel_shuffle.default", [x], [[x.shape[0], x.shape[1] // n ** 2] + [s * n for s in x.shape[2:]]], [("upscale_factor", n)])


def triangle(name, test):
    def make(x, diagonal=0):
        if isinstance(x, Plain) and not G.stack: return x
        call = Call(BUILTIN, name)
        inside = call.node(f"{test}.Tensor", [call.node("arange.start_step", [], [[x.shape[-1]]], dtype="int64")], [x.shape])
        return call.node("where.self", [inside, x, call.node("scalar_tensor.default", [], [[]])], [x.shape])
    return make


def each(n, sides): return tuple(n) if isinstance(n, (list, tuple)) else (n,) * sides


def convolved(name, input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    sides = zip(input.shape[2:], weight.shape[2:], *(each(n, len(input.shape) - 2) for n in (stride, padding, dilation)))
    shape = [input.shape[0], weight.shape[0]] + [(n + 2 * p - d * (k - 1) - 1) // s + 1 for n, k, s, p, d in sides]
    return Call(BUILTIN, name).node("convolution.default", [input, weight] + ([bias] if bias is not None else []), [shape])


def conv_transpose(name, input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    sides = zip(input.shape[2:], weight.shape[2:], *(each(n, len(input.shape) - 2) for n in (stride, padding, output_padding, dilation)))
    shape = [input.shape[0], weight.shape[1] * groups] + [(n - 1) * s - 2 * p + d * (k - 1) + o + 1 for n, k, s, p, o, d in sides]
    return Call(BUILTIN, name).node("convolution.default", [input, weight] + ([bias] if bias is not None else []), [shape])


def multihead(query, key, value, weight, bias, out_weight, out_bias, heads, attn_mask=None, need_weights=True):
    call, (b, n, c) = Call(FUNCTION, "multi_head_attention_forward"), query.shape
    def split(x, i):
        part = sliced(call, weight, 0, i * c, i * c + c, 1)
        shift = sliced(call, bias, 0, i * c, i * c + c, 1)
        flat = viewed(call, x, [x.shape[0] * x.shape[1], c])
        out = call.node("addmm.default", [shift, flat, moved(call, part, [1, 0])], [flat.shape])
        return moved(call, viewed(call, out, [b, x.shape[1], heads, c // heads]), [0, 2, 1, 3])
    q, k, v = (split(x, i) for i, x in enumerate((query, key, value)))
    scores = call.node("bmm.default", [q, moved(call, k, [0, 1, 3, 2])], [[b, heads, n, key.shape[1]]])
    if attn_mask is not None:
        mask = lifted(attn_mask)
        if mask.ndim == 2: mask = call.node("unsqueeze_copy.default", [mask], [[1, *mask.shape]], [("dim", 0)])
        mask = viewed(call, mask, [b, heads, n, key.shape[1]]) if mask.shape[0] == b * heads and b * heads > 1 else \
            call.node("unsqueeze_copy.default", [mask], [[1, *mask.shape]], [("dim", 0)])
        scores = call.node("add.Tensor", [scores, mask], [scores.shape])
    weights = call.node("_softmax.default", [scores], [scores.shape], [("dim", 3)])
    mixed = viewed(call, dense(call, moved(call, call.node("bmm.default", [weights, v], [q.shape]), [0, 2, 1, 3])), [b * n, c])
    out = call.node("addmm.default", [out_bias, mixed, moved(call, out_weight, [1, 0])], [mixed.shape])
    if not need_weights: return viewed(call, out, [b, n, c]), None
    return viewed(call, out, [b, n, c]), call.node("mean.dim", [weights], [[b, n, key.shape[1]]], [("dim", [1])])


def layer_norm(x, size, weight=None, bias=None, eps=1e-5):
    return Call(FUNCTION, "layer_norm").node("native_layer_norm.default", [x] + [t for t in (weight, bias) if t], [x.shape])


def batch_norm(x, weight, bias, mean, var):
    return Call(FUNCTION, "batch_norm").node("_native_batch_norm_legit_no_training.default", [x, weight, bias, mean, var], [x.shape])


def group_norm(x, groups, weight, bias, eps=1e-5):
    return Call(FUNCTION, "group_norm").node("native_group_norm.default", [x, weight, bias], [x.shape])


def instance_norm(x, running_mean=None, running_var=None, weight=None, bias=None, use_input_stats=True, momentum=0.1, eps=1e-5):
    call, (b, c) = Call(FUNCTION, "instance_norm"), x.shape[:2]  # ATen makes it a batch norm over all channels of all samples
    held = [call.node("repeat.default", [t], [[b * c]], [("repeats", [b])]) for t in (weight, bias) if t is not None]
    flat = viewed(call, dense(call, x), [1, b * c] + list(x.shape[2:]))
    return viewed(call, call.node("_native_batch_norm_legit.no_stats", [flat] + held, [flat.shape]), x.shape)


def prelu(x, weight):
    call = Call(BUILTIN, "prelu")
    if x.ndim != weight.ndim: weight = viewed(call, weight, [1, weight.numel()] + [1] * (x.ndim - 2))
    return call.node("where.self", [call.node("gt.Scalar", [x], [x.shape]), x, call.node("mul.Tensor", [weight, x], [x.shape])], [x.shape])


def broadcast_tensors(*tensors):
    call, size = Call(FUNCTION, "broadcast_tensors"), functools.reduce(broadcast, [t.shape for t in tensors])
    return tuple(t if list(t.shape) == size else widened(call, lifted(t), size) for t in tensors)


def bucketize(x, boundaries, right=False):
    return Call(BUILTIN, "bucketize").node("bucketize.Tensor", [x, boundaries], [x.shape])


# torch.distributions computes in functions of its own: what it records has the frames of who called it
class Normal:
    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = broadcast_tensors(loc, scale)

    set_default_validate_args = staticmethod(lambda is_on: None)
    mean, mode, stddev = property(lambda self: self.loc), property(lambda self: self.loc), property(lambda self: self.scale)
    variance = property(lambda self: self.stddev.pow(2))

    def log_prob(self, value):
        var = self.scale ** 2
        log_scale = self.scale.log()
        return -((value - self.loc) ** 2) / (2 * var) - log_scale - math.log(math.sqrt(2 * math.pi))

    def entropy(self): return 0.5 + 0.5 * math.log(2 * math.pi) + unary("log", BUILTIN)(self.scale)


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


def logsigmoid(x):  # the decomposition of aten.log_sigmoid_forward
    call = Call(BUILTIN, "log_sigmoid")
    zero = call.node("full.default", [], [[]], [("size", [])])
    low = call.node("minimum.default", [zero, x], [x.shape])
    away = call.node("neg.default", [call.node("abs.default", [x], [x.shape])], [x.shape])
    grown = call.node("log1p.default", [call.node("exp.default", [away], [x.shape])], [x.shape])
    return call.node("sub.Tensor", [low, grown], [x.shape])


def hardsigmoid(x, inplace=False):
    call = Call(FUNCTION, "hardsigmoid")
    grown = call.node("add.Tensor", [x], [x.shape], [("other", 3)])
    for _ in range(2): grown = call.node("clamp.default", [grown], [x.shape])
    return call.node("div.Tensor", [grown], [x.shape], [("other", 6)])


def hardswish(x, inplace=False):
    call = Call(FUNCTION, "hardswish")
    grown = call.node("add.Tensor", [x], [x.shape], [("other", 3)])
    for _ in range(2): grown = call.node("clamp.default", [grown], [x.shape])
    return call.node("div.Tensor", [call.node("mul.Tensor", [x, grown], [x.shape])], [x.shape], [("other", 6)])


def cross(x, y, dim=-1):  # the decomposition of aten.linalg_cross: each place is computed anew
    call, shape, d = Call(BUILTIN, "linalg_cross"), broadcast(x.shape, y.shape), dim % x.ndim
    x, y = (t if list(t.shape) == shape else widened(call, t, shape) for t in (x, y))
    places = call.node("arange.start_step", [], [[3]], [("start", 0), ("end", 3), ("step", 1)], dtype="int64")
    def picked(t, n):
        index = call.node("add.Tensor", [places], [[3]], [("other", n)])
        index = call.node("remainder.Scalar", [index], [[3]], [("other", 3)])
        return call.node("index_select.default", [t, index], [shape], [("dim", d)])
    left = call.node("mul.Tensor", [picked(x, 1), picked(y, 2)], [shape])
    right = call.node("mul.Tensor", [picked(x, 2), picked(y, 1)], [shape])
    return call.node("sub.Tensor", [left, right], [shape])


def silu(x, inplace=False):
    call = Call(FUNCTION, "silu")
    return call.node("mul.Tensor", [x, call.node("sigmoid.default", [x], [x.shape])], [x.shape])


def einsum(equation, *tensors):
    call, (given, wanted) = Call(FUNCTION, "einsum"), equation.replace(" ", "").split("->")
    size = {c: n for word, t in zip(given.split(","), tensors) for c, n in zip(word, t.shape)}
    moved_in = [moved(call, lifted(t), range(t.ndim)) for t in tensors]
    return viewed(call, call.node("bmm.default", moved_in, [[math.prod(size[c] for c in wanted)]]), [size[c] for c in wanted])


def attention(q, k, v, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None):
    call = Call(BUILTIN, "scaled_dot_product_attention")
    scores = call.node("bmm.default", [q, k], [list(q.shape[:-1]) + [k.shape[-2]]])
    if attn_mask is not None: scores = call.node("add.Tensor", [scores, attn_mask], [scores.shape])
    weights = call.node("_softmax.default", [scores], [scores.shape], [("dim", q.ndim - 1)])
    return call.node("bmm.default", [weights, v], [list(q.shape[:-1]) + [v.shape[-1]]])


def pooled(kind, name, target):
    def make(x, kernel_size, stride=None, padding=0):
        sides = zip(x.shape[2:], *(each(n, x.ndim - 2) for n in (kernel_size, stride or kernel_size, padding)))
        return Call(kind, name).node(target, [x], [list(x.shape[:2]) + [(s + 2 * p - k) // n + 1 for s, k, n, p in sides]])
    return make


def avg_pool1d(x, size, stride=None, padding=0):  # ATen has it as a pool over a picture of height 1
    call, step = Call(BUILTIN, "avg_pool1d"), stride or size
    n = (x.shape[-1] + 2 * padding - size) // step + 1
    flat = call.node("unsqueeze_copy.default", [x], [x.shape[:-1] + (1,) + x.shape[-1:]], [("dim", x.ndim - 1)])
    flat = call.node("avg_pool2d.default", [flat], [x.shape[:-1] + (1, n)])
    return call.node("squeeze_copy.dims", [flat], [x.shape[:-1] + (n,)], [("dim", [x.ndim - 1])])


def like(name):
    return lambda x, *a, **k: Call(BUILTIN, name).node("full_like.default", [x], [x.shape], dtype=k.get("dtype") or x.dtype)


def interpolate(input, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None, antialias=False):
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
    target = {"constant": "constant_pad_nd", "reflect": f"reflection_pad{len(widths) // 2}d", "replicate": f"replication_pad{len(widths) // 2}d"}[mode]
    return Call(FUNCTION, "pad").node(target + ".default", [x], [shape], [("pad", list(widths))])


def outer(x, y):
    if not G.stack: return Plain(x.shape + y.shape)
    call, x, y = Call(BUILTIN, "outer"), lifted(x), lifted(y)
    return call.node("mul.Tensor", [viewed(call, x, [x.shape[0], 1]), y], [x.shape + y.shape])


def unfold(input, kernel_size, dilation=1, padding=0, stride=1):  # the decomposition of aten.im2col: places of the windows, one index, a view
    call, x = Call(FUNCTION, "unfold"), lifted(input)
    sizes = [each(n, 2) for n in (kernel_size, dilation, padding, stride)]
    def places(n, k, d, p, s):
        starts = call.node("arange.start_step", [], [[len(range(0, n + 2 * p - d * (k - 1), s))]], [("end", n + 2 * p - d * (k - 1)), ("step", s)], dtype="int64")
        starts = call.node("unsqueeze_copy.default", [starts], [[1, *starts.shape]], [("dim", 0)])
        inner = call.node("arange.start_step", [], [[k]], [("end", k * d), ("step", d)], dtype="int64")
        inner = call.node("unsqueeze_copy.default", [inner], [[k, 1]], [("dim", -1)])
        return call.node("add.Tensor", [starts, inner], [[k, starts.shape[-1]]])
    rows, columns = (places(n, *side) for n, *side in zip(x.shape[2:], *sizes))
    (ph, pw), (b, c, h, w) = sizes[2], x.shape
    wide = call.node("constant_pad_nd.default", [x], [[b, c, h + 2 * ph, w + 2 * pw]], [("pad", [pw, pw, ph, ph])])
    for _ in range(2): rows = call.node("unsqueeze_copy.default", [rows], [[*rows.shape, 1]], [("dim", -1)])
    out = call.node("index.Tensor", [wide, rows, columns], [[b, c, *rows.shape[:2], *columns.shape]])
    out = moved(call, out, [0, 1, 2, 4, 3, 5])
    return reshaped(call, out, [b, c * rows.shape[0] * columns.shape[0], rows.shape[1] * columns.shape[1]])


def embedding(x, weight):
    return Call(FUNCTION, "embedding").node("embedding.default", [weight, x], [list(x.shape) + [weight.shape[1]]])


def where(c, a, b):
    known = [t for t in (c, a, b) if isinstance(t, Plain)]
    if known and not G.stack: return Plain(functools.reduce(broadcast, [t.shape for t in known]))
    call = Call(BUILTIN, "where")
    a, b = lifted(a), lifted(b)
    sides = [t if isinstance(t, Tensor) else call.node("scalar_tensor.default", [], [[]]) for t in (a, b)]
    known = promoted([t for t in (a, b) if isinstance(t, Tensor)])  # a number takes the type of the tensor at its side
    return call.node("where.self", [c, *sides], [functools.reduce(broadcast, [t.shape for t in (c, *sides)])], dtype=known)


def dropout(x, p=0.5, training=True): return x


class Plain:  # torch.zeros in a constructor
    dtype, device = "float32", Tensor.device

    def __init__(self, shape): self.shape = tuple(shape) if not isinstance(shape, int) else (shape,)
    def size(self, d=None): return self.shape if d is None else self.shape[d]
    def dim(self): return len(self.shape)
    def numel(self): return math.prod(self.shape)
    def __len__(self): return self.shape[0]
    def same(self, *a, **k): return self
    def fresh(self, *a, **k): return Plain(self.shape)
    normal_ = uniform_ = zero_ = fill_ = triu_ = tril_ = copy_ = requires_grad_ = float = long = to = cpu = contiguous = same
    __neg__ = abs = clamp = clamp_min = clone = cos = cumprod = cumsum = detach = exp = flip = floor = log = reciprocal = round = sin = sqrt = fresh
    ndim = property(dim)
    def sum(self, *a, **k): return Plain([])
    def ger(self, other): return Plain(self.shape + other.shape)
    def __setitem__(self, index, item): pass
    def unsqueeze(self, d): return Plain(self.shape[:d % (len(self.shape) + 1)] + (1,) + self.shape[d % (len(self.shape) + 1):])
    def expand(self, size):
        return Plain([old if new == -1 else new for new, old in zip(size, (1,) * (len(size) - len(self.shape)) + self.shape)])
    def view(self, *size): return Plain(sized(self, size))
    def reshape(self, *size): return self.view(*(size[0] if isinstance(size[0], (list, tuple)) else size))
    def transpose(self, a, b):
        shape = list(self.shape)
        shape[a], shape[b] = shape[b], shape[a]
        return Plain(shape)
    def t(self): return self.transpose(0, 1)
    def permute(self, *dims): return Plain([self.shape[d] for d in (dims[0] if isinstance(dims[0], (list, tuple)) else dims)])
    T = property(lambda self: lifted(self).T if G.stack else self.t())
    def __getitem__(self, index):
        shape, rest = [], list(self.shape)
        for i in Tensor.resolved(self, index):
            if i is None: shape.append(1)
            elif isinstance(i, slice): shape.append(len(range(rest.pop(0))[i]))
            else: rest.pop(0)
        return Plain(shape + rest)
    def flatten(self, start_dim=0, end_dim=-1):
        start, end = start_dim % self.ndim, end_dim % self.ndim
        return Plain(self.shape[:start] + (math.prod(self.shape[start:end + 1]),) + self.shape[end + 1:])
    def sum(self, dim=None, keepdim=False): return Plain(collapsed(self, dim, keepdim)[1])
    def combined(self, other): return Plain(broadcast(self.shape, getattr(other, "shape", [])))
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __pow__ = __rpow__ = __lt__ = __le__ = __gt__ = __ge__ = combined


# What the program computes of such a tensor is in the program, as of a constant
def in_the_program(name, outside):
    return lambda self, *a, **k: getattr(lifted(self), name)(*a, **k) if G.stack else outside(self, *a, **k)


for _name in """__add__ __radd__ __sub__ __rsub__ __mul__ __rmul__ __truediv__ __rtruediv__ __pow__ __rpow__ __neg__ __getitem__
        __lt__ __le__ __gt__ __ge__ flatten sum
        unsqueeze expand view reshape transpose permute t abs clamp clamp_min clone cos cumsum detach exp flip floor log reciprocal round sin sqrt float long to
        contiguous""".split():
    setattr(Plain, _name, in_the_program(_name, getattr(Plain, _name)))


class Parameter(Plain):
    requires_grad = True
    def __init__(self, shape): self.shape = tuple(getattr(shape, "shape", shape))
    data = property(lambda self: Plain(self.shape), lambda self, v: None)


class Module:
    training = False

    def __init__(self):
        self.__dict__.update(_modules={}, _traced_held={}, _traced_values={})

    def __setattr__(self, name, item):
        self.__dict__.pop(name, None)
        if isinstance(item, Module): self._modules[name] = item
        elif isinstance(item, Parameter): self._traced_held[name] = item
        else: self.__dict__[name] = item

    def __getattr__(self, name):
        d = self.__dict__
        if name in d.get("_traced_values", {}): return d["_traced_values"][name]
        if name in d.get("_modules", {}): return self.traced_children()[name]
        if name in d.get("_traced_held", {}): return d["_traced_held"][name]
        raise AttributeError(name)

    def traced_children(self):  # a module that several hold has the path by which it is reached
        if "_traced_path" in self.__dict__:
            for name, item in self._modules.items():
                if item is not None: item.__dict__["_traced_path"] = f"{self._traced_path}.{name}".lstrip(".")
        return self._modules

    def register_buffer(self, name, item, persistent=True):
        if item is None: self.__dict__[name] = None
        else: self._traced_held[name] = Parameter(item.shape)

    def register_parameter(self, name, item): self.register_buffer(name, item)
    def add_module(self, name, item): setattr(self, name, item)
    def children(self): return iter([m for m in self.traced_children().values() if m is not None])
    def named_children(self): return iter([(n, m) for n, m in self.traced_children().items() if m is not None])
    def modules(self): return iter([self] + [m for c in self.children() for m in c.modules()])
    def apply(self, f):
        for child in self.children(): child.apply(f)
        f(self)
        return self
    def float(self): return self
    def train(self, mode=True): return self
    def requires_grad_(self, wanted=True): return self
    def register_forward_hook(self, hook):
        hooks = self.__dict__.setdefault("_traced_hooks", [])
        hooks.append(hook)
        return types.SimpleNamespace(remove=lambda: hooks.remove(hook))

    def __delattr__(self, name):
        known = next((d for d in (self._modules, self._traced_held, self._traced_values, self.__dict__) if name in d), None)
        if known is None: raise AttributeError(name)
        del known[name]

    def parameters(self): return iter([self._traced_values.get(n, p) for m in self.modules() for n, p in m._traced_held.items()
                                       for self in [m]])
    def eval(self): return self

    def paths(self, path=""):
        below = [(n, m) for n, m in self._modules.items() if m is not None]
        return [path] + [p for n, m in below for p in m.paths(f"{path}.{n}".lstrip("."))]

    def _traced_settle(self, path=""):
        if "_traced_path" in self.__dict__: return
        self.__dict__["_traced_path"] = path
        below = path + "." if path else ""
        for name, item in self._traced_held.items():
            known = "p_" + (below + name).replace(".", "_")
            self._traced_values[name] = value(known, item.shape)
            G.inputs.append(known)
            G.specs.append({"parameter": {"arg": {"name": known}, "parameter_name": below + name}})
        for name, item in self._modules.items():
            if item is not None: item._traced_settle(below + name)

    def __call__(self, *args, **kwargs):
        cls = type(self)
        kind = vars(cls).get("_torch", f"{cls.__module__}.{cls.__qualname__}")
        n = G.calls[self._traced_path] = G.calls.get(self._traced_path, -1) + 1
        key = "L__self__" + self._traced_path.replace(".", "_") + (f"@{n}" if n else "")
        G.stack.append(f"{key},{self._traced_path},{kind}")
        try:
            result = self.forward(*args, **kwargs)
            for hook in list(self.__dict__.get("_traced_hooks", ())):
                other = hook(self, args, result)
                result = result if other is None else other
            return result
        finally: G.stack.pop()


def layer(name, where, forward, held=None):
    def init(self, *args, **kwargs):
        Module.__init__(self)
        for key, item in (held(*args, **kwargs) if held else {}).items():
            if isinstance(item, list): self._traced_held[key] = Parameter(item)
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
        for item in self.traced_children().values(): x = item(x)
        return x

    def __iter__(self): return iter(self.traced_children().values())
    def __len__(self): return len(self._modules)
    def __getitem__(self, i): return list(self.traced_children().values())[i]


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
        for key, item in items.items() if isinstance(items, dict) else enumerate(items): self._traced_held[str(key)] = item

    def __getitem__(self, key): return self._traced_values[str(key)]
    def __len__(self): return len(self._traced_held)
    def __iter__(self): return iter(self._traced_values.values())


class ParameterDict(ParameterList):
    _torch = "torch.nn.modules.container.ParameterDict"


class ModuleDict(Sequential):
    _torch = "torch.nn.modules.container.ModuleDict"

    def __init__(self, items=()): super().__init__(dict(items))
    def __getitem__(self, name): return self.traced_children()[name]
    def __setitem__(self, name, item): self._modules[name] = item
    def items(self): return self.traced_children().items()
    def keys(self): return self._modules.keys()
    def values(self): return self.traced_children().values()
    def __iter__(self): return iter(self._modules)
    def __contains__(self, name): return name in self._modules


def torch_modules():
    torch, nn, functional = (types.ModuleType(n) for n in ("torch", "torch.nn", "torch.nn.functional"))
    for name in "sigmoid tanh exp sqrt rsqrt abs sin cos log log10 relu log1p expm1 atanh round ceil floor sign reciprocal".split():
        setattr(torch, name, lambda x, f=unary(name, BUILTIN): x if isinstance(x, Plain) and not G.stack else f(x))
    for name in "relu sigmoid tanh".split():
        setattr(functional, name, unary(name, FUNCTION))
    functional.gelu = unary("gelu", BUILTIN)
    functional.silu, functional.linear = silu, linear
    functional.layer_norm, functional.dropout = layer_norm, dropout
    functional.interpolate, functional.adaptive_avg_pool2d, functional.pad, functional.embedding = interpolate, adaptive_avg_pool2d, pad, embedding
    functional.unfold = unfold
    functional.max_pool2d = pooled(FUNCTION, "max_pool2d", "max_pool2d_with_indices.default")
    functional.avg_pool2d = pooled(BUILTIN, "avg_pool2d", "avg_pool2d.default")
    functional.scaled_dot_product_attention, functional.log_softmax = attention, lambda x, dim: Call(FUNCTION, "log_softmax").node("_log_softmax.default", [x], [x.shape], [("dim", dim)])
    functional.mse_loss = lambda a, b: (lambda c: c.node("mean.dim", [c.node("pow.Tensor_Scalar", [c.node("sub.Tensor", [a, b], [a.shape])], [a.shape])], [[]]))(Call(BUILTIN, "mse_loss"))
    functional.normalize, functional.softplus, functional.glu, functional.group_norm = normalize, softplus, glu, group_norm
    torch.einsum, torch.Size = einsum, tuple
    torch.minimum = lambda x, y: pointwise(BUILTIN, "minimum", x, y, target="minimum.default")
    functional.leaky_relu, functional.relu6 = unary("leaky_relu", FUNCTION), lambda x, inplace=False: pointwise(FUNCTION, "relu6", x, target="hardtanh.default")
    for name in """flatten unflatten transpose unsqueeze squeeze permute reshape chunk unbind narrow select index_select gather mean sum amax amin
            max min argmax argmin sort argsort repeat_interleave topk var std cumsum square clamp clip logical_and logical_not ge gt le lt eq ne""".split():
        setattr(torch, name, as_function(name))
    torch.flip = lambda x, dims: as_function("flip")(x, *dims)
    torch.norm, torch.split = as_function("norm", FUNCTION), as_function("split", FUNCTION)
    torch.mm = lambda x, y: Call(BUILTIN, "mm").node("mm.default", [x, y], [[x.shape[0], y.shape[1]]])
    torch.bucketize, torch.prelu, torch.broadcast_tensors = bucketize, prelu, broadcast_tensors
    torch.zeros_like, torch.ones_like, torch.full_like = (like(n) for n in ("zeros_like", "ones_like", "full_like"))
    torch.pow = lambda x, y: pointwise(BUILTIN, "pow", x, target="pow.Tensor_Scalar")
    torch.outer, torch.log_softmax = outer, as_function("log_softmax")
    torch.bmm = lambda x, y: Call(BUILTIN, "bmm").node("bmm.default", [x, y], [list(x.shape[:-1]) + [y.shape[-1]]])
    functional.softmax, torch.softmax = (lambda x, dim, dtype=None, kind=kind: softened(kind, x, dim) for kind in (FUNCTION, BUILTIN))
    torch.tril, torch.triu = triangle("tril", "le"), triangle("triu", "ge")
    torch.full = lambda size, v, **k: created("full")(size, **k) if G.stack else Plain(size)
    torch.linspace, torch.is_tensor = linspace, lambda x: isinstance(x, Tensor)
    torch.jit = types.SimpleNamespace(ignore=lambda f: f, unused=lambda f: f, is_scripting=lambda: False, export=lambda f: f)
    torch.cat, torch.stack, torch.where, torch.arange = cat, stack, where, arange
    torch.matmul = lambda x, y: multiplied(BUILTIN, x, y)
    torch.maximum = lambda x, y: pointwise(BUILTIN, "maximum", x, y, target="maximum.default")
    torch.mul, torch.add, torch.sub = (lambda x, y, n=n: pointwise(BUILTIN, n, x, y) for n in ("mul", "add", "sub"))
    torch.zeros = lambda *s, **k: created("zeros")(*s, **k) if G.stack else Plain(s[0] if isinstance(s[0], (list, tuple)) else s)
    torch.ones = lambda *s, **k: created("ones")(*s, **k) if G.stack else Plain(s[0] if isinstance(s[0], (list, tuple)) else s)
    torch.randn = torch.rand = torch.empty = lambda *s, **k: Plain(s[0] if isinstance(s[0], (list, tuple)) else s)
    torch.Tensor, torch.nn, torch.float32, torch.no_grad = Tensor, nn, "float32", contextlib.nullcontext
    nn.Module, nn.Parameter, nn.Sequential, nn.ModuleList, nn.ModuleDict = Module, Parameter, Sequential, ModuleList, ModuleDict
    nn.functional, nn.ParameterList, nn.ParameterDict = functional, ParameterList, ParameterDict
    nn.Linear = layer("Linear", "linear", lambda self, x: linear(x, self.weight, self._traced_values.get("bias")),
                      lambda in_features, out_features, bias=True: {"weight": [out_features, in_features], "bias": [out_features] if bias else None,
                                                                    "in_features": in_features, "out_features": out_features})
    for sides in (1, 2, 3):
        setattr(nn, f"Conv{sides}d", layer(
            f"Conv{sides}d", "conv", lambda self, x: self._conv_forward(x, self.weight, self._traced_values.get("bias")),
            lambda in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True, sides=sides:
            {"weight": [out_channels, in_channels // groups, *each(kernel_size, sides)], "bias": [out_channels] if bias else None, "groups": groups,
             "stride": each(stride, sides), "padding": each(padding, sides), "dilation": each(dilation, sides),
             "kernel_size": each(kernel_size, sides), "in_channels": in_channels, "out_channels": out_channels}))
        getattr(nn, f"Conv{sides}d")._conv_forward = lambda self, x, weight, bias, name=f"conv{sides}d": convolved(
            name, x, weight, bias, self.stride, self.padding, self.dilation, self.groups)
        setattr(nn, f"ConvTranspose{sides}d", layer(
            f"ConvTranspose{sides}d", "conv", lambda self, x, name=f"conv_transpose{sides}d": conv_transpose(
                name, x, self.weight, self._traced_values.get("bias"), self.stride, self.padding, self.output_padding, self.groups, self.dilation),
            lambda in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1, bias=True, dilation=1, sides=sides:
            {"weight": [in_channels, out_channels // groups, *each(kernel_size, sides)], "bias": [out_channels] if bias else None, "groups": groups,
             "stride": each(stride, sides), "padding": each(padding, sides), "output_padding": each(output_padding, sides),
             "dilation": each(dilation, sides), "kernel_size": each(kernel_size, sides), "in_channels": in_channels, "out_channels": out_channels}))
        setattr(functional, f"conv{sides}d", functools.partial(convolved, f"conv{sides}d"))
        setattr(functional, f"conv_transpose{sides}d", functools.partial(conv_transpose, f"conv_transpose{sides}d"))
        setattr(nn, f"InstanceNorm{sides}d", layer(
            f"InstanceNorm{sides}d", "instancenorm", lambda self, x: instance_norm(x, weight=self.weight, bias=self.bias),
            lambda num_features, eps=1e-5, momentum=0.1, affine=False, track_running_stats=False:
            {"weight": [num_features], "bias": [num_features]} if affine else {"weight": None, "bias": None}))
        setattr(nn, f"Dropout{sides}d", layer(f"Dropout{sides}d", "dropout", lambda self, x: x, lambda p=0.5, inplace=False: {}))
    nn.PReLU = layer("PReLU", "activation", lambda self, x: prelu(x, self.weight), lambda num_parameters=1, init=0.25: {"weight": [num_parameters]})
    nn.ELU = layer("ELU", "activation", lambda self, x: functional.elu(x), lambda alpha=1.0, inplace=False: {})
    nn.Softmax = layer("Softmax", "activation", lambda self, x: functional.softmax(x, self.dim), lambda dim=None: {"dim": dim})
    nn.Softplus = layer("Softplus", "activation", lambda self, x: softplus(x), lambda beta=1, threshold=20: {})
    functional.logsigmoid = logsigmoid
    functional.elu, functional.prelu, functional.instance_norm = unary("elu", FUNCTION), prelu, instance_norm
    nn.MultiheadAttention = layer(
        "MultiheadAttention", "activation",
        lambda self, query, key, value, key_padding_mask=None, need_weights=True, attn_mask=None: multihead(
            query, key, value, self.in_proj_weight, self.in_proj_bias, self.out_weight, self.out_bias, self.heads, attn_mask, need_weights),
        lambda n, heads, dropout=0.0, batch_first=True:
        {"in_proj_weight": [3 * n, n], "in_proj_bias": [3 * n], "out_weight": [n, n], "out_bias": [n], "heads": heads})
    nn.GroupNorm = layer("GroupNorm", "normalization", lambda self, x: group_norm(x, self.num_groups, self.weight, self.bias),
                         lambda num_groups, num_channels, eps=1e-5, affine=True: {"weight": [num_channels], "bias": [num_channels],
                                                                                  "num_groups": num_groups, "groups": num_groups,
                                                                                  "num_channels": num_channels, "eps": eps})
    nn.Upsample = layer("Upsample", "upsampling", lambda self, x: interpolate(x, self.size, self.scale_factor, self.mode),
                        lambda size=None, scale_factor=None, mode="nearest", align_corners=None: {"size": size, "scale_factor": scale_factor, "mode": mode})
    nn.Embedding = layer("Embedding", "sparse", lambda self, x: embedding(x, self.weight), lambda num_embeddings, embedding_dim, padding_idx=None: {"weight": [num_embeddings, embedding_dim], "num_embeddings": num_embeddings, "embedding_dim": embedding_dim, **({} if padding_idx is None else {"padding_idx": padding_idx})})
    nn.Embedding.padding_idx = None
    nn.LeakyReLU = layer("LeakyReLU", "activation", lambda self, x: functional.leaky_relu(x), lambda negative_slope=0.01, inplace=False: {})
    nn.PixelShuffle = layer("PixelShuffle", "pixelshuffle", lambda self, x: pixel_shuffle(x, self.factor), lambda factor: {"factor": factor})
    nn.AdaptiveAvgPool2d = layer("AdaptiveAvgPool2d", "pooling", lambda self, x: adaptive_avg_pool2d(x, self.side), lambda side: {"side": side})
    nn.MaxPool2d = layer("MaxPool2d", "pooling", lambda self, x: functional.max_pool2d(x, self.side, self.step, self.rim),
                         lambda kernel_size, stride=None, padding=0: {"side": kernel_size, "step": stride, "rim": padding})
    nn.Tanh = layer("Tanh", "activation", lambda self, x: functional.tanh(x), lambda: {})
    nn.Sigmoid = layer("Sigmoid", "activation", lambda self, x: functional.sigmoid(x), lambda: {})
    nn.LayerNorm = layer("LayerNorm", "normalization", lambda self, x: layer_norm(x, None, self.weight, self.bias),
                         lambda normalized_shape, eps=1e-5, elementwise_affine=True:
                         {**{k: ([normalized_shape] if isinstance(normalized_shape, int) else list(normalized_shape)) if elementwise_affine else None
                             for k in ("weight", "bias")}, "eps": eps, "elementwise_affine": elementwise_affine,
                          "normalized_shape": (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)})
    nn.BatchNorm2d = layer("BatchNorm2d", "batchnorm", lambda self, x: batch_norm(x, self.weight, self.bias, self.running_mean, self.running_var),
                           lambda num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True:
                           {**{k: [num_features] for k in ("weight", "bias", "running_mean", "running_var")}, "eps": eps, "momentum": momentum,
                            "affine": affine, "track_running_stats": track_running_stats, "num_features": num_features})
    nn.BatchNorm1d = type("BatchNorm1d", (nn.BatchNorm2d,), {"_torch": "torch.nn.modules.batchnorm.BatchNorm1d"})
    nn.Identity = layer("Identity", "linear", lambda self, x: x, lambda *a: {})
    nn.Dropout = layer("Dropout", "dropout", lambda self, x: x, lambda p=0.5, inplace=False: {})
    nn.ReLU = layer("ReLU", "activation", lambda self, x: functional.relu(x), lambda inplace=False: {})
    nn.GELU = layer("GELU", "activation", lambda self, x: functional.gelu(x, approximate=self.approximate),
                    lambda approximate="none": {"approximate": approximate})
    nn.ReLU6 = layer("ReLU6", "activation", lambda self, x: functional.hardtanh(x, 0.0, 6.0), lambda inplace=False: {})
    nn.Hardswish = layer("Hardswish", "activation", lambda self, x: functional.hardswish(x), lambda inplace=False: {})
    nn.Hardsigmoid = layer("Hardsigmoid", "activation", lambda self, x: functional.hardsigmoid(x), lambda inplace=False: {})
    functional.hardtanh = lambda x, min_val=-1.0, max_val=1.0, inplace=False: pointwise(FUNCTION, "hardtanh", x, target="hardtanh.default")
    functional.hardswish, functional.hardsigmoid = hardswish, hardsigmoid
    torch.linalg = types.ModuleType("torch.linalg")
    torch.linalg.cross = cross
    torch.linalg.vector_norm = lambda x, ord=2, dim=None, keepdim=False: Call(BUILTIN, "linalg_vector_norm").node(
        "linalg_vector_norm.default", [x], [collapsed(x, dim, keepdim)[1]], [("dim", collapsed(x, dim, keepdim)[0])])
    torch.cumprod = lambda x, dim: x.cumprod(dim)  # of constants in a constructor
    functional.batch_norm = lambda x, mean, var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-5: batch_norm(x, weight, bias, mean, var)
    nn.ReplicationPad1d = layer("ReplicationPad1d", "padding", lambda self, x: pad(x, self.padding, mode="replicate"),
                                lambda padding: {"padding": each(padding, 2)})
    nn.SiLU = layer("SiLU", "activation", lambda self, x: silu(x), lambda inplace=False: {})
    nn.AvgPool1d = layer("AvgPool1d", "pooling", lambda self, x: avg_pool1d(x, self.side, self.step, self.rim),
                         lambda kernel_size, stride=None, padding=0: {"side": kernel_size, "step": stride, "rim": padding})
    functional.avg_pool1d = avg_pool1d
    # ceil_mode and count_include_pad change nothing here: the sides are multiples of the stride
    nn.AvgPool2d = layer("AvgPool2d", "pooling", lambda self, x: functional.avg_pool2d(x, self.side, self.step, self.rim),
                         lambda kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True:
                         {"side": kernel_size, "step": stride, "rim": padding})
    nn.ZeroPad2d = layer("ZeroPad2d", "padding", lambda self, x: pad(x, self.padding), lambda padding: {"padding": each(padding, 4)})
    nn.GLU = layer("GLU", "activation", lambda self, x: glu(x, self.dim), lambda dim=-1: {"dim": dim})
    nn.Flatten = layer("Flatten", "flatten", lambda self, x: x.flatten(self.start_dim, self.end_dim),
                       lambda start_dim=1, end_dim=-1: {"start_dim": start_dim, "end_dim": end_dim})
    nn.Unflatten = layer("Unflatten", "flatten", lambda self, x: x.unflatten(self.dim, self.sizes),
                         lambda dim, sizes: {"dim": dim, "sizes": tuple(sizes)})

    class FloatFunctional(Module):
        _torch = "torch.ao.nn.quantized.modules.functional_modules.FloatFunctional"

        def __init__(self):
            super().__init__()
            self.activation_post_process = nn.Identity()

        def add(self, x, y): return self.activation_post_process(torch.add(x, y))
        def mul(self, x, y): return self.activation_post_process(torch.mul(x, y))

    nn.quantized = types.ModuleType("torch.nn.quantized")
    nn.quantized.FloatFunctional = FloatFunctional
    functional.grid_sample, functional.pixel_shuffle = grid_sample, pixel_shuffle
    torch.meshgrid, torch.erf = meshgrid, unary("erf", BUILTIN)
    torch.div = lambda x, y, rounding_mode=None: pointwise(BUILTIN, "div", x, y, target="div.Tensor_mode" if rounding_mode else None)
    sizes = lambda v: [len(v), *sizes(v[0])] if isinstance(v, (list, tuple)) else []
    torch.tensor = lambda v, **k: Plain(sizes(v))
    torch.hann_window = lambda n, **k: Plain([n])
    functional.one_hot, torch.addmm, torch.as_tensor = one_hot, addmm, lambda v, **k: v if isinstance(v, (Tensor, Plain)) else torch.tensor(v)
    torch.float16, torch.contiguous_format, torch.channels_last = "float16", "torch.contiguous_format", "torch.channels_last"
    record_function = type("record_function", (contextlib.nullcontext,), {})  # leaves nothing in the program
    torch.autograd = types.SimpleNamespace(profiler=types.SimpleNamespace(record_function=record_function))
    torch.eye = lambda n: Plain([n, n])
    kinds = type("TensorMeta", (type,), {"__instancecheck__": lambda cls, x: isinstance(x, (Tensor, Plain))})
    torch.Tensor = kinds("Tensor", (Tensor,), {"__new__": lambda cls, *s: Plain(s)})
    torch.FloatTensor = torch.LongTensor = Tensor
    torch.autocast = lambda *a, **k: contextlib.nullcontext()  # no frame of its own that counts, no nodes
    torch.device, torch.dtype = lambda name: types.SimpleNamespace(type=name), str
    torch.float, torch.bool, torch.long, torch.int64, torch.int, torch.int32 = "float32", "bool", "int64", "int64", "int32", "int32"
    torch.finfo = lambda dtype: types.SimpleNamespace(min=-3.4e38, max=3.4e38, eps=1.2e-7)
    torch.no_grad = type("no_grad", (contextlib.ContextDecorator,), {"__enter__": lambda self: self, "__exit__": lambda self, *a: None})
    jit = types.ModuleType("torch.jit")
    jit.__dict__.update(vars(torch.jit), Final=__import__("typing").Final)
    torch.jit = jit
    init = types.ModuleType("torch.nn.init")
    for name in """xavier_uniform_ xavier_normal_ kaiming_uniform_ kaiming_normal_ orthogonal_ uniform_ normal_ constant_ zeros_ ones_
            trunc_normal_""".split():
        setattr(init, name, lambda x, *a, **k: x)
    init.calculate_gain = lambda nonlinearity, param=None: {"tanh": 5 / 3, "relu": math.sqrt(2)}.get(nonlinearity, 1.0)
    nn.init = init
    utils, check, parts, norms = (types.ModuleType("torch." + n) for n in ("utils", "utils.checkpoint", "nn.modules", "nn.modules.batchnorm"))
    check.checkpoint = lambda f, *a, **k: f(*a)
    torch.utils, utils.checkpoint, nn.modules, parts.batchnorm, norms._BatchNorm = utils, check, parts, norms, nn.BatchNorm2d
    nn.BatchNorm3d = type("BatchNorm3d", (nn.BatchNorm2d,), {"_torch": "torch.nn.modules.batchnorm.BatchNorm3d"})
    distributions = types.ModuleType("torch.distributions")
    distributions.Normal, distributions.Distribution, torch.distributions, torch.e, torch.pi = Normal, Normal, distributions, math.e, math.pi
    extend(torch)
    return {"torch": torch, "torch.nn": nn, "torch.nn.functional": functional, "torch.nn.init": init, "torch.jit": jit, "torch.utils": utils,
            "torch.utils.checkpoint": check, "torch.nn.modules": parts, "torch.nn.modules.batchnorm": norms, "torch.distributions": distributions}


# ---- additions for the cases reef_count, rail_wear and stamp_sort, all in one place ----
RANK["uint8"] = 0.5  # pictures as they come from a camera


def is_floating(x): return x.dtype.startswith("float")


def split_evenly(self, split_size=None, dim=0):  # torch.Tensor.split: what is left over is the last part
    n = self.shape[dim]
    sizes = list(split_size) if isinstance(split_size, (list, tuple)) else [min(split_size, n - at) for at in range(0, n, split_size)]
    return parted(FUNCTION, "split", self, sizes, dim)


def chunked(self, chunks, dim=0):  # torch.Tensor.chunk: parts of the size rounded up, so that there may be fewer of them
    n, size = self.shape[dim], -(-self.shape[dim] // chunks)
    return parted(METHOD, "chunk", self, [min(size, n - at) for at in range(0, n, size)], dim)


def checkpointed(function, *args, use_reentrant=None, preserve_rng_state=True, context_fn=None, determinism_check="default", debug=False, **kwargs):
    return function(*args, **kwargs)  # under export it only runs the function; what is not its own goes on to that


def extend(torch):
    Tensor.is_floating_point = Plain.is_floating_point = is_floating
    Tensor.split, Tensor.chunk = split_evenly, chunked
    torch.is_floating_point, torch.uint8 = is_floating, "uint8"
    torch.is_tensor = lambda x: isinstance(x, (Tensor, Plain))
    torch.utils.checkpoint.checkpoint = checkpointed
# ---- end of the additions ----


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
    model._traced_settle()
    G.root = model
    inputs = []
    for i, shape in enumerate(source.example()):  # a shape, or a shape with a type: ((1, 16), "int64")
        is_typed = len(shape) == 2 and isinstance(shape[1], str)
        inputs.append(value(f"x{i}" if i else "x", shape[0] if is_typed else shape))
        if is_typed: inputs[-1].dtype = shape[1]
    for x in inputs:
        G.inputs.append(x.name)
        G.specs.append({"user_input": {"arg": {"as_tensor": {"name": x.name}}}})
    returned = leaves(model(*inputs))
    remove_unused(returned + [v for m in model.modules() for v in m._traced_values.values()])
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
