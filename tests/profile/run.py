"""Runs `etlens profile` with this Python: run.py ETLENS DATA. torch and ExecuTorch are stand-ins, which write files of DATA.
tests/executorch runs the real ones."""
import json
import os
import pty
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
MODEL = '''
import torch


class Net(torch.nn.Module):
    def __init__(self):
        self.stem = torch.nn.Conv2d(3)

    def forward(self, image):
        print("forward was here")
        return image
'''


class Case:
    """A folder with a model, and a Python with some packages."""

    def __init__(self, etlens, data, folder):
        self.etlens, self.data, self.folder = etlens, data, folder
        self.packages = {"torch": "2.13.0", "executorch": "1.5.1"}
        (folder / "model.py").write_text(MODEL)

    def environment(self):
        site = Path(tempfile.mkdtemp(dir=self.folder, prefix=".site-"))
        for name, release in self.packages.items():
            about = site / f"{name}-{release}.dist-info"
            about.mkdir()
            (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {release}\n")
        paths = [str(site), *([str(HERE / "stand_in")] if "executorch" in self.packages else [])]
        return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "STAND_IN_FILES": str(self.data)}

    def run(self, *arguments, expect=0, answer=None, **variables):
        command = [self.etlens, "profile", "model.py", "--python", sys.executable, *arguments]
        bytecode = "" if "--probe" in arguments else "1"
        master, slave = pty.openpty() if answer is not None else (None, subprocess.DEVNULL)
        if answer is not None:
            os.write(master, answer)
        environment = {**self.environment(), "PYTHONDONTWRITEBYTECODE": bytecode, **variables}
        done = subprocess.run(command, cwd=self.folder, env=environment, stdin=slave, capture_output=True, text=True)
        assert done.returncode == expect, (command, done.returncode, done.stdout, done.stderr)
        assert not list(self.folder.glob(".etlens-profile-*")), "a temporary folder is left"
        return done.stdout if expect == 0 and answer is None else done.stderr

    def errors(self, *arguments, **variables):
        return self.run(*arguments, expect=1, **variables)

    def probe(self, *arguments):
        return json.loads(self.run("--probe", "--json", *arguments))

    def made(self):
        return sorted(file.name for file in self.folder.glob("model.*"))

    def replace(self, old, new, file="model.py"):
        text = (self.folder / file).read_text()
        assert old in text, text
        (self.folder / file).write_text(text.replace(old, new))


def check_misses(case):
    pip = f"{sys.executable} -m pip install"
    for packages, name, command in [
        ({}, "executorch", f"{pip} executorch"),
        ({"executorch": "1.5.1"}, "torch", f"{pip} torch"),
        ({"executorch": "0.7.0", "torch": "2.13.0"}, "executorch", f"{pip} -U executorch"),
    ]:
        case.packages = packages
        problem = [problem for problem in case.probe()["problems"] if problem["stops"]]
        assert [(one["id"], one["command"]) for one in problem] == [(name, command)], problem
        assert command in case.errors()
    case.packages = {"torch": "2.13.0", "executorch": "1.4.0"}
    found = case.probe()
    assert found["tracer"] is False and [one["stops"] for one in found["problems"]] == [False, False], found
    case.packages["executorch"] = "1.5.1"
    found = case.probe()
    assert found["tracer"] is True and [one["id"] for one in found["problems"]] == ["package"], found
    assert found["backends"] == ["XnnpackBackend"] and found["versions"]["executorch"] == "1.5.1", found
    found = case.probe("--backend", "vulkan")
    assert [one["id"] for one in found["problems"]] == ["package", "backend"], found
    assert "has no VulkanBackend; it has: XnnpackBackend" in case.errors("--backend", "vulkan")
    assert f"{pip} torchao" in case.errors("--quantize", "int8", "--yes")


