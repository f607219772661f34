// SPDX-License-Identifier: Apache-2.0
#include "core/measure/group_evidence.h"

#include <algorithm>
#include <cmath>
#include <compare>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>

#include "core/base/budget.h"
#include "core/code/operator_name.h"
#include "core/join/inserted_operators.h"

namespace etlens {
namespace {

// As many rows of each sort tell as much as all of them.
constexpr size_t kMostRows = 64;
// What backends cut to whole microseconds needs a coarser offset, and shorter events show nothing.
constexpr double kDelegatedOffset = 1.5;
constexpr double kLeastDelegated = 3;
// A delegate's event that took no more in some execution is as good as empty.
constexpr double kEmpty = 2;
// So many fixed kernels, or else dispatches, show the speed of the machine.
constexpr size_t kEnoughFixed = 3;

// A processor of 1 GHz: near enough, where a clock counts cycles.
constexpr double kCyclesPerUs = 1000;

using Row = std::vector<double>;  // microseconds, one per execution

double middle_of(Row row) {
  const auto middle = row.begin() + static_cast<ptrdiff_t>(row.size() / 2);
  std::nth_element(row.begin(), middle, row.end());
  return *middle;
}

// Those above a length, the longest first.
std::vector<Row> longest(const std::vector<Row>& rows, double least) {
  std::vector<std::pair<double, size_t>> order;
  for (size_t r = 0; r < rows.size(); ++r) {
    const double middle = middle_of(rows[r]);
    if (middle >= least) order.emplace_back(-middle, r);
  }
  std::sort(order.begin(), order.end());
  if (order.size() > kMostRows) order.resize(kMostRows);
  std::vector<Row> found;
  for (const auto& [length, r] : order) found.push_back(rows[r]);
  return found;
}

LogRows logs_of(std::vector<Row> rows, double offset) {
  for (Row& row : rows)
    for (double& value : row) value = std::log(std::max(value, 0.0) + offset);
  return rows;
}

// What the same kernel did with values of the same shape, as the layers of a model do.
struct Repeated {
  std::string name;
  StringId target;
  StringId shape;
  friend auto operator<=>(const Repeated&, const Repeated&) = default;
};

// Per kernel the shortest of its calls in each execution: interruptions, cold caches and threads that
// wake up only add, and seldom to all of them.
class Shortest {
 public:
  void add(const Repeated& kernel, Row row) {
    const auto [at, is_new] = rows_.try_emplace(kernel, row);
    if (is_new) return;
    for (size_t s = 0; s < row.size(); ++s) at->second[s] = std::min(at->second[s], row[s]);
  }
  std::vector<Row> rows() const {
    std::vector<Row> found;
    for (const auto& [kernel, row] : rows_) found.push_back(row);
    return found;
  }

 private:
  std::map<Repeated, Row> rows_;
};

class SignalReader {
 public:
  SignalReader(const Join& join, const SymbolicWork& work, const Series& series,
               std::span<const uint32_t> samples)
      : join_(join), work_(work), series_(series), samples_(samples) {
    per_us_ = join.clock == TimeScale::Cycles ? kCyclesPerUs
                                              : scale_factor(join.clock, TimeScale::Microseconds);
  }

  GroupSignals read() {
    for (size_t e = 0; e < join_.events.size(); ++e) sort_in(ContributionId(e));
    GroupSignals signals;
    signals.kernels = logs_of(longest(kernels_.rows(), 0), kKernelOffset);
    subtract_waiting();
    signals.delegated = logs_of(longest(delegated_, kLeastDelegated), kDelegatedOffset);
    if (fixed_events_ >= kEnoughFixed)
      signals.fixed = logs_of(longest(fixed_.rows(), 0), kKernelOffset);
    else if (dispatches_.size() >= kEnoughFixed)
      signals.fixed = logs_of(longest(dispatches_, 0), kKernelOffset);
    if (asks_backend(signals.kernels.size())) add_operators(signals);
    return signals;
  }

