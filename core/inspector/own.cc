// SPDX-License-Identifier: Apache-2.0
// The Inspector's table with etlens's own joins. What differs from the Inspector, and why:
//  * every method is joined, not only `forward`; blocks find their method by their instructions
//  * framework events get no handles: they carry instruction 0 but belong to none
//  * a repeated event counts every time (the Inspector keeps the last occurrence)
//  * delegate ids are compared whole, and events that the delegate map lacks are aligned
//  * durations are subtracted as whole ticks; a 32-bit wrap is not one tick short
#include <algorithm>
#include <unordered_map>

#include "core/inspector/inspector.h"
#include "core/inspector/values.h"
#include "core/workspace/load.h"

namespace etlens {
namespace {

struct KeyHash {
  size_t operator()(const EventKey& key) const {
    uint64_t hash =
        static_cast<uint64_t>(key.name.value) << 32 | static_cast<uint32_t>(key.instruction.value);
    hash = hash * 0x9E3779B97F4A7C15ull ^ key.delegate_id_str.value;
    return hash * 0x9E3779B97F4A7C15ull ^
           (static_cast<uint64_t>(static_cast<uint32_t>(key.delegate_id_int)) << 32 |
            static_cast<uint32_t>(key.chain));
  }
};

// The method that the block ran; nullopt if none fits, or several fit equally well.
std::optional<MethodFit> method_of(const Artifacts& artifacts, const Block& block) {
  if (!artifacts.record || !block.is_execution) return std::nullopt;
  const std::vector<MethodFit> fits =
      fit_methods(*artifacts.log, artifacts.trees, block, *artifacts.record, artifacts.backends);
  const auto better = [](const MethodFit& a, const MethodFit& b) { return a.score < b.score; };
  const auto best = std::max_element(fits.begin(), fits.end(), better);
  if (best == fits.end() || best->score < kPartialScore) return std::nullopt;
  const auto equals = std::count_if(fits.begin(), fits.end(),
                                    [&](const MethodFit& fit) { return fit.score == best->score; });
  return equals > 1 ? std::nullopt : std::optional(*best);
}

class OwnBlock {
 public:
  // `join`: of the block with the method that it ran; nullopt leaves its events unplaced.
  OwnBlock(const InspectorRequest& request, const Artifacts& artifacts, BlockId id,
           std::optional<Join> join)
      : request_(request),
        artifacts_(artifacts),
        log_(*request.log),
        block_(artifacts.blocks[id.value]),
        join_(std::move(join)) {
    if (join_) map_ = request.record->map_of(join_->code().method->name);
  }

  InspectorBlock build() {
    InspectorBlock result;
    const EventSequence& first = log_.sequence(block_.sequences.front());
    result.name = block_.name;
    result.bundled_input_index = first.bundled_input_index;
    result.executions = block_.runs.size();
    collect_rows();
    sum_runs();
    for (Row& row : rows_) {
      row.event.perf = perf_data(std::span<const double>(row.event.raw));
      join(row);
      result.events.push_back(std::move(row.event));
    }
    return result;
  }

 private:
  struct Row {
    EventKey key;
    EventRole role = EventRole::None;
    ContributionId event_id;
    InspectorEvent event;
  };

  void collect_rows() {
    for (size_t s = 0; s < block_.sequences.size(); ++s) {
      const SequenceId sequence = block_.sequences[s];
      const std::vector<EventKey>& events = log_.sequence(sequence).events;
      std::vector<uint32_t>& row_of = row_of_position_[sequence];
      row_of.assign(events.size(), kNone);
      for (size_t i = 0; i < events.size(); ++i) {
        if (events[i].kind != EventKind::Profile) continue;
        const auto [at, is_new] =
            index_.try_emplace(events[i], static_cast<uint32_t>(rows_.size()));
        row_of[i] = at->second;
        if (!is_new) continue;
        Row row;
        row.key = events[i];
        row.role = artifacts_.trees[sequence.value].roles[i];
        if (join_) row.event_id = join_->event_of_position[s][i];
        describe(row);
        if (row.role == EventRole::Kernel) {
          kernel_of_.try_emplace(row.key.instruction, static_cast<uint32_t>(rows_.size()));
        }
        rows_.push_back(std::move(row));
      }
    }
  }

  void describe(Row& row) const {
    InspectorEvent& event = row.event;
    event.instruction = row.key.in_instruction() ? row.key.instruction : kNoInstruction;
    event.chain = row.key.chain;
    event.is_delegated_op = row.key.has_delegate_id();
    event.delegate_id_int = row.key.delegate_id_int;
    event.delegate_id_str = log_.text(row.key.delegate_id_str);
    event.name = event.is_delegated_op
                     ? (row.key.delegate_id_int != -1 ? std::to_string(row.key.delegate_id_int)
                                                      : event.delegate_id_str)
                     : std::string(log_.text(row.key.name));
  }

