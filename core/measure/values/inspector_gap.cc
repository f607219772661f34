// SPDX-License-Identifier: Apache-2.0
#include "core/measure/values/inspector_gap.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "core/base/budget.h"
#include "core/measure/values/value_gap.h"

namespace etlens {
namespace {

using Handles = std::vector<DebugHandle>;

// Values that stand for a set of handles.
struct RuntimeValues {
  Handles handles;
  Instruction instruction;   // whose values they are
  std::vector<size_t> rows;  // of the values, in order
  std::vector<std::string> ops;
};

// Those of the earlier instruction that the later one lacks, then each of the later one's once.
Handles unite(const Handles& earlier, const Handles& later) {
  go_on(1 + (earlier.size() + later.size()) / 8);
  Handles united;
  std::unordered_set<DebugHandle> seen(later.begin(), later.end());
  for (const DebugHandle handle : earlier) {
    if (!seen.contains(handle)) united.push_back(handle);
  }
  seen.clear();
  for (const DebugHandle handle : later) {
    if (seen.insert(handle).second) united.push_back(handle);
  }
  return united;
}

class Table {
 public:
  Table(const ValueSide& side, std::span<const HandleArray> arrays, GapMetric metric)
      : side_(side), arrays_(arrays), array_of_(by_handle(arrays)), metric_(metric) {}

  std::vector<InspectorGapRow> run() {
    std::vector<RuntimeValues> all = merged(by_handles());
    std::vector<std::pair<DebugHandle, size_t>> order;
    for (const RuntimeValues& values : all) order.emplace_back(first_of(values), order.size());
    std::sort(order.begin(), order.end());
    std::vector<InspectorGapRow> rows;
    for (const auto& [handle, at] : order) {
      const size_t outputs = outputs_of(all[at]);
      for (size_t from_end = 0; from_end < outputs; ++from_end) {
        if (std::optional<InspectorGapRow> row = compare(all[at], outputs, from_end))
          rows.push_back(std::move(*row));
      }
    }
    return rows;
  }

 private:
  // What each instruction logged; of those with equal handles the last.
  std::vector<RuntimeValues> by_handles() const {
    std::vector<RuntimeValues> logged;
    std::map<std::tuple<Instruction, ContributionId, std::string_view>, size_t> known;
    for (size_t v = 0; v < side_.values.size(); ++v) {
      const LoggedValue& value = side_.values[v];
      if (value.execution != 0 || value.role == ValueRole::Program || !value.instruction) continue;
      const auto [at, is_new] =
          known.try_emplace({*value.instruction, value.event, value.delegate_id}, logged.size());
      if (is_new) {
        RuntimeValues& row = logged.emplace_back();
        row.handles = handles_of(side_.join, value);
        row.instruction = *value.instruction;
        if (value.event.valid()) row.ops.push_back(side_.join.logged_name(value.event));
      }
      logged[at->second].rows.push_back(v);
    }
    std::vector<RuntimeValues> kept;
    std::map<Handles, size_t> row_of;  // of `kept`
    for (RuntimeValues& row : logged) {
      go_on();
      if (!has_operators(row.handles)) continue;
      const auto [same, is_new] = row_of.try_emplace(row.handles, kept.size());
      if (is_new) kept.push_back(std::move(row));
      else if (row.instruction > kept[same->second].instruction)
        kept[same->second] = std::move(row);
    }
    return kept;
  }

  bool has_operators(const Handles& handles) const {
    return std::any_of(handles.begin(), handles.end(),
                       [&](DebugHandle handle) { return !side_.graph.nodes_of(handle).empty(); });
  }

  // Values that share a handle become one. No two of the result share any, so that a handle tells
  // which of them has it.
  static std::vector<RuntimeValues> merged(std::vector<RuntimeValues> rows) {
    std::vector<std::optional<RuntimeValues>> result;  // without those that became part of another
    std::unordered_map<DebugHandle, size_t> row_of;
    for (RuntimeValues& row : rows) {
      std::set<size_t> known;  // in the order in which they were made
      for (const DebugHandle handle : row.handles) {
        if (const auto at = row_of.find(handle); at != row_of.end()) known.insert(at->second);
      }
      RuntimeValues current = row;
      current.ops.clear();
      for (const size_t k : known) {
        absorb(std::move(*result[k]), row.instruction, current);
        result[k].reset();
      }
      std::move(row.ops.begin(), row.ops.end(), std::back_inserter(current.ops));
      go_on(1 + current.handles.size() / 8);
      for (const DebugHandle handle : current.handles) row_of[handle] = result.size();
      result.push_back(std::move(current));
    }
    std::vector<RuntimeValues> left;
    for (std::optional<RuntimeValues>& row : result) {
      if (row) left.push_back(std::move(*row));
    }
    return left;
  }

  // `instruction`: of the row that shares a handle with `known`.
  static void absorb(RuntimeValues known, Instruction instruction, RuntimeValues& current) {
    std::move(known.ops.begin(), known.ops.end(), std::back_inserter(current.ops));
    const bool is_earlier = known.instruction < instruction;
    current.handles =
        is_earlier ? unite(known.handles, current.handles) : unite(current.handles, known.handles);
    if (is_earlier) return;
    current.instruction = known.instruction;
    current.rows = std::move(known.rows);
  }

