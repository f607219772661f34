"""Runs what `etlens init` writes: run.py ETLENS CXX. ExecuTorch is a stand-in (executorch, torch) that takes the calls of
its public interface as releases 1.0 and later have it, and refuses every other."""
import ast
import hashlib
import json
import os
import re
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
MODEL = '''
import torch


class Part(torch.nn.Module):
    def forward(self, x):
        return x


class Net(torch.nn.Module):
    def __init__(self, depth: int):
        super().__init__()
        self.part = Part()

    def forward(self, x: torch.Tensor):
        return self.part(x)
'''


def run(*command, folder, expect=0, package=False):
    """`package`: with a stand-in for the Python package etlens."""
    paths = [str(HERE / "stand_in"), *([str(HERE / "with_package")] if package else [])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run([str(part) for part in command], cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == expect, (command, done.returncode, done.stdout, done.stderr)
    return done.stdout + done.stderr


def fill(script):
    text = script.read_text()
    text = text.replace("depth = ...  # int", "depth = 2").replace("x = ...  # torch.Tensor", "x = torch.zeros(1, 2)")
    assert "= ..." not in text
    script.write_text(text)


def check_python(etlens, folder):
    said = run(etlens, "init", "model.py", folder=folder)
    assert "Net" not in said and "python " in said, said
    script = folder / "profile_model.py"
    assert "Fill in example_inputs() first" in run(sys.executable, script, folder=folder, expect=1)
    fill(script)
    said = run(sys.executable, script, folder=folder, package=True)
    assert "11.3 ms traced" in said and "not installed" not in said, said
    made = sorted(file.name for file in folder.glob("model.*"))
    assert made == ["model.etdp", "model.etdp.json", "model.etrecord", "model.pte", "model.py", "model.sources.json"], made
    # Without the package: as ExecuTorch's own interface has it, and without the file about the run before.
    said = run(sys.executable, script, folder=folder)
    assert "etlens is not installed" in said, said
    assert (folder / "model.pte").read_text() == "program" and not (folder / "model.etdp.json").exists()
    assert (folder / "model.etdp").read_text() == "50 executions"
    assert "is there already" in run(etlens, "init", "model.py", folder=folder, expect=1)
    assert script.read_text().count("...") == 2, "an existing script is kept"


def identity(path):
    data = path.read_bytes()
    return {"file": path.name, "sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}


def check_run_file(folder, paired_by, record=True):
    """What describe_run.sh writes, as etlens.profile would."""
    found = json.loads((folder / "model.etdp.json").read_text())
    found = {key: value for key, value in found.items() if value is not None or key == "record"}
    assert found == {"schema": "etlens/run@1", "dump": identity(folder / "model.etdp"), "program": identity(folder / "model.pte"),
                     "record": identity(folder / "model.etrecord") if record else None, "paired_by": paired_by}, found


def check_android(etlens, folder):
    run(etlens, "init", folder / "model.py", "--runner", "adb", "--backend", "portable", "-o", folder / "device", folder=folder)
    device = folder / "device"
    fill(device / "profile_model.py")
    run(sys.executable, device / "profile_model.py", folder=folder)
    script = device / "run_on_android.sh"
    assert script.stat().st_mode & stat.S_IXUSR
    run("bash", "-n", script, folder=device)
    # An adb that says what it was told.
    adb = folder / "bin" / "adb"
    adb.parent.mkdir()
    adb.write_text('#!/bin/sh\necho "$@"\n[ "$1" != pull ] || echo dump >"$3"\n')
    adb.chmod(0o755)
    said = run("env", f"PATH={adb.parent}:{os.environ['PATH']}", "RUNNER=executor_runner", script, folder=folder)
    assert "--model_path=model.pte --num_executions=50 --etdump_path=model.etdp" in said, said
    assert (device / "model.etdp").read_text() == "dump\n"
    check_run_file(device, "name")
    # The sidecar of the export has the hashes of both files.
    hashes = {key: identity(device / f"model.{end}") for key, end in (("program", "pte"), ("record", "etrecord"))}
    (device / "model.sources.json").write_text(json.dumps(hashes))
    run(device / "describe_run.sh", folder=folder)
    check_run_file(device, "export")
    (device / "model.etrecord").write_text("of another export")
    run(device / "describe_run.sh", folder=folder)
    check_run_file(device, "name")
    (device / "model.etrecord").unlink()
    run(device / "describe_run.sh", folder=folder)
    check_run_file(device, "name", record=False)


def check_cpp(etlens, compiler, folder):
    run(etlens, "init", folder / "model.py", "--runner", "cpp", "-o", folder / "cpp", folder=folder)
    assert (folder / "cpp/describe_run.sh").stat().st_mode & stat.S_IXUSR
    run(compiler, "-std=c++17", "-Wall", "-Werror", "-fsyntax-only", "-I", HERE / "stand_in/include",
        folder / "cpp/profile.cpp", folder=folder)


def check_package(etlens, folder):
    package = folder / "nets" / "vision"
    package.mkdir(parents=True)
    for name in ["nets/__init__.py", "nets/vision/__init__.py"]:
        (folder / name).touch()
    (package / "net.py").write_text(MODEL)
    run(etlens, "init", package / "net.py", "-o", folder, folder=folder)
    assert "from nets.vision.net import Net\n" in (folder / "profile_net.py").read_text()


def check_refusals(etlens, folder):
    (folder / "plain.py").write_text("x = 1\n")
    (folder / "broken.py").write_text("class A(:\n")
    (folder / "my-net.py").write_text(MODEL)
    for name, sentence in [("plain.py", "no class with a forward"), ("broken.py", "no valid Python"), ("my-net.py", "rename it"),
                           ("missing.py", "check the path")]:
        assert sentence in run(etlens, "init", name, folder=folder, expect=1), name
    assert "there is: Part, Net" in run(etlens, "init", "model.py", "--class", "Nat", folder=folder, expect=2)
    assert not list(folder.glob("profile_*"))


# Annotations that end a comment in one reading or another.
HOSTILE = [b'"int\\rimport os"', b'"""int\rimport os"""', b'"""int\nimport os"""', b'"""int\x0cimport os"""',
           '"int\u2028import os"'.encode(), '"\u202eint\u200b"'.encode(), b'"int; import os"', b'"""a\r\nimport os"""',
           b"f[\r    int\r]", b'"@RUN@ $(touch x) `touch y`"']


def check_hostile(etlens, folder):
    """Whatever stands in a file, the script that is written has the statements of its template, as Python reads it."""
    def shape(script):
        tree = ast.parse(script.read_bytes())
        return [ast.dump(node) for node in tree.body[1:]]  # the first is the docstring

    run(etlens, "init", "model.py", "--class", "Net", folder=folder)
    expected = shape(folder / "profile_model.py")
    for number, annotation in enumerate(HOSTILE):
        home = folder / str(number)
        home.mkdir()
        text = MODEL.encode().replace(b"x: torch.Tensor", b"x: " + annotation).replace(b"depth: int", b"depth: " + annotation)
        (home / "model.py").write_bytes(text)
        done = subprocess.run([etlens, "init", "model.py", "--class", "Net"], cwd=home, capture_output=True)
        script = home / "profile_model.py"
        assert done.returncode in (0, 1) and (done.returncode == 0) == script.exists(), (annotation, done)
        if script.exists():
            assert shape(script) == expected, annotation


def main():
    etlens, compiler = sys.argv[1:]
    for check, arguments in [(check_refusals, [etlens]), (check_python, [etlens]), (check_android, [etlens]),
                             (check_cpp, [etlens, compiler]), (check_package, [etlens]), (check_hostile, [etlens])]:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "model.py").write_text(MODEL)
            check(*arguments, folder)


main()