 private:
  void sort_in(ContributionId id) {
    go_on(1 + samples_.size() / 4);
    const Event& event = join_.events[id.value];
    if (!event.in_execution || !event.has_duration()) return;
    const Landing& landing = (*join_.landings)[id];
    const int growth = landing.node.valid() ? growth_of(id, landing.node) : -1;
    const bool is_delegated = event.role == EventRole::DelegateEvent;
    const bool is_kernel = event.role == EventRole::Kernel && growth >= 0;
    const bool is_dispatch = event.role == EventRole::OperatorCall;
    if (!is_delegated && !is_kernel && !is_dispatch) return;
    Row row = times_of(id);
    if (row.empty()) return;
    if (is_dispatch) {
      dispatches_.push_back(std::move(row));
    } else if (is_kernel) {
      if (growth == 0) ++fixed_events_;
      (growth > 0 ? kernels_ : fixed_).add(kernel_of(id, landing), std::move(row));
    } else {
      if (*std::min_element(row.begin(), row.end()) <= kEmpty) empty_.push_back(row);
      if (growth >= 0)
        (growth > 0 ? operators_ : fixed_operators_).add(operator_of(id, landing), row);
      if (is_growing_delegated(landing, growth)) delegated_.push_back(std::move(row));
    }
  }

  void add_operators(GroupSignals& signals) const {
    signals.operators = logs_of(longest(operators_.rows(), kLeastDelegated), kDelegatedOffset);
    if (!signals.kernels.empty()) return;
    LogRows fixed = logs_of(longest(fixed_operators_.rows(), kLeastDelegated), kDelegatedOffset);
    if (fixed.size() >= kEnoughFixed)
      signals.fixed.insert(signals.fixed.end(), fixed.begin(), fixed.end());
    if (signals.fixed.size() < kEnoughFixed) signals.fixed.clear();
  }

  // The write-back of a cache stands at the node that made its new value.
  int growth_of(ContributionId id, NodeId node) const {
    const bool is_copy = is_write_back(base_operator_of_kernel(join_.logged_name(id)));
    return is_copy ? work_.growth_of_copy(node) : work_.growth(node);
  }

  // Empty if some execution has none.
  Row times_of(ContributionId id) const {
    Row row;
    row.reserve(samples_.size());
    for (const uint32_t s : samples_) {
      const int64_t ticks = series_.at(id.value, s);
      if (ticks == Series::kAbsent) return {};
      row.push_back(static_cast<double>(ticks) / per_us_);
    }
    return row;
  }

  // The landing has a node.
  Repeated kernel_of(ContributionId id, const Landing& landing) const {
    const Node& node = join_.code().record->nodes[landing.node.value];
    return {join_.logged_name(id), node.target, node.shape};
  }

  // A backend numbers its events of one sort: "Convolution (NHWC, F32) IGEMM #3".
  Repeated operator_of(ContributionId id, const Landing& landing) const {
    Repeated found = kernel_of(id, landing);
    const size_t number = found.name.rfind(" #");
    if (number != std::string::npos) found.name.resize(number);
    return found;
  }

  bool is_growing_delegated(const Landing& landing, int growth) const {
    if (growth >= 0) return growth > 0;
    if (!landing.partition.valid()) return false;
    const Partition& partition = join_.code().partitions[landing.partition.value];
    const auto [at, is_new] = grows_.try_emplace(landing.partition, false);
    if (is_new) {
      at->second = std::any_of(partition.nodes.begin(), partition.nodes.end(),
                               [&](NodeId node) { return work_.growth(node) > 0; });
    }
    return at->second;
  }

