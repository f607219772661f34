import contextlib
from types import SimpleNamespace

import executorch.exir


@contextlib.contextmanager
def recording(folder, *, all_frames=True):
    yield SimpleNamespace(all_frames=all_frames)
    assert executorch.exir.lowered == [not all_frames], "one program, exported once"
    for name, text in [("model.pte", "recorded"), ("model.etrecord", "record"), ("model.sources.json", "sources")]:
        (folder / name).write_text(text)
