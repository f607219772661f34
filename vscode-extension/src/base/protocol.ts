// SPDX-License-Identifier: Apache-2.0
// What etlens adds to the protocol. Written by tests/server/protocol_ts_test.cc (ETLENS_UPDATE=1) from the structs
// of server/extensions and core/view, which have the comments.
import type { Position, Range } from "vscode-languageclient";

export const status = "etlens/status";
export const events = "etlens/events";
export const eventTable = "etlens/eventTable";
export const hotLines = "etlens/hotLines";
export const lineCosts = "etlens/lineCosts";
export const delegateLines = "etlens/delegateLines";
export const modules = "etlens/modules";
export const models = "etlens/models";
export const moduleSource = "etlens/moduleSource";
export const flameGraph = "etlens/flameGraph";
export const partitions = "etlens/partitions";
export const advice = "etlens/advice";
export const report = "etlens/report";
export const delegation = "etlens/delegation";
export const memory = "etlens/memory";
export const size = "etlens/size";
export const changes = "etlens/changes";
export const profiles = "etlens/profiles";
export const graph = "etlens/graph";
export const edgeProgram = "etlens/edgeProgram";
export const profileChanged = "etlens/profileChanged";
export const profilesChanged = "etlens/profilesChanged";

export const commands = {
  jumpToEvent: "etlens.jumpToEvent",
  nextHotLine: "etlens.nextHotLine",
  previousHotLine: "etlens.previousHotLine",
  selectProfile: "etlens.selectProfile",
  selectMethod: "etlens.selectMethod",
  selectStatistic: "etlens.selectStatistic",
  selectExecutions: "etlens.selectExecutions",
  selectGroup: "etlens.selectGroup",
  selectMeasure: "etlens.selectMeasure",
  selectBaseline: "etlens.selectBaseline",
  selectFleet: "etlens.selectFleet",
  nextChangedLine: "etlens.nextChangedLine",
  previousChangedLine: "etlens.previousChangedLine",
  reload: "etlens.reload",
  showEdgeProgram: "etlens.showEdgeProgram",
} as const;

// Of ours, which lenses of the server name.
export const profileModel = "etlens.profileModel";
export const runAgain = "etlens.runAgain";

export const providedScheme = "etlens";

export interface OtherBlockView {
  method: string | null;
  block: string;
  executions: number;
  total: number;
}

export interface CallInitView {
  partition: number;
  init: number;
}

export interface ColdStartView {
  total: number;
  load: number;
  init: number;
  first_run: number;
  loads: number;
  init_in_delegates: number;
  init_of_calls: CallInitView[];
}

export interface OddExecutionView {
  execution: number;
  total_ticks: number;
}

export interface KindView {
  executions: number;
  median: number;
}

export interface ReconciliationView {
  lines_ticks: number;
  opaque_partition_ticks: number;
  delegate_overhead_ticks: number;
  dispatch_overhead_ticks: number;
  framework_ticks: number;
  sizes_ticks: number;
  unattributed_ticks: number;
  disturbance_ticks: number;
}

export interface GroupView {
  name: string;
  executions: number[];
  size: number | null;
  work: number;
  tokens: number | null;
  tokens_per_second: number | null;
  typical: number;
  total_ticks: number;
  reconciliation: ReconciliationView;
  shown: boolean;
}

export interface OddExecution {
  execution: number;
  total_text: string;
  text: string;
}

export interface StatusProfile {
  etdump: string;
  etrecord?: string;
  pte?: string;
  modified: number;
  measure: string;
  time_unit?: string;
  unit?: string;
  method: string | null;
  block: string;
  executions: number;
  executions_used: number;
  executions_shown: string;
  statistic: string;
  raw: boolean;
  total: number;
  total_ticks: number;
  mean: number;
  also: OtherBlockView[];
  cold_start: ColdStartView | null;
  odd_executions: OddExecutionView[];
  findings: string[];
  kinds: KindView[];
  groups: GroupView[];
  total_text: string;
  mean_text: string;
  headline: string;
  strip: string;
  odd: OddExecution[];
  kinds_text?: string;
  group_texts: string[];
  also_text?: string;
  cold_start_text?: string;
  on_lines: number;
  in_modules: number;
  delegated: number;
  pair_score?: number;
  pair_verdict?: string;
  pair_reasons: string[];
  pair_confidence?: string;
  record_problem?: string;
}

export interface Time {
  value: number;
  unit: string;
  text: string;
}

export interface MeasureItem {
  id: string;
  label: string;
  current: boolean;
  total: Time;
}

