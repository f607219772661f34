# SPDX-License-Identifier: Apache-2.0
"""ExecuTorch's Inspector without torch: same classes, columns, values and order.

A script changes one import::

    from etlens.inspector import Inspector, TimeScale

pandas is needed for data frames alone.
"""
import os
import pathlib
import shutil
import sys
import tempfile
import warnings
import weakref
from typing import IO, Any, Dict, List, Optional, Tuple, Union

from etlens import _process
from etlens._errors import Error
from etlens._inspected import (NEWEST, Event, EventBlock, MetadataParser, TimeConverter, TimeScale, frame, printed,
                               table_of, tsv)
from etlens._perf_data import PerfData, elapsed, end_of, fits_32_bits
from etlens._table import _library

__all__ = ["Event", "EventBlock", "Inspector", "PerfData", "TimeScale"]
_SCHEMA = "etlens/inspect@1"


def _scale(scale: Any) -> TimeScale:
    return TimeScale(getattr(scale, "value", scale))  # ExecuTorch's own enumeration is welcome


def _release_of(text: Optional[str]) -> Tuple[int, int]:
    if text is None:
        return NEWEST
    parts = text.lstrip("v").split(".")
    if len(parts) < 2 or not all(part.isdigit() for part in parts[:2]):
        raise Error("", f"release={text!r} is not a release", 'give one such as "1.5"')
    return int(parts[0]), int(parts[1])


def _metadata(texts: List[str]) -> List[Any]:
    if any("\ufffd" in text for text in texts):
        warnings.warn("delegate metadata that is not UTF-8 is not complete here", stacklevel=4)
    return [list(text.encode("utf-8")) if text else "" for text in texts] if any(texts) else []


def _event(values: Dict[str, Any], parser: Optional[MetadataParser]) -> Event:
    instruction = values["instruction_id"]
    return Event(
        name=values["name"],
        perf_data=PerfData(values["raw"], values) if values["raw"] else None,
        op_types=values["op_types"],
        delegate_debug_identifier=values["delegate_debug_identifier"],
        debug_handles=values["debug_handles"],
        stack_traces=values["stack_traces"],
        module_hierarchy={node: None if modules is None else {key: (path, kind) for key, path, kind in modules}
                          for node, modules in values["module_hierarchy"].items()},
        is_delegated_op=values["is_delegated_op"],
        delegate_backend_name=values["delegate_backend_name"],
        _delegate_debug_metadatas=_metadata(values["delegate_debug_metadata"]),
        debug_data=values["debug_data"],
        _instruction_id=instruction,
        _delegate_metadata_parser=parser,
        _start_time=values["start_time"] or None)


def _convert(blocks: List[EventBlock], ticks: Dict[str, Any], converter: TimeConverter) -> None:
    """Gives delegated events the times that `converter` makes of their ticks."""
    events = [event for block in ticks["blocks"] for event in block["events"]]
    is_of_32_bits = fits_32_bits([start for event in events for start in event["start_time"]])
    for event, values in zip((event for block in blocks for event in block.events), events):
        if event.is_delegated_op and values["raw"]:
            event.perf_data = PerfData([
                elapsed(converter(event.name, start), converter(event.name, end_of(start, int(raw), is_of_32_bits)))
                for start, raw in zip(values["start_time"], values["raw"])])


