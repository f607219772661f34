# SPDX-License-Identifier: Apache-2.0
"""Events and blocks of the drop-in Inspector, and their tables."""
import csv
import io
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union

from etlens._perf_data import PerfData
from etlens._table import _library

MetadataParser = Callable[[List[Any]], Union[List[Any], Dict[str, Any]]]
TimeConverter = Callable[[Union[int, str], Union[int, float]], Union[int, float]]
Column = Tuple[str, List[Any]]
_PERF = ("p10", "p50", "p90", "avg", "min", "max")
_NOT_PRINTED = ("raw", "delegate_debug_identifier", "stack_traces", "module_hierarchy", "debug_data")
NEWEST = (99, 0)


class TimeScale(Enum):
    """Units of time; those of ExecuTorch's Inspector."""

    NS = "ns"
    US = "us"
    MS = "ms"
    S = "s"
    CYCLES = "cycles"


@dataclass
class Event:
    """An operator or a step of the runtime, with its times and what the record knows of it.

    Attributes
    ----------
    name : str
    perf_data : PerfData or None
    op_types : list of str
    delegate_debug_identifier : int, str or None
    debug_handles : list of int or None
    num_outputs : None
        Not known here.
    stack_traces, module_hierarchy : dict
        By the name of the node.
    is_delegated_op : bool
    delegate_backend_name : str or None
    debug_data : list of dict
        Each logged value's ``dtype``, ``shape``, ``min``, ``max``, ``mean``, ``nan`` and ``inf``.
    """

    name: str
    perf_data: Optional[PerfData] = None
    op_types: List[str] = field(default_factory=list)
    delegate_debug_identifier: Optional[Union[int, str]] = None
    debug_handles: Optional[List[int]] = None
    num_outputs: Optional[int] = None
    stack_traces: Dict[str, Optional[str]] = field(default_factory=dict)
    module_hierarchy: Dict[str, Optional[Dict[str, Tuple[str, str]]]] = field(default_factory=dict)
    is_delegated_op: Optional[bool] = None
    delegate_backend_name: Optional[str] = None
    _delegate_debug_metadatas: List[Any] = field(default_factory=list)
    debug_data: List[Any] = field(default_factory=list)
    _instruction_id: Optional[int] = None
    _delegate_metadata_parser: Optional[MetadataParser] = field(default=None, compare=False, repr=False)
    _start_time: Optional[List[int]] = None

    @property
    def delegate_debug_metadatas(self) -> Union[List[Any], Dict[str, Any]]:
        """What the parser makes of the delegate's metadata; without a parser the metadata."""
        if not self.is_delegated_op or self._delegate_metadata_parser is None:
            return self._delegate_debug_metadatas
        return self._delegate_metadata_parser(self._delegate_debug_metadatas)

    @property
    def raw_delegate_debug_metadatas(self) -> List[Any]:
        """The delegate's metadata: a list of bytes for each execution, or ``""``."""
        return self._delegate_debug_metadatas

    @property
    def start_time(self) -> Optional[List[int]]:
        """Ticks of each start, as in the dump."""
        return self._start_time

    def asdict(self, _units: str = "") -> Dict[str, Any]:
        """Return the columns of the event."""
        return {name: values[0] if name in _PLAIN else values
                for name, values in columns_of([self], _units)}

    def to_dataframe(self, _units: str = "") -> Any:
        """Return a ``pandas.DataFrame`` of one row."""
        return frame(columns_of([self], _units))


_PLAIN = {"event_name", "delegate_debug_identifier", "is_delegated_op", "delegate_backend_name"}


