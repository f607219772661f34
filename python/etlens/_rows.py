# SPDX-License-Identifier: Apache-2.0
# What `etlens … --format json` prints, as rows with attributes. Written by
# tests/python/test_rows.py (ETLENS_UPDATE=1) from _types.py.
from typing import Dict, List, Literal, Optional, Tuple, Union

from etlens._row import Row
from etlens._table import Table


class OtherBlock(Row):
    __slots__ = ()
    method: Optional[str]
    block: str
    executions: int
    total: float


class CallInit(Row):
    __slots__ = ()
    partition: int
    init: float


class ColdStart(Row):
    __slots__ = ()
    total: float
    load: float
    init: float
    first_run: float
    loads: int
    init_in_delegates: float
    init_of_calls: Table[CallInit]


class OddExecution(Row):
    __slots__ = ()
    execution: int
    total_ticks: int


class Kind(Row):
    __slots__ = ()
    executions: int
    median: float


class Reconciliation(Row):
    __slots__ = ()
    lines_ticks: int
    opaque_partition_ticks: int
    delegate_overhead_ticks: int
    dispatch_overhead_ticks: int
    framework_ticks: int
    sizes_ticks: int
    unattributed_ticks: int
    disturbance_ticks: int


class Group(Row):
    __slots__ = ()
    name: str
    executions: List[int]
    size: Optional[int]
    work: float
    tokens: Optional[int]
    tokens_per_second: Optional[float]
    typical: float
    total_ticks: int
    reconciliation: Reconciliation
    shown: bool


class Op(Row):
    __slots__ = ()
    op: str
    event: str
    module: str
    self: float
    self_ticks: int
    low: Optional[float]
    high: Optional[float]
    disturbance_ticks: int
    occurrences: float
    confidence: str
    instruction_id: Optional[int]
    debug_handles: Optional[List[int]]
    remark: Optional[str]
    level: Optional[float]


class LineReference(Row):
    __slots__ = ()
    recorded_path: str
    line: int


class Body(Row):
    __slots__ = ()
    operation: str
    part: str
    place: Optional[LineReference]
    runs: int
    least: int
    most: int
    executions: int
    taken_in: int


class StateWrite(Row):
    __slots__ = ()
    buffer: str
    bytes: int


class CostInGroup(Row):
    __slots__ = ()
    name: str
    self: float
    self_ticks: int
    inclusive: float
    inclusive_ticks: int
    disturbance_ticks: int
    share: float


class Line(Row):
    __slots__ = ()
    line: int
    current_line: Optional[int]
    anchor: str
    edited: bool
    function: str
    text: str
    self: float
    self_ticks: int
    low: Optional[float]
    high: Optional[float]
    rank: Optional[List[int]]
    inclusive: float
    inclusive_ticks: int
    disturbance_ticks: int
    share: float
    occurrences: float
    calls: int
    confidence: str
    delegated: float
    delegated_ticks: int
    delegates: List[str]
    shape: Optional[str]
    ops: Table[Op]
    fused_into: List[int]
    fused_into_places: Table[LineReference]
    partitions: List[int]
    bodies: Table[Body]
    writes: Table[StateWrite]
    groups: Optional[Table[CostInGroup]]


class LinesOfFile(Row):
    __slots__ = ()
    recorded_path: str
    path: Optional[str]
    lines: Table[Line]


class DelegateCall(Row):
    __slots__ = ()
    id: int
    instruction_id: int
    backend: Optional[str]
    total: float
    total_ticks: int
    explained: float
    explained_ticks: int
    opaque: float
    opaque_ticks: int
    overhead: float
    overhead_ticks: int
    init: Optional[float]
    lines: List[Optional[Tuple[str, int]]]


class Lines(Row):
    __slots__ = ()
    schema: Literal['etlens/lines@2']
    measure: str
    method: Optional[str]
    block: str
    executions: int
    executions_used: int
    executions_shown: str
    statistic: str
    raw: bool
    total: float
    total_ticks: int
    mean: float
    also: Table[OtherBlock]
    cold_start: Optional[ColdStart]
    odd_executions: Table[OddExecution]
    findings: List[str]
    kinds: Table[Kind]
    groups: Table[Group]
    reconciliation: Reconciliation
    files: Table[LinesOfFile]
    partitions: Table[DelegateCall]
    time_unit: Optional[str]
    unit: Optional[str]