  // The first array that is the handle's alone.
  static std::unordered_map<DebugHandle, const HandleArray*> by_handle(
      std::span<const HandleArray> arrays) {
    std::unordered_map<DebugHandle, const HandleArray*> result;
    for (const HandleArray& array : arrays) {
      if (array.handles.size() == 1) result.try_emplace(array.handles.front(), &array);
    }
    return result;
  }

  const HandleArray* array_of(DebugHandle handle) const {
    const auto at = array_of_.find(handle);
    return at == array_of_.end() ? nullptr : at->second;
  }

  // The first that the host has a value of: rows are in the order of the host's graph.
  DebugHandle first_of(const RuntimeValues& values) const {
    DebugHandle first = values.handles.front();
    for (const DebugHandle handle : values.handles) {
      const bool is_better = handle < first || array_of(first) == nullptr;
      if (is_better && array_of(handle) != nullptr) first = handle;
    }
    return first;
  }

  // Of a delegate call each output has a row; else there is one.
  size_t outputs_of(const RuntimeValues& values) const {
    const LoggedValue& last = side_.values[values.rows.back()];
    if (!last.event.valid() || side_.join.event(last.event).role != EventRole::DelegateCall)
      return 1;
    size_t outputs = 0;
    for (const size_t v : values.rows) outputs += side_.values[v].role != ValueRole::Input;
    return std::max<size_t>(outputs, 1);
  }

  // Nothing where the Inspector has no row: no value on the host, or a list there. It pairs the last
  // outputs of a call with the last handles, one by one.
  std::optional<InspectorGapRow> compare(const RuntimeValues& values, size_t outputs,
                                         size_t from_end) {
    if (from_end >= values.handles.size()) return std::nullopt;
    const HandleArray* array = array_of(values.handles[values.handles.size() - 1 - from_end]);
    if (array == nullptr || array->element) return std::nullopt;
    InspectorGapRow row;
    row.handles = values.handles;
    row.ops = values.ops;
    const size_t chosen = outputs == 1 ? choose(values.rows, *array->tensor)
                                       : values.rows[values.rows.size() - 1 - from_end];
    const LoggedValue& value = side_.values[chosen];
    if (!value.tensor) {
      row.note = value.problem.empty() ? "there is no debug buffer" : value.problem;
      return row;
    }
    StoredTensor as_read = *value.tensor;
    as_read.strides = row_major_strides(as_read.sizes);  // the Inspector does not look at strides
    GapOptions options;
    options.as_inspector = true;
    const Result<Gap> gap = compare_tensors(as_read, *array->tensor, options);
    if (gap) row.gap.push_back(number_of(*gap));
    else answer(values, gap.error().message, row);
    return row;
  }

  // The only one with the shape, or else with shape and type, of the host's value; the last one.
  size_t choose(const std::vector<size_t>& rows, const StoredTensor& array) const {
    for (const bool with_type : {false, true}) {
      std::vector<size_t> fitting;
      for (const size_t v : rows) {
        const LoggedValue& value = side_.values[v];
        if (value.sizes == array.sizes && (!with_type || value.scalar_type == array.scalar_type))
          fitting.push_back(v);
      }
      if (fitting.size() == 1) return fitting.front();
    }
    return rows.back();
  }

  // Here the Inspector raises: it has paired values of different operators.
  void answer(const RuntimeValues& values, const std::string& why, InspectorGapRow& row) {
    if (!own_) own_ = match_arrays(side_.values, side_.join, side_.graph, arrays_);
    for (const size_t v : values.rows) {
      const LoggedValue& value = side_.values[v];
      if (!value.tensor || !own_->of_value[v]) continue;
      const Result<Gap> gap = compare_tensors(*value.tensor, *own_->of_value[v]);
      if (gap) row.gap.push_back(number_of(*gap));
    }
    row.note = "the Inspector raises: the value " + why + "; compared by the nodes that made them";
  }

  double number_of(const Gap& gap) const {
    switch (metric_) {
      case GapMetric::Mse:
        return gap.mse;
      case GapMetric::L1:
        return gap.l1;
      case GapMetric::Snr:
        return gap.snr;
    }
    return 0;
  }

  const ValueSide& side_;
  std::span<const HandleArray> arrays_;
  std::unordered_map<DebugHandle, const HandleArray*> array_of_;
  GapMetric metric_;
  std::optional<Counterparts> own_;
};

}  // namespace

std::string_view name_of(GapMetric metric) {
  switch (metric) {
    case GapMetric::Mse:
      return "MSE";
    case GapMetric::L1:
      return "L1";
    case GapMetric::Snr:
      return "SNR";
  }
  return "";
}

std::optional<GapMetric> parse_gap_metric(std::string_view name) {
  for (const GapMetric metric : {GapMetric::Mse, GapMetric::L1, GapMetric::Snr}) {
    if (name == name_of(metric)) return metric;
  }
  return std::nullopt;
}

std::vector<InspectorGapRow> inspector_gaps(const ValueSide& side,
                                            std::span<const HandleArray> arrays, GapMetric metric) {
  return Table(side, arrays, metric).run();
}

}  // namespace etlens
