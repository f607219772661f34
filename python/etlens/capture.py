# SPDX-License-Identifier: Apache-2.0
"""Runs a program in this process with ExecuTorch's runtime, and saves the dump that etlens reads.

    with etlens.profile("out/model.pte", inputs) as run:
        print(run)      # 11.3 ms traced, 10.1 ms untraced: +12 %

ExecuTorch (1.5 or later from pip, which has the event tracer) is that of the caller. It is imported when a run begins.
"""

import datetime
import json
import os
import warnings
from pathlib import Path
from typing import Any, Dict, Optional, Sequence, Union

from etlens import _machine, _turns
from etlens._errors import Error
from etlens.export import versions
from etlens.export._files import FileSet, sha256_of
from etlens.export._sources import MAX_SIDECAR_BYTES

__all__ = ["Run", "profile"]


def _identity(path: Optional[Path], name: Optional[str] = None) -> Optional[Dict[str, Any]]:
    if path is None:
        return None
    return {"file": name or path.name, "sha256": sha256_of(path), "bytes": path.stat().st_size}


def _paired_by(program: Path, hashes: Dict[str, Any]) -> Optional[str]:
    """How the record was found: `export` if the sidecar of the export has the hashes of both files, else `name`."""
    if hashes["record"] is None:
        return None
    try:
        with open(program.with_suffix(".sources.json"), encoding="utf-8") as file:
            sidecar = json.loads(file.read(MAX_SIDECAR_BYTES))
        exported = [sidecar[key]["sha256"] for key in ("program", "record")]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return "name"
    return "export" if exported == [hashes[key]["sha256"] for key in ("program", "record")] else "name"


