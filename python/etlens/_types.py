# SPDX-License-Identifier: Apache-2.0
# What `etlens … --format json` prints. Written by tests/cli/python_types_test.cc
# (ETLENS_UPDATE=1) from the structs of core/view, which have the comments.
from typing import Dict, List, Literal, Optional, Tuple, TypedDict, Union


class OtherBlockView(TypedDict):
    method: Optional[str]
    block: str
    executions: int
    total: float


class CallInitView(TypedDict):
    partition: int
    init: float


class ColdStartView(TypedDict):
    total: float
    load: float
    init: float
    first_run: float
    loads: int
    init_in_delegates: float
    init_of_calls: List[CallInitView]


class OddExecutionView(TypedDict):
    execution: int
    total_ticks: int


class KindView(TypedDict):
    executions: int
    median: float


class ReconciliationView(TypedDict):
    lines_ticks: int
    opaque_partition_ticks: int
    delegate_overhead_ticks: int
    dispatch_overhead_ticks: int
    framework_ticks: int
    sizes_ticks: int
    unattributed_ticks: int
    disturbance_ticks: int


class GroupView(TypedDict):
    name: str
    executions: List[int]
    size: Optional[int]
    work: float
    tokens: Optional[int]
    tokens_per_second: Optional[float]
    typical: float
    total_ticks: int
    reconciliation: ReconciliationView
    shown: bool


class _OpView(TypedDict):
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


class OpView(_OpView, total=False):
    instruction_id: Optional[int]
    debug_handles: List[int]
    remark: str
    level: float


class LineReferenceView(TypedDict):
    recorded_path: str
    line: int


class BodyView(TypedDict):
    operation: str
    part: str
    place: Optional[LineReferenceView]
    runs: int
    least: int
    most: int
    executions: int
    taken_in: int


class StateWriteView(TypedDict):
    buffer: str
    bytes: int


class CostInGroupView(TypedDict):
    name: str
    self: float
    self_ticks: int
    inclusive: float
    inclusive_ticks: int
    disturbance_ticks: int
    share: float


class _LineView(TypedDict):
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
    ops: List[OpView]
    fused_into: List[int]
    fused_into_places: List[LineReferenceView]
    partitions: List[int]
    bodies: List[BodyView]
    writes: List[StateWriteView]


class LineView(_LineView, total=False):
    groups: List[CostInGroupView]


class LinesOfFileView(TypedDict):
    recorded_path: str
    path: Optional[str]
    lines: List[LineView]


class DelegateCallView(TypedDict):
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


class _LinesView(TypedDict):
    schema: Literal["etlens/lines@2"]
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
    also: List[OtherBlockView]
    cold_start: Optional[ColdStartView]
    odd_executions: List[OddExecutionView]
    findings: List[str]
    kinds: List[KindView]
    groups: List[GroupView]
    reconciliation: ReconciliationView
    files: List[LinesOfFileView]
    partitions: List[DelegateCallView]


class LinesView(_LinesView, total=False):
    time_unit: str
    unit: str


class _ModuleView(TypedDict):
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


class ModuleView(_ModuleView, total=False):
    groups: List[CostInGroupView]


class _ModulesView(TypedDict):
    schema: Literal["etlens/modules@2"]
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
    also: List[OtherBlockView]
    cold_start: Optional[ColdStartView]
    odd_executions: List[OddExecutionView]
    findings: List[str]
    kinds: List[KindView]
    groups: List[GroupView]
    modules: List[ModuleView]


class ModulesView(_ModulesView, total=False):
    time_unit: str
    unit: str


class ReportedView(TypedDict):
    value: float
    unit: str


class _EventView(TypedDict):
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
    reported: Optional[ReportedView]
    metadata: Dict[str, str]
    debug_handles: List[int]


class EventView(_EventView, total=False):
    remark: str
    groups: List[CostInGroupView]


