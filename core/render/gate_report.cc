// SPDX-License-Identifier: Apache-2.0
#include "core/render/gate_report.h"

#include <fmt/format.h>

#include <set>

#include "core/base/budget.h"
#include "core/base/path.h"
#include "core/base/text.h"
#include "core/render/table.h"

namespace etlens {
namespace {

// Causes of one budget for people; JSON has all of them.
constexpr size_t kMaxCauses = 100;

std::string budget_place(const GateView& view, const GateRowView& row, const GatePaths& paths) {
  return fmt::format("{}:{}", relative_path(paths.here, view.policy), row.policy_line);
}

// Where the cause is: in the source here, or else as it was recorded. "" without a line.
std::string cause_place(const GateFindingView& finding, const GatePaths& paths) {
  if (!finding.line.value) return "";
  const std::string_view path = finding.path.value ? relative_path(paths.here, *finding.path.value)
                                                   : finding.recorded_path.value.value_or("");
  return fmt::format("{}:{}", path, *finding.line.value);
}

std::string_view words_of_status(const GateRowView& row) {
  return row.status == name_of(GateStatus::NotChecked) ? "not checked" : row.status;
}

// Calls `print` with the place and the text of each cause that no other budget named before.
template <typename Print>
void each_cause(const GateRowView& row, const GatePaths& paths, std::set<std::string>& printed,
                const Print& print) {
  size_t causes = 0;
  for (const GateFindingView& finding : row.findings) {
    go_on();
    // The verdict of the total is in the row.
    const bool is_total = !finding.line.value && finding.change.value;
    if (is_total || finding.text.empty() || causes == kMaxCauses) continue;
    const std::string place = cause_place(finding, paths);
    if (!printed.insert(place + "\n" + finding.text).second) continue;
    ++causes;
    print(finding, place);
  }
}

std::string github_command(std::string_view kind, std::string_view file, uint32_t line,
                           std::string_view budget, std::string_view text) {
  return fmt::format("::{} file={},line={},title={}::{}\n", kind, escape_github_property(file),
                     line, escape_github_property(fmt::format("etlens gate: {}", budget)),
                     escape_github(text));
}

std::string after_place(const std::string& place, std::string_view text) {
  return place.empty() ? std::string(text) : fmt::format("{}: {}", place, text);
}

}  // namespace

std::string gate_headline(const GateView& view, const GatePaths& paths) {
  const uint64_t all = view.budgets.size();
  std::string text = fmt::format("{}: ", relative_path(paths.here, view.policy));
  if (view.violated > 0)
    text += fmt::format("{} of {} violated", view.violated, counted(all, "budget"));
  else if (view.kept == 0) text += "no budget could be checked";
  else if (view.kept == all) text += fmt::format("{} kept", counted(all, "budget"));
  else text += fmt::format("{} of {} kept", view.kept, counted(all, "budget"));
  if (view.not_checked > 0 && view.kept + view.violated > 0)
    text += fmt::format(", {} not checked", view.not_checked);
  return text;
}

std::string gate_text(const GateView& view, const GatePaths& paths) {
  std::string text = gate_headline(view, paths) + "\n\n";
  std::set<std::string> printed;
  for (const GateRowView& row : view.budgets) {
    text += fmt::format("{:<11}  {}: {} ({})\n", words_of_status(row), row.budget, row.text,
                        budget_place(view, row, paths));
    each_cause(row, paths, printed, [&](const GateFindingView& finding, const std::string& place) {
      text += "  " + after_place(place, finding.text) + "\n";
    });
  }
  return text;
}

std::string gate_markdown(const GateView& view, const GatePaths& paths) {
  Table budgets;
  budgets.columns = {{.name = "budget", .is_place = true},
                     {"result", Align::Left},
                     {.name = "details", .is_prose = true},
                     {"policy", Align::Left}};
  Table causes;
  causes.columns = {kLineColumn, {"budget", Align::Left}, {.name = "cause", .is_prose = true}};
  std::set<std::string> printed;
  for (const GateRowView& row : view.budgets) {
    budgets.rows.push_back({std::string(row.budget), std::string(words_of_status(row)), row.text,
                            budget_place(view, row, paths)});
    each_cause(row, paths, printed, [&](const GateFindingView& finding, const std::string& place) {
      causes.rows.push_back({place, std::string(row.budget), finding.text});
    });
  }
  const std::string head = fmt::format("**{}**\n\n", escape_markdown(gate_headline(view, paths)));
  return head + to_markdown(budgets) + (causes.rows.empty() ? "" : "\n" + to_markdown(causes));
}

std::string gate_github(const GateView& view, const GatePaths& paths) {
  std::string text = gate_headline(view, paths) + "\n";
  std::set<std::string> printed;
  for (const GateRowView& row : view.budgets) {
    const bool is_open = row.status == name_of(GateStatus::NotChecked);
    if (row.status == name_of(GateStatus::Kept)) continue;
    const std::string_view policy = relative_path(paths.here, view.policy);
    text += github_command(is_open ? "warning" : "error", policy, row.policy_line, row.budget,
                           is_open ? "not checked: " + row.text : row.text);
    each_cause(row, paths, printed, [&](const GateFindingView& finding, const std::string& place) {
      // A file that is not here has no line that GitHub could show.
      if (finding.path.value) {
        text += github_command("error", relative_path(paths.here, *finding.path.value),
                               *finding.line.value, row.budget, finding.text);
      } else {
        text += github_command("error", policy, row.policy_line, row.budget,
                               after_place(place, finding.text));
      }
    });
  }
  return text;
}

std::string escape_github(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '%') out += "%25";
    else if (c == '\r') out += "%0D";
    else if (c == '\n') out += "%0A";
    else out += c;
  }
  return out;
}

std::string escape_github_property(std::string_view text) {
  std::string out;
  for (const char c : escape_github(text)) {
    if (c == ':') out += "%3A";
    else if (c == ',') out += "%2C";
    else out += c;
  }
  return out;
}

}  // namespace etlens
