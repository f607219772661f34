// SPDX-License-Identifier: Apache-2.0
#include "core/join/pairing.h"

#include <algorithm>
#include <optional>
#include <ranges>
#include <utility>

#include "core/base/budget.h"
#include "core/base/controls.h"
#include "core/base/text.h"
#include "core/code/method_nodes.h"
#include "core/code/operator_name.h"
#include "core/formats/etrecord/etrecord_reader.h"
#include "core/join/delegate_fit.h"
#include "core/join/functionalized.h"
#include "core/join/inserted_operators.h"
#include "core/join/no_execution.h"

namespace etlens {
namespace {

// Delegates of other models agree with a payload in a quarter of their events at most, those of the
// same one in nearly all.
constexpr double kMostEvents = 0.5;

constexpr std::string_view kForward = "forward";
constexpr size_t kMaxNamed = 3;  // examples in a reason

// One instruction of a block, as far as a record can confirm it.
struct Executed {
  bool is_delegate = false;
  bool is_control = false;
  std::string_view kernel;                 // outermost kernel event; "" if none reported
  std::vector<std::string_view> reported;  // by the delegate inside one call, in order
  // Which call that is: of a sequence, its position.
  std::optional<std::pair<SequenceId, uint32_t>> reporting;
};
using ExecutedRows = std::vector<std::pair<Instruction, Executed>>;  // ascending, distinct

bool belongs_to_instruction(const EventKey& key, EventRole role) {
  return key.in_instruction() && role != EventRole::None && role != EventRole::Framework;
}

// Every instruction of the block, without what is known of it.
ExecutedRows instructions_of(const EventLog& log, const EventTrees& trees, const Block& block) {
  std::vector<Instruction> found;
  for (const SequenceId s : block.sequences) {
    const std::vector<EventKey>& events = log.sequence(s).events;
    const EventTree& tree = trees[s.value];
    for (size_t i = 0; i < events.size(); ++i) {
      go_on();
      if (!belongs_to_instruction(events[i], tree.roles[i])) continue;
      if (found.empty() || found.back() != events[i].instruction)
        found.push_back(events[i].instruction);
    }
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  ExecutedRows rows;
  rows.reserve(found.size());
  for (const Instruction instruction : found) rows.emplace_back(instruction, Executed());
  return rows;
}

// The row of an instruction, or the one that it would stand before.
auto row_of(auto& executed, Instruction instruction) {
  return std::ranges::lower_bound(executed, instruction, {}, &ExecutedRows::value_type::first);
}

ExecutedRows executed_of(const EventLog& log, const EventTrees& trees, const Block& block) {
  ExecutedRows executed = instructions_of(log, trees, block);
  auto last = executed.begin();  // of the event before, mostly of the same instruction or the next
  for (const SequenceId s : block.sequences) {
    const std::vector<EventKey>& events = log.sequence(s).events;
    const EventTree& tree = trees[s.value];
    for (size_t i = 0; i < events.size(); ++i) {
      go_on();
      const EventRole role = tree.roles[i];
      if (!belongs_to_instruction(events[i], role)) continue;
      if (last->first != events[i].instruction) last = row_of(executed, events[i].instruction);
      Executed& row = last->second;
      row.is_delegate |= role == EventRole::DelegateCall || role == EventRole::DelegateEvent ||
                         role == EventRole::HostPhase;
      row.is_control |= role == EventRole::Control;
      if (role == EventRole::DelegateEvent && events[i].delegate_id_str != kEmptyString) {
        if (!row.reporting) row.reporting.emplace(s, tree.parents[i]);
        if (row.reporting == std::pair(s, tree.parents[i]))
          row.reported.push_back(log.text(events[i].delegate_id_str));
      }
      if (role == EventRole::Kernel) row.kernel = log.text(events[i].name);
    }
  }
  return executed;
}

bool has_row(const ExecutedRows& executed, Instruction instruction) {
  const auto at = row_of(executed, instruction);
  return at != executed.end() && at->first == instruction;
}

// Collects the examples of one kind of disagreement.
class Disagreement {
 public:
  // `example` makes the text, if it is needed.
  template <typename Example>
  void add(const Example& example) {
    if (examples_.size() < kMaxNamed) examples_.push_back(example());
    ++count_;
  }
  size_t count() const { return count_; }
  void report(std::string_view what, std::vector<std::string>& reasons) const {
    if (count_ == 0) return;
    std::string text =
        counted(count_, "instruction") + " " + std::string(what) + ": " + join(examples_, ", ");
    if (count_ > examples_.size()) text += ", …";
    reasons.push_back(std::move(text));
  }

 private:
  size_t count_ = 0;
  std::vector<std::string> examples_;
};

class MethodFitter {
 public:
  // `logs_all`: the dump logs every instruction; else what it does not log is not missing.
  MethodFitter(const EtRecord& record, const RecordMethod& method, const Backends& backends,
               bool logs_all)
      : record_(record),
        backends_(backends),
        logs_all_(logs_all),
        method_(method),
        map_(record.map_of(method.name)),
        nodes_(record, method) {}

  MethodFit fit(const ExecutedRows& executed) const {
    MethodFit result;
    result.method = method_;
    if (maps_nothing(record_)) {
      result.is_known = false;
      result.reasons.push_back("the record maps no instruction of any method");
      return result;
    }
    if (map_ == nullptr || map_->instructions.empty()) {
      result.reasons.push_back("the record maps no instruction of this method");
      return result;
    }
    if (executed.empty()) {
      result.is_known = false;
      result.reasons.push_back("the dump logs executions, but no instruction of them");
      return result;
    }
    const double instructions = instructions_agree(executed, result);
    result.score =
        instructions * (instructions > 0 ? delegates_agree(executed, result.reasons) : 0);
    return result;
  }

 private:
  // Agreeing instructions / instructions * map keys executed / map keys.
  double instructions_agree(const ExecutedRows& executed, MethodFit& fit) const {
    std::vector<std::string>& reasons = fit.reasons;
    Disagreement unknown, other_operator, other_delegate, missing;
    size_t instructions = 0;
    size_t agreeing = 0;
    size_t keys_executed = 0;
    size_t write_backs = 0;
    size_t custom = 0;
    for (const auto& [instruction, row] : executed) {
      if (row.is_control) continue;
      const InstructionHandles* handles = map_->find(instruction);
      const auto name = [at = instruction.value] { return std::to_string(at); };
      if (handles == nullptr) {
        // The map never lists instructions of control-flow branches, and not every view.
        if (nodes_.has_branches() || row.kernel.empty()) continue;
        // What is added to the graph after the map was made says nothing against the pair.
        const std::string_view base = base_operator_of_kernel(row.kernel);
        if (is_device_copy(base)) continue;
        if (is_write_back(base) && ++write_backs <= mutations()) continue;
        if (!is_write_back(base) && ++custom <= functionalized()) continue;
        ++instructions;
        unknown.add(name);
        continue;
      }
      ++instructions;
      ++keys_executed;
      const bool is_delegate = map_->find_delegate(instruction) != nullptr;
      if (row.is_delegate != is_delegate) {
        other_delegate.add(name);
      } else if (!is_delegate && !kernel_agrees(*handles, row.kernel)) {
        other_operator.add([&, &row = row] { return name() + " ran " + std::string(row.kernel); });
      } else {
        ++agreeing;
      }
    }
    fit.is_front = logs_all_ && instructions > 0 && agreeing == instructions;
    const Instruction last = executed.back().first;
    for (const InstructionHandles& key : map_->instructions) {
      if (!logs_all_ || has_row(executed, key.instruction)) continue;
      missing.add([&] { return std::to_string(key.instruction.value); });
      fit.is_front &= key.instruction > last;
    }
    fit.is_front &= missing.count() > 0;
    unknown.report("ran that the record does not map", reasons);
    other_operator.report("ran another operator than the record has", reasons);
    other_delegate.report("ran in a delegate on one side only", reasons);
    missing.report(fit.is_front ? "after the last that ran did not run: the executions broke off, "
                                  "or the record is of another export"
                                : "of the record did not run",
                   reasons);
    if (instructions == 0) return 0;
    const double keys = logs_all_ ? static_cast<double>(keys_executed) /
                                        static_cast<double>(map_->instructions.size())
                                  : 1;
    return static_cast<double>(agreeing) / static_cast<double>(instructions) * keys;
  }

  // Agreeing events / events that delegates reported and that can be checked; 1 if there are none.
  // A library of another release may fold or name some operators in another way: as long as most
  // events agree with the payloads, that is a reason to doubt, not another model.
  double delegates_agree(const ExecutedRows& executed, std::vector<std::string>& reasons) const {
    const HandleUse use = handle_use(executed);
    Disagreement other_events;
    DelegateFit sum{0, 0, true};
    KnownContradictions known;
    for (const auto& [instruction, row] : executed) {
      const DelegateFit fit = fit_delegate_call(record_, *map_, nodes_, instruction, row.reported,
                                                use, backends_, known);
      sum.events += fit.events;
      sum.agreeing += fit.agreeing;
      if (fit.events > 0) sum.has_payload &= fit.has_payload;
      if (fit.agreeing == fit.events) continue;
      other_events.add([at = instruction.value, &fit] {
        return std::to_string(at) + " (" + std::to_string(fit.events - fit.agreeing) + " of " +
               counted(fit.events, "event") + ")";
      });
    }
    other_events.report("reported from inside a delegate what the record does not explain",
                        reasons);
    if (sum.events == 0) return 1;
    const double agreeing = static_cast<double>(sum.agreeing) / static_cast<double>(sum.events);
    const bool is_same_model = sum.has_payload && agreeing >= kMostEvents;
    return is_same_model ? std::max(agreeing, kPartialScore) : agreeing;
  }

  HandleUse handle_use(const ExecutedRows& executed) const {
    HandleUse use;
    for (const auto& [instruction, row] : executed) {
      const InstructionHandles* handles = map_->find(instruction);
      if (handles == nullptr || row.kernel.empty() || row.is_delegate) continue;
      for (const DebugHandle handle : map_->handles_of(*handles)) {
        use.ran.emplace_back(handle, base_operator_of_kernel(row.kernel));
      }
    }
    for (const DelegateEntry& entry : map_->delegates) {
      for (const DebugHandle handle : distinct_handles(record_, *map_, entry.instruction))
        use.calls.push_back(handle);
    }
    std::sort(use.ran.begin(), use.ran.end());
    std::sort(use.calls.begin(), use.calls.end());
    return use;
  }

  // Buffers and inputs that the graph changes: each may be written back by one instruction.
  size_t mutations() const {
    return method_.edge.valid() ? record_.graphs[method_.edge.value].mutations.size() : 0;
  }

  // Calls of custom operators that change a buffer: no map lists their handles.
  size_t functionalized() const {
    if (!method_.edge.valid()) return 0;
    const std::vector<NodeId>& nodes = record_.graphs[method_.edge.value].nodes;
    go_on(1 + nodes.size() / 16);
    return static_cast<size_t>(std::count_if(nodes.begin(), nodes.end(), [&](NodeId id) {
      return is_functionalized(record_.text(record_.nodes[id.value].target));
    }));
  }

  bool kernel_agrees(const InstructionHandles& row, std::string_view kernel) const {
    if (kernel.empty() || nodes_.empty()) return true;
    const std::string_view base = base_operator_of_kernel(kernel);
    bool any_node = false;
    for (const DebugHandle handle : map_->handles_of(row)) {
      for (const NodeId node : nodes_.nodes_of(handle)) {
        go_on();
        any_node = true;
        if (base_operator_of_target(record_.text(record_.nodes[node.value].target)) == base)
          return true;
      }
    }
    return !any_node;
  }

  const EtRecord& record_;
  const Backends& backends_;
  bool logs_all_;
  RecordMethod method_;
  const MethodMap* map_;
  MethodNodes nodes_;
};

std::string names_of(const EtRecord& record) {
  std::vector<std::string> names;
  for (const RecordMethod& method : record.methods) names.emplace_back(record.text(method.name));
  return join(names, ", ");
}

std::string names_of(const std::vector<Block>& blocks) {
  std::vector<std::string> names;
  for (const Block& block : blocks) {
    if (block.is_execution) names.push_back(block.name);
  }
  return join(names, ", ");
}

// The best of a block's fits; several if they are equally good and none is a clear loser.
struct BestFits {
  std::vector<const MethodFit*> fits;
  bool is_forward = false;
};

BestFits best_of(const std::vector<MethodFit>& fits, const EtRecord& record) {
  BestFits best;
  double score = 0;
  for (const MethodFit& fit : fits) score = std::max(score, fit.score);
  for (const MethodFit& fit : fits) {
    if (fit.score < score) continue;
    best.fits.push_back(&fit);
    best.is_forward |= record.text(fit.method.name) == kForward;
  }
  return best;
}

}  // namespace

std::string_view name_of(PairVerdict verdict) {
  switch (verdict) {
    case PairVerdict::Match:
      return "match";
    case PairVerdict::Partial:
      return "partial";
    case PairVerdict::Mismatch:
      return "mismatch";
    case PairVerdict::Unknown:
      return "unknown";
  }
  return "mismatch";
}

PairVerdict MethodFit::verdict() const {
  if (!is_known) return PairVerdict::Unknown;
  if (score >= 1) return PairVerdict::Match;
  return score >= kPartialScore ? PairVerdict::Partial : PairVerdict::Mismatch;
}

std::vector<MethodFit> fit_methods(const EventLog& log, const EventTrees& trees, const Block& block,
                                   const EtRecord& record, const Backends& backends) {
  const ExecutedRows executed = executed_of(log, trees, block);
  const bool logs_all = logs_instructions(log, trees, block);
  std::vector<MethodFit> fits;
  for (const RecordMethod& method : record.methods) {
    fits.push_back(MethodFitter(record, method, backends, logs_all).fit(executed));
  }
  return fits;
}

namespace {

// A block that may be shown, with the methods that fit it best.
struct Candidate {
  BlockId block;
  std::vector<MethodFit> fits;
  bool is_forward = false;
  size_t executions = 0;
};

bool may_name_method(const EtRecord& record, const std::string& name) {
  return name.empty() || std::ranges::any_of(record.methods, [&](const RecordMethod& method) {
           return record.text(method.name) == name;
         });
}

std::optional<Error> why_not_asked(const EtRecord* record, const SelectionRequest& request) {
  if (record == nullptr && !request.method.empty())
    return Error{
        ErrorCode::InvalidParams,
        "a method can only be chosen with an ETRecord, because a dump does not name methods"};
  if (record != nullptr && !may_name_method(*record, request.method))
    return Error{ErrorCode::NotFound,
                 "there is no method " + request.method + "; the record has " + names_of(*record)};
  return std::nullopt;
}

Error no_candidate(const std::vector<Block>& blocks, const SelectionRequest& request) {
  const bool has_block = std::ranges::any_of(blocks, [&](const Block& block) {
    return block.is_execution && block.name == request.block;
  });
  if (request.block.empty() || has_block)
    return {ErrorCode::NotFound, "no block of the dump ran method " + request.method};
  return {ErrorCode::NotFound,
          "there is no execution block " + request.block + "; the dump has " + names_of(blocks)};
}

Error equally_good(const std::vector<MethodFit>& fits, const EtRecord& record) {
  std::vector<std::string> names;
  for (const MethodFit& fit : fits) {
    if (names.size() < kMaxNamed) names.emplace_back(record.text(fit.method.name));
  }
  if (fits.size() > names.size())
    names.push_back(std::to_string(fits.size() - names.size()) + " more");
  return {ErrorCode::InvalidParams,
          "methods " + join(names, " and ") +
              worded(" fit the executed instructions equally well; choose one{method}")};
}

}  // namespace

Result<Selection> select_block(const EventLog& log, const EventTrees& trees,
                               const std::vector<Block>& blocks, const EtRecord* record,
                               const SelectionRequest& request, const Backends& backends) {
  if (std::ranges::none_of(blocks, &Block::is_execution))
    return Error{ErrorCode::Unsupported, why_no_execution(log, trees, blocks)};
  if (std::optional<Error> why = why_not_asked(record, request)) return *std::move(why);
  std::vector<Candidate> candidates;
  for (size_t b = 0; b < blocks.size(); ++b) {
    const Block& block = blocks[b];
    if (!block.is_execution || (!request.block.empty() && block.name != request.block)) continue;
    Candidate candidate{BlockId(b), {}, false, block.runs.size()};
    if (record != nullptr) {
      const std::vector<MethodFit> fits = fit_methods(log, trees, block, *record, backends);
      const BestFits best = best_of(fits, *record);
      candidate.is_forward = best.is_forward;
      for (const MethodFit* fit : best.fits) {
        if (request.method.empty() || record->text(fit->method.name) == request.method)
          candidate.fits.push_back(*fit);
      }
      if (candidate.fits.empty() && !request.method.empty()) continue;
    }
    candidates.push_back(std::move(candidate));
  }
  if (candidates.empty()) return no_candidate(blocks, request);
  Candidate& chosen = *std::ranges::max_element(candidates, [](const auto& a, const auto& b) {
    return std::pair(a.is_forward, a.executions) < std::pair(b.is_forward, b.executions);
  });
  if (chosen.fits.size() > 1 && chosen.fits.front().score >= kPartialScore)
    return equally_good(chosen.fits, *record);
  if (chosen.fits.empty()) return Selection{chosen.block, std::nullopt};
  return Selection{chosen.block, std::move(chosen.fits.front())};
}

}  // namespace etlens
