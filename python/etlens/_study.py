# SPDX-License-Identifier: Apache-2.0
"""What one profile tells: a `Study`."""
import itertools
import os
import sys
import threading
from typing import Any, Callable, Dict, List, Optional, Sequence, Type, TypeVar, Union

from etlens import _process, _rows
from etlens._errors import Error
from etlens._options import Options, PathLike
from etlens._row import Row
from etlens._table import Table

D = TypeVar("D", bound=Row)
_numbers = itertools.count(1)  # of studies
_LINE_COLUMNS = ("file", "line", "self", "share", "occurrences", "confidence", "text")
_MODULE_COLUMNS = ("path", "type", "self", "inclusive", "calls", "share")
_EVENT_COLUMNS = ("event", "op", "self", "share", "occurrences", "module", "confidence")
_CALL_COLUMNS = ("id", "backend", "total", "explained", "opaque", "occurrences", "share")
_ADVICE_COLUMNS = ("title", "action", "at_most", "share")


class CostLine(_rows.Line):
    """A source line and what it costs; a row of `Study.lines`."""

    __slots__ = ()
    file: str  # the last part of the path
    path: Optional[str]  # where the file is now; None if it was not found
    recorded_path: str  # where it was at export

    @property
    def operators(self) -> "Table[_rows.Op]":
        """The operators of the line, the most costly first."""
        return self.ops


class Modules(Table["_rows.Module"]):
    """Modules, which can also be indexed by their path: ``modules["blocks.0"]``."""

    def __getitem__(self, index: Any) -> Any:
        if not isinstance(index, str):
            return super().__getitem__(index)
        for row in self:
            if row.path == index:
                return row
        raise Error("", f"there is no module {index}", "study.modules lists them")


def _cost_lines(document: Dict[str, Any]) -> List[CostLine]:
    rows = [CostLine({"file": os.path.basename(file["recorded_path"].replace("\\", "/")),
                      "path": file["path"], "recorded_path": file["recorded_path"], **line})
            for file in document["files"] for line in file["lines"]]
    return sorted(rows, key=lambda row: -row.self_ticks)


def _is_in(path: Optional[str], wanted: str) -> bool:
    have = (path or "").replace("\\", "/")
    return have == wanted or have.endswith("/" + wanted)


