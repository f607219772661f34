// SPDX-License-Identifier: Apache-2.0
// The Inspector's own joins, release by release. Where a comment says "quirk", the Inspector is
// wrong and so is this file, on purpose.
#include <algorithm>
#include <charconv>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "core/base/budget.h"
#include "core/base/text.h"
#include "core/inspector/inspector.h"
#include "core/inspector/values.h"

namespace etlens {
namespace {

constexpr std::string_view kForward = "forward";
constexpr uint64_t kMax32 = 0xFFFFFFFFull;

// What makes events one row of a block.
struct Signature {
  bool has_profile = false;
  EventKey profile;
  bool has_debug = false;
  EventKey debug;
  friend bool operator==(const Signature&, const Signature&) = default;
};

size_t hash_of(const std::vector<Signature>& signatures) {
  size_t hash = signatures.size();
  const auto add = [&](int64_t value) {
    hash = (hash ^ std::hash<int64_t>()(value)) * 0x9E3779B97F4A7C15;
    hash ^= hash >> 29;
  };
  for (const Signature& row : signatures) {
    for (const EventKey* key : {&row.profile, &row.debug}) {
      add(key->name.value);
      add(key->chain);
      add(key->instruction.value);
      add(key->delegate_id_int);
      add(key->delegate_id_str.value);
    }
  }
  return hash;
}

// One row of a run: the event that supplies its time, and its instruction's logged values.
struct RunRow {
  Signature signature;
  uint32_t position = kNone;           // of the last profile event with that signature
  std::vector<uint32_t> debug_values;  // ordinals of the run's Debug events
};

struct BucketKey {
  Instruction instruction;
  int32_t chain;
  int32_t delegate_id_int;
  StringId delegate_id_str;
  friend auto operator<=>(const BucketKey&, const BucketKey&) = default;
};

class Compat {
 public:
  Compat(const InspectorRequest& request, InspectorRelease release)
      : request_(request),
        log_(*request.log),
        record_(request.record),
        release_(release),
        first_run_(log_.sequences.size()) {
    for (size_t r = log_.runs.size(); r-- > 0;) {
      first_run_[log_.runs[r].sequence.value] = RunId(r);
    }
  }

  Result<std::vector<InspectorBlock>> run() {
    if (record_ != nullptr) {
      if (Result<void> check = check_record(); !check) return std::move(check).error();
      index_nodes();
    }
    group_runs();
    for (Group& group : groups_) {
      InspectorBlock block;
      block.name = log_.text(log_.sequence(group.sequence).name);
      block.bundled_input_index = log_.sequence(group.sequence).bundled_input_index;
      block.executions = group.runs.size();
      for (size_t i = 0; i < group.signatures.size(); ++i) {
        Result<InspectorEvent> event = make_event(group, i);
        if (!event) return std::move(event).error();
        block.events.push_back(std::move(*event));
      }
      blocks_.push_back(std::move(block));
    }
    return std::move(blocks_);
  }

 private:
  struct Group {
    SequenceId sequence;  // of its first run
    std::vector<Signature> signatures;
    std::vector<RunId> runs;
  };

  Result<void> check_record() {
    const StringId forward = record_->strings.find(kForward);
    map_ = forward.valid() ? record_->map_of(forward) : nullptr;
    if (map_ == nullptr) {
      return Error{ErrorCode::Unsupported,
                   "the Inspector refuses a record without a method called forward"};
    }
    size_t programs = 0;
    for (const RecordMethod& method : record_->methods) programs += method.edge.valid();
    if (programs > 1) {
      return Error{ErrorCode::Unsupported, "the Inspector refuses a record of several methods"};
    }
    if (release_ >= InspectorRelease{1, 0} && record_->layout < RecordLayout::From10) {
      return Error{ErrorCode::Unsupported,
                   "the Inspector of 1.0 and later refuses records of releases up to 0.7"};
    }
    return {};
  }

