// SPDX-License-Identifier: Apache-2.0
#include "core/render/cells.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/path.h"
#include "core/base/text.h"
#include "core/code/operator_name.h"
#include "core/render/format.h"
#include "core/view/scale.h"

namespace etlens {
namespace {

constexpr size_t kMaxListed = 3;

}  // namespace

Cells::Cells(const Facts& facts, const TableOptions& options)
    : facts_(facts),
      options_(options),
      factor_(facts.quantity().dimension == Dimension::Time
                  ? scale_factor(facts.quantity().ticks, options.target)
                  : 1) {}

std::string Cells::header(std::string_view name) const {
  if (is_human()) return std::string(name);
  return fmt::format("{} ({})", name, unit_of(facts_, options_.target));
}

std::string Cells::cost(const Cost& cost) const {
  if (!is_human()) return time(cost.value);
  const bool is_nothing =
      facts_.quantity().dimension == Dimension::Time && cost.amount == Amount() && cost.below == 0;
  return is_nothing ? "–" : format_cost(facts_, cost, options_.unit);
}

std::string Cells::time(double value) const {
  return is_human() ? format_value(facts_, value, options_.unit) : python_float(value / factor_);
}

std::string Cells::measured(double value, ContributionId id) const {
  return is_human() ? format_measured(facts_, value, std::span(&id, 1), options_.unit)
                    : time(value);
}

std::string Cells::share(double fraction) const {
  return is_human() ? format_share(fraction) : python_float(fraction);
}

std::string Cells::count(double per_execution) const { return fmt::format("{:g}", per_execution); }

std::string Cells::reported(const EventFacts& event) const {
  if (event.unit == DelegateUnit::Ticks) return "";
  return is_human() ? format_reported(event.reported, event.unit)
                    : fmt::format("{} {}", python_float(event.reported), name_of(event.unit));
}

std::string Cells::path(FileId file) const {
  const std::string& here = facts_.sources()[file.value].path;
  const std::string_view shown =
      here.empty() ? facts_.code().recorded_path(file) : std::string_view(here);
  return std::string(is_human() ? base_name(shown) : shown);
}

std::string Cells::line(LineId id) const {
  const CodeLine& line = facts_.code().lines[id.value];
  return fmt::format("{}:{}", path(line.file), line.number);
}

std::string Cells::lines(std::span<const LineId> lines) const {
  std::vector<LineId> distinct;
  for (const LineId line : lines) {
    if (std::find(distinct.begin(), distinct.end(), line) == distinct.end())
      distinct.push_back(line);
  }
  const size_t shown = is_human() ? std::min(distinct.size(), kMaxListed) : distinct.size();
  std::string text;
  for (size_t i = 0; i < shown; ++i) {
    const CodeLine& row = facts_.code().lines[distinct[i].value];
    const bool is_told = i == 0 ? facts_.code().files.size() == 1
                                : row.file == facts_.code().lines[distinct[i - 1].value].file;
    if (is_told && is_human()) text += fmt::format("{}{}", i > 0 ? "," : "", row.number);
    else text += (i > 0 ? ", " : "") + line(distinct[i]);
  }
  return shown < distinct.size() ? fmt::format("{} +{}", text, distinct.size() - shown) : text;
}

std::string Cells::operator_of(NodeId node) const {
  const EtRecord& record = *facts_.code().record;
  const std::string_view target = record.text(record.nodes[node.value].target);
  return std::string(is_human() ? base_operator_of_target(target) : target);
}

std::string Cells::list(std::vector<std::string> names) const {
  std::vector<std::string> distinct;
  for (std::string& name : names) {
    if (std::find(distinct.begin(), distinct.end(), name) == distinct.end())
      distinct.push_back(std::move(name));
  }
  if (!is_human() || distinct.size() <= kMaxListed) return join(distinct, ", ");
  const size_t more = distinct.size() - kMaxListed;
  distinct.resize(kMaxListed);
  return fmt::format("{} +{}", join(distinct, ", "), more);
}

std::string bytes_text(uint64_t bytes, TableStyle style) {
  if (style == TableStyle::Data) return std::to_string(bytes);
  return format_reported(static_cast<double>(bytes), DelegateUnit::Bytes);
}

std::string share_text(double share, TableStyle style) {
  return style == TableStyle::Data ? python_float(share) : format_share(share);
}

std::string recorded_line_text(const Code& code, LineId id, TableStyle style) {
  if (!id.valid()) return "";
  const CodeLine& line = code.lines[id.value];
  const std::string_view path = code.recorded_path(line.file);
  return fmt::format("{}:{}", style == TableStyle::Human ? base_name(path) : path, line.number);
}

}  // namespace etlens