class Study:
    """What a dump, a record and a program tell together; `etlens.load` returns it.

    Each property asks for its document once, when it is read first, and keeps it. Numbers are those
    of the command line: times in `unit`, shares from 0 to 1, memory and sizes in bytes.

    Attributes
    ----------
    total : float
        Of one execution, in `unit`: a time, or without a dump the number of operators.
    unit : str
        ``"ms"`` or as was asked for; ``"count"`` without a dump.
    measure : str
        ``"time"``; ``"operators"`` without a dump.
    executions : int
        How many the dump has.
    method, block, statistic : str
        What `total` is of.
    notes : list of str
        What etlens reported about its choices.
    """

    def __init__(self, options: Options, timeout: Optional[float] = None,
                 progress: "Optional[Progress]" = None) -> None:
        self._options = options
        self._timeout = timeout
        self._progress = progress
        self._name = str(next(_numbers))  # requests of this name share what they load
        self._lock = threading.RLock()
        self._documents: Dict[str, Dict[str, Any]] = {}
        self.notes: List[str] = []
        lines = _rows.Lines(self._document("lines", "etlens/lines@2"))
        self.total: float = lines.total
        self.measure: str = lines.measure
        self.unit: str = lines.time_unit or lines.unit or ""
        self.executions: int = lines.executions
        self.method: Optional[str] = lines.method
        self.block: str = lines.block
        self.statistic: str = lines.statistic

    def _document(self, command: str, schema: str, *more: str) -> Dict[str, Any]:
        key = " ".join((command, *more))
        with self._lock:
            if key not in self._documents:
                notes: List[str] = []
                self._documents[key] = _process.document(
                    schema, [*self._options.of(command), *more], timeout=self._timeout,
                    files=self._options.files, notes=notes, study=self._name,
                    progress=self._progress)
                self.notes.extend(note for note in notes if note not in self.notes)
            return self._documents[key]

    def _read(self, row: Type[D], command: str, schema: str, *more: str) -> D:
        return row(self._document(command, schema, *more))

    @property
    def summary(self) -> str:
        """The text that `etlens lines` prints below its table: time, noise, cold start."""
        with self._lock:
            if "summary" not in self._documents:
                # The text is below every table, and modules take the least time.
                answer = _process.run([*self._options.of("modules"), "--top", "1", "--color", "never"],
                                      timeout=self._timeout, files=self._options.files,
                                      study=self._name, progress=self._progress)
                text = answer.out.decode("utf-8", "replace")
                end = text.find("\n\n")
                self._documents["summary"] = {"text": text[end + 2:] if end >= 0 else text}
            return str(self._documents["summary"]["text"]).strip("\n")

    @property
    def headline(self) -> str:
        """One sentence: the method, its time and how much of it is noise."""
        lines = self.summary.splitlines()
        return " · ".join(lines[:2] if lines and lines[0].startswith("method ") else lines[:1])

    @property
    def findings(self) -> List[str]:
        """Limits of all numbers, a sentence each; empty if there are none."""
        return list(self._document("lines", "etlens/lines@2")["findings"])

    @property
    def cold_start(self) -> Optional[_rows.ColdStart]:
        """Times of loading, initialisation and the first run; None without them."""
        return _rows.Lines(self._document("lines", "etlens/lines@2")).cold_start

    @property
    def lines(self) -> "Table[CostLine]":
        """Source lines with their costs, the most costly first."""
        rows = _cost_lines(self._document("lines", "etlens/lines@2"))
        return Table(rows, name="lines", unit=self.unit, shown=_LINE_COLUMNS)

    def line(self, file: PathLike, line: int) -> CostLine:
        """Return the row of one source line.

        Parameters
        ----------
        file : path
            The file, or the end of its path: ``"layers.py"``.
        line : int
            Its number at export, from 1.
        """
        wanted = os.fspath(file).replace("\\", "/")
        found = [row for row in self.lines if row.line == line
                 and (_is_in(row.path, wanted) or _is_in(row.recorded_path, wanted))]
        if not found:
            raise Error(wanted, f"line {line} of {wanted} has no cost",
                        "study.lines lists the lines that have one")
        if len(found) > 1:
            raise Error(wanted, f"{len(found)} files are called {wanted}",
                        "give more of the path: " + ", ".join(row.recorded_path for row in found))
        return found[0]

    @property
    def modules(self) -> Modules:
        """Modules with their own and inclusive costs, in the order of the module tree."""
        rows = self._read(_rows.Modules, "modules", "etlens/modules@2").modules
        return Modules(list(rows), name="modules", unit=self.unit, shown=_MODULE_COLUMNS)

    @property
    def events(self) -> "Table[_rows.Event]":
        """Runtime events, the most costly first; they need a dump."""
        rows = self._read(_rows.Events, "events", "etlens/events@2").events
        return Table(list(rows), name="events", unit=self.unit, shown=_EVENT_COLUMNS)

    def events_by(self, what: str) -> "Table[_rows.EventGroup]":
        """Return events added up by ``operator``, ``line``, ``module``, ``delegate`` or ``partition``."""
        rows = self._read(_rows.EventGroups, "events", "etlens/event-groups@1", "--by", what).groups
        return Table(list(rows), name=f"events by {what}", unit=self.unit,
                     shown=("name", "self", "share", "events", "occurrences"))

    @property
    def delegate_calls(self) -> "Table[_rows.Partition]":
        """Delegate calls with their times and what explains them."""
        rows = self._read(_rows.Partitions, "partitions", "etlens/partitions@2").partitions
        return Table(list(rows), name="delegate calls", unit=self.unit, shown=_CALL_COLUMNS)

    @property
    def advice(self) -> "Table[_rows.Finding]":
        """What to look at first, by the time that it could save."""
        rows = self._read(_rows.Advice, "advise", "etlens/advice@1").advice
        return Table(list(rows), name="advice", unit=self.unit, shown=_ADVICE_COLUMNS)

    @property
    def delegation(self) -> _rows.Delegation:
        """Which operators run in a delegate, which on the CPU, and why."""
        return self._read(_rows.Delegation, "delegation", "etlens/delegation@1")

    @property
    def memory(self) -> _rows.Memory:
        """Planned memory: ``buffers`` with their peaks and ``tensors``, in bytes."""
        return self._read(_rows.Memory, "memory", "etlens/memory@1")

    @property
    def size(self) -> _rows.Size:
        """The program's file: ``file_bytes``, and ``parts`` with what they are for."""
        return self._read(_rows.Size, "size", "etlens/size@1")

    @property
    def values(self) -> _rows.Values:
        """Logged values, and how far they are from ``reference``."""
        return self._read(_rows.Values, "values", "etlens/values@1")

    @property
    def graph(self) -> _rows.Graph:
        """The program as a graph: ``nodes`` and ``edges``."""
        return self._read(_rows.Graph, "graph", "etlens/graph@1")

    @property
    def check(self) -> _rows.Check:
        """Which files were used, whether they belong together, and what was odd."""
        return self._read(_rows.Check, "check", "etlens/check@2")

    def report(self, file: PathLike, base: Optional[PathLike] = None) -> None:
        """Write the HTML report into `file`, compared with the dump `base` if that is given."""
        more = ["--base", os.fspath(base)] if base is not None else []
        self._write("report", file, more)

    def export(self, form: str, file: PathLike) -> None:
        """Write the profile for another program.

        Parameters
        ----------
        form : str
            ``"perfetto"``, ``"speedscope"``, ``"pprof"``, ``"chrome"``, ``"prof"``, ``"csv"``,
            ``"ndjson"``, ``"html"``, ``"markdown"``, ``"svg"`` or ``"dot"``.
        file : path
            The file to write.
        """
        self._write("export", file, ["--to", form])

    def _write(self, command: str, file: PathLike, more: Sequence[str]) -> None:
        _process.run([*self._options.of(command), *more, "-o", os.fspath(file)],
                     timeout=self._timeout, files=[os.fspath(file), *self._options.files],
                     study=self._name, progress=self._progress)

    def __repr__(self) -> str:
        return f"<etlens.Study: {self.headline}>"

    def __str__(self) -> str:
        return f"{self.lines.top()}\n\n{self.summary}"

    def _repr_html_(self) -> str:
        from html import escape

        from etlens._html import picture_html

        picture = ""
        if self.measure == "time":
            try:
                answer = _process.run([*self._options.of("export"), "--to", "svg"],
                                      timeout=self._timeout, files=self._options.files,
                                      study=self._name, progress=self._progress)
                picture = picture_html(answer.out, "Flame graph: " + self.headline)
            except Error:
                pass  # the table stands without it
        return f"<p>{escape(self.headline)}</p>{self.lines.top()._repr_html_()}{picture}"


