// SPDX-License-Identifier: Apache-2.0
#include "core/join/attribution.h"

#include <algorithm>
#include <unordered_map>

#include "core/join/branch_placement.h"
#include "core/join/delegate_placement.h"
#include "core/join/execution_times.h"
#include "core/code/line_table.h"
#include "core/code/module_tree.h"
#include "core/join/partition_table.h"

namespace etlens {
namespace {

// The key under which occurrences become one EventRow.
struct RowKey {
  EventKey key;
  TimePart part;
  NodeId node;
  Confidence confidence;
  friend bool operator==(const RowKey&, const RowKey&) = default;
};

struct RowKeyHash {
  size_t operator()(const RowKey& row) const {
    uint64_t hash = static_cast<uint64_t>(row.key.name.value) << 32 |
                    static_cast<uint32_t>(row.key.instruction);
    hash =
        hash * 0x9E3779B97F4A7C15ull ^ (static_cast<uint64_t>(row.key.delegate_id_str.value) << 32 |
                                        static_cast<uint32_t>(row.key.delegate_id_int));
    hash = hash * 0xBF58476D1CE4E5B9ull ^ (static_cast<uint64_t>(row.node.value) << 8) ^
           static_cast<uint64_t>(row.part);
    return hash ^ (hash >> 29);
  }
};

bool is_inside_call(EventRole parent) {
  return parent == EventRole::DelegateCall || parent == EventRole::HostPhase;
}

class Attribution {
 public:
  explicit Attribution(AttributionRequest request) : request_(std::move(request)) {
    profile_.log = request_.log;
    profile_.record = request_.record;
    profile_.trees = std::move(request_.trees);
    profile_.blocks = std::move(request_.blocks);
    profile_.block = request_.block;
    profile_.method = request_.method;
    profile_.backends = request_.backends;
    if (profile_.record) {
      frames_ = std::make_unique<ProjectFrames>(*profile_.record, request_.library_frames);
      if (profile_.method) {
        context_ = std::make_unique<MethodContext>(*profile_.record, *profile_.method, *frames_);
        operators_ = std::make_unique<OperatorPlacer>(*context_, executed_instructions());
        open_program();
      }
    }
    backends_ = std::make_unique<BackendEvents>(log(), context_.get(), request_.backends);
    if (context_) {
      delegates_ = std::make_unique<DelegatePlacer>(*context_, *operators_, log(), *backends_,
                                                    payload_source(), profile_.report);
    }
  }

  Profile run() {
    for (const uint32_t s : profile_.selected().sequences) {
      profile_.conversions.push_back(settle_delegate_events(
          log(), log().sequences[s], profile_.trees[s], *backends_, request_.clock));
    }
    profile_.partitions = build_partitions(profile_, context_.get(), operators_.get());
    for (const uint32_t s : profile_.selected().sequences) place_sequence(s);
    if (context_) collect_lines(profile_, *context_, frames_of_events_);
    sum_executions(profile_);
    if (context_) sum_lines(profile_, *context_);
    build_modules(profile_, context_.get());
    sum_partitions(profile_);
    find_unreported(profile_);
    note_oddities();
    return std::move(profile_);
  }

 private:
  const EventLog& log() const { return *profile_.log; }

  void open_program() {
    if (request_.program == nullptr) return;
    program_method_ = request_.program->find(profile_.record->text(profile_.method->name));
    if (program_method_ != nullptr)
      branches_ = std::make_unique<BranchPlacer>(*context_, *program_method_);
  }

  PayloadSource payload_source() const {
    if (program_method_ == nullptr || !request_.read_payload) return {};
    return [this](int32_t instruction) -> std::vector<uint8_t> {
      const ProgramInstruction* row = program_method_->find(instruction);
      const ProgramDelegate* delegate =
          row == nullptr ? nullptr : program_method_->delegate_of(*row);
      return delegate == nullptr ? std::vector<uint8_t>() : request_.read_payload(*delegate);
    };
  }

  // Every operator instruction of the block with its kernel's name, distinct, ascending.
  std::vector<ExecutedInstruction> executed_instructions() const {
    std::vector<ExecutedInstruction> executed;
    for (const uint32_t s : profile_.selected().sequences) {
      const EventTree& tree = profile_.trees[s];
      const std::vector<EventKey>& events = log().sequences[s].events;
      for (size_t i = 0; i < events.size(); ++i) {
        if (tree.roles[i] == EventRole::Kernel) {
          executed.push_back({events[i].instruction, log().text(events[i].name)});
        } else if (tree.roles[i] == EventRole::OperatorCall && tree.is_leaf(i)) {
          executed.push_back({events[i].instruction, {}});
        }
      }
    }
    const auto order = [](const ExecutedInstruction& a, const ExecutedInstruction& b) {
      return a.instruction != b.instruction ? a.instruction < b.instruction : a.kernel < b.kernel;
    };
    const auto same = [](const ExecutedInstruction& a, const ExecutedInstruction& b) {
      return a.instruction == b.instruction && a.kernel == b.kernel;
    };
    std::sort(executed.begin(), executed.end(), order);
    executed.erase(std::unique(executed.begin(), executed.end(), same), executed.end());
    return executed;
  }