class Module(Row):
    __slots__ = ()
    path: str
    type: Optional[str]
    self: float
    self_ticks: int
    inclusive: float
    inclusive_ticks: int
    disturbance_ticks: int
    share: float
    calls: int
    delegated: float
    delegated_ticks: int
    delegates: List[str]
    partitions: List[int]
    groups: Optional[Table[CostInGroup]]


class Modules(Row):
    __slots__ = ()
    schema: Literal['etlens/modules@2']
    measure: str
    method: Optional[str]
    block: str
    executions: int
    executions_used: int
    executions_shown: str
    statistic: str
    raw: bool
    total: float
    total_ticks: int
    mean: float
    also: Table[OtherBlock]
    cold_start: Optional[ColdStart]
    odd_executions: Table[OddExecution]
    findings: List[str]
    kinds: Table[Kind]
    groups: Table[Group]
    modules: Table[Module]
    time_unit: Optional[str]
    unit: Optional[str]


class Reported(Row):
    __slots__ = ()
    value: float
    unit: str


class Event(Row):
    __slots__ = ()
    event: str
    title: Optional[str]
    op: Optional[str]
    instruction_id: Optional[int]
    chain_index: int
    backend: Optional[str]
    partition: Optional[int]
    part: str
    self: float
    self_ticks: int
    low: Optional[float]
    high: Optional[float]
    disturbance_ticks: int
    total: float
    total_ticks: int
    share: float
    occurrences: float
    p10: Optional[float]
    p50: Optional[float]
    p90: Optional[float]
    min: Optional[float]
    max: Optional[float]
    module: Optional[str]
    recorded_path: Optional[str]
    line: Optional[int]
    current_line: Optional[int]
    confidence: str
    candidates: int
    rescaled: bool
    reported: Optional[Reported]
    metadata: Dict[str, str]
    debug_handles: List[int]
    remark: Optional[str]
    groups: Optional[Table[CostInGroup]]


class Events(Row):
    __slots__ = ()
    schema: Literal['etlens/events@2']
    measure: str
    method: Optional[str]
    block: str
    executions: int
    executions_used: int
    executions_shown: str
    statistic: str
    raw: bool
    total: float
    total_ticks: int
    mean: float
    also: Table[OtherBlock]
    cold_start: Optional[ColdStart]
    odd_executions: Table[OddExecution]
    findings: List[str]
    kinds: Table[Kind]
    groups: Table[Group]
    reconciliation: Reconciliation
    events: Table[Event]
    time_unit: Optional[str]
    unit: Optional[str]


class EventGroup(Row):
    __slots__ = ()
    name: str
    part: Optional[str]
    self: float
    self_ticks: int
    share: float
    events: int
    occurrences: float
    where: List[str]
    lines: List[Optional[Tuple[str, int]]]


class EventGroups(Row):
    __slots__ = ()
    schema: Literal['etlens/event-groups@1']
    measure: str
    method: Optional[str]
    block: str
    executions: int
    executions_used: int
    executions_shown: str
    statistic: str
    raw: bool
    total: float
    total_ticks: int
    mean: float
    also: Table[OtherBlock]
    cold_start: Optional[ColdStart]
    odd_executions: Table[OddExecution]
    findings: List[str]
    kinds: Table[Kind]
    reconciliation: Reconciliation
    by: str
    groups: Table[EventGroup]
    time_unit: Optional[str]
    unit: Optional[str]


class Explained(Row):
    __slots__ = ()
    exact_ticks: int
    aligned_ticks: int
    recovered_ticks: int
    inferred_ticks: int
    without_line_ticks: int


class OperatorInside(Row):
    __slots__ = ()
    op: str
    event: str
    module: str
    self: float
    self_ticks: int
    low: Optional[float]
    high: Optional[float]
    disturbance_ticks: int
    occurrences: float
    confidence: str
    part: str
    layout: bool
    line: Optional[Tuple[str, int]]
    instruction_id: Optional[int]
    debug_handles: Optional[List[int]]
    remark: Optional[str]
    level: Optional[float]