  // Handle -> call nodes of the edge program. Quirk: what lowered modules hide stays hidden.
  void index_nodes() {
    for (const RecordMethod& method : record_->methods) {
      if (!method.edge.valid() || record_->text(method.name) != kForward) continue;
      for (const NodeId id : record_->graphs[method.edge.value].nodes) {
        const Node& node = record_->nodes[id.value];
        if (record_->is_set(node.debug_handle)) nodes_[node.debug_handle].push_back(id);
      }
    }
  }

  // The rows of a sequence: events fall into buckets by instruction and delegate id, buckets stand
  // in first-seen order. Quirk: a repeated signature overwrites the one before, in its place.
  const std::vector<RunRow>& rows_of(SequenceId sequence) {
    const auto [at, is_new] = rows_.try_emplace(sequence);
    if (!is_new) return at->second;
    const std::vector<EventKey>& events = log_.sequence(sequence).events;
    struct Bucket {
      std::vector<uint32_t> profile;
      std::vector<uint32_t> debug;  // positions
      std::vector<uint32_t> debug_ordinals;
    };
    std::map<BucketKey, size_t> index;
    std::vector<Bucket> buckets;
    const Run& sample = log_.run(first_run_[sequence.value]);
    uint32_t debug_ordinal = 0;
    for (uint32_t i = 0; i < events.size(); ++i) {
      const EventKey& key = events[i];
      const bool is_debug = key.kind == EventKind::Debug;
      const uint32_t ordinal = debug_ordinal;
      debug_ordinal += is_debug;
      if (key.kind == EventKind::Allocation || key.kind == EventKind::Empty) continue;
      if (is_debug && log_.debug_values[sample.first_debug_value + ordinal].is_output) continue;
      const auto [bucket, fresh] = index.try_emplace(bucket_key(key), buckets.size());
      if (fresh) buckets.emplace_back();
      Bucket& row = buckets[bucket->second];
      if (is_debug) {
        row.debug.push_back(i);
        row.debug_ordinals.push_back(ordinal);
      } else {
        row.profile.push_back(i);
      }
    }
    std::vector<RunRow>& rows = at->second;
    for (const Bucket& bucket : buckets) {
      RunRow row;
      if (!bucket.debug.empty()) {
        row.signature.has_debug = true;
        row.signature.debug = events[bucket.debug.front()];
        row.debug_values = bucket.debug_ordinals;
      }
      if (bucket.profile.empty()) rows.push_back(row);
      const size_t first = rows.size();
      for (const uint32_t position : bucket.profile) {
        row.signature.has_profile = true;
        row.signature.profile = events[position];
        row.position = position;
        go_on(1 + rows.size() - first);
        const auto known =
            std::find_if(rows.begin() + static_cast<ptrdiff_t>(first), rows.end(),
                         [&](const RunRow& r) { return r.signature == row.signature; });
        if (known == rows.end()) rows.push_back(row);
        else known->position = position;
      }
    }
    return rows;
  }

  BucketKey bucket_key(const EventKey& key) const {
    BucketKey bucket{key.instruction, key.chain, -1, kEmptyString};
    if (release_ >= InspectorRelease{0, 4}) {
      bucket.delegate_id_int = key.delegate_id_int;
      bucket.delegate_id_str = key.delegate_id_str;
    }
    return bucket;
  }

