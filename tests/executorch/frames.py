# SPDX-License-Identifier: Apache-2.0
"""Whether every node of an export keeps the innermost line of the user's code, and what that costs.

The truth does not come from the code under test: a TorchFunctionMode looks at the interpreter's own stack at each call
of torch, and marks the nodes that appear during the call.
"""

import re
import sys
import time
import traceback

import torch
from torch.fx.experimental.proxy_tensor import get_proxy_mode
from torch.overrides import TorchFunctionMode

from etlens.export._frames import UserCode, kept_frames

_FRAME = re.compile(r'File "([^"]+)", line (\d+), in (\S+)')
# Without the user's line there is nothing to compare: what torch.export adds after the trace.
_MARK = "etlens_truth"


def _user_line(frames):
    """The innermost frame of the user's code, by its path alone: packages but torch, and everything outside of Python."""
    for filename, line in reversed(frames):
        is_package = "/site-packages/" in filename
        if (is_package and "/site-packages/torch/" not in filename) or "/lib/python3" not in filename:
            return f"{filename}:{line}"
    return None


class Truth(TorchFunctionMode):
    """Marks each node with the line of the user's code that made it."""

    def __torch_function__(self, function, types, args=(), kwargs=None):
        mode = get_proxy_mode()
        nodes = mode.tracer.graph._len if mode else 0
        result = function(*args, **(kwargs or {}))
        mode = get_proxy_mode()
        if mode and mode.tracer.graph._len > nodes:
            frames = [(f.filename, f.lineno) for f in traceback.extract_stack() if f.filename != __file__]
            line = _user_line(frames)
            for node in reversed(mode.tracer.graph.nodes):
                if nodes >= mode.tracer.graph._len or _MARK in node.meta.get("custom", {}):
                    break
                if node.op == "call_function":
                    node.meta["custom"] = {**node.meta.get("custom", {}), _MARK: line}
        return result


def _kept_line(node, user_code):
    frames = [(m[1], int(m[2])) for m in _FRAME.finditer(node.meta.get("stack_trace") or "")]
    for filename, line in reversed(frames):
        if filename in user_code:
            return f"{filename}:{line}"
    return None


def _compared(nodes, user_code):
    known = [(node, node.meta.get("custom", {}).get(_MARK)) for node in nodes]
    known = [(node, line) for node, line in known if line]
    wrong = [(node, line) for node, line in known if _kept_line(node, user_code) != line]
    examples = [f"{node.name}: truth {line}, kept {_kept_line(node, user_code)}" for node, line in wrong[:3]]
    return len(known) - len(wrong), len(known), examples


def compare(model, inputs, keep=True):
    """The results of the operators, and of the assertions that torch adds and lowering removes again."""
    user_code = UserCode()
    with torch.no_grad(), Truth():
        if keep:
            with kept_frames():
                program = torch.export.export(model, inputs)
        else:
            program = torch.export.export(model, inputs)
    nodes = [node for node in program.graph.nodes if node.op == "call_function"]
    asserts = [node for node in nodes if node.target is torch.ops.aten._assert_tensor_metadata.default]
    operators = [node for node in nodes if node not in asserts]
    return (*_compared(operators, user_code), len(operators)), _compared(asserts, user_code)


def cost(model, inputs):
    """What keeping all frames adds to the time of an export, as a share, within this one export.

    Both filters get every stack, and both results are formatted as torch formats them; the rest of the export is common.
    """
    from torch.fx.proxy import TracerBase

    original = TracerBase._filter_traceback_frames
    seconds = {"default": 0.0, "all": 0.0}

    def timed(name, keep, tracer, summary):
        started = time.thread_time()
        kept = keep(tracer, summary)
        "".join(kept.format())
        seconds[name] += time.thread_time() - started
        return kept

    def both(tracer, summary):
        # What the first of the two reads is there for the second, so they take turns.
        names = ["default", "all"] if tracer.graph._len % 2 else ["all", "default"]
        kept = {name: timed(name, original if name == "default" else keep_all, tracer, summary) for name in names}
        return kept["all"]

    started = time.thread_time()
    with torch.no_grad(), kept_frames():
        keep_all = TracerBase._filter_traceback_frames
        TracerBase._filter_traceback_frames = both
        torch.export.export(model, inputs)
    total = time.thread_time() - started
    without = total - seconds["all"]  # the default's filter and formatting included, once
    return (seconds["all"] - seconds["default"]) / without


def main(names):
    import models

    for make in [getattr(models, name) for name in names] or models.FRAMES:
        torch.manual_seed(0)
        model, inputs = make()
        (right, known, wrong, operators), asserts = compare(model, inputs)
        default = compare(model, inputs, keep=False)[0][0]
        share = f"{right} of {known} lines right ({operators} operators), {default} by default"
        share += f"; {asserts[0]} of {asserts[1]} assertions"
        print(f"{make.__name__}: {share}; cost {cost(model, inputs):+.1%}", *wrong, sep="\n  ", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
