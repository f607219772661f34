# SPDX-License-Identifier: Apache-2.0
"""Writes several files together: all of them appear, or none."""

import hashlib
import os
from pathlib import Path
from typing import Callable, Dict, List, Tuple, Union

from etlens._errors import Error


def sha256_of(path: Union[str, Path]) -> str:
    """The SHA-256 of a file in hexadecimal digits."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            digest.update(block)
    return digest.hexdigest()


class FileSet:
    """Files that are written under temporary names and take their places together.

    Use it in a `with` statement. `commit()` puts the files into place. Without it, nothing remains.
    """

    def __init__(self, folder: Union[str, Path]):
        self.folder = Path(folder)
        self._files: List[Tuple[Path, Path]] = []
        self._made: List[Path] = []

    def __enter__(self) -> "FileSet":
        return self

    def __exit__(self, *exception: object) -> None:
        for temporary, _ in self._files:
            _remove(temporary)
        for folder in self._made:
            try:
                folder.rmdir()
            except OSError:
                pass  # it is in use by now

    def write(self, name: str, write: Callable[[Path], object]) -> Path:
        """Calls `write` with the temporary path of the file `name` and returns that path."""
        target = self.folder / name
        # The ending stays: some writers add their own if it is missing.
        temporary = self.folder / f".etlens-{os.getpid()}-{len(self._files)}-{name}"
        self._files.append((temporary, target))
        try:
            self._make_folder()
            write(temporary)
            with open(temporary, "rb+") as file:
                os.fsync(file.fileno())
        except OSError as error:
            remedy = "choose a folder that can be written and has enough space"
            raise Error(
                str(target), f"cannot be written ({error.strerror or error})", remedy
            ) from error
        return temporary

    def commit(self) -> Dict[str, Path]:
        """Puts all files into place and returns them by name."""
        for _, target in self._files:
            if target.is_dir():
                raise Error(str(target), "is a folder", "remove it, or choose another name")
        placed = {}
        while self._files:
            temporary, target = self._files[0]
            try:
                os.replace(temporary, target)
            except OSError as error:
                remedy = "remove what is there under this name, or choose another folder"
                raise Error(
                    str(target), f"cannot be replaced ({error.strerror})", remedy
                ) from error
            self._files.pop(0)
            placed[target.name] = target
        self._made = []
        return placed

    def _make_folder(self) -> None:
        missing = []
        folder = self.folder
        while not folder.exists():
            missing.append(folder)
            folder = folder.parent
        self.folder.mkdir(parents=True, exist_ok=True)
        self._made = missing + self._made


def _remove(path: Path) -> None:
    try:
        path.unlink()
    except OSError:
        pass  # it was never made