  void group_runs() {
    std::unordered_map<SequenceId, size_t> group_of_sequence;
    std::unordered_map<size_t, std::vector<size_t>> groups_alike;  // by the hash of signatures
    for (size_t r = 0; r < log_.runs.size(); ++r) {
      const SequenceId s = log_.runs[r].sequence;
      auto known = group_of_sequence.find(s);
      if (known == group_of_sequence.end()) {
        std::vector<Signature> signatures;
        for (const RunRow& row : rows_of(s)) signatures.push_back(row.signature);
        const EventSequence& sequence = log_.sequence(s);
        std::vector<size_t>& alike = groups_alike[hash_of(signatures)];
        const auto same = std::find_if(alike.begin(), alike.end(), [&](size_t g) {
          go_on(1 + signatures.size());
          const EventSequence& other = log_.sequence(groups_[g].sequence);
          return other.name == sequence.name &&
                 other.bundled_input_index == sequence.bundled_input_index &&
                 groups_[g].signatures == signatures;
        });
        known = group_of_sequence.emplace(s, same == alike.end() ? groups_.size() : *same).first;
        if (same == alike.end()) {
          alike.push_back(groups_.size());
          groups_.push_back({s, std::move(signatures), {}});
        }
      }
      groups_[known->second].runs.push_back(RunId(r));
    }
  }

  Result<InspectorEvent> make_event(const Group& group, size_t i) {
    const Signature& signature = group.signatures[i];
    const EventKey& key = signature.has_profile ? signature.profile : signature.debug;
    InspectorEvent event;
    event.instruction = key.instruction;
    event.chain = key.chain;
    event.is_delegated_op = key.has_delegate_id();
    event.delegate_id_int = key.delegate_id_int;
    event.delegate_id_str = log_.text(key.delegate_id_str);
    event.name = event.is_delegated_op
                     ? (key.delegate_id_int != -1 ? std::to_string(key.delegate_id_int)
                                                  : event.delegate_id_str)
                     : std::string(log_.text(key.name));
    for (const RunId r : group.runs) {
      const Run& run = log_.run(r);
      const RunRow& row = rows_of(run.sequence)[i];
      if (row.position == kNone) continue;
      const uint64_t at = run.first_row + row.position;
      const std::optional<double> raw =
          raw_value(log_.start[at], log_.end[at], event.is_delegated_op);
      if (!raw) {
        return Error{
            ErrorCode::Unsupported,
            "the Inspector refuses events that end before they start (" + event.name + ")"};
      }
      event.raw.push_back(*raw);
      event.start_time.push_back(log_.start[at]);
      if (event.is_delegated_op) {
        event.metadata.emplace_back(log_.metadata.empty() ? std::string_view()
                                                          : log_.text(log_.metadata[at]));
      }
    }
    event.perf = perf_data(std::span<const double>(event.raw));
    const Run& first = log_.run(group.runs.front());
    for (const uint32_t ordinal : rows_of(first.sequence)[i].debug_values) {
      append_summaries(request_, log_.debug_values[first.first_debug_value + ordinal],
                       event.debug_data);
    }
    if (record_ != nullptr) join(event);
    return event;
  }

  // Quirk: a 32-bit wrap comes out one tick short. From 0.4 on, start and end of delegated events
  // are scaled before they are subtracted, which leaves float noise; up to 0.3 they are not scaled
  // at all.
  std::optional<double> raw_value(uint64_t start, uint64_t end, bool is_delegated) const {
    const double factor = scale_factor(request_.source, request_.target);
    const bool scale_first = is_delegated && release_ >= InspectorRelease{0, 4};
    const bool unscaled =
        is_delegated && release_ < InspectorRelease{0, 4} && release_ >= InspectorRelease{0, 2};
    if (start > end) {
      if (release_ < InspectorRelease{0, 3} || start > kMax32) return std::nullopt;
      const double ticks = static_cast<double>(kMax32 - start + end);
      return unscaled ? ticks : ticks / factor;
    }
    if (scale_first) return static_cast<double>(end) / factor - static_cast<double>(start) / factor;
    const double ticks = static_cast<double>(end - start);
    return unscaled ? ticks : ticks / factor;
  }