class _EventsView(TypedDict):
    schema: Literal["etlens/events@2"]
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
    also: List[OtherBlockView]
    cold_start: Optional[ColdStartView]
    odd_executions: List[OddExecutionView]
    findings: List[str]
    kinds: List[KindView]
    groups: List[GroupView]
    reconciliation: ReconciliationView
    events: List[EventView]


class EventsView(_EventsView, total=False):
    time_unit: str
    unit: str


class EventGroupView(TypedDict):
    name: str
    part: Optional[str]
    self: float
    self_ticks: int
    share: float
    events: int
    occurrences: float
    where: List[str]
    lines: List[Optional[Tuple[str, int]]]


class _EventGroupsView(TypedDict):
    schema: Literal["etlens/event-groups@1"]
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
    also: List[OtherBlockView]
    cold_start: Optional[ColdStartView]
    odd_executions: List[OddExecutionView]
    findings: List[str]
    kinds: List[KindView]
    reconciliation: ReconciliationView
    by: str
    groups: List[EventGroupView]


class EventGroupsView(_EventGroupsView, total=False):
    time_unit: str
    unit: str


class ExplainedView(TypedDict):
    exact_ticks: int
    aligned_ticks: int
    recovered_ticks: int
    inferred_ticks: int
    without_line_ticks: int


class _OperatorInsideView(TypedDict):
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


class OperatorInsideView(_OperatorInsideView, total=False):
    instruction_id: Optional[int]
    debug_handles: List[int]
    remark: str
    level: float


class NodeInsideView(TypedDict):
    name: str
    op: str
    debug_handle: Optional[int]
    fate: str
    event: Optional[str]


class NeighbourView(TypedDict, total=False):
    partition: int
    name: str
    op: str


class PartitionView(TypedDict):
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
    explained_by: ExplainedView
    layout_ticks: int
    operators: List[OperatorInsideView]
    nodes: List[NodeInsideView]
    fed_by: List[NeighbourView]
    read_by: List[NeighbourView]


class _OperatorBetweenView(TypedDict):
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


class OperatorBetweenView(_OperatorBetweenView, total=False):
    instruction_id: Optional[int]
    debug_handles: List[int]
    remark: str
    level: float


class FallbackView(TypedDict):
    before: int
    after: int
    self: float
    self_ticks: int
    disturbance_ticks: int
    share: float
    operators: List[OperatorBetweenView]


class _PartitionsView(TypedDict):
    schema: Literal["etlens/partitions@2"]
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
    also: List[OtherBlockView]
    cold_start: Optional[ColdStartView]
    odd_executions: List[OddExecutionView]
    findings: List[str]
    kinds: List[KindView]
    groups: List[GroupView]
    reconciliation: ReconciliationView
    delegated: float
    delegated_ticks: int
    delegated_share: float
    partitions: List[PartitionView]
    fallbacks: List[FallbackView]


class PartitionsView(_PartitionsView, total=False):
    time_unit: str
    unit: str


class FindingView(TypedDict):
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


class _AdviceView(TypedDict):
    schema: Literal["etlens/advice@1"]
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
    also: List[OtherBlockView]
    cold_start: Optional[ColdStartView]
    odd_executions: List[OddExecutionView]
    findings: List[str]
    kinds: List[KindView]
    groups: List[GroupView]
    reconciliation: ReconciliationView
    advice: List[FindingView]


class AdviceView(_AdviceView, total=False):
    time_unit: str
    unit: str


class PairView(TypedDict):
    score: float
    verdict: str
    reasons: List[str]
    confidence: str


class RunView(TypedDict):
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


class CoverageView(TypedDict):
    lines: float
    modules: float
    delegated: float


class UnrecoveredView(TypedDict):
    module: str
    type: str
    why: str
    recorded_path: Optional[str]
    line: Optional[int]
    self: float
    self_ticks: int


class RecoveryView(TypedDict):
    recovered: float
    recovered_ticks: int
    recovered_share: float
    lost: float
    lost_ticks: int
    lost_share: float
    calls: List[UnrecoveredView]


class OddityView(TypedDict):
    id: str
    severity: str
    count: int
    first: str
    advice: str