class NodeInside(Row):
    __slots__ = ()
    name: str
    op: str
    debug_handle: Optional[int]
    fate: str
    event: Optional[str]


class Neighbour(Row):
    __slots__ = ()
    partition: Optional[int]
    name: Optional[str]
    op: Optional[str]


class Partition(Row):
    __slots__ = ()
    id: int
    instruction_id: int
    backend: Optional[str]
    total: float
    total_ticks: int
    explained: float
    explained_ticks: int
    opaque: float
    opaque_ticks: int
    overhead: float
    overhead_ticks: int
    init: Optional[float]
    lines: List[Optional[Tuple[str, int]]]
    disturbance_ticks: int
    share: float
    occurrences: float
    module: str
    explained_by: Explained
    layout_ticks: int
    operators: Table[OperatorInside]
    nodes: Table[NodeInside]
    fed_by: Table[Neighbour]
    read_by: Table[Neighbour]


class OperatorBetween(Row):
    __slots__ = ()
    op: str
    event: str
    module: str
    self: float
    self_ticks: int
    low: Optional[float]
    high: Optional[float]
    disturbance_ticks: int
    occurrences: float
    confidence: str
    line: Optional[Tuple[str, int]]
    instruction_id: Optional[int]
    debug_handles: Optional[List[int]]
    remark: Optional[str]
    level: Optional[float]


class Fallback(Row):
    __slots__ = ()
    before: int
    after: int
    self: float
    self_ticks: int
    disturbance_ticks: int
    share: float
    operators: Table[OperatorBetween]


class Partitions(Row):
    __slots__ = ()
    schema: Literal['etlens/partitions@2']
    measure: str
    method: Optional[str]
    block: str
    executions: int
    executions_used: int
    executions_shown: str
    statistic: str
    raw: bool
    total: float
    total_ticks: int
    mean: float
    also: Table[OtherBlock]
    cold_start: Optional[ColdStart]
    odd_executions: Table[OddExecution]
    findings: List[str]
    kinds: Table[Kind]
    groups: Table[Group]
    reconciliation: Reconciliation
    delegated: float
    delegated_ticks: int
    delegated_share: float
    partitions: Table[Partition]
    fallbacks: Table[Fallback]
    time_unit: Optional[str]
    unit: Optional[str]


class Finding(Row):
    __slots__ = ()
    kind: str
    subject: Optional[str]
    title: str
    arithmetic: str
    action: str
    page: str
    at_most: float
    at_most_ticks: int
    share: float
    work: float
    work_ticks: int
    overhead: float
    overhead_ticks: int
    count: int
    occurrences: float
    lines: List[Optional[Tuple[str, int]]]
    partitions: List[int]


class Advice(Row):
    __slots__ = ()
    schema: Literal['etlens/advice@1']
    measure: str
    method: Optional[str]
    block: str
    executions: int
    executions_used: int
    executions_shown: str
    statistic: str
    raw: bool
    total: float
    total_ticks: int
    mean: float
    also: Table[OtherBlock]
    cold_start: Optional[ColdStart]
    odd_executions: Table[OddExecution]
    findings: List[str]
    kinds: Table[Kind]
    groups: Table[Group]
    reconciliation: Reconciliation
    advice: Table[Finding]
    time_unit: Optional[str]
    unit: Optional[str]


class Pair(Row):
    __slots__ = ()
    score: float
    verdict: str
    reasons: List[str]
    confidence: str


class Run(Row):
    __slots__ = ()
    file: str
    record: str
    program: str
    traced: Optional[float]
    untraced: Optional[float]
    tracer_cost: Optional[float]
    speed_change: Optional[float]
    load: Optional[float]
    processors: Optional[int]
    started: Optional[str]
    commit: Optional[str]


class Coverage(Row):
    __slots__ = ()
    lines: float
    modules: float
    delegated: float


class Unrecovered(Row):
    __slots__ = ()
    module: str
    type: str
    why: str
    recorded_path: Optional[str]
    line: Optional[int]
    self: float
    self_ticks: int


class Recovery(Row):
    __slots__ = ()
    recovered: float
    recovered_ticks: int
    recovered_share: float
    lost: float
    lost_ticks: int
    lost_share: float
    calls: Table[Unrecovered]