export interface StatusWarning {
  id: string;
  severity: string;
  count: number;
  first: string;
  advice: string;
}

export interface ChangeItem {
  verdict: string;
  verdict_text: string;
  likely: boolean;
  mark: string;
  text: string;
  before: Time;
  after: Time;
  interval: string;
  change?: number;
  low?: number;
  high?: number;
  reason?: string;
}

export interface ComparisonItem {
  baseline: string[];
  problem?: string;
  dumps_before: number;
  dumps_after: number;
  total?: ChangeItem;
  headline: string;
  counts: string;
  machine?: string;
  caveats: string[];
}

export interface FleetItem {
  message: string;
  reading: boolean;
  dumps: number;
  left_out: number;
}

export interface SelectBaselineArguments {
  paths: string[];
  etrecord?: string;
  pte?: string;
}

export interface LastRunItem {
  change: number;
  text: string;
  run: number;
  selection: SelectBaselineArguments;
}

export interface BrokenBudgetView {
  budget: string;
  text: string;
  policy_line: number;
  path?: string;
  line?: number;
  cause?: string;
}

export interface BudgetsView {
  policy: string;
  problem?: string;
  kept: number;
  violated: number;
  not_checked: number;
  broken: BrokenBudgetView[];
}

export interface StatusResult {
  state: string;
  message: string;
  generation: number;
  profile?: StatusProfile;
  measure: string;
  measures: MeasureItem[];
  warnings: StatusWarning[];
  comparison?: ComparisonItem;
  replaced?: string;
  fleet?: FleetItem;
  waiting?: string;
  details?: string;
  last_run?: LastRunItem;
  earlier_runs: LastRunItem[];
  budgets?: BudgetsView;
}

export interface ProfileChangedParams {
  generation: number;
}

export interface SourceLine {
  recorded_path: string;
  line: number;
  current_line: number | null;
  anchor: string;
  text: string;
  uri?: string;
}

export interface ChangedLine {
  place: string;
  text: string;
  kernels: string;
  source?: SourceLine;
  change: ChangeItem;
}

export interface ComparedLineView {
  recorded_path: string;
  line: number;
  function: string;
  text: string;
}

export interface MovedOperatorView {
  op: string;
  count: number;
}

export interface MovedOperators {
  move: string;
  backend: string;
  before: ComparedLineView | null;
  after: ComparedLineView | null;
  operators: MovedOperatorView[];
  place: string;
  text: string;
  source?: SourceLine;
}

export interface ChangesResult {
  generation: number;
  comparison?: ComparisonItem;
  lines: ChangedLine[];
  delegation: MovedOperators[];
  delegation_not_known?: string;
}

export interface EventsParams {
  query?: string;
  offset?: number;
  limit?: number;
}

export interface ReportedView {
  value: number;
  unit: string;
}

export interface CostInGroupView {
  name: string;
  self: number;
  self_ticks: number;
  inclusive: number;
  inclusive_ticks: number;
  disturbance_ticks: number;
  share: number;
}

export interface EventItem {
  id: number;
  event: string;
  title: string | null;
  remark?: string;
  op: string | null;
  instruction_id: number | null;
  chain_index: number;
  backend: string | null;
  partition: number | null;
  part: string;
  self: number;
  self_ticks: number;
  low: number | null;
  high: number | null;
  disturbance_ticks: number;
  total: number;
  total_ticks: number;
  share: number;
  occurrences: number;
  p10: number | null;
  p50: number | null;
  p90: number | null;
  min: number | null;
  max: number | null;
  module: string | null;
  recorded_path: string | null;
  line: number | null;
  current_line: number | null;
  confidence: string;
  candidates: number;
  rescaled: boolean;
  reported: ReportedView | null;
  metadata: Record<string, string>;
  debug_handles: number[];
  groups?: CostInGroupView[];
  uri?: string;
  line_text?: string;
  self_text: string;
  p50_text: string;
  p90_text: string;
  spread_text: string;
  part_text: string;
  where: string;
  module_text: string;
  running_share: number;
  change?: ChangeItem;
}

export interface EventsResult {
  generation: number;
  unit: string;
  events: EventItem[];
  more: number;
  count: number;
  self: number;
  self_ticks: number;
  self_text: string;
  share: number;
}

export interface EventTableParams {
  filter?: string;
  group_by?: string;
  sort_by?: string;
  ascending?: boolean;
  open?: string[];
  offset?: number;
  limit?: number;
  locate?: number;
}