class _CheckView(TypedDict):
    schema: Literal["etlens/check@2"]
    etdump: Optional[str]
    etrecord: Optional[str]
    error: Optional[str]
    pair: Optional[PairView]
    run: Optional[RunView]
    coverage: Optional[CoverageView]
    recovery: Optional[RecoveryView]
    other_models: List[str]
    report: List[OddityView]


class CheckView(_CheckView, total=False):
    measure: str
    time_unit: str
    unit: str
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
    also: List[OtherBlockView]
    cold_start: Optional[ColdStartView]
    odd_executions: List[OddExecutionView]
    findings: List[str]
    kinds: List[KindView]
    groups: List[GroupView]
    reconciliation: ReconciliationView


class TensorSummaryView(TypedDict):
    dtype: str
    shape: List[int]
    min: Optional[Union[float, str]]
    max: Optional[Union[float, str]]
    mean: Optional[Union[float, str]]
    nan: int
    inf: int


class InspectorEventView(TypedDict):
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
    debug_data: List[TensorSummaryView]


class InspectorBlockView(TypedDict):
    name: str
    bundled_input_index: int
    executions: int
    events: List[InspectorEventView]


class InspectView(TypedDict):
    schema: Literal["etlens/inspect@1"]
    source_time_scale: str
    target_time_scale: str
    blocks: List[InspectorBlockView]


class BaseAndNew_int(TypedDict):
    base: int
    new: int


class MachineView(TypedDict):
    factor: float
    low: float
    high: float
    places: int


class InsideView(TypedDict):
    low: float
    high: float


class _ChangeView(TypedDict):
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


class ChangeView(_ChangeView, total=False):
    inside: InsideView


class BaseAndNew_OptionalColdStartView(TypedDict):
    base: Optional[ColdStartView]
    new: Optional[ColdStartView]


class ComparedLineView(TypedDict):
    recorded_path: str
    line: int
    function: str
    text: str

LineOfSideView = TypedDict("LineOfSideView", {
    "recorded_path": str,
    "line": int,
    "function": str,
    "text": str,
    "self": float,
    "self_ticks": int,
    "disturbance_ticks": int,
    "share": float,
    "with": List[ComparedLineView],
})


class _LineChangeView(TypedDict):
    before: Optional[LineOfSideView]
    after: Optional[LineOfSideView]
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


class LineChangeView(_LineChangeView, total=False):
    inside: InsideView


class _ModuleChangeView(TypedDict):
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


class ModuleChangeView(_ModuleChangeView, total=False):
    inside: InsideView


class _OperatorChangeView(TypedDict):
    op: str
    number: int
    before_line: Optional[LineReferenceView]
    after_line: Optional[LineReferenceView]
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


class OperatorChangeView(_OperatorChangeView, total=False):
    inside: InsideView


class _PartitionChangeView(TypedDict):
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


class PartitionChangeView(_PartitionChangeView, total=False):
    inside: InsideView


class _PartChangeView(TypedDict):
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


class PartChangeView(_PartChangeView, total=False):
    inside: InsideView


class _SumsOfSideView(TypedDict):
    lines_ticks: int
    disturbance_ticks: int
    total_ticks: int
    executions: int


class SumsOfSideView(_SumsOfSideView, total=False):
    line_ticks: int
    opaque_partition_ticks: int
    delegate_overhead_ticks: int
    dispatch_overhead_ticks: int
    framework_ticks: int
    sizes_ticks: int
    unattributed_ticks: int


class BaseAndNew_SumsOfSideView(TypedDict):
    base: SumsOfSideView
    new: SumsOfSideView


class ComparedGroupView(TypedDict):
    name: str
    size: Optional[int]


class BaseAndNew_OptionalComparedGroupView(TypedDict):
    base: Optional[ComparedGroupView]
    new: Optional[ComparedGroupView]


class BaseAndNew_Liststr(TypedDict):
    base: List[str]
    new: List[str]


class MovedOperatorView(TypedDict):
    op: str
    count: int


