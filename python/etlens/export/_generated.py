# SPDX-License-Identifier: Apache-2.0
"""The lines of the user's code behind code that torch generated.

torch.export traces the functions of `cond`, `map` and `scan` twice: Dynamo makes a graph of each, and the code that is
generated from that graph is traced again. Then the stack has lines of generated code only. The graph's nodes still have
the lines of the functions.
"""

import re
import sys
import traceback
from typing import Any, Dict, List

_NAME = "<eval_with_key>"
_FRAME = re.compile(r'^ *File "(.*)", line (\d+), in (.*)$')


class GeneratedCode:
    """Keeps the nodes of each graph once: a graph has as many frames as nodes."""

    def __init__(self) -> None:
        self._nodes: Dict[int, Any] = {}

    def frames(self) -> List[traceback.FrameSummary]:
        """What the node has that the innermost generated frame of this thread's stack runs; empty if unknown."""
        frame = sys._getframe(1)
        while frame is not None and not is_generated(frame.f_code.co_filename):
            frame = frame.f_back
        if frame is None:
            return []
        return _parsed(self._trace(frame.f_locals.get("self"), frame.f_lineno))

    def _trace(self, module: Any, line: int) -> str:
        lines = getattr(module, "_lineno_map", None)
        graph = getattr(module, "graph", None)
        if not lines or graph is None:
            return ""
        index = lines.get(line - getattr(module, "_prologue_start", 0))
        if id(graph) not in self._nodes:
            self._nodes[id(graph)] = (graph, list(graph.nodes))
        nodes = self._nodes[id(graph)][1]
        if index is None or index >= len(nodes):
            return ""
        return nodes[index].meta.get("stack_trace") or ""


def is_generated(filename: str) -> bool:
    return filename.startswith(_NAME)


def _parsed(trace: str) -> List[traceback.FrameSummary]:
    """The frames of a stack trace as Python prints it. The text of a line follows its frame."""
    frames = []
    texts = trace.split("\n")
    for i, text in enumerate(texts):
        match = _FRAME.match(text)
        if not match:
            continue
        following = texts[i + 1] if i + 1 < len(texts) and not _FRAME.match(texts[i + 1]) else ""
        frames.append(
            traceback.FrameSummary(match[1], int(match[2]), match[3], lookup_line=False, line=following.strip())
        )
    return frames
