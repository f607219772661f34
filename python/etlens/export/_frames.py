# SPDX-License-Identifier: Apache-2.0
"""Keeps all frames of the user's code in the stack traces that torch records at export.

torch records the whole stack of every node and then drops all frames that are not named `forward`. So the lines of
helper functions are lost. `kept_frames` replaces the function that drops them while the model is traced.
"""

import os
import sysconfig
import warnings
from contextlib import contextmanager
from typing import Any, Callable, Dict, Iterator, List, Tuple

from etlens.export._generated import GeneratedCode, is_generated

_HOOK = "_filter_traceback_frames"
_NO_HOOK = (
    "this release of torch has no way to keep all frames of a stack trace, so lines inside helper functions are lost; "
    "use torch.export.export(…, strict=True), or torch 2.13 or later"
)
# Parts of ExecuTorch that trace and lower a model. Its models and custom operators are like the user's own code.
_TOOLS = ("exir", "backends", "devtools", "export")

# They see every call of torch and pass it on: no line of the model.
_HANDLERS = ("__torch_function__", "__torch_dispatch__")


def _folder(path: str) -> str:
    return os.path.normcase(os.path.abspath(path)) + os.sep


class UserCode:
    """Tells whether a frame belongs to the user's code: not to torch, Python's library or the tools of ExecuTorch."""

    def __init__(self) -> None:
        import torch
        from torch.fx.experimental.symbolic_shapes import uninteresting_files

        self._uninteresting = uninteresting_files()
        packages = os.path.dirname(os.path.dirname(torch.__file__))
        tools = [os.path.join(packages, "executorch", tool) for tool in _TOOLS]
        tools += [os.path.join(packages, "torchao", "quantization", "pt2e")]
        self._torch = _folder(os.path.dirname(torch.__file__))
        self._library = tuple(
            {_folder(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib")}
        )
        self._packages = tuple(
            {_folder(sysconfig.get_path(name)) for name in ("purelib", "platlib")}
        )
        self._others = (self._torch, *(_folder(tool) for tool in tools))
        self._known: Dict[str, bool] = {}

    def __contains__(self, filename: str) -> bool:
        if filename not in self._known:
            self._known[filename] = self._decide(filename)
        return self._known[filename]

    def _decide(self, filename: str) -> bool:
        if filename in self._uninteresting or filename.startswith("<"):
            return False
        path = os.path.normcase(os.path.abspath(filename))
        if path.startswith(self._others):
            return False
        # Packages are a folder below the library's own.
        return not path.startswith(self._library) or path.startswith(self._packages)


def _first_of_model(summary: List[Any]) -> int:
    """The first frame inside the model: its `forward`, or whatever function a module calls as that."""
    for i, frame in enumerate(summary):
        called = i > 0 and summary[i - 1].name == "_call_impl" and frame.name != "_call_impl"
        if frame.name == "forward" or called:
            return i
    return len(summary)


def _filter_of(original: Callable[..., Any], user_code: UserCode) -> Callable[..., Any]:
    import traceback

    generated = GeneratedCode()

    def filter_frames(tracer: Any, summary: Any) -> Any:
        kept = original(tracer, summary)
        # Only the tracer of torch.export asks for frames of the model alone; others keep what they keep.
        if not getattr(tracer, "_record_forward_stack_traces_only", False):
            return kept
        # torch's filter returns the very frames that it got.
        chosen = {id(frame) for frame in kept}
        first = _first_of_model(summary)
        frames = [
            frame
            for i, frame in enumerate(summary)
            if id(frame) in chosen
            or (i >= first and frame.name not in _HANDLERS and frame.filename in user_code)
        ]
        return traceback.StackSummary.from_list(_without_generated(frames))

    def _without_generated(frames: List[Any]) -> List[Any]:
        """Puts the lines of the user's code in the place of generated code, where they are known."""
        if not any(is_generated(frame.filename) for frame in frames):
            return frames
        behind = [frame for frame in generated.frames() if frame.filename in user_code]
        if not behind:
            return frames
        first = next(i for i, frame in enumerate(frames) if is_generated(frame.filename))
        return frames[:first] + behind

    return filter_frames


_told: List[str] = []


def _tell_once(text: str) -> None:
    if text not in _told:
        _told.append(text)
        warnings.warn(text, stacklevel=4)


def _hooked_class() -> Tuple[Any, Any]:
    from torch.fx.proxy import TracerBase

    return TracerBase, TracerBase.__dict__.get(_HOOK)


@contextmanager
def kept_frames() -> Iterator[bool]:
    """Keeps all frames of the user's code while it is open. Yields whether this torch is able to."""
    owner, original = _hooked_class()
    if original is None:
        _tell_once(_NO_HOOK)
        yield False
        return
    setattr(owner, _HOOK, _filter_of(original, UserCode()))
    try:
        yield True
    finally:
        setattr(owner, _HOOK, original)