class Oddity(Row):
    __slots__ = ()
    id: str
    severity: str
    count: int
    first: str
    advice: str


class Check(Row):
    __slots__ = ()
    schema: Literal['etlens/check@2']
    etdump: Optional[str]
    etrecord: Optional[str]
    error: Optional[str]
    pair: Optional[Pair]
    run: Optional[Run]
    coverage: Optional[Coverage]
    recovery: Optional[Recovery]
    other_models: List[str]
    report: Table[Oddity]
    measure: Optional[str]
    time_unit: Optional[str]
    unit: Optional[str]
    method: Optional[str]
    block: Optional[str]
    executions: Optional[int]
    executions_used: Optional[int]
    executions_shown: Optional[str]
    statistic: Optional[str]
    raw: Optional[bool]
    total: Optional[float]
    total_ticks: Optional[int]
    mean: Optional[float]
    also: Optional[Table[OtherBlock]]
    cold_start: Optional[ColdStart]
    odd_executions: Optional[Table[OddExecution]]
    findings: Optional[List[str]]
    kinds: Optional[Table[Kind]]
    groups: Optional[Table[Group]]
    reconciliation: Optional[Reconciliation]


class TensorSummary(Row):
    __slots__ = ()
    dtype: str
    shape: List[int]
    min: Optional[Union[float, str]]
    max: Optional[Union[float, str]]
    mean: Optional[Union[float, str]]
    nan: int
    inf: int


class InspectorEvent(Row):
    __slots__ = ()
    name: str
    instruction_id: int
    chain_index: int
    raw: List[float]
    p10: Optional[float]
    p50: Optional[float]
    p90: Optional[float]
    avg: Optional[float]
    min: Optional[float]
    max: Optional[float]
    start_time: List[int]
    op_types: List[str]
    delegate_debug_identifier: Optional[Union[int, str]]
    debug_handles: Optional[List[int]]
    stack_traces: Dict[str, Optional[str]]
    module_hierarchy: Dict[str, Optional[List[Tuple[str, str, str]]]]
    is_delegated_op: bool
    delegate_backend_name: Optional[str]
    delegate_debug_metadata: List[str]
    debug_data: Table[TensorSummary]


class InspectorBlock(Row):
    __slots__ = ()
    name: str
    bundled_input_index: int
    executions: int
    events: Table[InspectorEvent]


class Inspect(Row):
    __slots__ = ()
    schema: Literal['etlens/inspect@1']
    source_time_scale: str
    target_time_scale: str
    blocks: Table[InspectorBlock]


class BaseAndNew_int(Row):
    __slots__ = ()
    base: int
    new: int


class Machine(Row):
    __slots__ = ()
    factor: float
    low: float
    high: float
    places: int


class Inside(Row):
    __slots__ = ()
    low: float
    high: float


class Change(Row):
    __slots__ = ()
    before: float
    after: float
    before_ticks: int
    after_ticks: int
    change: Optional[float]
    low: Optional[float]
    high: Optional[float]
    p: Optional[float]
    verdict: str
    likely: bool
    reason: Optional[str]
    needs_dumps: Optional[int]
    inside: Optional[Inside]


class BaseAndNew_OptionalColdStart(Row):
    __slots__ = ()
    base: Optional[ColdStart]
    new: Optional[ColdStart]


class ComparedLine(Row):
    __slots__ = ()
    recorded_path: str
    line: int
    function: str
    text: str


class LineOfSide(Row):
    __slots__ = ()
    recorded_path: str
    line: int
    function: str
    text: str
    self: float
    self_ticks: int
    disturbance_ticks: int
    share: float
    with_: Table[ComparedLine]


class LineChange(Row):
    __slots__ = ()
    before: Optional[LineOfSide]
    after: Optional[LineOfSide]
    change: Optional[float]
    low: Optional[float]
    high: Optional[float]
    p: Optional[float]
    verdict: str
    likely: bool
    reason: Optional[str]
    needs_dumps: Optional[int]
    kernels_before: List[str]
    kernels_after: List[str]
    inside: Optional[Inside]