class Inspector:
    """What ExecuTorch's Inspector reads from a dump and a record.

    Parameters
    ----------
    etdump_path : path, optional
        The dump. Give either this or `etdump_data`.
    etdump_data : bytes, optional
        The bytes of the dump.
    etrecord : path or ExecuTorch's ETRecord, optional
    source_time_scale, target_time_scale : TimeScale
        Units of the dump's ticks and of the results.
    debug_buffer_path : path, optional
        Bytes of the logged values.
    delegate_metadata_parser : callable, optional
        From the metadata of one event, a list of bytes for each execution, to a list or a dict.
    delegate_time_scale_converter : callable, optional
        From the name of a delegated event and a tick to a time.
    enable_module_hierarchy, reference_graph_name
        Accepted; they change nothing that is in the tables.
    compat : bool
        Repeat the joins and errors of ExecuTorch's Inspector (default). False: etlens's own joins, in
        which every method is joined and nothing is counted twice.
    release : str, optional
        Whose joins and columns, such as ``"1.5"``; default: the one that the record's layout points to,
        with the columns of the newest.
    timeout : float, optional
        Seconds (default: 600).

    Attributes
    ----------
    event_blocks : list of EventBlock
    """

    def __init__(self, etdump_path: Optional[Any] = None, etdump_data: Optional[bytes] = None,
                 etrecord: Optional[Any] = None, source_time_scale: TimeScale = TimeScale.NS,
                 target_time_scale: TimeScale = TimeScale.MS, debug_buffer_path: Optional[Any] = None,
                 delegate_metadata_parser: Optional[MetadataParser] = None,
                 delegate_time_scale_converter: Optional[TimeConverter] = None, enable_module_hierarchy: bool = False,
                 reference_graph_name: str = "edge_dialect_graph_module", *, compat: bool = True,
                 release: Optional[str] = None, timeout: Optional[float] = None) -> None:
        source, target = _scale(source_time_scale), _scale(target_time_scale)
        if (source is TimeScale.CYCLES) != (target is TimeScale.CYCLES):
            raise RuntimeError("For TimeScale in cycles both the source and target time scale have to be in cycles.")
        if (etdump_path is None) == (etdump_data is None):
            raise ValueError("Expecting exactly one of etdump_path or etdump_data to be specified.")
        self._source_time_scale, self._target_time_scale = source, target
        self._compat, self._release, self._timeout = compat, _release_of(release), timeout
        self._folder: Optional[pathlib.Path] = None
        if etdump_data is not None or hasattr(etrecord, "save"):
            self._folder = pathlib.Path(tempfile.mkdtemp(prefix="etlens-"))
            weakref.finalize(self, shutil.rmtree, self._folder, True)
        self._files = self._named(etdump_path, etdump_data, etrecord)
        self._debug_buffer = os.fspath(debug_buffer_path) if debug_buffer_path is not None else None
        self._joins = [] if not compat else [f"--compat={release}" if release else "--compat"]
        self._is_plain = delegate_time_scale_converter is None
        document = self._inspect(source.value, target.value)
        self.event_blocks: List[EventBlock] = [
            EventBlock(block["name"], [_event(event, delegate_metadata_parser) for event in block["events"]], source,
                       target, block["bundled_input_index"], _release=self._release)
            for block in document["blocks"]]
        if delegate_time_scale_converter is not None:
            _convert(self.event_blocks, self._inspect("cycles", "cycles"), delegate_time_scale_converter)

    def _named(self, etdump_path: Any, etdump_data: Optional[bytes], etrecord: Any) -> Dict[str, str]:
        """The files, also of what was given as an object."""
        folder = self._folder
        files: Dict[str, str] = {}
        if etdump_data is not None and folder:
            (folder / "model.etdp").write_bytes(etdump_data)
            files["etdump"] = str(folder / "model.etdp")
        else:
            files["etdump"] = os.fspath(etdump_path)
        if etrecord is not None and hasattr(etrecord, "save") and folder:
            etrecord.save(str(folder / "model.etrecord"))
            files["etrecord"] = str(folder / "model.etrecord")
        elif isinstance(etrecord, (str, os.PathLike)):
            files["etrecord"] = os.fspath(etrecord)
        elif etrecord is not None:
            raise TypeError("Unsupported ETRecord type")
        return files

    def _arguments(self, command: str, source: str, target: str) -> List[str]:
        words = [command, "--source-time-scale", source, "--target-time-scale", target]
        for name, path in self._files.items():
            words += ["--" + name, path]
        if "etrecord" not in self._files:
            words.append("--no-etrecord")
        return words + (["--debug-buffer", self._debug_buffer] if self._debug_buffer else [])

    def _inspect(self, source: str, target: str) -> Dict[str, Any]:
        notes: List[str] = []
        document = _process.document(_SCHEMA, [*self._arguments("inspect", source, target), *self._joins],
                                     timeout=self._timeout, files=list(self._files.values()), notes=notes)
        for note in notes:
            warnings.warn(note, stacklevel=3)
        return document

    def to_dataframe(self, include_units: bool = True, include_delegate_debug_data: bool = False) -> Any:
        """Return a ``pandas.DataFrame`` with a row for each event of each block.

        Parameters
        ----------
        include_units : bool
            Whether headers have the unit, such as ``avg (ms)``.
        include_delegate_debug_data : bool
            Whether there are columns of the delegate's metadata.
        """
        return frame(table_of(self.event_blocks, include_units, include_delegate_debug_data))

    def print_data_tabular(self, file: Optional[IO[str]] = None, include_units: bool = True,
                           include_delegate_debug_data: bool = False) -> None:
        """Print the table into `file` (default: stdout)."""
        out = sys.stdout if file is None else file
        if self._is_plain and not include_delegate_debug_data:
            words = self._arguments("inspect", self._source_time_scale.value, self._target_time_scale.value)
            units = [] if include_units else ["--no-units"]
            answer = _process.run([*words, *self._joins, *units, "--format", "table"], timeout=self._timeout,
                                  files=list(self._files.values()))
            out.write(answer.out.decode("utf-8", "replace"))
            return
        columns = printed(table_of(self.event_blocks, include_units, include_delegate_debug_data))
        tabulate = _library("tabulate")
        rows = [[place, *row] for place, row in enumerate(zip(*[values for _, values in columns]))]
        out.write(tabulate.tabulate(rows, ["", *[name for name, _ in columns]], tablefmt="fancy_grid") + "\n")

    def save_data_to_tsv(self, file: IO[str], include_units: bool = True,
                         include_delegate_debug_data: bool = False) -> None:
        """Write the table that is printed into `file`, with tabs between its cells."""
        file.write(tsv(printed(table_of(self.event_blocks, include_units, include_delegate_debug_data))))

    def find_total_for_module(self, module_name: str) -> float:
        """Return the time of a module in the target time scale.

        With ``compat=True`` the sum of the average times of all events, without ``OPERATOR_CALL``, of
        which a key of the module stack contains `module_name`. With ``compat=False`` the inclusive time
        of the module with exactly this path, of one execution.
        """
        if not self._compat:
            return self._inclusive(module_name)
        total = 0.0
        for event in (event for block in self.event_blocks for event in block.events):
            # Releases before 0.6 counted kernels twice.
            is_double = event.name == "OPERATOR_CALL" and self._release >= (0, 6)
            if is_double or event.perf_data is None:
                continue
            if any(module_name in key for modules in event.module_hierarchy.values() for key in modules or ()):
                total += event.perf_data.avg
        return total

    def _inclusive(self, module_name: str) -> float:
        from etlens._study import load

        files: Dict[str, Any] = {"etrecord": False, **self._files}
        study = load(source_time_scale=self._source_time_scale.value, target_time_scale=self._target_time_scale.value,
                     timeout=self._timeout, **files)
        return float(study.modules[module_name].inclusive)

    def get_op_list(self, event_block: str, show_delegated_ops: Optional[bool] = True) -> Dict[str, List[Event]]:
        """Return the events of each operator type; ``{}`` with ``compat=True``, as in ExecuTorch."""
        found: Dict[str, List[Event]] = {}
        for block in self.event_blocks if not self._compat else ():
            for event in block.events if block.name == event_block else ():
                for name in dict.fromkeys(event.op_types):
                    if show_delegated_ops or not event.is_delegated_op:
                        found.setdefault(name, []).append(event)
        return found

    def write_tensorboard_artifact(self, path: str) -> None:
        """Do nothing, as in ExecuTorch."""

    def get_exported_program(self, graph: Optional[str] = None) -> None:
        """Not possible without torch."""
        raise Error(self._files.get("etrecord", ""), "an exported program is an object of torch",
                    "read the record with executorch.devtools.parse_etrecord, or use etlens.load(…).graph")

    def calculate_numeric_gap(self, distance: str, disable_debug_handle_valdiation: bool = False,
                              reference_graph: Optional[str] = None, *, reference: Optional[Any] = None) -> Any:
        """Return how far logged values are from those of `reference`.

        Parameters
        ----------
        distance : {"MSE", "L1", "SNR"}
        disable_debug_handle_valdiation, reference_graph
            Accepted; nothing is executed here, so there is no graph to choose.
        reference : path, optional
            An ``.npz`` of arrays named ``h<debug handle>``. Default: the ``reference.npz`` next to the
            dump or the record, as ``etlens.export.recording`` writes it.

        Returns
        -------
        pandas.DataFrame
            Columns ``aot_debug_handle``, ``runtime_debug_handle``, ``runtime_ops`` and ``gap``.
        """
        if not isinstance(distance, str):
            raise Error("", "a comparator of your own needs the values themselves", 'give "MSE", "L1" or "SNR"')
        metric = distance.strip().upper()
        if metric not in ("MSE", "L1", "SNR"):
            raise ValueError(f"Unsupported distance metric {distance!r}")
        words = self._arguments("values", self._source_time_scale.value, self._target_time_scale.value)
        words += ["--compat", "--metric", metric]
        if reference is None:
            beside = [os.path.join(os.path.dirname(path), "reference.npz") for path in self._files.values()]
            reference = next((path for path in beside if os.path.isfile(path)), None)
        if reference is not None:
            words += ["--reference", os.fspath(reference)]
        document = _process.document("etlens/values@1", words, timeout=self._timeout, files=list(self._files.values()))
        rows = document["rows"]
        for row in rows:
            row["gap"] = [float(gap) for gap in row["gap"]]  # those that are not finite are text in JSON
        names: Union[List[str], Tuple[str, ...]] = ("aot_debug_handle", "runtime_debug_handle", "runtime_ops", "gap")
        return frame([(name, [row[name] for row in rows]) for name in names])
