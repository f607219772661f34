# SPDX-License-Identifier: Apache-2.0
"""The machine on which a model runs, and the commit of the sources, read without starting any program."""

import os
import platform
from pathlib import Path
from typing import Any, Dict, List, Optional

_CPU = Path("/sys/devices/system/cpu")


def _text(path: Path) -> Optional[str]:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(1 << 16).strip()
    except OSError:
        return None


def processors() -> List[int]:
    """The processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


def load() -> Optional[List[float]]:
    """The load averages of 1, 5 and 15 minutes."""
    return [round(value, 2) for value in os.getloadavg()] if hasattr(os, "getloadavg") else None


def governors() -> List[str]:
    """The governors of the processors that this process may use."""
    found = {_text(_CPU / f"cpu{number}/cpufreq/scaling_governor") for number in processors()}
    return sorted(governor for governor in found if governor)


def device() -> Dict[str, Any]:
    """What a reader needs to know of the machine to compare two runs."""
    names = (
        line.split(":", 1)[1].strip()
        for line in (_text(Path("/proc/cpuinfo")) or "").splitlines()
        if ":" in line
    )
    keys = [
        line.split(":", 1)[0].strip()
        for line in (_text(Path("/proc/cpuinfo")) or "").splitlines()
        if ":" in line
    ]
    rows = dict(zip(reversed(keys), reversed(list(names))))
    name = rows.get("model name") or rows.get("Hardware") or platform.processor() or None
    return {"system": platform.system(), "machine": platform.machine(), "processor": name}


def warning_of_load() -> Optional[str]:
    """A sentence if other programs use the processors."""
    now, usable = load(), len(processors())
    if now is None or now[0] <= usable:
        return None
    return f"load {now[0]:.1f} on {usable} processor{'s' * (usable != 1)}: results will be noisy"


def commit_of(folder: Path) -> Optional[str]:
    """The commit that is checked out in the git repository around `folder`."""
    for parent in [folder.resolve(), *folder.resolve().parents]:
        git = parent / ".git"
        if git.is_file():
            pointer = _text(git) or ""
            git = (
                parent / pointer[len("gitdir:") :].strip() if pointer.startswith("gitdir:") else git
            )
        if git.is_dir():
            return _commit(git)
    return None


def _commit(git: Path) -> Optional[str]:
    head = _text(git / "HEAD") or ""
    if not head.startswith("ref:"):
        return _checked(head)
    name = head[len("ref:") :].strip()
    if ".." in name.split("/") or name.startswith("/"):
        return None
    common = git / (_text(git / "commondir") or ".")
    for folder in (git, common):
        value = _checked(_text(folder / name))
        if value:
            return value
    for line in (_text(common / "packed-refs") or "").splitlines():
        if line.endswith(" " + name):
            return _checked(line.split(" ", 1)[0])
    return None


def _checked(value: Optional[str]) -> Optional[str]:
    is_hash = (
        value is not None and len(value) in (40, 64) and all(c in "0123456789abcdef" for c in value)
    )
    return value if is_hash else None