class ModuleChange(Row):
    __slots__ = ()
    before_path: Optional[str]
    after_path: Optional[str]
    before: float
    after: float
    before_ticks: int
    after_ticks: int
    change: Optional[float]
    low: Optional[float]
    high: Optional[float]
    p: Optional[float]
    verdict: str
    likely: bool
    reason: Optional[str]
    needs_dumps: Optional[int]
    inside: Optional[Inside]


class OperatorChange(Row):
    __slots__ = ()
    op: str
    number: int
    before_line: Optional[LineReference]
    after_line: Optional[LineReference]
    before_module: Optional[str]
    after_module: Optional[str]
    before: float
    after: float
    before_ticks: int
    after_ticks: int
    change: Optional[float]
    low: Optional[float]
    high: Optional[float]
    p: Optional[float]
    verdict: str
    likely: bool
    reason: Optional[str]
    needs_dumps: Optional[int]
    kernels_before: List[str]
    kernels_after: List[str]
    inside: Optional[Inside]


class PartitionChange(Row):
    __slots__ = ()
    before_id: Optional[int]
    after_id: Optional[int]
    before: float
    after: float
    before_ticks: int
    after_ticks: int
    change: Optional[float]
    low: Optional[float]
    high: Optional[float]
    p: Optional[float]
    verdict: str
    likely: bool
    reason: Optional[str]
    needs_dumps: Optional[int]
    inside: Optional[Inside]


class PartChange(Row):
    __slots__ = ()
    part: str
    before: float
    after: float
    before_ticks: int
    after_ticks: int
    change: Optional[float]
    low: Optional[float]
    high: Optional[float]
    p: Optional[float]
    verdict: str
    likely: bool
    reason: Optional[str]
    needs_dumps: Optional[int]
    inside: Optional[Inside]


class SumsOfSide(Row):
    __slots__ = ()
    lines_ticks: int
    disturbance_ticks: int
    total_ticks: int
    executions: int
    line_ticks: Optional[int]
    opaque_partition_ticks: Optional[int]
    delegate_overhead_ticks: Optional[int]
    dispatch_overhead_ticks: Optional[int]
    framework_ticks: Optional[int]
    sizes_ticks: Optional[int]
    unattributed_ticks: Optional[int]


class BaseAndNew_SumsOfSide(Row):
    __slots__ = ()
    base: SumsOfSide
    new: SumsOfSide


class ComparedGroup(Row):
    __slots__ = ()
    name: str
    size: Optional[int]


class BaseAndNew_OptionalComparedGroup(Row):
    __slots__ = ()
    base: Optional[ComparedGroup]
    new: Optional[ComparedGroup]


class BaseAndNew_Liststr(Row):
    __slots__ = ()
    base: List[str]
    new: List[str]


class MovedOperator(Row):
    __slots__ = ()
    op: str
    count: int


class DelegationMove(Row):
    __slots__ = ()
    move: str
    backend: str
    before: Optional[ComparedLine]
    after: Optional[ComparedLine]
    operators: Table[MovedOperator]


class DelegationMoves(Row):
    __slots__ = ()
    not_known: Optional[str]
    left: int
    entered: int
    moves: Table[DelegationMove]


class Diff(Row):
    __slots__ = ()
    schema: Literal['etlens/diff@1']
    time_unit: str
    dumps: BaseAndNew_int
    machine: Optional[Machine]
    total: Change
    cold_start: BaseAndNew_OptionalColdStart
    lines: Table[LineChange]
    modules: Table[ModuleChange]
    operators: Table[OperatorChange]
    partitions: Table[PartitionChange]
    parts: Table[PartChange]
    reconciliation: BaseAndNew_SumsOfSide
    score: float
    group: BaseAndNew_OptionalComparedGroup
    unpaired_groups: BaseAndNew_Liststr
    delegation: DelegationMoves


class ComparedProgram(Row):
    __slots__ = ()
    path: str
    bytes: int


class OwnerChange(Row):
    __slots__ = ()
    kind: str
    name: Optional[str]
    module: Optional[str]
    line: Optional[Tuple[str, int]]
    text: Optional[str]
    base: int
    new: int
    change: int


class RepeatedData(Row):
    __slots__ = ()
    name: str
    bytes: int
    times: int
    is_new: bool