def _time(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


class Run:
    """What `profile` returns. The program runs when the `with` statement begins.

    Attributes
    ----------
    dump, sidecar : Path
        The dump, and the file about the run next to it.
    traced, untraced : Amount
        Seconds of an execution with and without the event tracer: `typical`, `low`, `high`.
    executions : int
        Traced executions in the dump, warm-up included.
    ended : str
        `interval` if the interval became small enough, `limit` if the time was over, `executions` if they were given.
    """

    def __init__(self, program: Path, inputs: Sequence[Any], options: Dict[str, Any]):
        self.program = program
        self.dump: Path = options["dump"]
        self.sidecar = self.dump.with_name(self.dump.name + ".json")
        self.record: Optional[Path] = options["record"]
        self.traced: Optional[_turns.Amount] = None
        self.untraced: Optional[_turns.Amount] = None
        self.executions = 0
        self.ended = ""
        self._inputs = inputs
        self._options = options

    def __enter__(self) -> "Run":
        noise = _machine.warning_of_load()
        if noise:
            warnings.warn(noise, stacklevel=2)
        before = {"load": _machine.load(), "started": _now()}
        hashes = {"program": _identity(self.program), "record": _identity(self.record)}
        hashes["paired_by"] = _paired_by(self.program, hashes)
        traced, program = self._loaded(True)
        untraced, _ = self._loaded(False)
        keys = ("warmup", "until", "limit")
        measured = _turns.measure(
            traced,
            untraced,
            *(self._options[key] for key in keys),
            wanted=self._options["executions"],
        )
        self.traced, self.untraced = measured.traced, measured.untraced
        self.executions, self.ended = measured.executions, measured.ended
        self._save(program, {**hashes, **self._facts(measured, before)})
        return self

    def __exit__(self, *exception: object) -> None:
        pass

    def __str__(self) -> str:
        if self.traced is None:
            return f"{self.program}: not run yet"
        text = f"{_time(self.traced.typical)} traced"
        if self.untraced is None:
            return text
        return f"{text}, {_time(self.untraced.typical)} untraced: {self.tracer_cost * 100:+.0f} %"

    @property
    def tracer_cost(self) -> float:
        """The time that the event tracer adds, as a share of the time without it."""
        if self.traced is None or self.untraced is None:
            raise Error("", "the program did not run yet", "use the run in a `with` statement")
        return self.traced.typical / self.untraced.typical - 1

    @property
    def study(self) -> Any:
        """The dump as `etlens.load` opens it."""
        import etlens

        record: Dict[str, Any] = {"etrecord": str(self.record)} if self.record else {}
        return etlens.load(etdump=str(self.dump), pte=str(self.program), **record)

    def _loaded(self, is_traced: bool) -> Any:
        try:
            from executorch.runtime import Runtime
        except ImportError as error:
            raise Error(
                "",
                f"a run needs ExecuTorch's runtime, and {error.name or error} cannot be imported",
                "install it with pip install executorch",
            ) from error
        try:
            program = Runtime.get().load_program(
                self.program, enable_etdump=is_traced, **self._data()
            )
            method = program.load_method(self._options["method"])
        except KeyError as error:
            names = ", ".join(sorted(program.method_names))
            raise Error(
                str(self.program),
                f"has no method {self._options['method']}",
                f"its methods are {names}",
            ) from error
        except RuntimeError as error:
            remedy = (
                "use the release of ExecuTorch that exported it, with the backends that it needs"
            )
            raise Error(str(self.program), f"cannot be loaded ({error})", remedy) from error

        def execute() -> None:
            try:
                method.execute(self._inputs)
            except RuntimeError as error:
                remedy = "give the inputs as a tuple, with the shapes and types of the export"
                raise Error(str(self.program), f"cannot be executed ({error})", remedy) from error

        return execute, program

    def _data(self) -> Dict[str, Any]:
        data = self._options["data"]
        return {"data_path": data} if data is not None else {}

    def _save(self, program: Any, facts: Dict[str, Any]) -> None:
        def write(path: Path) -> None:
            program.write_etdump_result_to_file(str(path), None)
            if not path.exists() or path.stat().st_size == 0:
                raise Error(
                    str(self.dump),
                    "the runtime wrote no dump",
                    "use ExecuTorch 1.5 or later from pip, or a build with EXECUTORCH_ENABLE_EVENT_TRACER=ON",
                )

        with FileSet(self.dump.parent) as files:
            dump = _identity(files.write(self.dump.name, write), self.dump.name)
            document = (
                json.dumps({"schema": "etlens/run@1", "dump": dump, **facts}, indent=1) + "\n"
            )
            files.write(self.sidecar.name, lambda path: path.write_text(document, encoding="utf-8"))
            files.commit()

    def _facts(self, measured: _turns.Measured, before: Dict[str, Any]) -> Dict[str, Any]:
        pace = measured.pace
        return {
            "method": self._options["method"],
            "started": before["started"],
            "warmup": self._options["warmup"],
            "executions": measured.executions,
            "ended": measured.ended,
            "traced": measured.traced._asdict(),
            "untraced": measured.untraced._asdict() if measured.untraced else None,
            "pace": {
                "calculation": "SHA-256 of 1 MiB",
                "fastest": min(pace),
                "slowest": max(pace),
                "seconds": [round(value, 7) for value in pace],
            },
            "device": _machine.device(),
            "processors": _machine.processors(),
            "governors": _machine.governors(),
            "load_before": before["load"],
            "load_after": _machine.load(),
            "commit": _machine.commit_of(self.program.parent),
            "versions": versions(),
        }


def _now() -> str:
    return datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")


def _file(path: Path, kind: str) -> Path:
    if not path.is_file():
        raise Error(
            str(path), f"is not a {kind}", "give the path of the file, for example 'out/model.pte'"
        )
    return path


def _program_path(program: Any) -> Path:
    if hasattr(program, "programs") and len(program.programs) == 1:
        program = program.programs[0]
    path = getattr(program, "pte", program)
    if not isinstance(path, (str, os.PathLike)):
        raise Error(
            "",
            f"{type(program).__name__} cannot be profiled: its file is unknown, and it cannot run without the tracer",
            "give the path of the .pte, or what etlens.export.recording saved, and the method as method='forward'",
        )
    return _file(Path(path), "file")


def profile(
    program: Union[str, "os.PathLike[str]", Any],
    inputs: Sequence[Any] = (),
    *,
    method: str = "forward",
    warmup: int = 3,
    until: float = 0.02,
    limit: Union[str, float] = "10 s",
    executions: Optional[int] = None,
    dump: Union[str, "os.PathLike[str]", None] = None,
    record: Union[str, "os.PathLike[str]", None] = None,
    data: Union[str, "os.PathLike[str]", None] = None,
) -> Run:
    """Runs a program until its time is known well enough, and saves the dump.

    Parameters
    ----------
    program : path, SavedProgram or Recording
        The `.pte`, or what `etlens.export.recording` saved.
    inputs : sequence
        The inputs of the method, tensors as for `torch.export.export`.
    method : str
        The method to run.
    warmup : int
        Executions before the first one that is timed. They are in the dump, too.
    until : float
        The run ends when the 95 % interval of the total is within this share, with and without the tracer.
    limit : str or float
        The run ends after this time at the latest: `"10 s"`, `"500 ms"`, or seconds.
    executions : int
        Executions after the warm-up, at most 2000; then `until` and `limit` do not count.
    dump, record : path
        Default: the name of the program with `.etdp` and `.etrecord`.
    data : path
        The `.ptd` with weights outside of the program. Default: the one of the recording, if it saved one.

    Returns
    -------
    Run
        For a `with` statement. The files are complete when its first line runs.

    Raises
    ------
    Error
        If the program cannot be loaded or executed, or a file cannot be written. Then no file changes.
    """
    if warmup < 0 or not 0 < until < 1:
        raise Error("", "warmup or until is out of range", "use warmup=3 and until=0.02")
    if executions is not None and not 0 < executions <= _turns.MAX_EXECUTIONS:
        remedy = f"use a number from 1 to {_turns.MAX_EXECUTIONS}"
        raise Error("", f"executions={executions} is out of range", remedy)
    seconds = _turns.seconds_of(limit)
    path = _program_path(program)
    found = path.with_suffix(".etrecord")
    kept = _file(Path(record), "file") if record is not None else found if found.is_file() else None
    saved = program.programs[0] if hasattr(program, "programs") else program
    files = getattr(saved, "data", None) or []
    options = {
        "method": method,
        "warmup": warmup,
        "until": until,
        "limit": seconds,
        "executions": executions,
        "dump": Path(dump) if dump is not None else path.with_suffix(".etdp"),
        "record": kept,
        "data": data if data is not None else files[0] if len(files) == 1 else None,
    }
    return Run(path, inputs, options)
