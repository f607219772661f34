// SPDX-License-Identifier: Apache-2.0
// The sentences of `etlens gate`.
#include <fmt/format.h>

#include "core/base/budget.h"
#include "core/base/text.h"
#include "core/render/cells.h"
#include "core/render/diff_text.h"
#include "core/render/format.h"
#include "core/render/gate_report.h"

namespace etlens {
namespace {

// Unlike format_share it tells apart what a policy does: "52.9%", "95%".
std::string gate_share(double fraction) {
  std::string text = fmt::format("{:.1f}", fraction * 100);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text + "%";
}

std::string gate_bytes(double amount) {
  return bytes_text(static_cast<uint64_t>(amount), TableStyle::Human);
}

std::string gate_count(double amount) { return std::to_string(static_cast<uint64_t>(amount)); }

std::string gate_time(double ns) { return format_time(ns, TimeScale::Nanoseconds); }

// Two amounts that differ never look the same.
std::string gate_limit(std::string value, std::string limit, double exact, double exact_limit,
                       std::string_view unit) {
  if (value == limit && exact != exact_limit) {
    value = fmt::format("{:.0f} {}", exact, unit);
    limit = fmt::format("{:.0f} {}", exact_limit, unit);
  }
  return fmt::format("{}; the policy allows {}", value, limit);
}

std::string undecided_lines(const GateRow& row) {
  if (row.undecided == 0) return "";
  return fmt::format("; {} without a verdict: take more dumps of each side",
                     counted(row.undecided, "line is", "lines are"));
}

std::string left_over_operators(const GateRow& row) {
  const auto count = static_cast<uint64_t>(*row.value);
  if (count == 0) return "every operator on the CPU is in the list";
  return fmt::format("{} on the CPU {} not in the list", counted(count, "operator"),
                     count == 1 ? "is" : "are");
}

std::string slower_total_text(const GateRow& row) {
  const std::string limit = gate_share(row.budget.limit);
  if (row.status == GateStatus::Violated) {
    const Judged& judged = *row.findings.front().judged;
    return fmt::format("the total is {}: {} ({}); the policy allows {}", verdict_text(judged),
                       change_text(judged), interval_text(judged), limit);
  }
  if (row.undecided > 0) return "the total has no verdict: take more dumps of each side";
  return fmt::format("the total is not slower by more than {}", limit);
}

std::string slower_lines_text(const GateRow& row) {
  const std::string limit = gate_share(row.budget.limit);
  if (row.status == GateStatus::Violated) {
    return fmt::format("{} slower by more than {}{}",
                       counted(row.findings.size(), "line is", "lines are"), limit,
                       undecided_lines(row));
  }
  return fmt::format("no line is slower by more than {}{}", limit, undecided_lines(row));
}

// Of the whole program: it stands once, with the budget.
bool is_of_all(const DelegationReason& reason) { return reason.id == "no_delegate"; }

std::string reason_and_remedy(const DelegationReason& reason) {
  return reason.remedy.empty() ? reason.text : reason.text + " " + reason.remedy;
}

std::string reason_of_program(const GateRow& row) {
  if (row.findings.empty() || !is_of_all(row.findings.front().reason)) return "";
  return ". " + reason_and_remedy(row.findings.front().reason);
}

std::string budget_text(const GateRow& row) {
  if (!row.is_checked())
    return row.why_not + (row.budget.is_required ? "; the policy requires this budget" : "");
  const double value = *row.value;
  const double limit = row.budget.limit;
  switch (row.budget.budget) {
    case Budget::CpuOperators:
      return left_over_operators(row) + reason_of_program(row);
    case Budget::CpuNodes:
      return fmt::format("{} on the CPU; the policy allows {}",
                         counted(static_cast<uint64_t>(value), "operator"), gate_count(limit)) +
             reason_of_program(row);
    case Budget::Delegated:
      return fmt::format("{} of {} operators are delegated ({}); the policy asks for {}",
                         row.counted.delegated, row.counted.all, gate_share(value),
                         gate_share(limit)) +
             reason_of_program(row);
    case Budget::DelegateCalls:
      return fmt::format("{}; the policy allows {}",
                         counted(static_cast<uint64_t>(value), "delegate call"), gate_count(limit));
    case Budget::ColdStart:
      return "the cold start is " +
             gate_limit(gate_time(value), gate_time(limit), value, limit, "ns");
    case Budget::PeakMemory:
      return "the peak is " +
             gate_limit(gate_bytes(value), gate_bytes(limit), value, limit, "bytes");
    case Budget::FileSize:
      return "the file has " +
             gate_limit(gate_bytes(value), gate_bytes(limit), value, limit, "bytes");
    case Budget::SlowerTotal:
      return slower_total_text(row);
    case Budget::SlowerLines:
      return slower_lines_text(row);
    case Budget::kCount:
      break;
  }
  return "";
}

std::string cause_text(Budget budget, const GateFinding& finding) {
  if (!finding.op.empty()) {
    const std::string runs = finding.count == 1
                                 ? finding.op + " runs"
                                 : fmt::format("{} × {} run", finding.count, finding.op);
    if (is_of_all(finding.reason)) return runs + " on the CPU";
    return fmt::format("{} on the CPU: {}", runs, reason_and_remedy(finding.reason));
  }
  switch (budget) {
    case Budget::DelegateCalls:
      return fmt::format("delegate call {} ({}) is beyond the limit", finding.count,
                         finding.backend);
    case Budget::PeakMemory:
      return fmt::format("{} of the peak are made here",
                         gate_bytes(static_cast<double>(finding.count)));
    case Budget::FileSize:
      return fmt::format("{} of the file belong to this line",
                         gate_bytes(static_cast<double>(finding.count)));
    default:
      break;
  }
  if (!finding.judged) return "";
  return fmt::format("{}: {} ({})", verdict_text(*finding.judged), change_text(*finding.judged),
                     interval_text(*finding.judged));
}

}  // namespace

GateView worded_gate(const GateResult& result) {
  std::vector<GateWords> words;
  for (const GateRow& row : result.rows) {
    GateWords& of_row = words.emplace_back();
    of_row.row = budget_text(row);
    for (const GateFinding& finding : row.findings) {
      go_on();
      of_row.findings.push_back(cause_text(row.budget.budget, finding));
    }
  }
  return gate_view(result, std::move(words));
}

}  // namespace etlens
