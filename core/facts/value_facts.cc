// SPDX-License-Identifier: Apache-2.0
#include "core/facts/value_facts.h"

#include <cmath>

#include "core/formats/scalar_type.h"
#include "core/measure/values/error_measure.h"

namespace etlens {
namespace {

uint64_t key_of(const NodeOutput& value) { return uint64_t{value.node.value} << 32 | value.output; }

std::optional<Magnitudes> magnitudes_of(const std::optional<StoredTensor>& tensor) {
  if (!tensor) return std::nullopt;
  Magnitudes magnitudes;
  StatisticsOptions options;
  options.magnitudes = &magnitudes;
  if (!value_statistics(*tensor, options)) return std::nullopt;
  return magnitudes;
}

}  // namespace

ValuesFacts::ValuesFacts(std::shared_ptr<const ValueStudy> study)
    : study_(std::move(study)), values_(study_->values.size()) {
  for (const ErrorOrigin& origin : study_->origins) made_[key_of(origin.value)] = origin.made;
  for (size_t v = 0; v < size(); ++v) {
    const LoggedValue& value = study_->values[v];
    if (value.line.valid() && value.role == ValueRole::Output) rows_[value.line].push_back(v);
  }
}

bool ValuesFacts::has_measure(std::string_view id) { return id == kErrorId; }

std::span<const size_t> ValuesFacts::rows_of(LineId line) const {
  const auto at = rows_.find(line);
  return at == rows_.end() ? std::span<const size_t>() : std::span<const size_t>(at->second);
}

uint64_t ValuesFacts::bytes(size_t row) const {
  const std::optional<StoredTensor>& tensor = study_->values[row].tensor;
  return tensor ? tensor->byte_size() : 0;
}

std::optional<std::string_view> ValuesFacts::module_of(NodeId node) const {
  const Place* place = code().place_of(node);
  if (place == nullptr || !place->module.valid()) return std::nullopt;
  return code().modules[place->module.value].path;
}

ValueFacts ValuesFacts::describe(const LoggedValue& value, size_t row) const {
  const Join& join = *study_->join;
  ValueFacts facts;
  facts.execution = value.execution;
  facts.event = value.event.valid() ? join.readable_name(value.event) : value.delegate_id;
  facts.instruction = value.instruction;
  facts.handles = handles_of(join, value);
  facts.output = value.output;
  facts.role = value.role;
  facts.dtype = scalar_type_name(value.scalar_type);
  facts.shape = value.sizes;
  facts.is_number = value.is_number;
  facts.line = value.line;
  facts.confidence = value.confidence;
  facts.problem = value.problem;
  if (value.made_by.node.valid()) {
    const Node& node = join.record->nodes[value.made_by.node.value];
    facts.node = join.record->text(node.name);
    facts.node_output = value.made_by.output;
    facts.op = join.record->text(node.target);
    facts.module_path = module_of(value.made_by.node);
  }
  if (!study_->comparisons.empty()) facts.comparison = &study_->comparisons[row];
  facts.made = made_at(row);
  return facts;
}

// The value that the origin names, once: not the same tensor where the method returns it.
double ValuesFacts::made_at(size_t row) const {
  const LoggedValue& value = study_->values[row];
  if (value.role != ValueRole::Output || !value.made_by.node.valid()) return 0;
  const auto at = made_.find(key_of(value.made_by));
  return at == made_.end() ? 0 : at->second;
}

const ValueFacts& ValuesFacts::value(size_t row) const {
  std::optional<ValueFacts>& known = values_[row];
  if (known) return *known;
  const LoggedValue& value = study_->values[row];
  known = describe(value, row);
  if (!value.tensor) return *known;
  StatisticsOptions options;
  options.quantization = study_->quantization_of(value);
  Result<ValueStatistics> statistics = value_statistics(*value.tensor, options);
  Result<std::vector<double>> first = first_values(*value.tensor, ValueFacts::kFirstValues);
  if (statistics && first) {
    known->statistics = *statistics;
    known->first = std::move(*first);
  } else {
    known->problem = (statistics ? first.error() : statistics.error()).message;
  }
  return *known;
}

std::optional<Magnitudes> ValuesFacts::magnitudes(size_t row) const {
  return magnitudes_of(study_->values[row].tensor);
}

std::optional<Magnitudes> ValuesFacts::reference_magnitudes(size_t row) const {
  if (study_->comparisons.empty()) return std::nullopt;
  return magnitudes_of(study_->comparisons[row].reference);
}

std::vector<size_t> ValuesFacts::made_rows() const {
  std::vector<size_t> rows;
  for (size_t v = 0; v < study_->values.size(); ++v) {
    if (study_->values[v].role != ValueRole::Input) rows.push_back(v);
  }
  return rows;
}

std::optional<double> ValuesFacts::worst_snr() const {
  std::optional<double> worst;
  for (const ValueComparison& row : study_->comparisons) {
    if (row.gap && (!worst || !(row.gap->snr >= *worst))) worst = row.gap->snr;
  }
  return worst;
}

std::vector<OriginFacts> ValuesFacts::origins() const {
  std::vector<OriginFacts> rows;
  const EtRecord* record = study_->join->record.get();
  for (const ErrorOrigin& origin : study_->origins) {
    OriginFacts& row = rows.emplace_back();
    row.node = record->text(record->nodes[origin.value.node.value].name);
    row.op = record->text(record->nodes[origin.nodes.front().value].target);
    row.module_path = module_of(origin.nodes.front());
    row.line = origin.line;
    row.lines = origin.lines;
    row.made = origin.made;
    row.snr_before = origin.snr_before;
    row.snr_after = origin.snr_after;
  }
  return rows;
}

std::optional<size_t> ValuesFacts::first_nan() const {
  for (size_t v = 0; v < size(); ++v) {
    const ValueFacts& facts = value(v);
    const bool is_equal =
        facts.comparison != nullptr && facts.comparison->gap && facts.comparison->gap->mse == 0;
    if (facts.statistics && facts.statistics->nan > 0 && !is_equal) return v;
  }
  return std::nullopt;
}

std::optional<size_t> ValuesFacts::first_inf() const {
  for (size_t v = 0; v < size(); ++v) {
    const ValueFacts& facts = value(v);
    // Where only one side has an infinity, their difference is one.
    const bool is_expected = facts.comparison != nullptr && facts.comparison->gap &&
                             std::isfinite(facts.comparison->gap->max_abs);
    if (facts.statistics && facts.statistics->inf() > 0 && !is_expected) return v;
  }
  return std::nullopt;
}

}  // namespace etlens
