# SPDX-License-Identifier: Apache-2.0
"""Expectations of a model in tests. `etlens gate` decides them and words them; this only writes the policy."""

import fnmatch
import json
import os
import tempfile
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Union

from etlens import _process
from etlens._errors import Error

_VIOLATED = 3
MAX_CAUSES = 100
Path_ = Union[str, "os.PathLike[str]"]


class Result(NamedTuple):
    """What the gate answered to one expectation: lines of text, and whether the model keeps all budgets."""

    lines: List[str]
    passed: bool


def _document(arguments: Sequence[str]) -> Dict[str, Any]:
    answer = _process.run([*arguments, "--format", "json"], accepts=(0, _VIOLATED))
    document: Dict[str, Any] = json.loads(answer.out)
    return document


def _plain(name: str) -> str:
    return name.replace(".", "_").lower()


def _is_one_of(op: str, names: Sequence[str]) -> bool:
    # The gate's globs have no sets of characters.
    return any(fnmatch.fnmatchcase(_plain(op), _plain(name).replace("[", "[[]")) for name in names)


def _place(finding: Dict[str, Any]) -> str:
    if finding.get("line") is None:
        return ""
    path = finding.get("path") or finding.get("recorded_path") or ""
    here = os.getcwd() + os.sep
    return f"{path[len(here) :] if path.startswith(here) else path}:{finding['line']}: "


def _lines_of(budget: Dict[str, Any]) -> List[str]:
    status = "not checked" if budget["not_checked"] is not None else budget["status"]
    rows = [f"{status:<11}  {budget['budget']}: {budget['text']}"]
    # The verdict of the whole is in the row.
    causes = [
        f for f in budget["findings"] if f["text"] and not (f["line"] is None and f["change"])
    ]
    rows += [f"  {_place(finding)}{finding['text']}" for finding in causes[:MAX_CAUSES]]
    return list(dict.fromkeys(rows))


