# SPDX-License-Identifier: Apache-2.0
"""The one exception of this package."""
import re
from typing import Iterable, Tuple

# The command line's options that have another name here.
_PARAMETERS = {"root": "roots", "path-map": "path_maps", "python-environment": "python_environments",
               "no-etrecord": "etrecord=False", "no-recover": "recover=False"}


class Error(Exception):
    """etlens could not do what was asked.

    Attributes
    ----------
    file : str
        The file or folder that the error is about; ``""`` if there is none.
    problem : str
        What is wrong.
    remedy : str
        What to do, with the names of this package's parameters; ``""`` if nothing is known.
    """

    def __init__(self, file: str, problem: str, remedy: str = "") -> None:
        super().__init__(file, problem, remedy)
        self.file = file
        self.problem = problem
        self.remedy = remedy

    def __str__(self) -> str:
        start = f"{self.file}: " if self.file and self.file not in self.problem else ""
        return start + self.problem + (f"; {self.remedy}" if self.remedy else "")


def _as_parameter(option: "re.Match[str]") -> str:
    name = _PARAMETERS.get(option[1], option[1].replace("-", "_"))
    return name if "=" in name else name + "="


def with_parameters(text: str) -> str:
    """`text` of the command line with this package's parameters in place of options."""
    return re.sub(r"(?<![\w/.\\-])--([a-z]+(?:-[a-z]+)*)", _as_parameter, text)


def _parts(sentence: str) -> Tuple[str, str]:
    problem, _, remedy = sentence.partition("; ")
    return problem, with_parameters(remedy)


def error_of(sentence: str, files: Iterable[str] = ()) -> Error:
    """The error that the executable's `sentence` tells; `files` were given by the caller."""
    problem, remedy = _parts(sentence)
    named = sorted((file for file in files if file and file in sentence), key=len, reverse=True)
    found = re.search(r"(?:^|\s)((?:/|[A-Za-z]:[\\/])[^\s;,]+)", sentence)
    # A name in the sentence is as complete as it can be: what was given may be a part of it.
    file = found[1].rstrip(".:") if found else (named[0] if named else "")
    return Error(file, with_parameters(problem), remedy)