  // Quirk: framework events carry instruction 0 and so get the handles of instruction 0.
  void join(InspectorEvent& event) {
    const InstructionHandles* row = map_->find(event.instruction);
    if (row == nullptr) return;
    const std::span<const DebugHandle> own = map_->handles_of(*row);
    const DelegateEntry* delegate = map_->find_delegate(event.instruction);
    if (!event.is_delegated_op) {
      event.debug_handles.emplace(own.begin(), own.end());
      const bool names_backend = release_ >= InspectorRelease{0, 2};
      if (event.name == "DELEGATE_CALL" && delegate != nullptr && names_backend) {
        event.backend = record_->text(delegate->backend);
      }
    } else if (delegate == nullptr) {
      event.debug_handles.emplace(own.begin(), own.end());
    } else {
      event.backend = record_->text(delegate->backend);
      if (const DelegateHandles* handles = find_handles(*delegate, event.name)) {
        const std::span<const DebugHandle> listed = map_->handles_of(*handles);
        event.debug_handles.emplace(listed.begin(), listed.end());
      }
    }
    const bool is_reserved = event.name == "Method::init" || event.name == "Program::load_method" ||
                             event.name == "Method::execute";
    if (event.debug_handles && !is_reserved) attach_nodes(event);
  }

  // Quirk: from 0.2 on, a key that is a substring of the id will do; the last one wins.
  const DelegateHandles* find_handles(const DelegateEntry& delegate, std::string_view id) const {
    const DelegateHandles* found = nullptr;
    for (const DelegateHandles& handles : delegate.ids) {
      const std::string_view key = record_->text(handles.id);
      if (key == id) return &handles;
      if (release_ >= InspectorRelease{0, 2} && id.find(key) != std::string_view::npos) {
        found = &handles;
      }
    }
    return found;
  }

  void attach_nodes(InspectorEvent& event) const {
    std::unordered_set<std::string> known(event.node_names.begin(), event.node_names.end());
    for (const DebugHandle handle : *event.debug_handles) {
      const auto at = nodes_.find(handle);
      if (at == nodes_.end()) continue;
      for (const NodeId id : at->second) {
        event.op_types.push_back(op_type_of(*record_, id));
        const std::string name = std::string(record_->text(record_->nodes[id.value].name)) + "_";
        go_on();
        if (known.insert(name).second) {
          event.nodes.push_back(id);
          event.node_names.push_back(name);
        }
      }
    }
  }

  const InspectorRequest& request_;
  const EventLog& log_;
  const EtRecord* record_;
  InspectorRelease release_;
  std::vector<RunId> first_run_;  // of each sequence
  const MethodMap* map_ = nullptr;
  std::unordered_map<DebugHandle, std::vector<NodeId>> nodes_;
  std::unordered_map<SequenceId, std::vector<RunRow>> rows_;
  std::vector<Group> groups_;
  std::vector<InspectorBlock> blocks_;
};

}  // namespace

std::optional<InspectorRelease> parse_release(std::string_view text) {
  if (text.starts_with('v')) text.remove_prefix(1);
  const std::vector<std::string_view> parts = split(text, '.');
  if (parts.size() < 2 || parts.size() > 3) return std::nullopt;
  const std::optional<int64_t> major = parse_int(parts[0]);
  const std::optional<int64_t> minor = parse_int(parts[1]);
  if (!major || !minor || *major < 0 || *major > 99 || *minor < 0 || *minor > 99)
    return std::nullopt;
  return InspectorRelease{static_cast<int>(*major), static_cast<int>(*minor)};
}

InspectorRelease release_of(RecordLayout layout) {
  switch (layout) {
    case RecordLayout::UpTo03:
      return {0, 3};
    case RecordLayout::From04:
      return {0, 6};
    case RecordLayout::From07:
      return {0, 7};
    case RecordLayout::From10:
      return {1, 1};
    case RecordLayout::From12:
      return {1, 2};
    case RecordLayout::From13:
      break;
  }
  return kNewestRelease;
}

Result<std::vector<InspectorBlock>> inspect_compat(const InspectorRequest& request,
                                                   InspectorRelease release) {
  return Compat(request, release).run();
}

}  // namespace etlens
