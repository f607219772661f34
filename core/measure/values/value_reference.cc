// SPDX-License-Identifier: Apache-2.0
#include "core/measure/values/value_reference.h"

#include <algorithm>
#include <unordered_map>

#include "core/base/budget.h"
#include "core/base/text.h"
#include "core/formats/scalar_type.h"
#include "core/measure/values/value_gap.h"

namespace etlens {
namespace {

// Places in a list of bare tensors where test cases could begin; more are not tried.
constexpr size_t kMaxStarts = 4096;

// Rows of what the method returned, per execution.
std::vector<std::vector<size_t>> returned_rows(std::span<const LoggedValue> values) {
  std::vector<std::vector<size_t>> rows;
  for (size_t v = 0; v < values.size(); ++v) {
    if (rows.size() <= values[v].execution) rows.resize(values[v].execution + 1);
    if (values[v].role == ValueRole::Program) rows[values[v].execution].push_back(v);
  }
  return rows;
}

// 0 for equal outputs; an output that cannot be compared counts as wholly wrong, and a little more.
double distance(std::span<const LoggedValue> values, const std::vector<size_t>& rows,
                const ExpectedOutputs& expected) {
  constexpr double kIncomparable = 1.5;
  go_on();
  if (rows.size() != expected.size()) return kIncomparable * static_cast<double>(rows.size());
  double total = 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    const std::optional<StoredTensor>& value = values[rows[i]].tensor;
    if (!value || !expected[i]) {
      total += kIncomparable;
      continue;
    }
    const Result<Gap> gap = compare_tensors(*value, *expected[i]);
    total += gap ? gap->noise : kIncomparable;
  }
  return total;
}

// The nearest case; nothing if no output of any case can be compared.
std::optional<uint32_t> nearest(std::span<const LoggedValue> values,
                                const std::vector<size_t>& rows,
                                std::span<const ExpectedOutputs> cases) {
  std::optional<uint32_t> best;
  double least = 0;
  for (size_t c = 0; c < cases.size(); ++c) {
    const double here = distance(values, rows, cases[c]);
    if (here > static_cast<double>(rows.size()) || (best && here >= least)) continue;
    best = static_cast<uint32_t>(c);
    least = here;
  }
  return best;
}

std::optional<StoredTensor> tensor_of(const BundledValue& value) {
  if (const auto* tensor = std::get_if<StoredTensor>(&value)) return *tensor;
  if (const auto* number = std::get_if<int64_t>(&value)) return number_tensor(*number);
  if (const auto* flag = std::get_if<bool>(&value)) return number_tensor(*flag);
  if (const auto* number = std::get_if<double>(&value)) return number_tensor(*number);
  return std::nullopt;
}

// Tensors [first, first + rows.size()) with the types and shapes of the rows; nothing if their
// sizes in bytes are others.
std::optional<ExpectedOutputs> outputs_at(std::span<const LoggedValue> values,
                                          const std::vector<size_t>& rows,
                                          std::span<const Bytes> tensors, size_t first) {
  ExpectedOutputs outputs;
  for (size_t i = 0; i < rows.size(); ++i) {
    const LoggedValue& value = values[rows[i]];
    const std::optional<uint64_t> elements = element_count(value.sizes);
    const Bytes& bytes = tensors[first + i];
    if (!elements || bytes.size() != *elements * scalar_type_size(value.scalar_type))
      return std::nullopt;
    outputs.emplace_back(
        tensor_in_memory(value.scalar_type, value.sizes, Bytes::copy_of(bytes.text())));
  }
  return outputs;
}

}  // namespace

size_t Counterparts::count() const {
  return static_cast<size_t>(std::count_if(of_value.begin(), of_value.end(),
                                           [](const auto& tensor) { return tensor.has_value(); }));
}

