# SPDX-License-Identifier: Apache-2.0
"""Parameters of Python as options of the command line, and which command has which."""
import os
from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Sequence, Tuple, Union

from etlens._errors import Error

PathLike = Union[str, "os.PathLike[str]"]

_RECORD = ("etrecord", "pte", "method", "roots", "path_maps", "python_environments",
           "library_frames", "recover")
_DUMP = (*_RECORD, "etdump", "block", "source_time_scale", "target_time_scale")
_TIME = (*_DUMP, "statistic", "executions", "warmup", "raw")
_VALUES = (*_DUMP, "reference", "debug_buffer")

# What each command can do; `etlens COMMAND --help` has the same.
COMMANDS: Dict[str, Tuple[str, ...]] = {
    "lines": _TIME, "modules": _TIME, "events": _TIME, "partitions": _TIME, "advise": _TIME,
    "check": _TIME, "report": (*_TIME, "debug_buffer"), "export": (*_TIME, "debug_buffer"),
    "values": _VALUES, "inspect": (*_DUMP, "debug_buffer"),
    "memory": tuple(name for name in (*_RECORD, "etdump")),
    "size": _RECORD, "delegation": _RECORD, "graph": _RECORD,
}
_NAMES = {"roots": "--root", "path_maps": "--path-map", "recover": "--no-recover",
          "python_environments": "--python-environment"}
_LISTS = ("roots", "python_environments", "library_frames")
_PATHS = ("etdump", "etrecord", "pte", "reference", "debug_buffer")
_ALL = sorted({name for names in COMMANDS.values() for name in names})
_ENDINGS = {".etdp": "etdump", ".etdump": "etdump", ".etrecord": "etrecord", ".pte": "pte",
            ".bpte": "pte"}


def _option(name: str) -> str:
    return _NAMES.get(name, "--" + name.replace("_", "-"))


def _items(value: Any) -> Sequence[Any]:
    return [value] if isinstance(value, (str, os.PathLike)) else list(value)


def arguments_of(name: str, value: Any) -> List[str]:
    """The arguments of one parameter; none for what is the default."""
    if value is None:
        return []
    if name == "recover":
        return [] if value else ["--no-recover"]
    if name == "raw":
        return ["--raw"] if value else []
    if name == "etrecord" and value is False:
        return ["--no-etrecord"]
    if name == "path_maps":
        pairs = value.items() if isinstance(value, Mapping) else value
        return [word for start, now in pairs
                for word in ("--path-map", f"{os.fspath(start)}={os.fspath(now)}")]
    if name in _LISTS:
        return [word for one in _items(value) for word in (_option(name), os.fspath(one))]
    return [_option(name), os.fspath(value) if name in _PATHS else str(value)]


@dataclass(frozen=True)
class Options:
    """What a study is made of: folders, and named parameters."""

    paths: Tuple[str, ...]
    named: Mapping[str, Any]

    @staticmethod
    def of_call(path: Any, named: Mapping[str, Any]) -> "Options":
        """Options of `etlens.load`; a file is the parameter that its ending names."""
        for name in named:
            if name not in _ALL:
                raise Error("", f"etlens.load has no parameter {name}",
                            f"it has: {', '.join(_ALL)}")
        values = {name: value for name, value in named.items() if value is not None}
        folders: List[str] = []
        for one in () if path is None else _items(path):
            text = os.fspath(one)
            name = _ENDINGS.get(os.path.splitext(text)[1].lower(), "")
            if name and not os.path.isdir(text):
                if name in values:
                    raise Error(text, f"there are two files for {name}=", "give one of them")
                values[name] = text
            elif text.startswith("-"):
                folders.append(os.path.join(os.curdir, text))
            else:
                folders.append(text)
        return Options(tuple(folders), values)

    @property
    def files(self) -> List[str]:
        """The folders and files that were given."""
        named = [os.fspath(self.named[name]) for name in _PATHS
                 if isinstance(self.named.get(name), (str, os.PathLike))]
        return [*named, *self.paths]

    def of(self, command: str) -> List[str]:
        """The arguments of `command`, with those of its options that were given."""
        words = [command]
        for name in COMMANDS[command]:
            if name in self.named:
                words += arguments_of(name, self.named[name])
        return words + (list(self.paths) or self._beside(command))

    def _beside(self, command: str) -> List[str]:
        """Where the other files are searched for: beside those that were named."""
        if "block" in COMMANDS[command] and self.named.get("etdump"):
            return []  # what reads a dump looks there by itself
        for name in ("etrecord", "pte", "etdump"):
            file = self.named.get(name)
            if isinstance(file, (str, os.PathLike)):
                return [os.path.dirname(os.path.abspath(file))]
        return []
