# SPDX-License-Identifier: Apache-2.0
"""Sees the programs that ExecuTorch makes while a recording is open, and has it make their records."""

import types
from contextlib import ExitStack, contextmanager
from typing import Any, Callable, Iterator, List, Optional

_FLAG = "generate_etrecord"


def _inside(function: Any, depth: int = 0) -> Optional[types.FunctionType]:
    """The function with the parameter generate_etrecord: this one, or the one that it wraps."""
    if not isinstance(function, types.FunctionType) or depth > 8:
        return None
    code = function.__code__
    if _FLAG in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]:
        return function
    cells = [cell.cell_contents for cell in function.__closure__ or () if _is_filled(cell)]
    for inner in [getattr(function, "__wrapped__", None), *cells]:
        found = _inside(inner, depth + 1)
        if found is not None:
            return found
    return None


def _is_filled(cell: Any) -> bool:
    try:
        cell.cell_contents
    except ValueError:
        return False
    return True


@contextmanager
def _records_by_default(function: types.FunctionType) -> Iterator[None]:
    # The function itself changes, not a name of it: scripts have imported it long before.
    code, defaults, keywords = function.__code__, function.__defaults__, function.__kwdefaults__
    names = code.co_varnames[: code.co_argcount]
    if _FLAG in names and defaults:
        place = names.index(_FLAG) - (len(names) - len(defaults))
        function.__defaults__ = (
            (*defaults[:place], True, *defaults[place + 1 :]) if place >= 0 else defaults
        )
    elif keywords and _FLAG in keywords:
        function.__kwdefaults__ = {**keywords, _FLAG: True}
    try:
        yield
    finally:
        function.__defaults__, function.__kwdefaults__ = defaults, keywords


@contextmanager
def _seen(owner: Any, name: str, see: Callable[[Any], None]) -> Iterator[None]:
    original = owner.__dict__[name]

    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        made = original(self, *args, **kwargs)
        see(made)
        return made

    setattr(owner, name, call)
    try:
        yield
    finally:
        setattr(owner, name, original)


@contextmanager
def seen_programs() -> Iterator[List[Any]]:
    """Yields the list of all results of `to_executorch()` while it is open."""
    from executorch.exir.program import _program

    made: List[Any] = []
    with ExitStack() as stack:
        for name in ("to_edge_transform_and_lower", "to_edge"):
            function = _inside(getattr(_program, name, None))
            if function is not None:
                stack.enter_context(_records_by_default(function))
        stack.enter_context(_seen(_program.EdgeProgramManager, "to_executorch", made.append))
        yield made
