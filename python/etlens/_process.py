# SPDX-License-Identifier: Apache-2.0
"""Runs the executable: what a study is asked for in the one process of `_api`, everything else in a process of its own,
which ends with its answer.

Threads may call at the same time, and so may a forked process.
"""
import atexit
import json
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import weakref
from dataclasses import dataclass
from typing import Any, Dict, Iterator, List, Optional, Sequence

from etlens import _api
from etlens._errors import Error, error_of, with_parameters

TIMEOUT = 600.0  # seconds, for one document
_WRONG_USAGE = 2  # the exit status
_NAME = "etlens.exe" if os.name == "nt" else "etlens"
_running: "weakref.WeakSet[subprocess.Popen[bytes]]" = weakref.WeakSet()


@dataclass(frozen=True)
class Answer:
    """What the executable wrote: `out` on stdout, and a sentence for each line of stderr."""

    out: bytes
    notes: List[str]
    status: int = 0


def _folders() -> Iterator[str]:
    yield sysconfig.get_path("scripts")
    package = os.path.dirname(os.path.abspath(__file__))
    # pip install --target puts the scripts beside the package.
    yield os.path.join(os.path.dirname(package), "bin")
    yield os.path.join(os.path.dirname(package), "Scripts")
    user = f"{os.name}_user"
    if user in sysconfig.get_scheme_names():
        yield sysconfig.get_path("scripts", scheme=user)


def executable() -> str:
    """Return the path of the ``etlens`` executable.

    It is the one that the variable ``ETLENS_EXECUTABLE`` names, else the one that was installed
    with this package, else the first on ``PATH``.
    """
    named = os.environ.get("ETLENS_EXECUTABLE", "")
    if named:
        if os.access(named, os.X_OK) and os.path.isfile(named):
            return named
        raise Error(named, "ETLENS_EXECUTABLE names no program that can be run",
                    "correct the variable or remove it")
    for folder in _folders():
        path = os.path.join(folder, _NAME)
        # A script of that name would start this package again.
        if os.path.isfile(path) and os.access(path, os.X_OK) and not _is_script(path):
            return path
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        found = shutil.which("etlens", path=folder) if folder else None
        if found and not _is_script(found):
            return found
    raise Error("", "there is no etlens executable beside this package or on PATH",
                "install the wheel again, or name the executable in ETLENS_EXECUTABLE")


