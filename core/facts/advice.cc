// SPDX-License-Identifier: Apache-2.0
#include "core/facts/advice.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "core/base/load_report.h"
#include "core/base/text.h"
#include "core/code/operator_name.h"
#include "core/facts/delegation_advice.h"
#include "core/facts/graph_advice.h"
#include "core/facts/recovery_facts.h"

namespace etlens {
namespace {

constexpr double kLeastShare = 0.005;  // of the time; less is not worth a change
constexpr double kLongLoading = 20;    // executions
constexpr size_t kFewSamples = 5;
constexpr double kMuchDisturbance = 0.25;

// They move data and compute nothing. Views are not among them: in memory that was planned they
// cost nothing, and where they do they are copies by name.
constexpr auto kMovements = std::to_array<std::string_view>(
    {"_clone_dim_order", "_to_dim_order_copy", "clone", "contiguous", "copy", "copy_",
     "movedim_copy", "permute_copy", "t_copy", "transpose_copy"});

class Adviser {
 public:
  Adviser(const Facts& facts, const Headline& head) : facts_(facts), head_(head) {}

  std::vector<Advice> run() {
    fallbacks();
    small_calls();
    movements();
    for (Advice& row : graph_advice(facts_)) add(std::move(row));
    not_delegated();
    loading();
    std::stable_sort(found_.begin(), found_.end(), [](const Advice& a, const Advice& b) {
      return a.at_most.amount > b.at_most.amount;
    });
    const std::vector<Advice> limits = this->limits();
    found_.resize(std::min(found_.size(), kMostAdvice - limits.size()));
    found_.insert(found_.end(), limits.begin(), limits.end());
    return std::move(found_);
  }

 private:
  void fallbacks() {
    struct Group {
      std::set<ContributionId> events;
      std::set<PartitionId> after;
      uint32_t gaps = 0;
    };
    std::map<std::pair<std::string, std::string>, Group> groups;
    for (const FallbackGap& gap : facts_.fallback_gaps()) {
      std::vector<std::string> names = operator_names(facts_, gap.events);
      std::sort(names.begin(), names.end());
      Group& group = groups[{join(names, ", "), facts_.partition(gap.before).label}];
      group.events.insert(gap.events.begin(), gap.events.end());
      group.after.insert(gap.after);
      ++group.gaps;
    }
    for (const auto& [key, group] : groups) {
      Advice row =
          advice_about(facts_, AdviceKind::Fallback, {group.events.begin(), group.events.end()});
      row.subject = key.first;
      row.count = group.gaps;
      add_reason(facts_, row);
      add_overhead({group.after.begin(), group.after.end()}, row);
      add(std::move(row));
    }
  }

  // Where the call's own clock tells what it worked, and where the rest cannot be what that clock
  // cut off.
  void small_calls() {
    std::map<std::string, std::vector<PartitionId>> by_backend;
    for (size_t p = 0; p < facts_.code().partitions.size(); ++p) {
      const PartitionFacts row = facts_.partition(PartitionId(p));
      const double rounding = rounding_of(facts_, row.id);
      const bool is_told = row.ran() && row.explained.amount > Amount() &&
                           row.opaque.amount <= Amount() && !row.label.empty();
      if (is_told && row.overhead.value - rounding > row.explained.value + rounding)
        by_backend[row.label].push_back(row.id);
    }
    for (const auto& [label, calls] : by_backend) {
      std::vector<ContributionId> events;
      for (const PartitionId call : calls) {
        const auto inside = facts_.partition(call).events;
        events.insert(events.end(), inside.begin(), inside.end());
      }
      Advice row = advice_about(facts_, AdviceKind::SmallCall, std::move(events));
      row.subject = label;
      row.count = static_cast<uint32_t>(calls.size());
      row.at_most = {};
      add_overhead(calls, row);
      add(std::move(row));
    }
  }