Progress = Callable[[str], Any]


def _show_progress(sentence: str) -> None:
    """On a terminal: one line, which the next sentence replaces."""
    if sys.stderr is not None and sys.stderr.isatty():
        print(f"\r\x1b[Ketlens: {sentence}", end="", file=sys.stderr, flush=True)


def load(path: "Union[PathLike, Sequence[PathLike], None]" = None, *,
         timeout: Optional[float] = None, progress: Union[Progress, bool, None] = None,
         **options: Any) -> Study:
    """Open a profile.

    Parameters
    ----------
    path : path or sequence of paths, optional
        A folder in which the dump, the record and the program are found by their content, or these
        files. Default: the working folder.
    etdump, etrecord, pte : path, optional
        Files that are not to be searched for. ``etrecord=False``: use no record.
    reference, debug_buffer : path, optional
        What values are compared with, and the bytes of the values; for `Study.values`.
    method, block : str, optional
        The method and the block of executions to show.
    statistic : {"typical", "mean", "median", "min", "max"}, optional
        What many executions are as one number.
    executions : str, optional
        Executions to use, such as ``"2-25,30"``.
    warmup : int, optional
        Executions at the beginning of the dump that no number is of.
    raw : bool
        Durations as they were logged.
    recover : bool
        Look for the lines inside helpers that the export lost. Default: True.
    roots, python_environments, library_frames : sequence, optional
        Where sources and installed packages are, and which files are library code.
    path_maps : dict, optional
        Recorded folder to the folder of today.
    source_time_scale, target_time_scale : {"ns", "us", "ms", "s", "cycles"}, optional
        The unit of the dump's ticks, and of the numbers here (default: ``"ms"``).
    timeout : float, optional
        Seconds for each document (default: 600).
    progress : callable or True, optional
        Called with a sentence before files are read, and with the headline after it. It is called
        again if a later document reads files. ``True``: shows the sentences on the terminal.

    Returns
    -------
    Study

    Raises
    ------
    Error
        With the file, the problem and the remedy.

    Examples
    --------
    >>> study = etlens.load("examples/storyteller")
    >>> study.lines[0].text
    'return weights @ v'
    """
    chosen = Options.of_call(path, options)
    show: Optional[Progress] = None
    if progress is True:
        show = _show_progress
    elif callable(progress):
        show = progress
    if show is not None:
        show("looking into " + (", ".join(chosen.files) or os.getcwd()))
    study = Study(chosen, timeout, show)
    if show is not None:
        show(study.headline)
    if progress is True and sys.stderr is not None and sys.stderr.isatty():
        print(file=sys.stderr)
    return study
