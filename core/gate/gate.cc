// SPDX-License-Identifier: Apache-2.0
#include "core/gate/gate.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "core/base/budget.h"
#include "core/base/path.h"
#include "core/base/text.h"
#include "core/source/paths/path_mapper.h"

namespace etlens {
namespace {

// Operators of one kind on one line with one reason are one finding.
template <typename Wanted>
std::vector<GateFinding> findings_of(const std::vector<CpuOperator>& cpu, const Wanted& wanted) {
  std::vector<GateFinding> findings;
  std::map<std::tuple<GatePlace, std::string_view, std::string_view>, size_t> known;
  for (const CpuOperator& row : cpu) {
    go_on();
    if (!wanted(row)) continue;
    const auto [at, is_new] =
        known.try_emplace({row.place, row.op, row.reason.text}, findings.size());
    if (is_new) findings.push_back({row.place, row.op, {}, 0, row.reason, std::nullopt});
    ++findings[at->second].count;
  }
  return findings;
}

uint64_t operators_of(const std::vector<GateFinding>& findings) {
  uint64_t count = 0;
  for (const GateFinding& finding : findings) count += finding.count;
  return count;
}

void set(GateRow& row, double value, bool is_kept, std::vector<GateFinding> findings) {
  row.value = value;
  row.status = is_kept ? GateStatus::Kept : GateStatus::Violated;
  if (!is_kept) row.findings = std::move(findings);
}

void leave_open(GateRow& row, std::string why) {
  row.why_not = std::move(why);
  row.status = row.budget.is_required ? GateStatus::Violated : GateStatus::NotChecked;
}

std::vector<GateFinding> largest_of(const std::vector<PlaceBytes>& lines) {
  std::vector<GateFinding> findings;
  for (const PlaceBytes& line : lines)
    findings.push_back({line.place, {}, {}, line.bytes, {}, std::nullopt});
  return findings;
}

// A verdict that more dumps could give, of a place that is worth one.
bool is_undecided(const Judged& judged) {
  return judged.verdict == Verdict::CannotTell && judged.reason != Reason::Small &&
         judged.reason != Reason::Nothing;
}

class Checker {
 public:
  explicit Checker(const Evidence& evidence) : evidence_(evidence) {}

  GateRow check(const BudgetRow& budget) const {
    GateRow row{budget, GateStatus::Kept, {}, {}, {}, 0, {}};
    switch (budget.budget) {
      case Budget::CpuOperators:
      case Budget::CpuNodes:
      case Budget::Delegated:
        if (evidence_.delegation.value) check_delegation(*evidence_.delegation.value, row);
        else leave_open(row, evidence_.delegation.why_not);
        break;
      case Budget::DelegateCalls:
        check_calls(row);
        break;
      case Budget::ColdStart:
        if (const auto& cold = evidence_.cold_start; cold.value)
          set(row, *cold.value, *cold.value <= budget.limit, {});
        else leave_open(row, cold.why_not);
        break;
      case Budget::PeakMemory:
        if (const auto& memory = evidence_.memory; memory.value)
          check_bytes(memory.value->peak, memory.value->lines, row);
        else leave_open(row, memory.why_not);
        break;
      case Budget::FileSize:
        if (const auto& size = evidence_.size; size.value)
          check_bytes(size.value->bytes, size.value->lines, row);
        else leave_open(row, size.why_not);
        break;
      case Budget::SlowerTotal:
      case Budget::SlowerLines:
        if (evidence_.time.value) check_time(*evidence_.time.value, row);
        else leave_open(row, evidence_.time.why_not);
        break;
      case Budget::kCount:
        break;
    }
    return row;
  }

 private:
  static void check_delegation(const DelegationEvidence& delegation, GateRow& row) {
    const BudgetRow& budget = row.budget;
    if (budget.budget == Budget::Delegated) {
      row.counted = delegation.counted;
      if (row.counted.all == 0) return leave_open(row, "the program has no operator that counts");
      const double share = row.counted.share();
      return set(row, share, share >= budget.limit,
                 findings_of(delegation.cpu, [](const CpuOperator& op) { return op.is_counted; }));
    }
    const bool is_list = budget.budget == Budget::CpuOperators;
    std::vector<GateFinding> findings = findings_of(delegation.cpu, [&](const CpuOperator& op) {
      go_on(budget.names.size());
      return !is_list || std::ranges::none_of(budget.names, [&](const std::string& name) {
        return names_operator(name, op);
      });
    });
    const auto count = static_cast<double>(operators_of(findings));
    set(row, count, count <= (is_list ? 0 : budget.limit), std::move(findings));
  }