class ProgramDiff(Row):
    __slots__ = ()
    schema: Literal['etlens/program-diff@1']
    measure: str
    base: ComparedProgram
    new: ComparedProgram
    change: int
    unchanged_bytes: int
    owners: Table[OwnerChange]
    repeated: Table[RepeatedData]


class DumpValue(Row):
    __slots__ = ()
    dump: str
    value: float


class GroupOfPlace(Row):
    __slots__ = ()
    group: List[str]
    dumps: int
    p50: float
    p90: float
    p95: float
    p99: float
    hottest: int
    outliers: int
    slow: Table[DumpValue]
    fast: Table[DumpValue]


class PlaceInFleet(Row):
    __slots__ = ()
    kind: str
    place: str
    dumps: int
    p50: float
    p90: float
    p95: float
    p99: float
    hottest: int
    outliers: int
    slow: Table[DumpValue]
    fast: Table[DumpValue]
    share: float
    groups: Table[GroupOfPlace]
    recorded_path: Optional[str]
    line: Optional[int]
    function: Optional[str]
    text: Optional[str]


class NamedBroken(Row):
    __slots__ = ()
    dump: str
    message: str


class BrokenDumps(Row):
    __slots__ = ()
    reason: str
    count: int
    named: Table[NamedBroken]


class LeftOutRecords(Row):
    __slots__ = ()
    count: int
    named: List[str]


class LeftOutLines(Row):
    __slots__ = ()
    count: int
    first: Optional[str]


class FleetReport(Row):
    __slots__ = ()
    schema: Literal['etlens/fleet@1']
    time_unit: str
    program: str
    statistic: str
    dumps: int
    repeated: int
    group_by: List[str]
    quantiles: List[float]
    quantile_error: Optional[float]
    places: Table[PlaceInFleet]
    broken: Table[BrokenDumps]
    records_left_out: LeftOutRecords
    lines_left_out: LeftOutLines


class Build(Row):
    __slots__ = ()
    build: str
    dumps: int


class TrendMachine(Row):
    __slots__ = ()
    lines: int
    changed_with: Optional[str]
    change: Optional[float]
    p: float
    levels: List[Optional[float]]


class TrendPlace(Row):
    __slots__ = ()
    kind: str
    place: str
    changed_with: Optional[str]
    change: Optional[float]
    p: float
    medians: List[Optional[float]]
    recorded_path: Optional[str]
    line: Optional[int]
    function: Optional[str]
    text: Optional[str]


class Trend(Row):
    __slots__ = ()
    schema: Literal['etlens/fleet-trend@1']
    time_unit: str
    program: str
    statistic: str
    dumps: int
    repeated: int
    group_by: List[str]
    builds: Table[Build]
    level: float
    tested: int
    sampled_dumps: int
    machine: Optional[TrendMachine]
    places: Table[TrendPlace]
    broken: Table[BrokenDumps]
    records_left_out: LeftOutRecords
    lines_left_out: LeftOutLines


class Buffer(Row):
    __slots__ = ()
    id: int
    size: int
    peak: int
    peak_instruction: int


class Tensor(Row):
    __slots__ = ()
    value: int
    memory_id: int
    offset: int
    bytes: int
    dtype: str
    shape: List[int]
    first: int
    last: int
    view_of: Optional[int]
    roles: List[str]
    node: Optional[str]
    line: Optional[Tuple[str, int]]
    buffer: Optional[str]
    written: Optional[Tuple[str, int]]


class Allocator(Row):
    __slots__ = ()
    block: str
    allocator: int
    name: str
    executions: int
    events: int
    most: int
    largest: int


class Memory(Row):
    __slots__ = ()
    schema: Literal['etlens/memory@1']
    method: str
    buffers: Table[Buffer]
    tensors: Table[Tensor]
    live: Dict[str, List[int]]
    unplanned: List[int]
    allocators: Optional[Table[Allocator]]


class SizePart(Row):
    __slots__ = ()
    kind: str
    name: str
    bytes: int
    module: Optional[str]
    line: Optional[Tuple[str, int]]
    partition: Optional[int]


class Size(Row):
    __slots__ = ()
    schema: Literal['etlens/size@1']
    file_bytes: int
    parts: Table[SizePart]


class CalledDelegate(Row):
    __slots__ = ()
    id: int
    instruction_id: Optional[int]
    backend: Optional[str]
    nodes: Optional[int]