std::vector<HandleArray> arrays_by_handle(std::span<const NpzArray> rows) {
  std::vector<HandleArray> arrays;
  for (const NpzArray& row : rows) {
    std::string_view name = row.name;
    HandleArray array;
    array.tensor = &row.tensor;
    if (const size_t at = name.find("__"); at != std::string_view::npos) {
      const std::optional<int64_t> element = parse_int(name.substr(at + 2));
      if (!element || *element < 0 || *element > UINT32_MAX) continue;
      array.element = static_cast<uint32_t>(*element);
      name = name.substr(0, at);
    }
    if (!name.starts_with('h')) continue;
    bool is_sound = true;
    for (const std::string_view part : split(name.substr(1), '_')) {
      const std::optional<int64_t> handle = parse_int(part);
      is_sound &= handle && *handle >= 0 && *handle < kNoHandle.value;
      if (is_sound) array.handles.push_back(DebugHandle(static_cast<uint32_t>(*handle)));
    }
    if (is_sound && !array.handles.empty()) arrays.push_back(std::move(array));
  }
  return arrays;
}

Counterparts match_arrays(std::span<const LoggedValue> values, const Join& join,
                          const ValueGraph& graph, std::span<const HandleArray> arrays) {
  // The value of several handles is that of the last. Where a handle has an array of its own, that
  // one counts.
  std::unordered_multimap<DebugHandle, const HandleArray*> by_handle;
  for (const HandleArray& array : arrays) by_handle.emplace(array.handles.back(), &array);
  Counterparts result;
  result.of_value.resize(values.size());
  for (size_t v = 0; v < values.size(); ++v) {
    const NodeOutput& made_by = values[v].made_by;
    if (values[v].role == ValueRole::Input || !made_by.node.valid()) continue;
    if (!graph.ends_handle(made_by.node)) continue;
    const DebugHandle handle = join.record->nodes[made_by.node.value].debug_handle;
    const HandleArray* best = nullptr;
    const auto [first, last] = by_handle.equal_range(handle);
    for (auto at = first; at != last; ++at) {
      go_on();
      const HandleArray* array = at->second;
      const bool is_it = array->element.value_or(0) == made_by.output;
      if (is_it && (best == nullptr || array->handles.size() < best->handles.size())) best = array;
    }
    if (best != nullptr) result.of_value[v] = *best->tensor;
  }
  return result;
}

std::vector<ExpectedOutputs> expected_outputs(const BundledMethod& method) {
  std::vector<ExpectedOutputs> cases;
  for (const BundledCase& row : method.cases) {
    ExpectedOutputs& outputs = cases.emplace_back();
    for (const BundledValue& value : row.outputs) outputs.push_back(tensor_of(value));
  }
  return cases;
}

Counterparts match_outputs(std::span<const LoggedValue> values,
                           std::span<const ExpectedOutputs> cases) {
  Counterparts result;
  result.of_value.resize(values.size());
  for (const std::vector<size_t>& rows : returned_rows(values)) {
    const std::optional<uint32_t> best = rows.empty() ? std::nullopt : nearest(values, rows, cases);
    result.test_cases.push_back(best);
    if (!best) continue;
    for (size_t i = 0; i < rows.size() && i < cases[*best].size(); ++i)
      result.of_value[rows[i]] = cases[*best][i];
  }
  return result;
}

Counterparts match_outputs(std::span<const LoggedValue> values, std::span<const Bytes> tensors) {
  Counterparts result;
  result.of_value.resize(values.size());
  for (const std::vector<size_t>& rows : returned_rows(values)) {
    result.test_cases.emplace_back();
    if (rows.empty() || rows.size() > tensors.size()) continue;
    std::vector<ExpectedOutputs> cases;
    std::vector<size_t> starts;
    for (size_t first = 0; first + rows.size() <= tensors.size() && first < kMaxStarts; ++first) {
      std::optional<ExpectedOutputs> outputs = outputs_at(values, rows, tensors, first);
      if (!outputs) continue;
      cases.push_back(std::move(*outputs));
      starts.push_back(first);
    }
    const std::optional<uint32_t> best = nearest(values, rows, cases);
    if (!best) continue;
    result.test_cases.back() = static_cast<uint32_t>(starts[*best] / rows.size());
    for (size_t i = 0; i < rows.size(); ++i) result.of_value[rows[i]] = cases[*best][i];
  }
  return result;
}

}  // namespace etlens