  void check_calls(GateRow& row) const {
    if (!evidence_.calls.value) return leave_open(row, evidence_.calls.why_not);
    const std::vector<CallStart>& calls = *evidence_.calls.value;
    std::vector<GateFinding> beyond;
    for (size_t i = 0; i < calls.size(); ++i) {
      if (static_cast<double>(i) < row.budget.limit) continue;
      beyond.push_back({calls[i].place, {}, calls[i].backend, i + 1, {}, std::nullopt});
    }
    const bool is_kept = beyond.empty();
    set(row, static_cast<double>(calls.size()), is_kept, std::move(beyond));
  }

  static void check_bytes(uint64_t bytes, const std::vector<PlaceBytes>& lines, GateRow& row) {
    const auto value = static_cast<double>(bytes);
    set(row, value, value <= row.budget.limit, largest_of(lines));
  }

  static void check_time(const TimeEvidence& time, GateRow& row) {
    const double allowed = row.budget.limit;
    if (row.budget.budget == Budget::SlowerTotal) {
      set(row, time.total.change, !is_slower_than_allowed(time.total, allowed), {});
      row.undecided = is_undecided(time.total) ? 1 : 0;
      if (row.status == GateStatus::Violated)
        row.findings.push_back({{}, {}, {}, 0, {}, time.total});
      return;
    }
    if (!time.has_lines) return leave_open(row, "without an ETRecord no line can be compared");
    std::vector<GateFinding> slower;
    double most = 0;
    for (const LineEvidence& line : time.lines) {
      go_on();
      if (line.judged.verdict == Verdict::Slower) most = std::max(most, line.judged.change);
      if (is_slower_than_allowed(line.judged, allowed))
        slower.push_back({line.place, {}, {}, 0, {}, line.judged});
      row.undecided += is_undecided(line.judged) ? 1 : 0;
    }
    const bool is_kept = slower.empty();
    set(row, most, is_kept, std::move(slower));
  }

  const Evidence& evidence_;
};

}  // namespace

std::string_view name_of(GateStatus status) {
  switch (status) {
    case GateStatus::Kept:
      return "kept";
    case GateStatus::Violated:
      return "violated";
    case GateStatus::NotChecked:
      break;
  }
  return "not_checked";
}

size_t GateResult::count(GateStatus status) const {
  return static_cast<size_t>(std::ranges::count(rows, status, &GateRow::status));
}

size_t GateResult::checked() const {
  return static_cast<size_t>(
      std::ranges::count_if(rows, [](const GateRow& row) { return row.is_checked(); }));
}

GateResult check_policy(const Policy& policy, const Evidence& evidence) {
  GateResult result{policy.path, {}};
  const Checker checker(evidence);
  for (const BudgetRow& budget : policy.budgets) result.rows.push_back(checker.check(budget));
  return result;
}

bool names_operator(std::string_view name, const CpuOperator& row) {
  return name == row.op || name == row.target || glob_match(name, row.op) ||
         glob_match(name, row.target);
}

void find_places(const FileSystem& files, const SourceSearch& search, GateResult& result) {
  std::map<std::string, std::string> paths;
  for (const GateRow& row : result.rows)
    for (const GateFinding& finding : row.findings)
      if (finding.place.line > 0) paths[finding.place.recorded_path];
  if (paths.empty()) return;
  std::vector<std::string> names;
  for (const auto& [recorded, path] : paths) names.emplace_back(base_name(recorded));
  const WorkspaceFiles workspace =
      WorkspaceFiles::find(files, search.roots, names, {}, search.environments);
  for (auto& [recorded, path] : paths) {
    go_on();
    path = map_path(files, recorded, search.path_mappings, workspace).path;
  }
  for (GateRow& row : result.rows)
    for (GateFinding& finding : row.findings)
      if (finding.place.line > 0) finding.place.path = paths[finding.place.recorded_path];
}

}  // namespace etlens
