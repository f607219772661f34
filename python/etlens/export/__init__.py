# SPDX-License-Identifier: Apache-2.0
"""Records an export: all lines of the user's code, the files that etlens reads, and the texts of the sources.

    with etlens.export.recording("out/"):
        program = torch.export.export(model, inputs)
        edge = to_edge_transform_and_lower(program, partitioner=[XnnpackPartitioner()])
        executorch = edge.to_executorch()

torch and ExecuTorch are those of the caller. They are imported when a recording begins.
"""

import functools
import json
import os
import platform
import threading
import warnings
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Dict, List, Optional, Union

from etlens._errors import Error
from etlens.export._files import FileSet, sha256_of

__all__ = ["Recording", "SavedProgram", "recording"]

_open = threading.Lock()


class SavedProgram:
    """The files of one program.

    Attributes
    ----------
    pte, etrecord, sources : Path
        The program, its record (None if ExecuTorch made none) and the sidecar with the sources.
    data : list of Path
        The `.ptd` files with weights outside of the program.
    reference : list of Path
        The `.npz` files with reference values, one for each method.
    """

    def __init__(self, name: str):
        self.name = name
        self.pte = Path()
        self.etrecord: Optional[Path] = None
        self.sources = Path()
        self.data: List[Path] = []
        self.reference: List[Path] = []

    def __repr__(self) -> str:
        return f"SavedProgram(pte={str(self.pte)!r}, etrecord={str(self.etrecord)!r})"


class Recording:
    """What `recording` returns. Use it in a `with` statement.

    Attributes
    ----------
    all_frames : bool
        Whether this torch keeps all frames of the user's code.
    programs : list of SavedProgram
        One for each call of `to_executorch()`, after the `with` statement.
    """

    def __init__(self, folder: Union[str, "os.PathLike[str]"], name: str, reference: Any):
        if not name or name != Path(name).name or name.startswith("."):
            remedy = "name the files without a folder, for example name='model'"
            raise Error("", f"{name!r} is not a name of a file", remedy)
        self.folder = Path(folder)
        self.all_frames = False
        self.programs: List[SavedProgram] = []
        self._name = name
        self._reference = reference
        self._stack: Optional[ExitStack] = None
        self._made: List[Any] = []

    def __enter__(self) -> "Recording":
        if not _open.acquire(blocking=False):
            raise Error(
                "",
                "another recording is open in this process",
                "close it first; one recording saves every program that is made inside of it",
            )
        try:
            with ExitStack() as stack:
                stack.callback(_open.release)
                self._enter(stack)
                self._stack = stack.pop_all()
        except ImportError as error:
            raise Error(
                "",
                f"a recording needs torch and executorch, and {error.name or error} cannot be imported",
                "install them with pip install executorch torch",
            ) from error
        return self

    def _enter(self, stack: ExitStack) -> None:
        from etlens.export._frames import kept_frames
        from etlens.export._lowering import seen_programs

        self.programs = []
        self._made = stack.enter_context(seen_programs())
        self.all_frames = stack.enter_context(kept_frames())

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        assert self._stack is not None
        self._stack.close()
        made, self._made, self._stack = self._made, [], None
        if kind is None:
            self._save(made)

    def _save(self, made: List[Any]) -> None:
        if not made:
            raise Error(
                "",
                "nothing was exported inside this recording",
                "call to_executorch() inside of the `with` statement",
            )
        with FileSet(self.folder) as files:
            saved = [self._write(files, manager, number) for number, manager in enumerate(made, 1)]
            placed = files.commit()
        for program in saved:
            self._warn_of_old_reference(program, placed)
        self.programs = saved

    def _write(self, files: FileSet, manager: Any, number: int) -> SavedProgram:
        name = self._name if number == 1 else f"{self._name}-{number}"
        saved = SavedProgram(name)
        hashes: Dict[str, Any] = {}

        def add(file: str, write: Any) -> Path:
            temporary = files.write(file, write)
            hashes[file] = {
                "file": file,
                "sha256": sha256_of(temporary),
                "bytes": temporary.stat().st_size,
            }
            return self.folder / file

        saved.pte = add(f"{name}.pte", lambda path: _write_program(manager, path))
        data = getattr(manager, "_tensor_data", None) or {}
        for key, cord in data.items():
            file = f"{key if key.endswith('.ptd') else key + '.ptd'}"
            file = file if number == 1 else f"{name}.{file}"
            saved.data.append(
                add(Path(file).name, lambda path, cord=cord: _write_bytes(cord, path))
            )
        record = getattr(manager, "_etrecord", None)
        if record is None:
            warnings.warn(
                f"{name}: ExecuTorch made no record; pass generate_etrecord=True when you lower the model"
            )
        else:
            saved.etrecord = add(f"{name}.etrecord", lambda path: _write_record(record, path))
            saved.reference = self._write_references(files, record, number, name)
        saved.sources = self.folder / f"{name}.sources.json"
        document = self._sidecar(manager, record, saved, hashes)
        files.write(saved.sources.name, lambda path: path.write_text(document, encoding="utf-8"))
        return saved

    def _write_references(self, files: FileSet, record: Any, number: int, name: str) -> List[Path]:
        if self._reference is None or self._reference is False:
            return []
        programs = record.edge_dialect_program
        programs = programs if isinstance(programs, dict) else {"forward": programs}
        written = []
        for method, program in programs.items():
            inputs = (
                self._reference.get(method)
                if isinstance(self._reference, dict)
                else self._reference
            )
            if inputs is None:
                continue
            file = "reference" if len(programs) == 1 else f"reference-{method}"
            file = f"{file}.npz" if number == 1 else f"{name}.{file}.npz"
            files.write(file, functools.partial(_write_reference, program, inputs))
            written.append(self.folder / file)
        return written

    def _sidecar(
        self, manager: Any, record: Any, saved: SavedProgram, hashes: Dict[str, Any]
    ) -> str:
        from etlens.export._sources import programs_of, source_rows, traced_files

        files = traced_files(programs_of(record)) if record is not None else []
        document = {
            "schema": "etlens/sources@1",
            "program": hashes[saved.pte.name],
            "record": hashes[saved.etrecord.name] if saved.etrecord else None,
            "data": [hashes[path.name] for path in saved.data],
            "all_frames": self.all_frames,
            "versions": versions(),
            "sources": source_rows(files),
        }
        return json.dumps(document, indent=1) + "\n"

    def _warn_of_old_reference(self, saved: SavedProgram, placed: Dict[str, Path]) -> None:
        old = self.folder / "reference.npz"
        if saved.name == self._name and old.exists() and old.name not in placed:
            warnings.warn(
                f"{old} is of an earlier export; remove it, or record with reference=True",
                stacklevel=5,
            )