  // One value per execution: the sum of the event's occurrences in it.
  void sum_runs() {
    const double factor = scale_factor(request_.source, request_.target);
    std::vector<Ticks> ticks(rows_.size());
    std::vector<uint64_t> first_start(rows_.size());
    std::vector<StringId> metadata(rows_.size());
    std::vector<bool> seen(rows_.size());
    for (const RunId r : block_.runs) {
      const Run& run = log_.run(r);
      std::fill(ticks.begin(), ticks.end(), Ticks());
      std::fill(seen.begin(), seen.end(), false);
      const std::vector<uint32_t>& row_of = row_of_position_[run.sequence];
      for (size_t i = 0; i < row_of.size(); ++i) {
        const uint32_t row = row_of[i];
        if (row == kNone) continue;
        const uint64_t at = run.first_row + i;
        ticks[row] += elapsed_ticks(log_.start[at], log_.end[at]);
        if (!seen[row]) {
          first_start[row] = log_.start[at];
          if (!log_.metadata.empty()) metadata[row] = log_.metadata[at];
        }
        seen[row] = true;
      }
      for (size_t i = 0; i < rows_.size(); ++i) {
        if (!seen[i]) continue;
        rows_[i].event.raw.push_back(static_cast<double>(ticks[i].value) / factor);
        rows_[i].event.start_time.push_back(first_start[i]);
        if (rows_[i].event.is_delegated_op) {
          rows_[i].event.metadata.emplace_back(log_.metadata.empty() ? std::string_view()
                                                                     : log_.text(metadata[i]));
        }
      }
    }
    attach_values();
  }

  // Values that the first run logged for the event's instruction and delegate id.
  void attach_values() {
    const Run& run = log_.run(block_.runs.front());
    const std::vector<EventKey>& events = log_.sequence(run.sequence).events;
    std::unordered_map<EventKey, std::vector<uint64_t>, KeyHash> values;
    uint64_t ordinal = run.first_debug_value;
    for (const EventKey& key : events) {
      if (key.kind != EventKind::Debug) continue;
      if (!log_.debug_values[ordinal].is_output) values[value_key(key)].push_back(ordinal);
      ++ordinal;
    }
    if (values.empty()) return;
    for (Row& row : rows_) {
      const auto at = values.find(value_key(row.key));
      if (at == values.end() || !row.key.in_instruction()) continue;
      for (const uint64_t value : at->second) {
        append_summaries(request_, log_.debug_values[value], row.event.debug_data);
      }
    }
  }

  static EventKey value_key(EventKey key) {
    key.kind = EventKind::Debug;
    key.name = kEmptyString;
    return key;
  }

  void join(Row& row) const {
    if (!join_ || !row.key.in_instruction() || !row.event_id.valid()) return;
    const Landing& landing = (*join_->landings)[row.event_id];
    row.event.backend = join_->backend_id(row.event_id);
    std::vector<NodeId> nodes;
    if (row.role == EventRole::DelegateCall && landing.partition.valid()) {
      nodes = join_->code().partitions[landing.partition.value].nodes;
    } else if (landing.node.valid()) {
      nodes.push_back(landing.node);
      const std::span<const NodeId> fused = join_->landings->fused_of(landing);
      nodes.insert(nodes.end(), fused.begin(), fused.end());
    } else if (row.role == EventRole::OperatorCall) {
      const auto kernel = kernel_of_.find(row.key.instruction);
      if (kernel != kernel_of_.end()) {
        const NodeId node = (*join_->landings)[rows_[kernel->second].event_id].node;
        if (node.valid()) nodes.push_back(node);
      }
    }
    attach(nodes, row.event);
    const InstructionHandles* mapped = map_->find(row.key.instruction);
    if (row.event.is_delegated_op) {
      if (!nodes.empty()) row.event.debug_handles = handles_of(nodes);
    } else if (mapped != nullptr) {
      const std::span<const DebugHandle> handles = map_->handles_of(*mapped);
      row.event.debug_handles.emplace(handles.begin(), handles.end());
    }
  }

  void attach(const std::vector<NodeId>& nodes, InspectorEvent& event) const {
    for (const NodeId id : nodes) {
      event.op_types.push_back(op_type_of(*request_.record, id));
      event.nodes.push_back(id);
      event.node_names.push_back(
          std::string(request_.record->text(request_.record->nodes[id.value].name)) + "_");
    }
  }

  std::vector<DebugHandle> handles_of(const std::vector<NodeId>& nodes) const {
    std::vector<DebugHandle> handles;
    for (const NodeId node : nodes) {
      const DebugHandle handle = request_.record->nodes[node.value].debug_handle;
      if (request_.record->is_set(handle)) handles.push_back(handle);
    }
    std::sort(handles.begin(), handles.end());
    handles.erase(std::unique(handles.begin(), handles.end()), handles.end());
    return handles;
  }

  const InspectorRequest& request_;
  const Artifacts& artifacts_;
  const EventLog& log_;
  const Block& block_;
  std::optional<Join> join_;
  const MethodMap* map_ = nullptr;
  std::vector<Row> rows_;
  std::unordered_map<EventKey, uint32_t, KeyHash> index_;
  std::unordered_map<Instruction, uint32_t> kernel_of_;  // row of an instruction's kernel
  std::unordered_map<SequenceId, std::vector<uint32_t>> row_of_position_;
};

}  // namespace

std::vector<InspectorBlock> inspect_own(const FileSystem& files, const InspectorRequest& request,
                                        const Artifacts& artifacts, const LoadRequest& load) {
  std::vector<InspectorBlock> blocks;
  for (size_t b = 0; b < artifacts.blocks.size(); ++b) {
    const BlockId id(b);
    const std::optional<MethodFit> fit = method_of(artifacts, artifacts.blocks[b]);
    std::optional<Join> join;
    if (fit) join = join_block(files, artifacts, load, id, fit).join;
    blocks.push_back(OwnBlock(request, artifacts, id, std::move(join)).build());
  }
  return blocks;
}

}  // namespace etlens
