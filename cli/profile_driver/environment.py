# SPDX-License-Identifier: Apache-2.0
# What `etlens profile` runs with the user's Python (3.9 or later). The parts are one program, in the order of cli/CMakeLists.txt.
# This one: how it answers, and what the environment has.
#
# The text is ASCII: it travels as a variable of the environment. Arguments are NAME=VALUE. Rows for etlens go to the standard
# output that it was started with: a kind and fields, with tabs between them. Everything else that anybody prints goes to stderr.
import ast
import contextlib
import functools
import importlib.util
import inspect
import os
import shlex
import signal
import sys
import tempfile
import time
import traceback
import types
import warnings
from importlib import metadata
from pathlib import Path

_rows = os.fdopen(os.dup(1), "w", encoding="utf-8", errors="replace")
os.dup2(2, 1)
if not sys.warnoptions:  # of packages, about what their authors have to change
    warnings.simplefilter("ignore", FutureWarning)


def answer(kind, *fields):
    _rows.write("\t".join([kind, *(" ".join(str(field).split()) for field in fields)]) + "\n")
    _rows.flush()


def say(text):
    print(f"etlens: {text}", file=sys.stderr, flush=True)


def one_line(error):
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__


class Problem(Exception):
    """What is missing (a sentence), what to do, and the command that does it."""

    def __init__(self, name, text, remedy="", command=""):
        super().__init__(text)
        self.name, self.text, self.remedy, self.command = name, text, remedy, command

    def report(self, options, stops=True):
        if options["mode"] == "probe":
            answer("problem", self.name, self.text, self.remedy, self.command, int(stops))
        else:
            say(self.text + (f"; {self.remedy}" if self.remedy else "") + (f": {self.command}" if self.command else ""))


def pip(*packages):
    words = [sys.executable, "-m", "pip", "install", *packages]
    return " ".join(f'"{word}"' if " " in word else word for word in words) if os.name == "nt" else shlex.join(words)


def release_of(package):
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def numbers(release):
    return tuple(int(part) for part in release.split("+")[0].split(".")[:2] if part.isdigit())


def check_packages(releases):
    if releases["executorch"] is None:
        raise Problem("executorch", f"{sys.executable} has no executorch", "install it, or name another Python with --python", pip("executorch"))
    if releases["torch"] is None:
        raise Problem("torch", f"{sys.executable} has no torch", "install it", pip("torch"))
    if numbers(releases["executorch"]) < (1, 0):
        text = f"executorch {releases['executorch']} is too old: a profile needs 1.0 or later"
        raise Problem("executorch", text, "install a newer one", pip("-U", "executorch"))


def registered_backends(release):
    try:
        from executorch.runtime import Runtime

        return list(Runtime.get().backend_registry.registered_backend_names)
    except ImportError as error:
        text = f"executorch {release} has no runtime for Python ({one_line(error)})"
        raise Problem("runtime", text, "install it again", pip("--force-reinstall", "executorch"))


def partitioner_of(options):
    """The partitioner that the command line names; None if the script decides."""
    if "partitioner" not in options:
        return None
    names = {}
    try:
        exec(options["partitioner_import"], names)
        return eval(options["partitioner"], names)
    except ModuleNotFoundError as error:
        package = error.name.split(".")[0]
        text = f"this Python cannot lower a model to {options['backend']}: it has no {package}"
        raise Problem("backend", text, "install it, or choose another --backend", "" if package == "executorch" else pip(package))
    except Exception as error:
        text = f"this Python cannot lower a model to {options['backend']} ({one_line(error)})"
        raise Problem("backend", text, "choose another --backend, such as portable")


def check_environment(options):
    """Prints what there is, and returns what a partitioner is for the run. Raises the first Problem that ends a run."""
    releases = {package: release_of(package) for package in ("torch", "executorch", "etlens")}
    answer("python", sys.executable)
    for package, release in {"python": sys.version.split()[0], **releases}.items():
        answer("version", package, release or "")
    check_packages(releases)
    release = releases["executorch"]
    has_tracer = numbers(release) >= (1, 5)
    answer("tracer", int(has_tracer))
    runs_here = options["runner"] == "python"
    if not has_tracer and runs_here:
        text = f"executorch {release} from pip has no event tracer, so its dumps are empty, unless you built it yourself"
        Problem("tracer", text, "install 1.5 or later", pip("-U", "executorch")).report(options, stops=False)
    if releases["etlens"] is None and importlib.util.find_spec("etlens") is None:
        text = "the Python package etlens is not installed: the texts of the sources and the file about the run are left out"
        Problem("package", text, "install it", pip("etlens")).report(options, stops=False)
    registered = registered_backends(release)
    for name in registered:
        answer("backend", name)
    wanted = options.get("registered")
    if wanted and wanted not in registered and runs_here:
        text = f"the runtime of executorch {release} has no {wanted}; it has: {', '.join(registered) or 'no backend'}"
        raise Problem("backend", text, "choose another --backend, such as portable, or run it elsewhere with --runner")
    if options["mode"] != "probe":
        versions = f"torch {releases['torch']}, executorch {release}"
        say(f"Python {sys.version.split()[0]}, {versions}; backends: {', '.join(registered) or 'none'}")
    return partitioner_of(options)