def check_inputs(case):
    assert case.probe()["inputs"] == [
        {"name": "image", "guess": "1x3x224x224:float32", "origin": "layer", "source": "the layer stem (Conv2d)"}
    ]
    assert [file.name for file in case.folder.iterdir() if not file.name.startswith(".site-")] == ["model.py"], "the probe writes nothing"
    assert case.probe()["needs_inputs"] is True
    said = case.errors()
    assert "image is guessed as 1x3x224x224:float32, from the layer stem (Conv2d); take it with --yes" in said, said
    assert case.made() == ["model.py"] and "exporting" not in said
    assert "take it with --yes" in case.run(expect=1, answer=b"n\n")
    assert "Run it with that? [Y/n]" in case.run(answer=b"y\n")
    bad = [("3xx", "is not a shape"), ("3:float99", "is not a shape"), ("1x3,4", "the number of inputs that are given is 2")]
    for given, sentence in bad:
        assert sentence in case.errors("--input", given)
    case.run("--input", "1x3")
    case.replace("forward(self, image)", "forward(self, image, mask)")
    (case.folder / "profile_model.py").unlink()  # written for one input
    assert [(one["name"], one["guess"]) for one in case.probe()["inputs"]] == [("image", None), ("mask", None)]
    assert "the inputs of Net are unknown: image, mask" in case.errors("--yes")
    assert "takes image, mask, and the number of inputs that are given is 1" in case.errors("--input", "1x3")
    case.run("--input", "1x3", "--input", "4:int64")
    case.replace("    def forward", "    def example_inputs(self):\n        return (torch.randn(1, 3, 8, 8), 1)\n\n    def forward")
    found = case.probe()
    assert found["needs_inputs"] is False, found
    assert found["inputs"][0] == {"name": "image", "guess": "1x3x8x8:float32", "origin": "model", "source": "example_inputs() of Net"}
    assert found["inputs"][1]["guess"] is None and found["inputs"][1]["origin"] == "model"
    case.run()
    case.replace("image = ...", "image = torch.randn(1, 3, 9, 9)", "profile_model.py")
    case.replace("mask = ...", "mask = torch.randn(4)", "profile_model.py")
    found = case.probe()
    assert [(one["guess"], one["origin"]) for one in found["inputs"]] == [("1x3x9x9:float32", "script"), ("4:float32", "script")]


def check_run(case):
    shown = case.run("--yes", "--no-store")
    annotated = subprocess.run(
        [case.etlens, "annotate", "--etdump", "model.etdp"], cwd=case.folder, capture_output=True, text=True, check=True
    )
    assert shown == annotated.stdout, "what the model prints is not among the results"
    assert case.made() == ["model.etdp", "model.etrecord", "model.pte", "model.py"]
    said = case.run("--yes", "--executions", "7", answer=b"")
    for part in ("exporting", "lowering", "running 7 \u00d7", "forward was here", "executed 7 times", "lowered to [XNNPACK], strict=True", "run 1: "):
        assert part in said, (part, said)
    assert "lowered to []" in case.run("--yes", "--backend", "portable", answer=b"")
    assert "strict=False" in case.run("--yes", "--strict", "false", answer=b"")
    case.replace("self.stem", "self.is_dynamic = True\n        self.stem")
    assert "strict=True failed (RuntimeError); exporting with strict=False" in case.run("--yes", answer=b"")
    assert "exporting failed: RuntimeError: cannot be traced strictly" in case.errors("--yes", "--strict", "true")


def check_ends(case):
    case.run("--yes", "--no-store")
    before = {file.name: file.read_bytes() for file in case.folder.glob("model.*") if file.suffix != ".py"}

    def keeps(said, *parts):
        assert all(part in said for part in parts), said
        now = {file.name: file.read_bytes() for file in case.folder.glob("model.*") if file.suffix != ".py"}
        assert now == before

    (case.folder / "model.etdp.json").write_text("{}")
    before["model.etdp.json"] = b"{}"
    keeps(case.errors("--yes", STAND_IN_INTERRUPTS="1"), "interrupted; no file was changed")
    case.replace('print("forward was here")', 'raise ValueError("bad shape\\nmore")')
    keeps(case.errors("--yes"), "exporting failed: ValueError: bad shape (model.py, line 10); no file was changed")
    case.replace("import torch", "import no_such_package")
    keeps(case.errors("--yes"), "there is no module no_such_package", "pip install no_such_package")
    case.replace("import no_such_package", "import torch")
    case.replace("def __init__(self):", "def __init__(self, depth):")
    (case.folder / "profile_model.py").unlink()
    problem = [one for one in case.probe()["problems"] if one["stops"]]
    assert [one["id"] for one in problem] == ["script"] and "lacks depth" in problem[0]["text"], problem
    keeps(case.errors("--yes"), "lacks depth; fill in make_model()")
    # A good run takes away what an earlier one wrote about its own files.
    case.replace("depth = ...", "depth = 2", "profile_model.py")
    case.replace('raise ValueError("bad shape\\nmore")', "pass")
    case.run("--yes")
    assert not (case.folder / "model.etdp.json").exists()


def main():
    etlens, data = sys.argv[1:]
    for check in (check_misses, check_inputs, check_run, check_ends):
        with tempfile.TemporaryDirectory() as name:
            check(Case(etlens, Path(data).resolve(), Path(name).resolve()))


main()
