# SPDX-License-Identifier: Apache-2.0
"""The process ``etlens api``: it answers what the command line would print, from studies that it keeps open.

It starts when a study is first read, and ends with the interpreter. One request runs in it at a time: whoever asks in
the meantime gets a process of their own. An interrupt, a time limit or an answer that makes no sense ends it; the next
request starts another one.
"""
import atexit
import json
import os
import queue
import subprocess
import threading
import time
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple

Progress = Callable[[str], Any]

_MAX_REQUEST = 60_000  # bytes; a pipe takes so many, even if its reader hangs
_MAX_LINE = 1 << 26
_MAX_ERRORS = 1 << 16  # of the end of stderr
_PIECE = 1 << 16
_WAIT = 5.0  # seconds for threads whose pipe has ended


class Reply(NamedTuple):
    """What a command wrote."""

    status: int
    out: bytes
    messages: bytes


class Ended(Exception):
    """The process ended before its answer: its return code, and the end of what it wrote to stderr."""

    def __init__(self, status: int, messages: bytes, is_first: bool) -> None:
        super().__init__(status)
        self.status = status
        self.messages = messages
        self.is_first = is_first  # it never answered


class Garbled(Exception):
    """It wrote something else than an answer."""


class Late(Exception):
    """It has no answer within the time."""


class _Child:
    """The process, and a thread for each of its pipes. Threads read descriptors, not buffers with locks, so that the
    interpreter can end at any time."""

    def __init__(self, process: "subprocess.Popen[bytes]", key: Any) -> None:
        self.process = process
        self.key = key
        self.answers = 0
        self._events: "queue.Queue[Optional[Tuple[Dict[str, Any], bytes]]]" = queue.Queue(1)
        self._errors = b""
        self._wants_more = True
        self._threads = [threading.Thread(target=target, daemon=True)
                         for target in (self._read_answers, self._read_errors)]
        for thread in self._threads:
            thread.start()

    def _pieces(self, pipe: Any) -> Any:
        descriptor = pipe.fileno()
        while self._wants_more:
            try:
                piece = os.read(descriptor, _PIECE)
            except OSError:
                return
            if not piece:
                return
            yield piece

    def _read_errors(self) -> None:
        for piece in self._pieces(self.process.stderr):
            self._errors = (self._errors + piece)[-_MAX_ERRORS:]

    def _read_answers(self) -> None:
        held = bytearray()
        row: Optional[Dict[str, Any]] = None
        needed = 0  # bytes behind the line of `row`
        for piece in self._pieces(self.process.stdout):
            held += piece
            while True:
                if row is None:
                    end = held.find(b"\n")
                    if end < 0:
                        break
                    row, needed = _row_of(bytes(held[:end]))
                    del held[:end + 1]
                if len(held) < needed:
                    break
                self._put((row, bytes(held[:needed])))
                del held[:needed]
                row = None
            if row is None and len(held) > _MAX_LINE:
                self._put(({}, b""))
                held.clear()
        self._put(({}, b"") if held or row is not None else None)
        self._put(None)

    def _put(self, event: Optional[Tuple[Dict[str, Any], bytes]]) -> None:
        while self._wants_more:
            try:
                return self._events.put(event, timeout=0.1)
            except queue.Full:
                continue

    def ask(self, request: Dict[str, Any], deadline: float, progress: Optional[Progress]) -> Reply:
        """The answer to a request. After any exception the process is of no more use."""
        assert self.process.stdin is not None
        try:
            os.write(self.process.stdin.fileno(), json.dumps(request).encode() + b"\n")
        except OSError:
            raise self._ended() from None
        out: List[bytes] = []
        messages: List[str] = []
        while True:
            try:
                event = self._events.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                raise Late() from None
            if event is None:
                raise self._ended()
            row, data = event
            if row.get("id") != request["id"]:
                raise Garbled()
            if isinstance(row.get("status"), int):
                self.answers += 1
                return Reply(row["status"], b"".join(out), "".join(messages).encode())
            if time.monotonic() > deadline:
                raise Late()
            if "bytes" in row:
                out.append(data)
            elif "message" in row:
                messages.append(str(row["message"]))
            elif "progress" not in row:
                raise Garbled()
            elif progress is not None:
                progress(str(row["progress"]))

    def _ended(self) -> Ended:
        try:
            status = self.process.wait(timeout=_WAIT)
        except subprocess.TimeoutExpired:  # it closed its pipe and goes on
            self.process.kill()
            status = self.process.wait()
        self._threads[1].join(_WAIT)
        return Ended(status, self._errors, self.answers == 0)

    def end(self) -> None:
        """Ends the process and its threads."""
        self._wants_more = False
        self.process.kill()
        self.process.wait()
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join(_WAIT)
        if not any(thread.is_alive() for thread in self._threads):
            self.close()

    def close(self) -> None:
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()


def _row_of(line: bytes) -> Tuple[Dict[str, Any], int]:
    """A line of an answer, and how many bytes are behind it; {} for anything else."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return {}, 0
    if not isinstance(row, dict):
        return {}, 0
    needed = row.get("bytes", 0)
    return (row, needed) if isinstance(needed, int) and needed >= 0 else ({}, 0)


_lock = threading.Lock()  # held by whom the process answers
_child: Optional[_Child] = None
_requests = 0


def ask(start: Callable[[List[str]], "subprocess.Popen[bytes]"], executable: str, study: str, arguments: Sequence[str],
        limit: float, progress: Optional[Progress] = None) -> Optional[Reply]:
    """What ``etlens`` writes with these arguments; None if the process cannot be asked: it is busy, or does not take such
    arguments.

    Raises
    ------
    Ended, Garbled, Late
        Then, and after any other exception, no process is left.
    """
    global _requests
    try:
        folder = os.getcwd()
        "".join((folder, *arguments)).encode()  # names of files need not be UTF-8
    except (OSError, UnicodeEncodeError):
        return None
    request: Dict[str, Any] = {"id": 0, "study": study, "folder": folder, "arguments": list(arguments)}
    if len(json.dumps(request)) > _MAX_REQUEST or not _lock.acquire(blocking=False):
        return None
    try:
        deadline = time.monotonic() + limit
        _requests += 1
        request["id"] = _requests
        child = _running(start, executable)
        try:
            return child.ask(request, deadline, progress)
        except BaseException:
            _stop()
            raise
    finally:
        _lock.release()


def _running(start: Callable[[List[str]], "subprocess.Popen[bytes]"], executable: str) -> _Child:
    """The process, if it is that of this executable and environment; else another one."""
    global _child
    key = (executable, dict(os.environ))
    if _child is not None and (_child.key != key or _child.process.poll() is not None):
        _stop()
    if _child is None:
        _child = _Child(start([executable, "api"]), key)
    return _child


def _stop() -> None:
    global _child
    child, _child = _child, None
    if child is not None:
        child.end()


@atexit.register
def _end_with_the_interpreter() -> None:
    _stop()


def _forget() -> None:
    """In a process that forked: the other process's child is not ours to ask or end."""
    global _child, _lock
    child, _child = _child, None
    _lock = threading.Lock()
    if child is not None:
        child.process.returncode = 0  # it is not waited for here
        child.close()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
