// SPDX-License-Identifier: Apache-2.0
// The table of ExecuTorch's Python Inspector: its rows, columns and values.
//
// Two ways to fill it. `inspect_compat` repeats the joins and quirks of a release's Inspector,
// errors in its arithmetic included, so that scripts can move over. `inspect_own` uses etlens's
// joins: every method joined, delegate events resolved, nothing overwritten.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/file_system.h"
#include "core/base/perf_data.h"
#include "core/base/time_scale.h"
#include "core/formats/etdump/event_log.h"
#include "core/formats/etrecord/etrecord.h"
#include "core/workspace/load.h"

namespace etlens {

struct InspectorRelease {
  int major = 1;
  int minor = 5;
  friend auto operator<=>(const InspectorRelease&, const InspectorRelease&) = default;
};
inline constexpr InspectorRelease kNewestRelease{1, 5};

// "1.2", "v1.2", "1.2.0"; nullopt for anything else.
std::optional<InspectorRelease> parse_release(std::string_view text);
// The newest release that writes the record's layout.
InspectorRelease release_of(RecordLayout layout);

struct TensorSummary {
  std::string dtype;  // "float32"; "" if the value is no tensor
  std::vector<int64_t> shape;
  std::optional<double> min, max, mean;  // over finite values; none without data
  uint64_t nan = 0;
  uint64_t inf = 0;
};

struct InspectorEvent {
  std::string name;
  Instruction instruction = kNoInstruction;
  int32_t chain = 0;
  std::vector<double> raw;  // target unit, one per execution; empty if the event has no time
  PerfData perf;            // of raw
  std::vector<uint64_t> start_time;  // ticks
  std::vector<std::string> op_types;
  bool is_delegated_op = false;
  int32_t delegate_id_int = -1;
  std::string delegate_id_str;
  std::optional<std::vector<DebugHandle>> debug_handles;
  std::vector<NodeId> nodes;            // in the order of their first mention
  std::vector<std::string> node_names;  // as the Inspector names them: FX name and "_"
  std::string backend;
  std::vector<std::string> metadata;  // raw bytes, one per execution, of delegated events
  std::vector<TensorSummary> debug_data;
};

struct InspectorBlock {
  std::string name;
  int32_t bundled_input_index = -1;
  size_t executions = 0;
  std::vector<InspectorEvent> events;
};

struct InspectorRequest {
  const EventLog* log = nullptr;
  const EtRecord* record = nullptr;  // may be null
  TimeScale source = TimeScale::Nanoseconds;
  TimeScale target = TimeScale::Milliseconds;
  const FileSystem* files = nullptr;  // for the debug buffer
  std::string debug_buffer;           // path; "" without one
};

// Errors (Unsupported) where that Inspector refuses the pair: the sentence says why.
Result<std::vector<InspectorBlock>> inspect_compat(const InspectorRequest& request,
                                                   InspectorRelease release);

// Every block is joined as loading joins it: `artifacts` of load_artifacts for that `load`.
std::vector<InspectorBlock> inspect_own(const FileSystem& files, const InspectorRequest& request,
                                        const Artifacts& artifacts, const LoadRequest& load);

// `release`: whose columns.
struct InspectorFormat {
  InspectorRelease release = kNewestRelease;
  bool include_units = true;
  TimeScale source = TimeScale::Nanoseconds;
  TimeScale target = TimeScale::Milliseconds;
};
// What Inspector.save_data_to_tsv writes; CSV is the same with commas.
std::string inspector_tsv(const std::vector<InspectorBlock>& blocks, const InspectorFormat& format,
                          char separator = '\t');
// What Inspector.print_data_tabular prints.
std::string inspector_grid(const std::vector<InspectorBlock>& blocks,
                           const InspectorFormat& format);

}  // namespace etlens
