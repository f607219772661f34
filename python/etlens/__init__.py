# SPDX-License-Identifier: Apache-2.0
"""What an ExecuTorch model costs, on the line of PyTorch source that caused it.

    >>> import etlens
    >>> study = etlens.load("examples/storyteller")
    >>> study.lines.top(3)

This package runs the executable ``etlens`` and shows its numbers as rows and tables. It needs no
other package: not torch, not pandas.
"""
import importlib as _importlib
from typing import Any as _Any

from etlens._compare import Comparison, compare
from etlens._errors import Error
from etlens._row import Row
from etlens._study import CostLine, Study, load
from etlens._table import Table

__all__ = ["Comparison", "CostLine", "Error", "Row", "Study", "Table", "compare", "load"]

_MODULES = ("export", "inspector")  # imported when they are used


def _version() -> str:
    from importlib import metadata

    try:
        return metadata.version("etlens")
    except metadata.PackageNotFoundError:  # used as a folder, without installation
        from etlens import _process

        return _process.run(["--version"]).out.decode("utf-8", "replace").split()[1]


def __getattr__(name: str) -> _Any:
    if name == "__version__":
        return _version()
    module, part = ("capture", name) if name == "profile" else (name, "")
    if name == "profile" or name in _MODULES:
        try:
            found = _importlib.import_module("etlens." + module)
        except ModuleNotFoundError as why:
            if why.name != "etlens." + module:
                raise
            raise AttributeError(f"this etlens has no {name}") from None
        return getattr(found, part) if part else found
    raise AttributeError(f"module 'etlens' has no attribute {name!r}")
