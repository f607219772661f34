// SPDX-License-Identifier: Apache-2.0
#include "core/facts/findings.h"

#include <algorithm>
#include <unordered_map>

namespace etlens {
namespace {

constexpr double kLeastSilence = 0.01;   // of everything; less is not worth a word
constexpr double kMostOfTheNoise = 0.5;  // in a few executions: these are the reason

bool reports_operators(const Facts& facts, const PartitionFacts& call) {
  return std::any_of(call.events.begin(), call.events.end(), [&](ContributionId id) {
    return facts.join().event(id).role == EventRole::DelegateEvent;
  });
}

}  // namespace

std::vector<SilentBackend> silent_backends(const Facts& facts) {
  struct Row {
    SilentBackend backend;
    Amount amount;
    bool is_silent = true;
  };
  std::vector<Row> rows;
  std::unordered_map<std::string_view, size_t> row_of;  // by backend
  if (!facts.has_events()) return {};
  for (size_t p = 0; p < facts.code().partitions.size(); ++p) {
    const PartitionFacts call = facts.partition(PartitionId(p));
    if (!call.ran()) continue;
    const auto [at, is_new] = row_of.try_emplace(call.backend, rows.size());
    if (is_new) rows.push_back({{call.label, 0, {}}, {}});
    Row& row = rows[at->second];
    ++row.backend.calls;
    row.amount += call.total.amount;
    row.is_silent = row.is_silent && !reports_operators(facts, call);
  }
  std::vector<SilentBackend> silent;
  for (Row& row : rows) {
    row.backend.total = facts.cost(row.amount);
    if (row.is_silent && row.backend.total.share >= kLeastSilence)
      silent.push_back(std::move(row.backend));
  }
  return silent;
}

std::vector<uint32_t> noisy_executions(const Facts& facts,
                                       const std::vector<uint32_t>& executions) {
  const Measure& measure = facts.measure();
  const Samples& samples = measure.samples;
  const double typical = measure.shown(measure.total.typical());
  double beyond = 0;
  for (const uint32_t sample : executions)
    beyond += static_cast<double>(samples.totals[sample].value) - typical;
  const double all = measure.shown(measure.total.disturbance) *
                     static_cast<double>(std::max<size_t>(1, samples.used.size()));
  if (beyond < kMostOfTheNoise * all) return {};
  return executions;
}

}  // namespace etlens