class DelegationMoveView(TypedDict):
    move: str
    backend: str
    before: Optional[ComparedLineView]
    after: Optional[ComparedLineView]
    operators: List[MovedOperatorView]


class DelegationMovesView(TypedDict):
    not_known: Optional[str]
    left: int
    entered: int
    moves: List[DelegationMoveView]


class DiffView(TypedDict):
    schema: Literal["etlens/diff@1"]
    time_unit: str
    dumps: BaseAndNew_int
    machine: Optional[MachineView]
    total: ChangeView
    cold_start: BaseAndNew_OptionalColdStartView
    lines: List[LineChangeView]
    modules: List[ModuleChangeView]
    operators: List[OperatorChangeView]
    partitions: List[PartitionChangeView]
    parts: List[PartChangeView]
    reconciliation: BaseAndNew_SumsOfSideView
    score: float
    group: BaseAndNew_OptionalComparedGroupView
    unpaired_groups: BaseAndNew_Liststr
    delegation: DelegationMovesView


class ComparedProgramView(TypedDict):
    path: str
    bytes: int


class OwnerChangeView(TypedDict):
    kind: str
    name: Optional[str]
    module: Optional[str]
    line: Optional[Tuple[str, int]]
    text: Optional[str]
    base: int
    new: int
    change: int


class RepeatedDataView(TypedDict):
    name: str
    bytes: int
    times: int
    is_new: bool


class ProgramDiffView(TypedDict):
    schema: Literal["etlens/program-diff@1"]
    measure: str
    base: ComparedProgramView
    new: ComparedProgramView
    change: int
    unchanged_bytes: int
    owners: List[OwnerChangeView]
    repeated: List[RepeatedDataView]


class DumpValueView(TypedDict):
    dump: str
    value: float


class GroupOfPlaceView(TypedDict):
    group: List[str]
    dumps: int
    p50: float
    p90: float
    p95: float
    p99: float
    hottest: int
    outliers: int
    slow: List[DumpValueView]
    fast: List[DumpValueView]


class _PlaceInFleetView(TypedDict):
    kind: str
    place: str
    dumps: int
    p50: float
    p90: float
    p95: float
    p99: float
    hottest: int
    outliers: int
    slow: List[DumpValueView]
    fast: List[DumpValueView]
    share: float
    groups: List[GroupOfPlaceView]


class PlaceInFleetView(_PlaceInFleetView, total=False):
    recorded_path: str
    line: int
    function: str
    text: str


class NamedBrokenView(TypedDict):
    dump: str
    message: str


class BrokenDumpsView(TypedDict):
    reason: str
    count: int
    named: List[NamedBrokenView]


class LeftOutRecordsView(TypedDict):
    count: int
    named: List[str]


class LeftOutLinesView(TypedDict):
    count: int
    first: Optional[str]


class FleetReportView(TypedDict):
    schema: Literal["etlens/fleet@1"]
    time_unit: str
    program: str
    statistic: str
    dumps: int
    repeated: int
    group_by: List[str]
    quantiles: List[float]
    quantile_error: Optional[float]
    places: List[PlaceInFleetView]
    broken: List[BrokenDumpsView]
    records_left_out: LeftOutRecordsView
    lines_left_out: LeftOutLinesView


class BuildView(TypedDict):
    build: str
    dumps: int


class TrendMachineView(TypedDict):
    lines: int
    changed_with: Optional[str]
    change: Optional[float]
    p: float
    levels: List[Optional[float]]


class _TrendPlaceView(TypedDict):
    kind: str
    place: str
    changed_with: Optional[str]
    change: Optional[float]
    p: float
    medians: List[Optional[float]]


class TrendPlaceView(_TrendPlaceView, total=False):
    recorded_path: str
    line: int
    function: str
    text: str


class TrendView(TypedDict):
    schema: Literal["etlens/fleet-trend@1"]
    time_unit: str
    program: str
    statistic: str
    dumps: int
    repeated: int
    group_by: List[str]
    builds: List[BuildView]
    level: float
    tested: int
    sampled_dumps: int
    machine: Optional[TrendMachineView]
    places: List[TrendPlaceView]
    broken: List[BrokenDumpsView]
    records_left_out: LeftOutRecordsView
    lines_left_out: LeftOutLinesView