  // Gives every position of the sequence its event.
  void place_sequence(uint32_t s) {
    const std::vector<EventKey>& events = log().sequences[s].events;
    const EventTree& tree = profile_.trees[s];
    std::vector<EventId> event_of(events.size());
    std::vector<NodePlacement> delegate_placements = place_delegates(s);
    size_t next_delegate = 0;
    for (uint32_t i = 0; i < events.size(); ++i) {
      switch (tree.roles[i]) {
        case EventRole::None:
          break;
        case EventRole::Execute:
        case EventRole::Framework:
          event_of[i] = row_of(events[i], tree.roles[i], TimePart::Framework, {});
          break;
        case EventRole::Control:
          event_of[i] = row_of(events[i], tree.roles[i], TimePart::Dispatch, {});
          break;
        case EventRole::OperatorCall:
          event_of[i] = tree.is_leaf(i) ? place_operator(events[i], tree.roles[i], {})
                                        : row_of(events[i], tree.roles[i], TimePart::Dispatch, {});
          break;
        case EventRole::Kernel:
          event_of[i] = place_operator(events[i], tree.roles[i], log().text(events[i].name));
          break;
        case EventRole::DelegateCall: {
          const TimePart part =
              tree.is_leaf(i) ? TimePart::OpaquePartition : TimePart::DelegateOverhead;
          event_of[i] = row_of(events[i], tree.roles[i], part, {});
          break;
        }
        case EventRole::HostPhase:
          event_of[i] = row_of(events[i], tree.roles[i], TimePart::OpaquePartition, {});
          break;
        case EventRole::DelegateTotal:
          event_of[i] = row_of(events[i], tree.roles[i], TimePart::DelegateOverhead, {});
          break;
        case EventRole::DelegateEvent: {
          NodePlacement placement = std::move(delegate_placements[next_delegate++]);
          if (tree.parents[i] == kNone || !is_inside_call(tree.roles[tree.parents[i]]))
            placement = {};
          const TimePart part = !placement.node.valid()   ? TimePart::OpaquePartition
                                : placement.frame.valid() ? TimePart::Line
                                                          : TimePart::Unattributed;
          event_of[i] = row_of(events[i], tree.roles[i], part, placement);
          break;
        }
      }
    }
    const SequenceConversions& conversions =
        profile_.conversions[profile_.event_of_position.size()];
    for (size_t i = 0; i < conversions.size(); ++i) {
      if (!event_of[i].valid()) continue;
      profile_.events[event_of[i].value].unit = conversions[i].unit;
      profile_.events[event_of[i].value].conversion = conversions[i].kind;
    }
    profile_.event_of_position.push_back(std::move(event_of));
  }

  // One placement per DelegateEvent of the sequence, in its order. Calls are placed one by one: the
  // same instruction may run several times in a loop.
  std::vector<NodePlacement> place_delegates(uint32_t s) {
    const std::vector<EventKey>& events = log().sequences[s].events;
    const EventTree& tree = profile_.trees[s];
    std::vector<NodePlacement> placements;
    std::vector<EventKey> call;
    uint32_t parent = kNone;
    const auto flush = [&] {
      if (call.empty()) return;
      if (delegates_) {
        const std::span<const NodePlacement> own =
            delegates_->place(call.front().instruction, call);
        placements.insert(placements.end(), own.begin(), own.end());
      } else {
        placements.resize(placements.size() + call.size());
      }
      call.clear();
    };
    for (uint32_t i = 0; i < events.size(); ++i) {
      if (tree.roles[i] != EventRole::DelegateEvent) continue;
      const bool same_call = !call.empty() && tree.parents[i] == parent &&
                             events[i].instruction == call.front().instruction;
      if (!same_call) flush();
      parent = tree.parents[i];
      call.push_back(events[i]);
    }
    flush();
    return placements;
  }

  EventId place_operator(const EventKey& key, EventRole role, std::string_view kernel) {
    if (!operators_ || !key.in_instruction()) return row_of(key, role, TimePart::Unattributed, {});
    const uint64_t cache_key =
        static_cast<uint64_t>(key.name.value) << 32 | static_cast<uint32_t>(key.instruction);
    auto [at, is_new] = operator_rows_.try_emplace(cache_key, EventId());
    if (is_new) {
      const NodePlacement placement = place_instruction(key.instruction, kernel);
      const TimePart part = placement.frame.valid() ? TimePart::Line : TimePart::Unattributed;
      at->second = row_of(key, role, part, placement);
    }
    return at->second;
  }

