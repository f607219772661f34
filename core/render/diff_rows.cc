// SPDX-License-Identifier: Apache-2.0
#include "core/render/diff_rows.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/render/diff_text.h"

namespace etlens {
namespace {

constexpr std::array<std::string_view, 4> kGroupings{"line", "module", "operator", "partition"};

// In which order verdicts are listed.
int order_of(const Judged& judged) {
  switch (judged.verdict) {
    case Verdict::Slower:
    case Verdict::Faster:
      return 0;
    case Verdict::Gone:
    case Verdict::New:
      return 1;
    case Verdict::CannotTell:
      return judged.reason == Reason::Small || judged.reason == Reason::Nothing ? 4 : 2;
    case Verdict::Same:
      return 3;
  }
  return 4;
}

std::string module_name(const Code& code, ModuleId id) {
  const std::string& path = code.modules[id.value].path;
  return path.empty() ? "(model)" : path;
}

std::string pair_text(const std::string& before, const std::string& after) {
  if (before.empty() || before == after) return after;
  return after.empty() ? before : before + " → " + after;
}

class RowWriter {
 public:
  explicit RowWriter(const Comparison& comparison)
      : comparison_(comparison),
        before_(*comparison.before->code),
        after_(*comparison.after->code) {}

  DiffRow line(const LineChange& line) const {
    const Code& code = line.after.empty() ? before_ : after_;
    const std::vector<LineId>& lines = line.after.empty() ? line.before : line.after;
    return {place_text(comparison_, line),
            std::string(code.text(code.lines[lines.front().value].text)),
            kernel_text(line.kernels_before, line.kernels_after), &line.change};
  }

  DiffRow module(const ModuleChange& module) const {
    const std::string before = module.before.valid() ? module_name(before_, module.before) : "";
    const std::string after = module.after.valid() ? module_name(after_, module.after) : "";
    const std::string_view type = module.after.valid()
                                      ? after_.text(after_.modules[module.after.value].type)
                                      : before_.text(before_.modules[module.before.value].type);
    return {pair_text(before, after), std::string(type), {}, &module.change};
  }

  DiffRow op(const OperatorChange& op) const {
    LineChange line;
    if (op.line_before.valid()) line.before.push_back(op.line_before);
    if (op.line_after.valid()) line.after.push_back(op.line_after);
    std::string place = fmt::format("{} {}", place_text(comparison_, line), op.op);
    if (op.number > 1) place += fmt::format(" #{}", op.number);
    const std::string module = op.module_after.valid()    ? module_name(after_, op.module_after)
                               : op.module_before.valid() ? module_name(before_, op.module_before)
                                                          : std::string();
    return {std::move(place), module, kernel_text(op.kernels_before, op.kernels_after), &op.change};
  }

  DiffRow partition(const PartitionChange& call) const {
    const auto name = [](const Code& code, PartitionId id) {
      return id.valid() ? fmt::format("call {}", code.partitions[id.value].number) : std::string();
    };
    const Code& code = call.after.valid() ? after_ : before_;
    const Partition& row =
        code.partitions[call.after.valid() ? call.after.value : call.before.value];
    return {pair_text(name(before_, call.before), name(after_, call.after)),
            row.module.valid() ? module_name(code, row.module) : std::string(),
            {},
            &call.change};
  }

 private:
  const Comparison& comparison_;
  const Code& before_;
  const Code& after_;
};

}  // namespace

std::optional<DiffGrouping> parse_diff_grouping(std::string_view name) {
  const auto at = std::find(kGroupings.begin(), kGroupings.end(), name);
  if (at == kGroupings.end()) return std::nullopt;
  return static_cast<DiffGrouping>(at - kGroupings.begin());
}

std::string_view name_of(DiffGrouping grouping) {
  return kGroupings[static_cast<size_t>(grouping)];
}

std::vector<DiffRow> diff_rows(const Comparison& comparison, DiffGrouping grouping) {
  const RowWriter writer(comparison);
  std::vector<DiffRow> rows;
  const auto add = [&](const auto& changes, auto row_of) {
    for (const auto& change : changes) {
      const bool has_time =
          change.change.before.ticks != Amount() || change.change.after.ticks != Amount();
      if (has_time) rows.push_back((writer.*row_of)(change));
    }
  };
  switch (grouping) {
    case DiffGrouping::Line:
      add(comparison.lines, &RowWriter::line);
      break;
    case DiffGrouping::Module:
      add(comparison.modules, &RowWriter::module);
      break;
    case DiffGrouping::Operator:
      add(comparison.operators, &RowWriter::op);
      break;
    case DiffGrouping::Partition:
      add(comparison.partitions, &RowWriter::partition);
      break;
  }
  std::stable_sort(rows.begin(), rows.end(), [](const DiffRow& a, const DiffRow& b) {
    const int x = order_of(a.change->judged);
    const int y = order_of(b.change->judged);
    if (x != y) return x < y;
    return std::abs(a.change->after.value - a.change->before.value) >
           std::abs(b.change->after.value - b.change->before.value);
  });
  return rows;
}

std::string rest_text(const std::vector<DiffRow>& rows, size_t first, DiffGrouping grouping) {
  if (first >= rows.size()) return {};
  size_t same = 0;
  size_t small = 0;
  size_t open = 0;
  size_t other = 0;
  for (size_t i = first; i < rows.size(); ++i) {
    const Judged& judged = rows[i].change->judged;
    if (judged.verdict == Verdict::Same) ++same;
    else if (judged.reason == Reason::Small || judged.reason == Reason::Nothing) ++small;
    else if (judged.verdict == Verdict::CannotTell) ++open;
    else ++other;
  }
  std::vector<std::string> parts;
  if (other > 0) parts.push_back(fmt::format("{} changed, gone or new", other));
  if (same > 0) parts.push_back(fmt::format("{} the same", same));
  if (open > 0) parts.push_back(fmt::format("{} cannot tell", open));
  if (small > 0) parts.push_back(fmt::format("{} below 0.5% of the time", small));
  const std::string name(name_of(grouping));
  return fmt::format("{}: {}", counted(rows.size() - first, "more " + name, "more " + name + "s"),
                     join(parts, ", "));
}

}  // namespace etlens
