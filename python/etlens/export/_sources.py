# SPDX-License-Identifier: Apache-2.0
"""The texts of the sources that the stack traces of an export name, for the sidecar of sources."""

import hashlib
import linecache
import os
import re
import tokenize
from io import BytesIO
from typing import Any, Dict, Iterable, Iterator, List, Optional, Set

MAX_FILE_BYTES = 1 << 20
MAX_ALL_BYTES = 16 << 20
MAX_FILES = 4096
MAX_SIDECAR_BYTES = 8 * MAX_ALL_BYTES  # a character of a text may take six in JSON

_FRAME = re.compile(r'^\s*File "([^"\n]+)", line \d+', re.MULTILINE)


def _graphs(module: Any) -> Iterator[Any]:
    for part in module.modules():
        if hasattr(part, "graph"):
            yield part.graph


def programs_of(record: Any) -> Iterator[Any]:
    """Every exported program of a record."""
    for kept in (record.exported_program, record.edge_dialect_program, record.graph_map):
        yield from (kept.values() if isinstance(kept, dict) else [] if kept is None else [kept])


def traced_files(programs: Iterable[Any]) -> List[str]:
    """The files that the stack traces of these programs name, in the order of their first use."""
    traces: Set[str] = set()
    files: Dict[str, None] = {}
    for program in programs:
        for graph in _graphs(program.graph_module):
            for node in graph.nodes:
                trace = node.meta.get("stack_trace") or ""
                if trace not in traces:
                    traces.add(trace)
                    files.update(dict.fromkeys(_FRAME.findall(trace)))
    return list(files)


def _bytes_of(path: str) -> Optional[bytes]:
    """The bytes of a source: of its file, or of a notebook's cell, which has no file."""
    try:
        if os.path.isfile(path):  # a pipe would never end
            with open(path, "rb") as file:
                return file.read(MAX_FILE_BYTES + 1)
        lines = linecache.getlines(path)
    except (OSError, ValueError):
        return None
    return "".join(lines).encode("utf-8", "replace") if lines else None


def _text_of(data: bytes) -> Optional[str]:
    try:
        encoding, _ = tokenize.detect_encoding(BytesIO(data).readline)
        return data.decode(encoding)
    except (SyntaxError, UnicodeDecodeError, LookupError):
        return None


def _row(path: str, room: int) -> Dict[str, Any]:
    row: Dict[str, Any] = {
        "path": path,
        "sha256": None,
        "bytes": None,
        "text": None,
        "left_out": None,
    }
    data = _bytes_of(path)
    if data is None:
        row["left_out"] = "cannot be read"
        return row
    if len(data) > MAX_FILE_BYTES:
        row["left_out"] = "too large"
        return row
    row["sha256"] = hashlib.sha256(data).hexdigest()
    row["bytes"] = len(data)
    text = _text_of(data)
    if text is None:
        row["left_out"] = "not text"
    elif len(data) > room:
        row["left_out"] = "no room"
    else:
        row["text"] = text
    return row


def source_rows(files: Iterable[str]) -> List[Dict[str, Any]]:
    """A row for each file, with its text unless the file, or all texts together, would be too large."""
    rows: List[Dict[str, Any]] = []
    room = MAX_ALL_BYTES
    for path in files:
        if path.startswith("<"):
            continue  # code that torch generated
        if len(rows) == MAX_FILES:
            break
        rows.append(_row(path, room))
        room -= rows[-1]["bytes"] if rows[-1]["text"] is not None else 0
    return rows
