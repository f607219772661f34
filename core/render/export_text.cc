// SPDX-License-Identifier: Apache-2.0
#include "core/render/export_text.h"

#include <fmt/format.h>

#include <vector>

#include "core/base/text.h"
#include "core/render/format.h"

namespace etlens {
namespace {

std::string counted_operators(int64_t count) {
  return counted(static_cast<size_t>(count), "operator");
}

std::string delegated_text(const ExportSummary& summary) {
  const OperatorCount& operators = summary.operators;
  if (!summary.has_record) return "no ETRecord, so no lines";
  switch (summary.lowering) {
    case Lowering::NotLowered:
      return counted_operators(operators.all) + ", not lowered yet";
    case Lowering::NoDelegate:
      return counted_operators(operators.all) + ", none delegated: exported without a partitioner";
    case Lowering::Delegated:
      break;
  }
  return fmt::format("{} of {} delegated", operators.delegated, counted_operators(operators.all));
}

}  // namespace

std::string operators_text(const OperatorCount& count, Lowering lowering) {
  const std::string all = counted_operators(count.all);
  if (lowering == Lowering::NotLowered) return all;
  if (count.delegated == 0) return all + " on the CPU";
  if (count.on_cpu() == 0) return all + " delegated";
  return fmt::format("{} of {} on the CPU", count.on_cpu(), all);
}

std::string export_text(const ExportSummary& summary) {
  std::vector<std::string> parts{delegated_text(summary)};
  if (summary.delegate_calls > 0) parts.push_back(counted(summary.delegate_calls, "delegate call"));
  if (summary.peak) parts.push_back("peak " + format_bytes(*summary.peak));
  return join(parts, " · ");
}

}  // namespace etlens