export interface EventGroupItem {
  key: string;
  name: string;
  exclude: string;
  is_open: boolean;
  count: number;
  self: number;
  self_ticks: number;
  self_text: string;
  share: number;
  running_share: number;
  source?: SourceLine;
  change?: ChangeItem;
}

export interface EventRow {
  level: number;
  group?: EventGroupItem;
  event?: EventItem;
  exclude?: string;
}

export interface LocatedRow {
  row: number;
  group?: string;
}

export interface EventTableResult {
  generation: number;
  unit: string;
  rows: EventRow[];
  row_count: number;
  count: number;
  self: number;
  self_ticks: number;
  self_text: string;
  share: number;
  located?: LocatedRow;
}

export interface LineCost {
  recorded_path: string;
  uri?: string;
  line: number;
  current_line: number | null;
  anchor: string;
  edited: boolean;
  function: string;
  text: string;
  self: number;
  self_ticks: number;
  low: number | null;
  high: number | null;
  inclusive: number;
  inclusive_ticks: number;
  disturbance_ticks: number;
  share: number;
  occurrences: number;
  calls: number;
  confidence: string;
  delegated: number;
  delegated_ticks: number;
  delegates: string[];
  shape: string | null;
  partitions: number[];
  label: string;
  self_text: string;
  inclusive_text: string;
  heat: number;
  where: string;
  fallback: boolean;
  events: number[];
  running_share?: number;
  change?: ChangeItem;
}

export interface LineHint {
  line: number;
  text: string;
}

export interface LineCostsResult {
  generation: number;
  unit: string;
  lines: LineCost[];
  unplaced: LineCost[];
  hints: LineHint[];
}

export interface DelegateLinesResult {
  generation: number;
  message: string;
  partitions: number[];
  lines: SourceLine[];
}

export interface HotLinesParams {
  limit?: number;
}

export interface HotLinesResult {
  generation: number;
  unit: string;
  lines: LineCost[];
}

export interface ModuleItem {
  path: string;
  type: string | null;
  self: number;
  self_ticks: number;
  inclusive: number;
  inclusive_ticks: number;
  disturbance_ticks: number;
  share: number;
  calls: number;
  delegated: number;
  delegated_ticks: number;
  delegates: string[];
  partitions: number[];
  groups?: CostInGroupView[];
  parent?: number;
  depth: number;
  self_text: string;
  inclusive_text: string;
  spread_text: string;
  source?: SourceLine;
  change?: ChangeItem;
}

export interface ModulesResult {
  generation: number;
  unit: string;
  modules: ModuleItem[];
}

export interface ModelItem {
  name: string;
  line: number;
  is_root: boolean;
}

export interface ModelsResult {
  models: ModelItem[];
}

export interface ModuleSourceParams {
  path: string;
}

export interface Location {
  uri: string;
  range: Range;
}

export interface ModuleSourceResult {
  kind: string;
  location?: Location;
}

export interface FlameGraphParams {
  order?: string;
  fold?: boolean;
  filter?: string;
}

export interface FlameFrameItem {
  kind: string;
  parent?: number;
  left: number;
  width: number;
  name: string;
  words: string;
  time: Time;
  share: number;
  heat: number;
  found: number;
  module?: string;
  place?: number;
}

export interface FlameGraphResult {
  generation: number;
  title: string;
  frames: FlameFrameItem[];
  found: Time;
  found_share: number;
  places: SourceLine[];
}

export interface PartitionItem {
  id: number;
  instruction_id: number;
  backend: string | null;
  total: number;
  total_ticks: number;
  explained: number;
  explained_ticks: number;
  opaque: number;
  opaque_ticks: number;
  overhead: number;
  overhead_ticks: number;
  init: number | null;
  lines: ([string, number] | null)[];
  disturbance_ticks: number;
  share: number;
  occurrences: number;
  module: string;
  where: string;
  total_text: string;
  explained_text: string;
  opaque_text: string;
  overhead_text: string;
  init_text?: string;
  places: SourceLine[];
  events: number[];
}

export interface FallbackItem {
  before: number;
  after: number;
  self: number;
  self_ticks: number;
  disturbance_ticks: number;
  share: number;
  self_text: string;
  sentence: string;
  source: SourceLine;
  events: number[];
}

export interface PartitionGroupItem {
  partitions: number[];
  module: string;
  total: Time;
  explained: Time;
  opaque: Time;
  overhead: Time;
  share: number;
}

