// SPDX-License-Identifier: Apache-2.0
// What etlens adds to the protocol: commands, requests, a notification, a URI scheme. This is the
// whole list; vscode-extension/src/protocol.ts mirrors it.
//
// Lines in `line` fields are 0-based and of the text as it is now; `recordedLine` is 1-based, as
// the exporter wrote it. Shares are fractions of Method::execute.
#pragma once

#include <array>
#include <string_view>

#include "protocol/types.h"

namespace etlens::lsp {

// Commands of workspace/executeCommand, with their first argument (all optional).
inline constexpr std::array<const char*, 7> kCommands{
    "etlens.jumpToEvent",      // {"event": id, "generation": n}: shows the event's line
    "etlens.nextHotLine",      // {"uri", "position"}: shows the line that is next in cost
    "etlens.previousHotLine",  // likewise, the one before
    "etlens.selectProfile",    // {"etdump": path, "etrecord": path, "pte": path}; null: the newest
                               // again
    "etlens.selectMethod",     // {"method": name, "block": name}; null: the default again
    "etlens.reload",           // looks for artifacts and reads them again
    "etlens.showEdgeProgram",  // shows the graph of the method; answers EdgeProgramResult
};

// Documents that workspace/textDocumentContent provides, for clients that ask for them.
inline constexpr const char* kProvidedScheme = "etlens";

inline constexpr std::string_view kStatus = "etlens/status";
inline constexpr std::string_view kEvents = "etlens/events";
inline constexpr std::string_view kHotLines = "etlens/hotLines";
inline constexpr std::string_view kLineCosts = "etlens/lineCosts";
inline constexpr std::string_view kModules = "etlens/modules";
inline constexpr std::string_view kPartitions = "etlens/partitions";
inline constexpr std::string_view kProfiles = "etlens/profiles";
inline constexpr std::string_view kEdgeProgram = "etlens/edgeProgram";
// To clients whose capabilities say experimental.etlens.profileChanged.
inline constexpr std::string_view kProfileChanged = "etlens/profileChanged";

struct Time {
  double value = 0;
  std::string unit;  // "ms" or "cycles"
  std::string text;  // "3.10 ms"
};
LSP_STRUCT(Time, value, unit, text)

// A recorded source line, and where it is now.
struct SourceLine {
  std::string recordedPath;
  uint32_t recordedLine = 0;
  std::string text;                // as recorded
  std::optional<DocumentUri> uri;  // absent if the file was not found
  std::optional<uint32_t> line;    // absent if the line was not found
  std::string anchor;              // exact, moved, stale, lost
};
LSP_STRUCT(SourceLine, recordedPath, recordedLine, text, uri, line, anchor)

// --- etlens/status ---

struct StatusWarning {
  std::string id;  // as `etlens check` names it
  std::string severity;
  uint64_t count = 0;
  std::string first;
  std::string advice;
};
LSP_STRUCT(StatusWarning, id, severity, count, first, advice)

struct StatusProfile {
  std::string etdump;
  std::optional<std::string> etrecord;
  std::optional<std::string> pte;
  int64_t modified = 0;  // milliseconds since 1970
  std::optional<std::string> method;
  std::string block;
  uint64_t executions = 0;
  Time total;
  double onLines = 0;  // fractions of the total
  double inModules = 0;
  double delegated = 0;
  std::optional<double> pairScore;
  std::optional<std::string> pairVerdict;
  std::vector<std::string> pairReasons;
};
LSP_STRUCT(StatusProfile, etdump, etrecord, pte, modified, method, block, executions, total,
           onLines, inModules, delegated, pairScore, pairVerdict, pairReasons)

struct StatusResult {
  std::string state;  // "none", "loading", "ready", "failed" (`profile` is then the last good one)
  std::string message;  // one sentence: what is shown, or why nothing is
  uint64_t generation = 0;
  std::optional<StatusProfile> profile;
  std::vector<StatusWarning> warnings;
};
LSP_STRUCT(StatusResult, state, message, generation, profile, warnings)

struct ProfileChangedParams {
  uint64_t generation = 0;
};
LSP_STRUCT(ProfileChangedParams, generation)

// --- etlens/events ---

// The ranking, or the groups of a grouped ranking, or the events of one group. Page by page: a
// profile may hold many thousand events.
struct EventsParams {
  std::optional<std::string> query;    // as in workspace/symbol, on names, operators and modules
  std::optional<std::string> groupBy;  // "line", "module", "operator", "delegate"
  std::optional<uint32_t> group;       // index in the groups: its events; else the groups
  std::optional<uint32_t> offset;      // default 0
  std::optional<uint32_t> limit;       // default 1000
  std::optional<uint32_t> locate;      // the id of an event: `located` says where it is
};
LSP_STRUCT(EventsParams, query, groupBy, group, offset, limit, locate)

struct EventItem {
  uint32_t id = 0;
  std::string name;
  std::optional<std::string> operatorName;
  std::string part;      // line, opaque_partition, delegate_overhead, …
  std::string partText;  // the same in words: "inside delegate calls, not measured"
  std::optional<std::string> backend;
  std::optional<int32_t> instruction;
  std::optional<uint32_t> partition;
  std::optional<std::string> module;
  Time self;
  Time p50;
  Time p90;
  double share = 0;
  double runningShare = 0;  // of this event and all before it, in the ranking or in its group
  double occurrences = 0;   // per execution
  std::optional<std::string> confidence;
  std::optional<SourceLine> source;
};
LSP_STRUCT(EventItem, id, name, operatorName, part, partText, backend, instruction, partition,
           module, self, p50, p90, share, runningShare, occurrences, confidence, source)

struct EventGroupItem {
  std::string name;
  uint64_t count = 0;
  Time self;
  double share = 0;
  double runningShare = 0;           // of this group and all before it
  std::optional<SourceLine> source;  // of a line
};
LSP_STRUCT(EventGroupItem, name, count, self, share, runningShare, source)

// Indices into the whole list of groups, and of events (of that group, where there are groups).
struct LocatedEvent {
  std::optional<uint32_t> group;
  uint32_t index = 0;
};
LSP_STRUCT(LocatedEvent, group, index)

struct EventsResult {
  uint64_t generation = 0;
  std::vector<EventItem> events;       // the most costly first
  std::vector<EventGroupItem> groups;  // likewise; of a grouped ranking, all of them
  uint64_t more = 0;                   // events behind these, left out by the limit
  uint64_t count = 0;                  // of events that fit the query
  Time self;                           // of those
  double share = 0;
  std::optional<LocatedEvent> located;  // absent if the query hides the event
};
LSP_STRUCT(EventsResult, generation, events, groups, more, count, self, share, located)

// --- etlens/hotLines, etlens/lineCosts ---

struct LineCost {
  std::optional<SourceLine> source;  // absent in etlens/lineCosts where `line` says it
  std::optional<uint32_t> line;
  std::string label;  // as the inlay hint; "" if that is quiet
  Time self;
  Time inclusive;
  double share = 0;  // of the self time
  double inclusiveShare = 0;
  uint32_t heat = 0;  // 0 (cold) to 4
  std::string where;  // "XNNPACK", "CPU", "XNNPACK+CPU", ""
  std::string confidence;
  bool edited = false;
  bool fallback = false;
  std::vector<uint32_t> events;      // ids, the most costly first
  std::vector<uint32_t> partitions;  // numbers
};
LSP_STRUCT(LineCost, source, line, label, self, inclusive, share, inclusiveShare, heat, where,
           confidence, edited, fallback, events, partitions)

struct LineCostsResult {
  uint64_t generation = 0;
  std::vector<LineCost> lines;     // ascending
  std::vector<LineCost> unplaced;  // recorded lines that are not in the text any more
};
LSP_STRUCT(LineCostsResult, generation, lines, unplaced)

struct HotLinesParams {
  std::optional<uint32_t> limit;  // default 100
};
LSP_STRUCT(HotLinesParams, limit)

struct HotLine {
  LineCost cost;
  double runningShare = 0;
};
LSP_STRUCT(HotLine, cost, runningShare)

struct HotLinesResult {
  uint64_t generation = 0;
  std::vector<HotLine> lines;  // the most costly first
};
LSP_STRUCT(HotLinesResult, generation, lines)

// --- etlens/modules, etlens/partitions ---

struct ModuleItem {
  std::string path;  // "" is the root
  std::optional<std::string> type;
  std::optional<uint32_t> parent;  // index in the list
  uint32_t depth = 0;
  uint32_t calls = 0;
  Time self;
  Time inclusive;
  double share = 0;                  // of the inclusive time
  std::optional<SourceLine> source;  // a line where its time is spent
};
LSP_STRUCT(ModuleItem, path, type, parent, depth, calls, self, inclusive, share, source)

struct ModulesResult {
  uint64_t generation = 0;
  std::vector<ModuleItem> modules;  // parents before children; the first is the root
};
LSP_STRUCT(ModulesResult, generation, modules)

struct PartitionItem {
  uint32_t number = 0;
  int32_t instruction = 0;
  std::optional<std::string> backend;
  std::optional<std::string> module;
  Time total;
  Time explained;
  Time opaque;
  Time overhead;
  double share = 0;
  double occurrences = 0;
  std::vector<SourceLine> lines;
  std::vector<uint32_t> events;
};
LSP_STRUCT(PartitionItem, number, instruction, backend, module, total, explained, opaque, overhead,
           share, occurrences, lines, events)

// Operators of one line that ran on the CPU between two calls of the same backend.
struct FallbackItem {
  uint32_t before = 0;  // numbers of the partitions around
  uint32_t after = 0;
  std::string sentence;
  Time self;
  double share = 0;
  SourceLine source;
  std::vector<uint32_t> events;
};
LSP_STRUCT(FallbackItem, before, after, sentence, self, share, source, events)

struct PartitionsResult {
  uint64_t generation = 0;
  std::vector<PartitionItem> partitions;  // in the order of their instructions
  std::vector<FallbackItem> fallbacks;    // likewise
};
LSP_STRUCT(PartitionsResult, generation, partitions, fallbacks)

// --- etlens/profiles ---

struct DumpItem {
  std::string etdump;
  int64_t modified = 0;  // milliseconds since 1970
  uint64_t size = 0;
  bool current = false;
};
LSP_STRUCT(DumpItem, etdump, modified, size, current)

struct MethodItem {
  std::string name;
  bool current = false;
};
LSP_STRUCT(MethodItem, name, current)

struct BlockItem {
  std::string name;
  uint64_t executions = 0;
  bool current = false;
};
LSP_STRUCT(BlockItem, name, executions, current)

struct ProfilesResult {
  std::vector<DumpItem> dumps;  // the newest first
  std::vector<std::string> records;
  std::vector<MethodItem> methods;  // of the current record
  std::vector<BlockItem> blocks;    // of the current dump; only executions
  bool pinned = false;              // the user chose the dump; a newer one does not replace it
};
LSP_STRUCT(ProfilesResult, dumps, records, methods, blocks, pinned)

// --- etlens/edgeProgram ---

struct EdgeProgramNode {
  uint32_t line = 0;  // of the text
  std::string name;
  std::optional<SourceLine> source;
  Time self;
};
LSP_STRUCT(EdgeProgramNode, line, name, source, self)

struct EdgeProgramResult {
  uint64_t generation = 0;
  DocumentUri uri;  // of the document with this text, for clients that can show it
  std::string text;
  std::vector<EdgeProgramNode> nodes;
};
LSP_STRUCT(EdgeProgramResult, generation, uri, text, nodes)

// --- Arguments of commands ---

struct JumpToEventArguments {
  uint32_t event = 0;
  std::optional<uint64_t> generation;  // refused if another profile was loaded since
};
LSP_STRUCT(JumpToEventArguments, event, generation)

struct HotLineArguments {
  std::optional<DocumentUri> uri;
  std::optional<Position> position;
  std::optional<Range> within;  // only lines of this range: the hottest one
};
LSP_STRUCT(HotLineArguments, uri, position, within)

struct SelectProfileArguments {
  std::string etdump;
  std::optional<std::string> etrecord;
  std::optional<std::string> pte;
};
LSP_STRUCT(SelectProfileArguments, etdump, etrecord, pte)

struct SelectMethodArguments {
  std::optional<std::string> method;
  std::optional<std::string> block;
};
LSP_STRUCT(SelectMethodArguments, method, block)

}  // namespace etlens::lsp