class BufferView(TypedDict):
    id: int
    size: int
    peak: int
    peak_instruction: int


class TensorView(TypedDict):
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


class AllocatorView(TypedDict):
    block: str
    allocator: int
    name: str
    executions: int
    events: int
    most: int
    largest: int


class MemoryView(TypedDict):
    schema: Literal["etlens/memory@1"]
    method: str
    buffers: List[BufferView]
    tensors: List[TensorView]
    live: Dict[str, List[int]]
    unplanned: List[int]
    allocators: Optional[List[AllocatorView]]


class SizePartView(TypedDict):
    kind: str
    name: str
    bytes: int
    module: Optional[str]
    line: Optional[Tuple[str, int]]
    partition: Optional[int]


class SizeView(TypedDict):
    schema: Literal["etlens/size@1"]
    file_bytes: int
    parts: List[SizePartView]


class CalledDelegateView(TypedDict):
    id: int
    instruction_id: Optional[int]
    backend: Optional[str]
    nodes: Optional[int]


class DelegatedOperatorView(TypedDict):
    op: str
    delegated: int
    cpu: int


class ReasonView(TypedDict):
    id: str
    text: str
    remedy: Optional[str]


class DelegatedNodeView(TypedDict):
    node: Optional[str]
    op: str
    debug_handle: Optional[int]
    backend: Optional[str]
    call: Optional[int]
    line: Optional[int]
    recorded_path: Optional[str]
    reason: Optional[ReasonView]
    instruction_id: Optional[int]
    made_by: Optional[str]


class CutNodeView(TypedDict):
    node: Optional[str]
    op: str
    instruction_id: Optional[int]
    line: Optional[int]
    recorded_path: Optional[str]


class CutView(TypedDict):
    before: int
    after: int
    direct: bool
    nodes: List[CutNodeView]


class DelegationView(TypedDict):
    schema: Literal["etlens/delegation@1"]
    method: str
    etrecord: Optional[str]
    pte: Optional[str]
    lowering: str
    delegate_calls: int
    delegated_nodes: int
    cpu_nodes: int
    calls: List[CalledDelegateView]
    operators: List[DelegatedOperatorView]
    nodes: List[DelegatedNodeView]
    cuts: List[CutView]


class _JudgedView(TypedDict):
    change: Optional[float]
    low: Optional[float]
    high: Optional[float]
    p: Optional[float]
    verdict: str
    likely: bool
    reason: Optional[str]
    needs_dumps: Optional[int]


class JudgedView(_JudgedView, total=False):
    inside: InsideView


class GateFindingView(TypedDict):
    text: str
    path: Optional[str]
    recorded_path: Optional[str]
    line: Optional[int]
    op: Optional[str]
    backend: Optional[str]
    nodes: Optional[int]
    delegate_call: Optional[int]
    bytes: Optional[int]
    reason: Optional[ReasonView]
    change: Optional[JudgedView]


class GateRowView(TypedDict):
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
    findings: List[GateFindingView]


class GateView(TypedDict):
    schema: Literal["etlens/gate@1"]
    policy: str
    passed: bool
    kept: int
    violated: int
    not_checked: int
    budgets: List[GateRowView]


class StoredRunView(TypedDict):
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


class RunsView(TypedDict):
    schema: Literal["etlens/runs@1"]
    folder: str
    bytes: int
    damaged: int
    runs: List[StoredRunView]


class ProfileVersionsView(TypedDict):
    python: Optional[str]
    torch: Optional[str]
    executorch: Optional[str]
    etlens: Optional[str]


class ProfileProblemView(TypedDict):
    id: str
    text: str
    remedy: Optional[str]
    command: Optional[str]
    stops: bool


class ProfileInputView(TypedDict):
    name: str
    guess: Optional[str]
    origin: Optional[str]
    source: Optional[str]