export interface FallbackLineItem {
  fallbacks: number[];
  self: Time;
  share: number;
  source: SourceLine;
}

export interface PartitionsResult {
  generation: number;
  unit: string;
  partitions: PartitionItem[];
  fallbacks: FallbackItem[];
  groups: PartitionGroupItem[];
  fallback_lines: FallbackLineItem[];
  delegated_share: number;
  fallback_share: number;
}

export interface AdviceItem {
  kind: string;
  title: string;
  won: string;
  at_most?: Time;
  share: number;
  arithmetic: string;
  action: string;
  page: string;
  lines: SourceLine[];
}

export interface AdviceResult {
  generation: number;
  advice: AdviceItem[];
}

export interface LeftOperators {
  op: string;
  reason: string;
  remedy: string;
  count: number;
  cost: string;
  share: number;
  lines: SourceLine[];
}

export interface DelegationResult {
  generation: number;
  why: string;
  operators: LeftOperators[];
}

export interface MemoryParams {
  method?: string;
}

export interface ByteCount {
  value: number;
  text: string;
}

export interface MemoryMethod {
  name: string;
  peak: ByteCount;
  current: boolean;
}

export interface MemoryTensor {
  value: number;
  offset: number;
  bytes: ByteCount;
  at_peak: number;
  share: number;
  type: string;
  first: number;
  last: number;
  view_of?: number;
  roles: string[];
  op: string;
  node?: string;
  module?: string;
  partition?: number;
  place?: number;
  buffer?: string;
  written?: number;
}

export interface MemoryBuffer {
  id: number;
  size: ByteCount;
  peak: ByteCount;
  peak_instruction: number;
  without_reuse: ByteCount;
  live: number[];
  tensors: MemoryTensor[];
}

export interface MemoryLine {
  at_peak: ByteCount;
  share: number;
  place: number;
}

export interface MemoryWaiting {
  instruction: number;
  bytes: ByteCount;
  share: number;
  text: string;
  values: number[];
  place?: number;
}

export interface MemoryAllocator {
  block: string;
  name: string;
  executions: number;
  events: number;
  most: ByteCount;
  largest: ByteCount;
}

export interface MemoryResult {
  generation: number;
  why: string;
  pte: string;
  etrecord?: string;
  methods: MemoryMethod[];
  instructions: string[];
  peak: ByteCount;
  peak_instruction: number;
  buffers: MemoryBuffer[];
  lines: MemoryLine[];
  waiting: MemoryWaiting[];
  unplanned: number;
  allocators: MemoryAllocator[];
  places: SourceLine[];
}

export interface ReportResult {
  generation: number;
  why: string;
  title: string;
  style: string;
  body: string;
}

export interface SizeNode {
  level: string;
  kind: string;
  name: string;
  parent?: number;
  bytes: ByteCount;
  share: number;
  users: number;
  module?: string;
  partition?: number;
  place?: number;
}

export interface SizeResult {
  generation: number;
  why: string;
  pte: string;
  etrecord?: string;
  file: ByteCount;
  external: ByteCount;
  nodes: SizeNode[];
  places: SourceLine[];
}

export interface DumpItem {
  etdump: string;
  modified: number;
  size: number;
  current: boolean;
  baseline: boolean;
  total?: Time;
  executions?: number;
}

export interface MethodItem {
  name: string;
  current: boolean;
}

export interface BlockItem {
  name: string;
  executions: number;
  current: boolean;
  method?: string;
}

export interface ExecutionItem {
  number: number;
  total: Time;
  used: boolean;
  odd: boolean;
}

export interface StatisticItem {
  name: string;
  current: boolean;
}

export interface ProfilesResult {
  dumps: DumpItem[];
  records: string[];
  methods: MethodItem[];
  blocks: BlockItem[];
  executions: ExecutionItem[];
  statistics: StatisticItem[];
  pinned: boolean;
}

export interface EdgeProgramNode {
  line: number;
  name: string;
  source?: SourceLine;
  self: Time;
  heat: number;
  module?: string;
  where: string;
}

export interface EdgeProgramResult {
  generation: number;
  uri: string;
  text: string;
  nodes: EdgeProgramNode[];
}

export interface GraphParams {
  method?: string;
}

export interface GraphMethod {
  name: string;
  current: boolean;
}

export interface GraphValueView {
  value: number;
  name: string | null;
  shape: string | null;
  dtype: string | null;
}

export interface GraphLiteralView {
  argument: number;
  element: number | null;
  text: string;
}

