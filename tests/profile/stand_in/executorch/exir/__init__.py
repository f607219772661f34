import os
import shutil
from pathlib import Path
from types import SimpleNamespace


def _save(name):
    return lambda path: shutil.copy(Path(os.environ["STAND_IN_FILES"]) / name, path)


class _Edge:
    def to_executorch(self):
        return SimpleNamespace(
            save=_save("model.pte"), get_etrecord=lambda: SimpleNamespace(save=_save("model.etrecord"))
        )


def to_edge_transform_and_lower(programs, transform_passes=None, partitioner=None, *, generate_etrecord=False):
    print(f"lowered to {partitioner}, strict={programs.strict}")
    return _Edge()