  void movements() {
    std::map<std::string, std::vector<ContributionId>> by_name;
    for (const ContributionId id : facts_.ranked()) {
      const EventFacts event = facts_.event(id);
      if (event.self.amount <= Amount()) continue;
      if (event.is_layout && !event.where.empty()) {
        by_name["layout changes in " + event.where].push_back(id);
        continue;
      }
      std::string name = operator_name(facts_, id);
      if (std::find(kMovements.begin(), kMovements.end(), name) != kMovements.end())
        by_name[std::move(name)].push_back(id);
    }
    for (auto& [name, events] : by_name) {
      Advice row = advice_about(facts_, AdviceKind::DataMovement, std::move(events));
      row.subject = name;
      add(std::move(row));
    }
  }

  // What no other finding is about.
  void not_delegated() {
    std::set<ContributionId> told;
    for (const Advice& row : found_) told.insert(row.events.begin(), row.events.end());
    for (Advice& row : delegation_advice(facts_, told)) add(std::move(row));
  }

  void loading() {
    if (head_.total.value <= 0 || head_.loading < kLongLoading * head_.total.value) return;
    Advice row;
    row.kind = AdviceKind::Loading;
    row.count = static_cast<uint32_t>(std::min(head_.loading / head_.total.value, 1e9));
    found_.push_back(std::move(row));
  }

  std::vector<Advice> limits() const {
    std::vector<Advice> rows;
    const auto add_limit = [&](AdviceKind kind) {
      Advice row;
      row.kind = kind;
      row.count = static_cast<uint32_t>(head_.used.size());
      rows.push_back(std::move(row));
    };
    if (loses_helpers()) add_limit(AdviceKind::HelperLines);
    if (head_.used.size() < kFewSamples) add_limit(AdviceKind::FewSamples);
    else if (head_.disturbance_share > kMuchDisturbance) add_limit(AdviceKind::Disturbed);
    return rows;
  }

  // The record lost lines, and what was not found again of them is worth a word.
  bool loses_helpers() const {
    const bool has_lines = facts_.code().method.has_value();
    if (!has_lines || facts_.study().report.find(Oddity::RecordNonStrict) == nullptr) return false;
    const std::optional<RecoveryFacts> recovery = recovery_of(facts_);
    return !recovery || recovery->lost.share >= kLeastShare;
  }

  void add_overhead(const std::vector<PartitionId>& calls, Advice& row) const {
    Amount overhead;
    for (const PartitionId call : calls) overhead += facts_.partition(call).overhead.amount;
    row.overhead = facts_.cost(std::max(overhead, Amount()));
    row.at_most = facts_.cost(row.at_most.amount + row.overhead.amount);
    row.partitions = calls;
  }

  void add(Advice row) {
    if (row.at_most.share >= kLeastShare) found_.push_back(std::move(row));
  }

  const Facts& facts_;
  const Headline& head_;
  std::vector<Advice> found_;
};

}  // namespace

std::string_view name_of(AdviceKind kind) {
  switch (kind) {
    case AdviceKind::Fallback:
      return "fallback";
    case AdviceKind::SmallCall:
      return "small-call";
    case AdviceKind::DataMovement:
      return "data-movement";
    case AdviceKind::ConstantWork:
      return "constant-work";
    case AdviceKind::FloatIsland:
      return "float-island";
    case AdviceKind::Quantizing:
      return "quantizing";
    case AdviceKind::Loading:
      return "loading";
    case AdviceKind::NotDelegated:
      return "not-delegated";
    case AdviceKind::HelperLines:
      return "helper-lines";
    case AdviceKind::FewSamples:
      return "few-samples";
    case AdviceKind::Disturbed:
      break;
  }
  return "disturbed";
}

std::vector<Advice> advise(const Facts& facts, const Headline& head) {
  if (facts.has_operators()) return delegation_advice(facts, {});
  if (!facts.has_events() || head.used.empty()) return {};
  return Adviser(facts, head).run();
}

}  // namespace etlens