def versions() -> Dict[str, Optional[str]]:
    """The releases of what makes and runs programs here."""
    from importlib import metadata

    found: Dict[str, Optional[str]] = {"python": platform.python_version()}
    for package in ("torch", "executorch"):
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            found[package] = None
    return found


def _write_program(manager: Any, path: Path) -> None:
    with open(path, "wb") as file:
        manager.write_to_file(file)


def _write_bytes(cord: Any, path: Path) -> None:
    with open(path, "wb") as file:
        cord.write_to_file(file)


def _write_record(record: Any, path: Path) -> None:
    try:
        record.save(str(path))
    except OSError:
        raise
    except Exception as error:
        raise Error(
            "",
            f"the record cannot be saved: torch reports {type(error).__name__}: {error}",
            "import and register the types and operators that the model uses before you save it",
        ) from error


def _write_reference(program: Any, inputs: Any, path: Path) -> None:
    import numpy
    from etlens.export._reference import reference_arrays

    try:
        arrays = reference_arrays(program, inputs)
    except Exception as error:
        raise Error(
            "",
            f"the reference values cannot be computed: {type(error).__name__}: {error}",
            "give the inputs as a tuple, as for torch.export.export, or leave out reference",
        ) from error
    numpy.savez(path, **arrays)


def recording(
    folder: Union[str, "os.PathLike[str]"], *, name: str = "model", reference: Any = None
) -> Recording:
    """Keeps all lines of the user's code in an export, and saves what etlens reads.

    Parameters
    ----------
    folder : path
        Where the files go. It is made if it is missing.
    name : str
        The name of the files: `model.pte`, `model.etrecord`, `model.sources.json`. Further programs of the same
        recording get `model-2`, `model-3`.
    reference : bool, tuple or dict
        Also writes `reference.npz` with the value of every edge node. `True` takes the inputs of the export, a tuple
        gives other inputs, a dict gives a tuple or `True` for each method.

    Returns
    -------
    Recording
        For a `with` statement around `torch.export.export`, lowering and `to_executorch()`.

    Raises
    ------
    Error
        If another recording is open, nothing was exported, or a file cannot be written. An exception inside of the
        `with` statement passes through, and no file is written.
    """
    return Recording(folder, name, reference)