  // Threads of a backend that have to wake up add the same time to each of its events, the empty
  // ones included.
  void subtract_waiting() {
    if (empty_.size() < 2) return;
    for (size_t s = 0; s < samples_.size(); ++s) {
      go_on(1 + empty_.size() + delegated_.size());
      Row of_sample;
      for (const Row& row : empty_) of_sample.push_back(row[s]);
      const double waiting = middle_of(std::move(of_sample));
      for (Row& row : delegated_) row[s] = std::max(row[s] - waiting, 0.0);
    }
  }

  const Join& join_;
  const SymbolicWork& work_;
  const Series& series_;
  std::span<const uint32_t> samples_;
  double per_us_ = 1;  // ticks
  Shortest kernels_, fixed_, operators_, fixed_operators_;
  size_t fixed_events_ = 0;
  std::vector<Row> delegated_, dispatches_, empty_;
  mutable std::unordered_map<PartitionId, bool> grows_;
};

// The values that an execution logged, in order.
std::span<const DebugValue> values_of(const EventLog& log, const Run& run) {
  const uint64_t count = log.sequence(run.sequence).debug_events;
  if (run.first_debug_value + count > log.debug_values.size()) return {};
  return std::span(log.debug_values).subspan(run.first_debug_value, count);
}

}  // namespace

GroupSignals group_signals(const Join& join, const SymbolicWork& work, const Series& series,
                           std::span<const uint32_t> samples) {
  if (work.empty() || samples.empty()) return {};
  return SignalReader(join, work, series, samples).read();
}

std::vector<uint32_t> groups_by_logged_sizes(const Join& join, const SymbolicWork& work) {
  const std::vector<RunId>& runs = join.selected().runs;
  std::map<std::vector<int64_t>, uint32_t> known;
  std::vector<uint32_t> groups;
  bool by_symbol = true;
  for (uint32_t s = 0; s < runs.size() && by_symbol; ++s) {
    const std::optional<int64_t> size = logged_size(join, work, s);
    by_symbol = size.has_value();
    if (size) groups.push_back(known.try_emplace({*size}, known.size()).first->second);
  }
  if (by_symbol) return groups;
  known.clear();
  groups.clear();
  for (const RunId id : runs) {
    std::vector<int64_t> sizes;
    for (const DebugValue& value : values_of(*join.log, join.log->run(id))) {
      go_on(1 + value.tensors.size());
      if (value.kind != DebugValueKind::Tensor || value.tensors.empty()) continue;
      const std::vector<int64_t>& of_tensor = value.tensors.front().sizes;
      sizes.push_back(static_cast<int64_t>(of_tensor.size()));
      sizes.insert(sizes.end(), of_tensor.begin(), of_tensor.end());
    }
    if (sizes.empty()) return {};
    groups.push_back(known.try_emplace(std::move(sizes), known.size()).first->second);
  }
  return known.size() < 2 ? std::vector<uint32_t>() : groups;
}

std::optional<int64_t> logged_size(const Join& join, const SymbolicWork& work, uint32_t sample) {
  if (!join.record || !join.code().method) return std::nullopt;
  const MethodMap* map = join.record->map_of(join.code().method->name);
  if (map == nullptr) return std::nullopt;
  const Run& run = join.log->run(join.selected().runs[sample]);
  const EventSequence& sequence = join.log->sequence(run.sequence);
  const std::span<const DebugValue> values = values_of(*join.log, run);
  std::optional<int64_t> found;
  size_t v = 0;
  for (const EventKey& key : sequence.events) {
    go_on(1);
    if (key.kind != EventKind::Debug || v >= values.size()) continue;
    const DebugValue& value = values[v++];
    const InstructionHandles* entry = map->find(key.instruction);
    if (value.kind != DebugValueKind::Tensor || value.tensors.empty() || entry == nullptr) continue;
    for (const DebugHandle handle : map->handles_of(*entry)) {
      const std::optional<int64_t> size = work.size_in(handle, value.tensors.front().sizes);
      if (!size) continue;
      if (found && *found != *size) return std::nullopt;
      found = size;
    }
  }
  return found;
}

}  // namespace etlens