  // The map lacks instructions inside control-flow branches; a program has them.
  NodePlacement place_instruction(int32_t instruction, std::string_view kernel) {
    if (context_->map().find(instruction) != nullptr) return operators_->place(instruction, kernel);
    const NodeId node = branches_ ? branches_->node_of(instruction) : NodeId();
    if (node.valid()) return place_on_dominating(*context_, std::span(&node, 1), true);
    unmapped_.push_back(instruction);
    return {};
  }

  EventId row_of(const EventKey& key, EventRole role, TimePart part,
                 const NodePlacement& placement) {
    const RowKey row_key{key, part, placement.node, placement.confidence};
    const auto [at, is_new] = rows_.try_emplace(row_key, EventId(profile_.events.size()));
    if (!is_new) return at->second;
    EventRow row;
    row.key = key;
    row.role = role;
    row.part = part;
    row.node = placement.node;
    row.confidence =
        part == TimePart::OpaquePartition ? Confidence::Partition : placement.confidence;
    row.candidates = placement.candidates;
    row.layout = placement.is_layout;
    row.first_fused = static_cast<uint32_t>(profile_.fused_nodes.size());
    row.fused_count = static_cast<uint32_t>(placement.fused.size());
    profile_.fused_nodes.insert(profile_.fused_nodes.end(), placement.fused.begin(),
                                placement.fused.end());
    const bool in_call = role == EventRole::DelegateCall || role == EventRole::DelegateEvent ||
                         role == EventRole::HostPhase || role == EventRole::DelegateTotal;
    if (in_call && key.in_instruction()) row.partition = find_partition(profile_, key.instruction);
    profile_.events.push_back(row);
    frames_of_events_.push_back(placement.frame);
    return at->second;
  }

  void note_oddities() {
    LoadReport& report = profile_.report;
    std::sort(unmapped_.begin(), unmapped_.end());
    unmapped_.erase(std::unique(unmapped_.begin(), unmapped_.end()), unmapped_.end());
    if (!unmapped_.empty()) {
      report.add(Oddity::InstructionsUnmapped, "instruction " + std::to_string(unmapped_.front()),
                 unmapped_.size());
    }
    for (const EventRow& row : profile_.events) {
      note_unit(row);
      const bool is_unplaced = row.role == EventRole::DelegateEvent && !row.node.valid();
      if (is_unplaced && context_) report.add(Oddity::DelegateUnaligned, profile_.event_name(row));
    }
    if (!profile_.far_off.empty()) {
      const uint32_t first = profile_.far_off.front();
      report.add(Oddity::ExecutionFarOff,
                 "execution " + std::to_string(first + 1) + " took " +
                     std::to_string(profile_.executions[first].total) + " ticks",
                 profile_.far_off.size());
    }
  }

  void note_unit(const EventRow& row) {
    LoadReport& report = profile_.report;
    const bool is_estimate = row.role == EventRole::DelegateEvent &&
                             profile_.backends.find(profile_.backend_of(row)).has_estimates;
    if (row.role == EventRole::DelegateTotal)
      report.add(Oddity::DelegateNotTimes, profile_.event_name(row));
    else if (is_estimate) report.add(Oddity::DelegateEstimates, profile_.event_name(row));
    else if (row.unit == DelegateUnit::Cycles || row.unit == DelegateUnit::Counter) {
      report.add(Oddity::DelegateCycles, profile_.event_name(row));
    } else if (row.rescaled) {
      report.add(Oddity::DelegateRescaled, profile_.event_name(row));
    }
  }

  AttributionRequest request_;
  Profile profile_;
  std::unique_ptr<ProjectFrames> frames_;
  std::unique_ptr<MethodContext> context_;
  std::unique_ptr<OperatorPlacer> operators_;
  const ProgramMethod* program_method_ = nullptr;
  std::unique_ptr<BranchPlacer> branches_;
  std::unique_ptr<BackendEvents> backends_;
  std::unique_ptr<DelegatePlacer> delegates_;
  std::unordered_map<RowKey, EventId, RowKeyHash> rows_;
  std::unordered_map<uint64_t, EventId> operator_rows_;  // by name and instruction
  std::vector<FrameId> frames_of_events_;                // per event: the frame that carries it
  std::vector<int32_t> unmapped_;
};

}  // namespace

Profile attribute(AttributionRequest request) { return Attribution(std::move(request)).run(); }

}  // namespace etlens
