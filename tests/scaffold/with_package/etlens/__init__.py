"""As much of the Python package etlens as a script of `etlens init` touches."""
import contextlib
from pathlib import Path


@contextlib.contextmanager
def profile(program, inputs, *, method):
    assert method == "forward" and program.read_text() == "recorded" and isinstance(inputs, tuple)
    Path(program).with_suffix(".etdp").write_text("profiled")
    Path(program).with_suffix(".etdp.json").write_text("run")
    yield "11.3 ms traced"