class DelegatedOperator(Row):
    __slots__ = ()
    op: str
    delegated: int
    cpu: int


class Reason(Row):
    __slots__ = ()
    id: str
    text: str
    remedy: Optional[str]


class DelegatedNode(Row):
    __slots__ = ()
    node: Optional[str]
    op: str
    debug_handle: Optional[int]
    backend: Optional[str]
    call: Optional[int]
    line: Optional[int]
    recorded_path: Optional[str]
    reason: Optional[Reason]
    instruction_id: Optional[int]
    made_by: Optional[str]


class CutNode(Row):
    __slots__ = ()
    node: Optional[str]
    op: str
    instruction_id: Optional[int]
    line: Optional[int]
    recorded_path: Optional[str]


class Cut(Row):
    __slots__ = ()
    before: int
    after: int
    direct: bool
    nodes: Table[CutNode]


class Delegation(Row):
    __slots__ = ()
    schema: Literal['etlens/delegation@1']
    method: str
    etrecord: Optional[str]
    pte: Optional[str]
    lowering: str
    delegate_calls: int
    delegated_nodes: int
    cpu_nodes: int
    calls: Table[CalledDelegate]
    operators: Table[DelegatedOperator]
    nodes: Table[DelegatedNode]
    cuts: Table[Cut]


class Judged(Row):
    __slots__ = ()
    change: Optional[float]
    low: Optional[float]
    high: Optional[float]
    p: Optional[float]
    verdict: str
    likely: bool
    reason: Optional[str]
    needs_dumps: Optional[int]
    inside: Optional[Inside]


class GateFinding(Row):
    __slots__ = ()
    text: str
    path: Optional[str]
    recorded_path: Optional[str]
    line: Optional[int]
    op: Optional[str]
    backend: Optional[str]
    nodes: Optional[int]
    delegate_call: Optional[int]
    bytes: Optional[int]
    reason: Optional[Reason]
    change: Optional[Judged]


class GateRow(Row):
    __slots__ = ()
    budget: str
    status: str
    required: bool
    policy_line: int
    text: str
    unit: str
    limit: Optional[float]
    allowed: List[str]
    value: Optional[float]
    not_checked: Optional[str]
    undecided: Optional[int]
    findings: Table[GateFinding]


class Gate(Row):
    __slots__ = ()
    schema: Literal['etlens/gate@1']
    policy: str
    passed: bool
    kept: int
    violated: int
    not_checked: int
    budgets: Table[GateRow]


class StoredRun(Row):
    __slots__ = ()
    run: int
    time: int
    total: Optional[float]
    unit: Optional[str]
    statistic: Optional[str]
    executions: Optional[int]
    group: Optional[str]
    change: Optional[float]
    since: Optional[int]
    method: Optional[str]
    dump: str
    branch: Optional[str]
    commit: Optional[str]
    pinned: bool
    etdump: str
    etrecord: Optional[str]
    pte: Optional[str]
    left_out: Optional[str]


class Runs(Row):
    __slots__ = ()
    schema: Literal['etlens/runs@1']
    folder: str
    bytes: int
    damaged: int
    runs: Table[StoredRun]


class ProfileVersions(Row):
    __slots__ = ()
    python: Optional[str]
    torch: Optional[str]
    executorch: Optional[str]
    etlens: Optional[str]


class ProfileProblem(Row):
    __slots__ = ()
    id: str
    text: str
    remedy: Optional[str]
    command: Optional[str]
    stops: bool


class ProfileInput(Row):
    __slots__ = ()
    name: str
    guess: Optional[str]
    origin: Optional[str]
    source: Optional[str]


class ProfileProbe(Row):
    __slots__ = ()
    schema: Literal['etlens/profile-probe@1']
    model: str
    class_name: str
    script: str
    script_exists: bool
    python: Optional[str]
    versions: ProfileVersions
    tracer: Optional[bool]
    backend: str
    backends: List[str]
    problems: Table[ProfileProblem]
    needs_inputs: bool
    inputs: Table[ProfileInput]
    dump: str


class GraphValue(Row):
    __slots__ = ()
    value: int
    name: Optional[str]
    shape: Optional[str]
    dtype: Optional[str]