def _is_script(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(2) == b"#!"
    except OSError:
        return False  # can be run, not read


@atexit.register
def _end_all() -> None:
    for process in list(_running):
        if process.poll() is None:
            process.kill()


def _forget() -> None:
    _running.clear()  # they belong to the process that forked


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


def _start(command: List[str], stdin: int = subprocess.DEVNULL) -> "subprocess.Popen[bytes]":
    flags = getattr(subprocess, "CREATE_NO_WINDOW", 0)
    try:
        process = subprocess.Popen(command, stdin=stdin, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, creationflags=flags)
    except OSError as why:
        raise Error(command[0], f"{command[0]} does not start ({why.strerror or why})",
                    "install the wheel again, or name another executable in ETLENS_EXECUTABLE"
                    ) from why
    _running.add(process)
    return process


def _end(process: "subprocess.Popen[bytes]") -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()


def _sentences(text: bytes) -> List[str]:
    lines = text.decode("utf-8", "replace").splitlines()
    return [line[len("etlens: "):] if line.startswith("etlens: ") else line
            for line in lines if line.strip()]


def _name_of_signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _alone(arguments: Sequence[str], subject: str, limit: float) -> "tuple[int, bytes, bytes]":
    """Status, stdout and stderr of a process of its own."""
    process = _start([executable(), *arguments])
    try:
        out, err = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired as why:
        _end(process)
        raise _late(arguments, subject, limit) from why
    except BaseException:
        _end(process)
        raise
    return process.returncode, out, err


def _late(arguments: Sequence[str], subject: str, limit: float) -> Error:
    return Error(subject, f"etlens {arguments[0]} has no answer after {limit:g} s",
                 "give a longer timeout=, or fewer executions")


def _no_document(arguments: Sequence[str]) -> Error:
    return Error(executable(), f"etlens {arguments[0]} did not write a document",
                 "call again; if it repeats, report it")


def _shared(arguments: Sequence[str], subject: str, limit: float, study: str,
            progress: Optional[_api.Progress]) -> "Optional[tuple[int, bytes, bytes]]":
    """The same of the process that keeps studies open; None if it cannot be asked."""
    def start(command: List[str]) -> "subprocess.Popen[bytes]":
        return _start(command, subprocess.PIPE)

    try:
        reply = _api.ask(start, executable(), study, arguments, limit, progress)
    except _api.Late as why:
        raise _late(arguments, subject, limit) from why
    except _api.Garbled as why:
        raise _no_document(arguments) from why
    except _api.Ended as why:
        if why.is_first and why.status == _WRONG_USAGE:
            return None  # an executable of another release
        if why.status == 0:
            raise _no_document(arguments) from why
        return why.status, b"", why.messages
    return (reply.status, reply.out, reply.messages) if reply is not None else None


def run(arguments: Sequence[str], *, timeout: Optional[float] = None,
        files: Sequence[str] = (), accepts: Sequence[int] = (0,), study: Optional[str] = None,
        progress: Optional[_api.Progress] = None) -> Answer:
    """Run ``etlens`` with `arguments` and return what it wrote.

    Parameters
    ----------
    arguments : sequence of str
        As on the command line, without the program's name.
    timeout : float, optional
        Seconds after which the process is ended. Default: `TIMEOUT`.
    files : sequence of str
        Files that the caller named, which an error may be about.
    accepts : sequence of int
        Exit statuses that are no error.
    study : str, optional
        Requests of one name share what they load. None: nothing is shared.
    progress : callable, optional
        Called with a sentence before files are read; only with `study`.

    Raises
    ------
    Error
        If the executable is missing, reports an error, takes too long or is killed. No process is
        left behind, also not by an exception such as `KeyboardInterrupt`.
    """
    limit = TIMEOUT if timeout is None else timeout
    subject = files[0] if files else ""
    answer = _shared(arguments, subject, limit, study, progress) if study is not None else None
    status, out, err = answer or _alone(arguments, subject, limit)
    if status in accepts:
        return Answer(out, _sentences(err), status)
    if status < 0:
        raise Error(subject, f"etlens {arguments[0]} was ended by {_name_of_signal(-status)}",
                    "look whether the machine ran out of memory, then call again")
    notes = _sentences(err)
    if not notes:
        raise Error(subject, f"etlens {arguments[0]} ended with status {status} "
                             "and no message", "call again; if it repeats, report it")
    raise error_of(notes[-1], files)


def document(schema: str, arguments: Sequence[str], *, timeout: Optional[float] = None,
             files: Sequence[str] = (), notes: Optional[List[str]] = None,
             study: Optional[str] = None,
             progress: Optional[_api.Progress] = None) -> Dict[str, Any]:
    """Return the JSON document of `arguments`, whose field ``schema`` must be `schema`.

    What the executable reports beside it is added to `notes`.
    """
    answer = run([*arguments, "--format", "json"], timeout=timeout, files=files, study=study,
                 progress=progress)
    if notes is not None:
        notes.extend(with_parameters(note) for note in answer.notes)
    try:
        # Names in artifacts need not be UTF-8; the executable has replaced what is not.
        content: Dict[str, Any] = json.loads(answer.out)
        found = content["schema"]
    except (ValueError, KeyError, TypeError) as why:
        raise _no_document(arguments) from why
    if found != schema:
        raise Error(executable(), f"etlens {arguments[0]} wrote {found}, this package reads {schema}",
                    "install the package and the executable of one release")
    return content


def main() -> int:
    """Run the command line with this process's arguments; ``python -m etlens``."""
    try:
        command = [executable(), *sys.argv[1:]]
    except Error as error:
        print(f"etlens: {error}", file=sys.stderr)
        return 1
    if os.name == "posix":
        sys.stdout.flush()
        os.execv(command[0], command)
    return subprocess.call(command)