@dataclass
class EventBlock:
    """Events of equal executions: ``Default`` for loading, ``Execute`` for runs.

    Attributes
    ----------
    name : str
    events : list of Event
    source_time_scale, target_time_scale : TimeScale
    bundled_input_index : int or None
    run_output, reference_output : None
        Not known here.
    """

    name: str
    events: List[Event] = field(default_factory=list)
    source_time_scale: TimeScale = TimeScale.NS
    target_time_scale: TimeScale = TimeScale.MS
    bundled_input_index: Optional[int] = None
    run_output: Optional[Any] = None
    reference_output: Optional[Any] = None
    _release: Tuple[int, int] = field(default=NEWEST, compare=False, repr=False)

    def to_dataframe(self, include_units: bool = False, include_delegate_debug_data: bool = False) -> Any:
        """Return a ``pandas.DataFrame`` with a row for each event."""
        return frame(table_of([self], include_units, include_delegate_debug_data))


def _shortened(names: List[str]) -> Union[List[str], str]:
    if len(names) < 5:
        return names
    return f"['{names[0]}', '{names[1]}' ... '{names[-1]}'] ({len(names)} total)"


def columns_of(events: Sequence[Event], units: str, release: Tuple[int, int] = NEWEST) -> List[Column]:
    """The Inspector's columns, in its order."""
    perf = [event.perf_data for event in events]
    columns: List[Column] = [("event_name", [event.name for event in events]),
                             ("raw", [one.raw if one else None for one in perf])]
    for name in _PERF:
        if name != "p10" or release >= (0, 2):
            columns.append((name + units, [getattr(one, name) if one else None for one in perf]))
    columns.append(("op_types", [_shortened(event.op_types) for event in events]))
    for name in ("delegate_debug_identifier", "stack_traces", "module_hierarchy", "is_delegated_op",
                 "delegate_backend_name", "debug_data"):
        columns.append((name, [getattr(event, name) for event in events]))
    if release >= (0, 7):
        columns.append(("start_time", [event.start_time for event in events]))
    return columns


def _metadata_columns(events: Sequence[Event]) -> List[Column]:
    columns: Dict[str, List[Any]] = {}
    for place, event in enumerate(events):
        metadata = event.delegate_debug_metadatas
        if not metadata:
            continue
        if not isinstance(metadata, (list, dict)):
            raise ValueError(f"Unexpected type for delegate_debug_metadata: {type(metadata)}")
        cells = {"delegate_debug_metadata": metadata} if isinstance(metadata, list) else metadata
        for name, value in cells.items():
            columns.setdefault(name, [float("nan")] * len(events))[place] = value
    return list(columns.items())


def table_of(blocks: Sequence[EventBlock], include_units: bool, include_metadata: bool) -> List[Column]:
    """The columns of all events of `blocks`."""
    events = [event for block in blocks for event in block.events]
    units = f" ({blocks[0].target_time_scale.value})" if include_units and blocks else ""
    names: Column = ("event_block_name", [block.name for block in blocks for _ in block.events])
    columns = [names, *columns_of(events, units, blocks[0]._release if blocks else NEWEST)]
    return columns + (_metadata_columns(events) if include_metadata else [])


def printed(columns: List[Column]) -> List[Column]:
    """What the Inspector prints: fewer columns, and no ``OPERATOR_CALL``."""
    names = dict(columns)["event_name"]
    kept = [place for place, name in enumerate(names) if "OPERATOR_CALL" not in name]
    return [(name, [values[place] for place in kept])
            for name, values in columns if name not in _NOT_PRINTED]


def frame(columns: List[Column]) -> Any:
    """The columns as a ``pandas.DataFrame``. None stays None, and numbers beside it stay as they are."""
    pandas = _library("pandas")
    return pandas.DataFrame({
        name: pandas.Series(values, dtype=object if any(one is None for one in values) or not values else None)
        for name, values in columns})


def tsv(columns: List[Column]) -> str:
    """The columns as pandas writes them with ``to_csv(sep="\\t")``."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter="\t", lineterminator="\n")
    writer.writerow(["", *[name for name, _ in columns]])
    for place, row in enumerate(zip(*[values for _, values in columns])):
        writer.writerow([place, *["" if value is None or value != value else value for value in row]])
    return out.getvalue()