class ProfileProbeView(TypedDict):
    schema: Literal["etlens/profile-probe@1"]
    model: str
    class_name: str
    script: str
    script_exists: bool
    python: Optional[str]
    versions: ProfileVersionsView
    tracer: Optional[bool]
    backend: str
    backends: List[str]
    problems: List[ProfileProblemView]
    needs_inputs: bool
    inputs: List[ProfileInputView]
    dump: str


class GraphValueView(TypedDict):
    value: int
    name: Optional[str]
    shape: Optional[str]
    dtype: Optional[str]


class GraphLiteralView(TypedDict):
    argument: int
    element: Optional[int]
    text: str


class GraphNodeView(TypedDict):
    id: int
    kind: str
    op: Optional[str]
    name: Optional[str]
    group: Optional[int]
    instruction_id: Optional[int]
    target: Optional[int]
    call: Optional[int]
    makes: List[GraphValueView]
    literals: List[GraphLiteralView]
    module: Optional[str]
    line: Optional[int]
    recorded_path: Optional[str]

GraphEdgeView = TypedDict("GraphEdgeView", {
    "from": int,
    "to": int,
    "value": int,
    "argument": int,
    "element": Optional[int],
    "shape": Optional[str],
    "dtype": Optional[str],
})


class GraphRepeatView(TypedDict):
    count: int
    times: int
    nodes: List[int]


class GraphView(TypedDict):
    schema: Literal["etlens/graph@1"]
    method: str
    pte: Optional[str]
    etrecord: Optional[str]
    nodes: List[GraphNodeView]
    edges: List[GraphEdgeView]
    repeats: List[GraphRepeatView]


class SaturationView(TypedDict):
    low: int
    high: int


class HistogramView(TypedDict):
    negative: List[Tuple[float, int]]
    positive: List[Tuple[float, int]]


class WorstElementView(TypedDict):
    index: int
    value: Union[float, str]
    reference: Union[float, str]


class GapView(TypedDict):
    mse: Union[float, str]
    l1: Union[float, str]
    l1_mean: Union[float, str]
    max_abs: Union[float, str]
    snr: Union[float, str]
    cosine: Union[float, str]
    psnr: Union[float, str]
    shapes: str
    worst: List[WorstElementView]


class _ValueView(TypedDict):
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


class ValueView(_ValueView, total=False):
    saturation: SaturationView
    histogram: Optional[HistogramView]
    confidence: str
    gap: Optional[GapView]
    gap_problem: str
    made: float
    problem: str


class OriginView(TypedDict):
    line: Optional[Tuple[str, int]]
    node: str
    op: str
    module: Optional[str]
    made: float
    snr_before: Optional[Union[float, str]]
    snr_after: Union[float, str]
    lines: List[Optional[Tuple[str, int]]]


class _ValuesView(TypedDict):
    schema: Literal["etlens/values@1"]
    debug_buffer: Optional[str]
    values: List[ValueView]


class ValuesView(_ValuesView, total=False):
    test_cases: List[Optional[int]]
    origin: List[OriginView]


class _GapRowView(TypedDict):
    aot_debug_handle: List[int]
    runtime_debug_handle: List[int]
    runtime_ops: List[str]
    gap: List[Union[float, str]]


class GapRowView(_GapRowView, total=False):
    note: str


class GapsView(TypedDict):
    schema: Literal["etlens/values@1"]
    metric: str
    rows: List[GapRowView]


class _CallView(TypedDict):
    file: str
    line: int
    function: str
    calls: int


class CallView(_CallView, total=False):
    primitive_calls: int
    own: float
    cumulative: float


class FunctionView(TypedDict):
    file: str
    line: int
    function: str
    calls: int
    primitive_calls: int
    own: float
    cumulative: float
    callers: List[CallView]
    callees: List[CallView]


class StatsView(TypedDict):
    schema: Literal["etlens/pstats@1"]
    time_unit: Literal["s"]
    profiles: List[str]
    calls: int
    primitive_calls: int
    total: float
    functions: List[FunctionView]
