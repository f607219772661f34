// SPDX-License-Identifier: Apache-2.0
// What etlens adds to the protocol. Written by tests/server/protocol_ts_test.cc (ETLENS_UPDATE=1) from the structs
// of server/extensions, which have the comments.
import type { Position, Range } from "vscode-languageclient";

export const status = "etlens/status";
export const events = "etlens/events";
export const eventTable = "etlens/eventTable";
export const hotLines = "etlens/hotLines";
export const lineCosts = "etlens/lineCosts";
export const delegateLines = "etlens/delegateLines";
export const modules = "etlens/modules";
export const flameGraph = "etlens/flameGraph";
export const partitions = "etlens/partitions";
export const advice = "etlens/advice";
export const memory = "etlens/memory";
export const size = "etlens/size";
export const changes = "etlens/changes";
export const profiles = "etlens/profiles";
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
  selectMeasure: "etlens.selectMeasure",
  selectBaseline: "etlens.selectBaseline",
  selectFleet: "etlens.selectFleet",
  nextChangedLine: "etlens.nextChangedLine",
  previousChangedLine: "etlens.previousChangedLine",
  reload: "etlens.reload",
  showEdgeProgram: "etlens.showEdgeProgram",
} as const;

export const providedScheme = "etlens";

export interface Time {
  value: number;
  unit: string;
  text: string;
}

export interface OddExecution {
  execution: number;
  total: Time;
  text: string;
}

export interface StatusProfile {
  etdump: string;
  etrecord?: string;
  pte?: string;
  modified: number;
  method?: string;
  block: string;
  statistic: string;
  raw: boolean;
  executions: number;
  executionsUsed: number;
  executionsShown: string;
  total: Time;
  mean: Time;
  disturbance: Time;
  disturbanceShare: number;
  headline: string;
  findings: string[];
  strip: string;
  odd: OddExecution[];
  kinds?: string;
  also?: string;
  coldStart?: string;
  onLines: number;
  inModules: number;
  delegated: number;
  pairScore?: number;
  pairVerdict?: string;
  pairReasons: string[];
  recordProblem?: string;
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
  verdictText: string;
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
  dumpsBefore: number;
  dumpsAfter: number;
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
  leftOut: number;
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
}

export interface ProfileChangedParams {
  generation: number;
}

export interface SourceLine {
  recordedPath: string;
  recordedLine: number;
  text: string;
  uri?: string;
  line?: number;
  anchor: string;
}

export interface ChangedLine {
  place: string;
  text: string;
  kernels: string;
  source?: SourceLine;
  change: ChangeItem;
}

export interface ChangesResult {
  generation: number;
  comparison?: ComparisonItem;
  lines: ChangedLine[];
}

export interface EventsParams {
  query?: string;
  offset?: number;
  limit?: number;
}

export interface EventItem {
  id: number;
  name: string;
  remark?: string;
  operatorName?: string;
  part: string;
  partText: string;
  backend?: string;
  instruction?: number;
  partition?: number;
  module?: string;
  self: Time;
  p50: Time;
  p90: Time;
  low?: Time;
  high?: Time;
  disturbance: Time;
  share: number;
  runningShare: number;
  occurrences: number;
  confidence?: string;
  source?: SourceLine;
  change?: ChangeItem;
}

export interface EventsResult {
  generation: number;
  events: EventItem[];
  more: number;
  count: number;
  self: Time;
  share: number;
}

export interface EventTableParams {
  filter?: string;
  groupBy?: string;
  sortBy?: string;
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
  isOpen: boolean;
  count: number;
  self: Time;
  share: number;
  runningShare: number;
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
  rows: EventRow[];
  rowCount: number;
  count: number;
  self: Time;
  share: number;
  located?: LocatedRow;
}

export interface LineCost {
  source?: SourceLine;
  line?: number;
  label: string;
  self: Time;
  low?: Time;
  high?: Time;
  disturbance: Time;
  inclusive: Time;
  share: number;
  inclusiveShare: number;
  heat: number;
  where: string;
  confidence: string;
  edited: boolean;
  fallback: boolean;
  events: number[];
  partitions: number[];
  change?: ChangeItem;
}

export interface LineCostsResult {
  generation: number;
  lines: LineCost[];
  unplaced: LineCost[];
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

export interface HotLine {
  cost: LineCost;
  runningShare: number;
}

export interface HotLinesResult {
  generation: number;
  lines: HotLine[];
}

export interface ModuleItem {
  path: string;
  type?: string;
  parent?: number;
  depth: number;
  calls: number;
  self: Time;
  inclusive: Time;
  disturbance: Time;
  share: number;
  source?: SourceLine;
  change?: ChangeItem;
}

export interface ModulesResult {
  generation: number;
  modules: ModuleItem[];
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
  foundShare: number;
  places: SourceLine[];
}

export interface PartitionItem {
  number: number;
  instruction: number;
  backend?: string;
  module?: string;
  total: Time;
  explained: Time;
  opaque: Time;
  overhead: Time;
  share: number;
  occurrences: number;
  init?: Time;
  lines: SourceLine[];
  events: number[];
}

export interface FallbackItem {
  before: number;
  after: number;
  sentence: string;
  self: Time;
  share: number;
  source: SourceLine;
  events: number[];
}

export interface PartitionsResult {
  generation: number;
  partitions: PartitionItem[];
  fallbacks: FallbackItem[];
}

export interface AdviceItem {
  kind: string;
  title: string;
  won: string;
  atMost?: Time;
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
  atPeak: number;
  share: number;
  type: string;
  first: number;
  last: number;
  viewOf?: number;
  roles: string[];
  op: string;
  node?: string;
  module?: string;
  partition?: number;
  place?: number;
}

export interface MemoryBuffer {
  id: number;
  size: ByteCount;
  peak: ByteCount;
  peakInstruction: number;
  withoutReuse: ByteCount;
  live: number[];
  tensors: MemoryTensor[];
}

export interface MemoryLine {
  atPeak: ByteCount;
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
  peakInstruction: number;
  buffers: MemoryBuffer[];
  lines: MemoryLine[];
  waiting: MemoryWaiting[];
  unplanned: number;
  allocators: MemoryAllocator[];
  places: SourceLine[];
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

export interface SelectBaselineArguments {
  paths: string[];
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

export interface JumpTarget {
  uri: string;
  range: Range;
  rank?: number;
  count?: number;
  elsewhere?: number;
}
