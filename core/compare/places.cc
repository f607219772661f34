// SPDX-License-Identifier: Apache-2.0
#include "core/compare/places.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace etlens {
namespace {

double logarithm(double value) { return std::log(std::max(value, 1.0)); }

}  // namespace

OperationIndex index_operations(const Side& side) {
  const Code& code = *side.code;
  OperationIndex index;
  index.all.resize(side.operations.size());
  std::iota(index.all.begin(), index.all.end(), 0u);
  index.of_line.resize(code.lines.size());
  index.through_line.resize(code.lines.size());
  index.of_module.resize(code.modules.size());
  index.of_partition.resize(code.partitions.size());
  index.of_part.resize(kParts);
  for (uint32_t i = 0; i < side.operations.size(); ++i) {
    const Landing& landing = side.landings.rows[i];
    index.of_part[static_cast<size_t>(landing.part)].push_back(i);
    if (landing.partition.valid() && landing.partition.value < index.of_partition.size())
      index.of_partition[landing.partition.value].push_back(i);
    for (const ModuleId module : side.landings.owners_of(landing))
      index.of_module[module.value].push_back(i);
    if (landing.part != Part::Line || !landing.line.valid()) continue;
    index.of_line[landing.line.value].push_back(i);
    index.through_line[landing.line.value].push_back(i);
    if (!landing.place.valid()) continue;
    for (const LineId line : code.places[landing.place.value].stack) {
      if (line != landing.line) index.through_line[line.value].push_back(i);
    }
  }
  return index;
}

SideReader::SideReader(const Side& side, TimeScale scale)
    : side_(side), factor_(scale_factor(side.clock, scale)) {
  for (const DumpAmounts& dump : side.dumps) {
    for (const Total& self : dump.self) total_ += self.amount;
  }
}

SideCost SideReader::cost(std::span<const uint32_t> operations) const {
  SideCost cost;
  for (const DumpAmounts& dump : side_.dumps) {
    for (const uint32_t i : operations) {
      cost.ticks += dump.self[i].amount;
      cost.disturbance += dump.self[i].disturbance;
    }
  }
  const auto ticks = static_cast<double>(cost.ticks.value);
  const size_t executions = side_.executions();
  if (executions > 0) cost.value = ticks / static_cast<double>(executions) / factor_;
  if (total_ > Amount()) cost.share = ticks / static_cast<double>(total_.value);
  return cost;
}

double SideReader::per_execution(const DumpAmounts& dump,
                                 std::span<const uint32_t> operations) const {
  Amount sum;
  for (const uint32_t i : operations) sum += dump.self[i].amount;
  return dump.executions == 0
             ? 0
             : static_cast<double>(sum.value) / static_cast<double>(dump.executions);
}

std::vector<double> SideReader::logarithms(std::span<const uint32_t> operations) const {
  std::vector<double> values;
  for (const DumpAmounts& dump : side_.dumps)
    values.push_back(logarithm(per_execution(dump, operations) / factor_));
  return values;
}

double SideReader::clock_error(std::span<const uint32_t> operations) const {
  double sum = 0;
  for (const DumpAmounts& dump : side_.dumps) {
    double squares = 0;
    for (const uint32_t i : operations)
      squares +=
          static_cast<double>(dump.clock_error[i]) * static_cast<double>(dump.clock_error[i]);
    sum += std::sqrt(squares) / std::max(per_execution(dump, operations), 1.0);
  }
  return sum / static_cast<double>(side_.dumps.size());
}

std::optional<Uncertainty> SideReader::uncertainty(std::span<const uint32_t> operations) const {
  if (side_.influences.empty() || side_.dumps.size() != 1) return std::nullopt;
  Uncertainty sum;
  sum.amount = per_execution(side_.dumps.front(), operations);
  if (sum.amount <= factor_) return std::nullopt;  // as logarithms() has it, one of the scale
  sum.influences.reserve(side_.influences.size());
  for (const std::vector<float>& row : side_.influences) {
    double influence = 0;
    for (const uint32_t i : operations) influence += static_cast<double>(row[i]);
    sum.influences.push_back(influence);
  }
  sum.kept = static_cast<double>(sum.influences.size());
  return sum;
}

double SideReader::variance_within(std::span<const uint32_t> operations) const {
  const std::optional<Uncertainty> sum = uncertainty(operations);
  return sum ? precision_of(*sum).variance / (sum->amount * sum->amount) : 0;
}

std::optional<double> SideReader::half_width_within(std::span<const uint32_t> operations) const {
  const std::optional<Uncertainty> sum = uncertainty(operations);
  if (!sum) return std::nullopt;
  return half_width(*sum) / sum->amount;
}

std::vector<std::string> SideReader::kernels(std::span<const uint32_t> operations) const {
  std::map<std::string, Amount> costs;
  for (const uint32_t i : operations) {
    Amount& cost = costs[side_.operations[i].kernel];
    for (const DumpAmounts& dump : side_.dumps) cost += dump.self[i].amount;
  }
  std::vector<std::string> names;
  for (const auto& [name, cost] : costs) names.push_back(name);
  std::stable_sort(names.begin(), names.end(),
                   [&](const std::string& a, const std::string& b) { return costs[a] > costs[b]; });
  return names;
}

}  // namespace etlens