export interface GraphNodeView {
  id: number;
  kind: string;
  op: string | null;
  name: string | null;
  group: number | null;
  instruction_id: number | null;
  target: number | null;
  call: number | null;
  makes: GraphValueView[];
  literals: GraphLiteralView[];
  module: string | null;
  line: number | null;
  recorded_path: string | null;
}

export interface GraphEdgeView {
  from: number;
  to: number;
  value: number;
  argument: number;
  element: number | null;
  shape: string | null;
  dtype: string | null;
}

export interface GraphRepeatView {
  count: number;
  times: number;
  nodes: number[];
}

export interface GraphView {
  schema: "etlens/graph@1";
  method: string;
  pte: string | null;
  etrecord: string | null;
  nodes: GraphNodeView[];
  edges: GraphEdgeView[];
  repeats: GraphRepeatView[];
}

export interface GraphResult {
  generation: number;
  why: string;
  headline: string;
  methods: GraphMethod[];
  graph?: GraphView;
  titles: string[];
  places: SourceLine[];
}

export interface JumpToEventArguments {
  event: number;
  generation?: number;
}

export interface HotLineArguments {
  uri?: string;
  position?: Position;
  within?: Range;
}

export interface ChangedLineArguments {
  uri?: string;
  position?: Position;
}

export interface SelectProfileArguments {
  etdump: string;
  etrecord?: string;
  pte?: string;
}

export interface SelectFleetArguments {
  paths: string[];
  groupBy?: string[];
}

export interface SelectMethodArguments {
  method?: string;
  block?: string;
}

export interface SelectStatisticArguments {
  statistic: string;
}

export interface SelectMeasureArguments {
  measure: string;
}

export interface SelectExecutionsArguments {
  executions: string;
}

export interface SelectGroupArguments {
  group: string;
}

export interface ProfileModelArguments {
  uri: string;
  model: string;
}

export interface JumpTarget {
  uri: string;
  range: Range;
  rank?: number;
  count?: number;
  elsewhere?: number;
}

export interface ProfileVersionsView {
  python: string | null;
  torch: string | null;
  executorch: string | null;
  etlens: string | null;
}

export interface ProfileProblemView {
  id: string;
  text: string;
  remedy: string | null;
  command: string | null;
  stops: boolean;
}

export interface ProfileInputView {
  name: string;
  guess: string | null;
  origin: string | null;
  source: string | null;
}

export interface ProfileProbeView {
  schema: "etlens/profile-probe@1";
  model: string;
  class_name: string;
  script: string;
  script_exists: boolean;
  python: string | null;
  versions: ProfileVersionsView;
  tracer: boolean | null;
  backend: string;
  backends: string[];
  problems: ProfileProblemView[];
  needs_inputs: boolean;
  inputs: ProfileInputView[];
  dump: string;
}

export interface ReasonView {
  id: string;
  text: string;
  remedy: string | null;
}

export interface InsideView {
  low: number;
  high: number;
}

export interface JudgedView {
  change: number | null;
  low: number | null;
  high: number | null;
  p: number | null;
  verdict: string;
  likely: boolean;
  reason: string | null;
  needs_dumps: number | null;
  inside?: InsideView;
}

export interface GateFindingView {
  text: string;
  path: string | null;
  recorded_path: string | null;
  line: number | null;
  op: string | null;
  backend: string | null;
  nodes: number | null;
  delegate_call: number | null;
  bytes: number | null;
  reason: ReasonView | null;
  change: JudgedView | null;
}

export interface GateRowView {
  budget: string;
  status: string;
  required: boolean;
  policy_line: number;
  text: string;
  unit: string;
  limit: number | null;
  allowed: string[];
  value: number | null;
  not_checked: string | null;
  undecided: number | null;
  findings: GateFindingView[];
}

export interface GateView {
  schema: "etlens/gate@1";
  policy: string;
  passed: boolean;
  kept: number;
  violated: number;
  not_checked: number;
  budgets: GateRowView[];
}

export interface StoredRunView {
  run: number;
  time: number;
  total: number | null;
  unit: string | null;
  statistic: string | null;
  executions: number | null;
  group: string | null;
  change: number | null;
  since: number | null;
  method: string | null;
  dump: string;
  branch: string | null;
  commit: string | null;
  pinned: boolean;
  etdump: string;
  etrecord: string | null;
  pte: string | null;
  left_out: string | null;
}

export interface RunsView {
  schema: "etlens/runs@1";
  folder: string;
  bytes: number;
  damaged: number;
  runs: StoredRunView[];
}