class GraphLiteral(Row):
    __slots__ = ()
    argument: int
    element: Optional[int]
    text: str


class GraphNode(Row):
    __slots__ = ()
    id: int
    kind: str
    op: Optional[str]
    name: Optional[str]
    group: Optional[int]
    instruction_id: Optional[int]
    target: Optional[int]
    call: Optional[int]
    makes: Table[GraphValue]
    literals: Table[GraphLiteral]
    module: Optional[str]
    line: Optional[int]
    recorded_path: Optional[str]


class GraphEdge(Row):
    __slots__ = ()
    from_: int
    to: int
    value: int
    argument: int
    element: Optional[int]
    shape: Optional[str]
    dtype: Optional[str]


class GraphRepeat(Row):
    __slots__ = ()
    count: int
    times: int
    nodes: List[int]


class Graph(Row):
    __slots__ = ()
    schema: Literal['etlens/graph@1']
    method: str
    pte: Optional[str]
    etrecord: Optional[str]
    nodes: Table[GraphNode]
    edges: Table[GraphEdge]
    repeats: Table[GraphRepeat]


class Saturation(Row):
    __slots__ = ()
    low: int
    high: int


class Histogram(Row):
    __slots__ = ()
    negative: List[Tuple[float, int]]
    positive: List[Tuple[float, int]]


class WorstElement(Row):
    __slots__ = ()
    index: int
    value: Union[float, str]
    reference: Union[float, str]


class Gap(Row):
    __slots__ = ()
    mse: Union[float, str]
    l1: Union[float, str]
    l1_mean: Union[float, str]
    max_abs: Union[float, str]
    snr: Union[float, str]
    cosine: Union[float, str]
    psnr: Union[float, str]
    shapes: str
    worst: Table[WorstElement]


class Value(Row):
    __slots__ = ()
    block: str
    execution: int
    event: Optional[str]
    instruction_id: Optional[int]
    debug_handles: List[int]
    output: int
    role: str
    dtype: str
    shape: List[int]
    first: List[Union[float, str]]
    sum: Optional[Union[float, str]]
    min: Optional[Union[float, str]]
    max: Optional[Union[float, str]]
    mean: Optional[Union[float, str]]
    std: Optional[Union[float, str]]
    zeros: Optional[int]
    nan: Optional[int]
    inf: Optional[int]
    node: Optional[str]
    module: Optional[str]
    line: Optional[Tuple[str, int]]
    saturation: Optional[Saturation]
    histogram: Optional[Histogram]
    confidence: Optional[str]
    gap: Optional[Gap]
    gap_problem: Optional[str]
    made: Optional[float]
    problem: Optional[str]


class Origin(Row):
    __slots__ = ()
    line: Optional[Tuple[str, int]]
    node: str
    op: str
    module: Optional[str]
    made: float
    snr_before: Optional[Union[float, str]]
    snr_after: Union[float, str]
    lines: List[Optional[Tuple[str, int]]]


class Values(Row):
    __slots__ = ()
    schema: Literal['etlens/values@1']
    debug_buffer: Optional[str]
    values: Table[Value]
    test_cases: Optional[List[Optional[int]]]
    origin: Optional[Table[Origin]]


class GapRow(Row):
    __slots__ = ()
    aot_debug_handle: List[int]
    runtime_debug_handle: List[int]
    runtime_ops: List[str]
    gap: List[Union[float, str]]
    note: Optional[str]


class Gaps(Row):
    __slots__ = ()
    schema: Literal['etlens/values@1']
    metric: str
    rows: Table[GapRow]


class Call(Row):
    __slots__ = ()
    file: str
    line: int
    function: str
    calls: int
    primitive_calls: Optional[int]
    own: Optional[float]
    cumulative: Optional[float]


class Function(Row):
    __slots__ = ()
    file: str
    line: int
    function: str
    calls: int
    primitive_calls: int
    own: float
    cumulative: float
    callers: Table[Call]
    callees: Table[Call]


class Stats(Row):
    __slots__ = ()
    schema: Literal['etlens/pstats@1']
    time_unit: Literal['s']
    profiles: List[str]
    calls: int
    primitive_calls: int
    total: float
    functions: Table[Function]
