// SPDX-License-Identifier: Apache-2.0
#include "core/facts/export_facts.h"

#include <algorithm>

#include "core/measure/memory.h"
#include "core/measure/operators.h"
#include "core/measure/size.h"

namespace etlens {
namespace {

const Measure* find_measure(const Study& study, std::string_view id) {
  const auto at =
      std::ranges::find(study.measures, id, [](const Measure& row) { return row.quantity.id; });
  return at == study.measures.end() ? nullptr : &*at;
}

}  // namespace

OperatorCount operators_of(const Facts& facts, const LineFacts& line, bool is_inclusive) {
  const bool passes = is_inclusive && !line.through.empty();
  const Sum sum = sum_of(facts.measure(), passes ? line.through : line.own);
  return {sum.total.amount.value, sum.delegated.value};
}

Lowering lowering_of(const Study& study) {
  return study.delegation == nullptr ? Lowering::NotLowered : study.delegation->lowering;
}

std::optional<double> file_bytes_of(const Facts& facts, LineId line, bool is_inclusive) {
  const Measure* size = find_measure(facts.study(), kSizeId);
  if (size == nullptr || size->landings->code.get() != &facts.code()) return std::nullopt;
  const LineTotal& total = size->lines[line.value];
  const Amount amount = (is_inclusive ? total.inclusive : total.self).amount;
  return amount > Amount() ? std::optional(size->shown(amount)) : std::nullopt;
}

ExportSummary export_summary(const Study& study) {
  ExportSummary summary;
  const Code& code = study.code();
  summary.method = code.method_name();
  summary.has_record = study.delegation != nullptr;
  summary.lowering = lowering_of(study);
  summary.delegate_calls = code.partitions.size();
  if (const Measure* operators = find_measure(study, kOperatorsId))
    summary.operators = {operators->total.typical().value, operators->delegated.value};
  if (const Measure* memory = find_measure(study, kMemoryId))
    summary.peak = memory->shown(memory->total.typical());
  return summary;
}

}  // namespace etlens
