from pathlib import Path

lowered = []  # whether each program was exported strictly


class _Record:
    def save(self, path):
        assert isinstance(path, str)
        Path(path).write_text("record")


class _Program:
    def __init__(self, has_record):
        self._has_record = has_record

    def save(self, path: str):
        assert isinstance(path, str)
        assert lowered == [True], "without the package etlens only strict=True keeps the lines of helpers"
        Path(path).write_text("program")

    def get_etrecord(self):
        assert self._has_record
        return _Record()


class _Edge:
    def __init__(self, has_record):
        self._has_record = has_record

    def to_executorch(self):
        return _Program(self._has_record)


def to_edge_transform_and_lower(programs, transform_passes=None, partitioner=None, *, generate_etrecord=False):
    assert isinstance(partitioner, list)
    lowered.append(programs.strict)
    return _Edge(generate_etrecord)
