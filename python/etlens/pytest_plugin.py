# SPDX-License-Identifier: Apache-2.0
"""The plugin for pytest: the fixture `etlens_study`, a section at the end of the run, and `--etlens-report FILE`.

Without the fixture and without its options it does nothing and imports nothing.
"""

from pathlib import Path
from typing import Any, Callable, Dict, List

import pytest

_STUDIES = "_etlens_studies"
_TOP = "5"


def pytest_addoption(parser: Any) -> None:
    group = parser.getgroup("etlens", "what a model costs on the device")
    group.addoption(
        "--etlens",
        action="store_true",
        help="print hot lines and changes of the studies at the end",
    )
    group.addoption(
        "--etlens-report", metavar="FILE", help="write the HTML report of the studies to FILE"
    )


def pytest_configure(config: Any) -> None:
    setattr(config, _STUDIES, [])


@pytest.fixture
def etlens_study(request: Any) -> Callable[..., Any]:
    """A function that opens the study of a folder: `etlens_study("out/")`, or of named files."""

    def open_study(path: Any = None, **files: Any) -> Any:
        from etlens._expect import ExpectedStudy

        study = ExpectedStudy(path, **files)
        getattr(request.config, _STUDIES).append(study)
        return study

    return open_study


def _lines_of(arguments: List[str]) -> List[str]:
    from etlens import _process
    from etlens._errors import Error

    try:
        answer = _process.run([*arguments, "--color", "never"])
    except Error as error:
        return [str(error)]
    return answer.out.decode("utf-8", "replace").rstrip().splitlines()


def _print_study(reporter: Any, studies: List[Any]) -> None:
    first = studies[0]
    reporter.write_line(first.name, bold=True)
    for line in _lines_of(["lines", *first.arguments, "--top", _TOP]):
        reporter.write_line(line)
    rows = dict.fromkeys(
        line for study in studies for result in study.expect.results for line in result.lines
    )
    for line in rows:
        reporter.write_line(line, red=line.startswith("violated"))
    for base in dict.fromkeys(base for study in studies for base in study.expect.bases):
        reporter.write_line(f"changes since {base}", bold=True)
        new = [first.path] if first.path else first.files.get("etdump", [])
        new = [new] if isinstance(new, str) else [str(path) for path in new]
        options = [part for path in new for part in ("--new", path)]
        for line in _lines_of(["diff", "--base", base, *options, "--top", _TOP]):
            reporter.write_line(line)


def _by_name(studies: List[Any]) -> List[List[Any]]:
    groups: Dict[Any, List[Any]] = {}
    for study in studies:
        groups.setdefault(tuple(study.arguments), []).append(study)
    return list(groups.values())


def _write_reports(reporter: Any, target: str, groups: List[List[Any]]) -> None:
    from etlens import _process
    from etlens._errors import Error

    for number, studies in enumerate(groups, 1):
        path = Path(target)
        file = str(path if number == 1 else path.with_name(f"{path.stem}-{number}{path.suffix}"))
        problem = ""
        try:
            _process.run(["report", *studies[0].arguments, "-o", file])
        except Error as error:
            problem = str(error)
        reporter.write_line(problem or f"report of {studies[0].name}: {file}", red=bool(problem))


def pytest_terminal_summary(terminalreporter: Any, config: Any) -> None:
    target = config.getoption("--etlens-report")
    if not target and not config.getoption("--etlens"):
        return
    groups = _by_name(getattr(config, _STUDIES, []))
    terminalreporter.section("etlens")
    if not groups:
        terminalreporter.write_line("no test opened a study; use the fixture etlens_study")
    for studies in groups:
        _print_study(terminalreporter, studies)
    if target:
        _write_reports(terminalreporter, target, groups)
