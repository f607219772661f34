# SPDX-License-Identifier: Apache-2.0
"""What the tests of the package share."""
import contextlib
import os
import pathlib
import stat
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
DATA = ROOT / "tests" / "data"


@contextlib.contextmanager
def variable(name, value):
    """The environment with `name` as `value`."""
    before = os.environ.get(name)
    os.environ[name] = str(value)
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before


@contextlib.contextmanager
def fake_executable(text):
    """A shell script in place of the executable; gives its folder."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "etlens"
        path.write_text("#!/bin/sh\n" + text)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        with variable("ETLENS_EXECUTABLE", path):
            yield pathlib.Path(folder)


def is_running(process_id):
    """Whether a process of that number is there and not ended."""
    try:
        state = pathlib.Path(f"/proc/{process_id}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state != "Z"
