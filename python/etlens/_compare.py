# SPDX-License-Identifier: Apache-2.0
"""Two sides of dumps: what changed, and is it real."""
import os
from typing import Any, Callable, List, Optional, Sequence, Union

from etlens import _process, _rows
from etlens._errors import Error
from etlens._options import PathLike, arguments_of
from etlens._row import Row
from etlens._study import Study
from etlens._table import Table

Side = Union[PathLike, Study, "Sequence[Union[PathLike, Study]]"]
_COMMON = ("method", "block", "roots", "path_maps", "python_environments", "library_frames",
           "recover", "source_time_scale", "target_time_scale", "statistic", "executions", "warmup",
           "raw")


class LineChange(_rows.LineChange):
    """One line on both sides; a row of `Comparison.lines`."""

    __slots__ = ()
    where: str  # file:line on the new side, else on the base
    text: str


def _line_change(values: Any) -> LineChange:
    place = values["after"] or values["before"] or {}
    name = os.path.basename(str(place.get("recorded_path", "")).replace("\\", "/"))
    return LineChange({"where": f"{name}:{place.get('line')}", "text": place.get("text", ""), **values})


class Comparison:
    """What `etlens.compare` found.

    Attributes
    ----------
    total : row
        ``before`` and ``after`` (in `unit`), ``change`` (a share; -0.05 is 5 % faster) with its
        interval ``low`` to ``high``, ``verdict`` and ``likely``.
    unit : str
        Of times.
    notes : list of str
        What etlens reported about its choices.
    """

    def __init__(self, document: Any, notes: List[str]) -> None:
        self._view = _rows.Diff(document)
        self._lines = [_line_change(line) for line in document["lines"]]
        self.notes = notes
        self.unit: str = self._view.time_unit
        self.total: _rows.Change = self._view.total
        self.dumps: Row = self._view.dumps
        self.machine: Optional[_rows.Machine] = self._view.machine

    @property
    def verdict(self) -> str:
        """Of the total: ``"slower"``, ``"faster"``, ``"cannot_tell"`` or another of docs/comparing.md."""
        return self.total.verdict

    @property
    def lines(self) -> "Table[LineChange]":
        """Every line of either side."""
        return Table(self._lines, name="lines", unit=self.unit,
                     shown=("where", "change", "low", "high", "verdict", "text"))

    @property
    def slower(self) -> "Table[LineChange]":
        """Lines whose verdict is ``slower``."""
        return self.lines.filter(verdict="slower")

    @property
    def faster(self) -> "Table[LineChange]":
        """Lines whose verdict is ``faster``."""
        return self.lines.filter(verdict="faster")

    @property
    def modules(self) -> "Table[_rows.ModuleChange]":
        """Every module of either side."""
        return self._view.modules

    @property
    def operators(self) -> "Table[_rows.OperatorChange]":
        """Every operator of either side."""
        return self._view.operators

    @property
    def delegate_calls(self) -> "Table[_rows.PartitionChange]":
        """Every delegate call of either side."""
        return self._view.partitions

    @property
    def parts(self) -> "Table[_rows.PartChange]":
        """Time that is on no line: framework, dispatch, noise, …"""
        return self._view.parts

    def __repr__(self) -> str:
        change = self.total.change
        return (f"<etlens.Comparison: {self.verdict}"
                + (f", {change:+.1%}" if change is not None else "")
                + f", {len(self.slower)} lines slower, {len(self.faster)} faster>")

    def _repr_html_(self) -> str:
        from html import escape

        return f"<p>{escape(repr(self))}</p>{self.lines.top(20)._repr_html_()}"


def _side(name: str, side: Side, words: List[str], files: List[str]) -> None:
    items: Sequence[Any] = [side] if isinstance(side, (str, os.PathLike, Study)) else list(side)
    if not items:
        raise Error("", f"{name}= has no dumps", "give one or more files or folders")
    for item in items:
        if not isinstance(item, Study):
            words += [f"--{name}", os.fspath(item)]
            files.append(os.fspath(item))
            continue
        check = item.check
        if check.etdump is None:
            raise Error("", f"{name}= is a study without a dump", "compare studies that have one")
        words += [f"--{name}-etdump", check.etdump]
        if check.etrecord is not None and f"--{name}-etrecord" not in words:
            words += [f"--{name}-etrecord", check.etrecord]
        files.append(check.etdump)


def compare(base: Side, new: Side, *, threshold: Optional[float] = None,
            timeout: Optional[float] = None, progress: Optional[Callable[[str], None]] = None,
            **options: Any) -> Comparison:
    """Compare two sides of dumps.

    Parameters
    ----------
    base, new : path, Study, or sequence of them
        The dumps of a side: files, folders or globs. Five or more of each side make verdicts firm.
    threshold : float, optional
        Changes below this share do not matter (default: 0.02).
    timeout : float, optional
        Seconds (default: 600).
    progress : callable, optional
        Called with a sentence before the dumps are read and after it.
    **options
        ``method``, ``block``, ``statistic``, ``executions``, ``warmup``, ``raw``, ``roots``, ``path_maps``,
        ``python_environments``, ``library_frames``, ``recover``, ``source_time_scale`` and
        ``target_time_scale``, as for `etlens.load`.

    Returns
    -------
    Comparison
    """
    words: List[str] = ["diff"]
    files: List[str] = []
    _side("base", base, words, files)
    _side("new", new, words, files)
    for name, value in options.items():
        if name not in _COMMON:
            raise Error("", f"etlens.compare has no parameter {name}", f"it has: {', '.join(_COMMON)}")
        words += arguments_of(name, value)
    if threshold is not None:
        words += ["--threshold", repr(float(threshold))]
    if progress is not None:
        progress("comparing " + ", ".join(files))
    notes: List[str] = []
    document = _process.document("etlens/diff@1", words, timeout=timeout, files=files, notes=notes)
    comparison = Comparison(document, notes)
    if progress is not None:
        progress(repr(comparison))
    return comparison