class Expect:
    """What a test expects of a study. Each method raises AssertionError with the words of `etlens gate`.

    Every expectation has to be checked: if its artifact is missing, it fails.
    """

    def __init__(self, arguments: Sequence[str]):
        self.results: List[Result] = []
        self.bases: List[str] = []
        self._arguments = list(arguments)

    def delegated(self, *operators: str, to: Optional[str] = None) -> "Expect":
        """All nodes of these operators (names or globs) are delegated; with `to`, to this backend."""
        __tracebackhide__ = True
        if not operators:
            raise Error(
                "", "no operator is named", "name at least one, for example 'aten.linear.default'"
            )
        # The gate takes the folder's dumps, too; the listing does not need them.
        listing = _document(["delegation", *_without_dumps(self._arguments), "--top", "0"])
        self._all_exist(operators, listing)
        allowed = [
            row["op"]
            for row in listing["operators"]
            if row["cpu"] and not _is_one_of(row["op"], operators)
        ]
        self._check({"cpu_operators": allowed})
        if to is not None:
            self._all_run_on(to, operators, listing)
        return self

    def on_cpu(self, *, only: Sequence[str]) -> "Expect":
        """Only these operators (names or globs) run on the CPU."""
        __tracebackhide__ = True
        return self._check({"cpu_operators": [only] if isinstance(only, str) else list(only)})

    def peak_memory(self, *, below: Union[str, int]) -> "Expect":
        """The peak of the planned memory is at most this: `"16 MB"`, or bytes."""
        __tracebackhide__ = True
        return self._check({"peak_memory": below})

    def not_slower_than(self, base: Union[Path_, Sequence[Path_]], *, by: float = 0.05) -> "Expect":
        """The verdict of `etlens diff` is not *slower* by more than this share."""
        __tracebackhide__ = True
        bases = [base] if isinstance(base, (str, os.PathLike)) else list(base)
        options = [part for path in bases for part in ("--base", os.fspath(path))]
        self.bases += [os.fspath(path) for path in bases]
        return self._check({"slower_total": f"{by * 100:g}%"}, options)

    def policy(self, path: Path_) -> "Expect":
        """The model keeps the budgets of this policy."""
        __tracebackhide__ = True
        if not Path(path).is_file():
            raise Error(os.fspath(path), "is not a policy", "write one with `etlens gate --init`")
        return self._gate(os.fspath(path), [])

    def _check(self, budgets: Dict[str, Any], options: Sequence[str] = ()) -> "Expect":
        __tracebackhide__ = True  # pytest shows the line of the test
        rows = [f"{key} = {_toml(value)}" for key, value in budgets.items()]
        text = "[budget]\n" + "\n".join(rows) + "\nrequired = true\n"
        with tempfile.TemporaryDirectory(prefix="etlens-") as folder:
            policy = Path(folder) / "expected.toml"
            policy.write_text(text, encoding="utf-8")
            return self._gate(str(policy), options)

    def _gate(self, policy: str, options: Sequence[str]) -> "Expect":
        __tracebackhide__ = True  # pytest shows the line of the test
        document = _document(["gate", policy, *self._arguments, *options])
        lines = [line for budget in document["budgets"] for line in _lines_of(budget)]
        self._add(lines, document["violated"] == 0)
        if document["violated"]:
            violated = [budget for budget in document["budgets"] if budget["status"] == "violated"]
            raise AssertionError(
                "\n".join(line for budget in violated for line in _lines_of(budget))
            )
        return self

    def _add(self, lines: List[str], passed: bool) -> None:
        self.results.append(Result(lines, passed))

    def _all_exist(self, operators: Sequence[str], listing: Dict[str, Any]) -> None:
        __tracebackhide__ = True  # pytest shows the line of the test
        for name in operators:
            if not any(_is_one_of(row["op"], [name]) for row in listing["operators"]):
                text = f"violated     the model has no operator {name}"
                self._add([text], False)
                raise AssertionError(text)

    def _all_run_on(self, backend: str, operators: Sequence[str], listing: Dict[str, Any]) -> None:
        __tracebackhide__ = True  # pytest shows the line of the test
        rows = []
        for node in listing["nodes"]:
            if _is_one_of(node["op"], operators) and node["backend"] not in (None, backend):
                rows.append(f"  {_place(node)}{node['op']} is delegated to {node['backend']}")
        if rows:
            lines = [
                f"violated     delegated: {len(rows)} operators are delegated to a backend other than {backend}"
            ]
            lines += list(dict.fromkeys(rows))[:MAX_CAUSES]
            self._add(lines, False)
            raise AssertionError("\n".join(lines))


def _without_dumps(arguments: Sequence[str]) -> List[str]:
    kept, skip = [], False
    for argument in arguments:
        if not skip and argument != "--etdump":
            kept.append(argument)
        skip = argument == "--etdump"
    return kept


def _toml(value: Any) -> str:
    # Strings and lists of JSON are strings and lists of TOML, but for U+007F.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


class ExpectedStudy:
    """A model in a test: `expect`, and `study` with all its facts."""

    def __init__(self, path: Optional[Path_] = None, **files: Any):
        self.path = os.fspath(path) if path is not None else ""
        if self.path and not os.path.isdir(self.path):
            remedy = "give the folder of the files, or name them: etdump=, etrecord=, pte="
            raise Error(self.path, "is not a folder", remedy)
        self.files = {key: value for key, value in files.items() if value is not None}
        unknown = sorted(set(self.files) - {"etdump", "etrecord", "pte", "method"})
        if unknown or not (self.path or self.files):
            problem = (
                f"{unknown[0]} is not a kind of file"
                if unknown
                else "no folder and no file is named"
            )
            raise Error(
                "", problem, "give the folder of the files, or name them: etdump=, etrecord=, pte="
            )
        self.expect = Expect(self.arguments)

    @property
    def arguments(self) -> List[str]:
        """Folder and files as the command line takes them."""
        given = [self.path] if self.path else []
        for key, value in self.files.items():
            values = [value] if isinstance(value, (str, os.PathLike)) else list(value)
            given += [part for one in values for part in (f"--{key}", os.fspath(one))]
        return given

    @property
    def name(self) -> str:
        return self.path or ", ".join(str(value) for value in self.files.values())

    @property
    def study(self) -> Any:
        """The study as `etlens.load` opens it."""
        import etlens

        return etlens.load(self.path, **self.files) if self.path else etlens.load(**self.files)
