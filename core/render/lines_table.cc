// SPDX-License-Identifier: Apache-2.0
// The table of `etlens lines`.
#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"
#include "core/facts/ranking.h"
#include "core/render/cells.h"
#include "core/render/group_columns.h"

namespace etlens {
namespace {

class LinesTable {
 public:
  LinesTable(const Facts& facts, const std::vector<AnchoredSource>& sources,
             const TableOptions& options)
      : facts_(facts), sources_(sources), cells_(facts, options), ranking_(facts) {}

  Table run() {
    const std::vector<LineId> lines = listed_lines(facts_);
    any_moved_ = std::any_of(lines.begin(), lines.end(), [&](LineId line) {
      return now(line) != facts_.code().lines[line.value].number;
    });
    any_interval_ = !lines.empty() && interval(facts_.line(lines.front()), 0).has_value();
    Table table;
    table.columns = cells_.is_human() ? columns_for_people() : columns_of_data();
    for (size_t i = 0; i < lines.size(); ++i) {
      const LineFacts line = facts_.line(lines[i]);
      table.rows.push_back(cells_.is_human() ? row_for_people(line, i) : row_of_data(line, i));
    }
    return table;
  }

 private:
  uint32_t now(LineId id) const {
    return sources_[facts_.code().lines[id.value].file.value].of(facts_.code(), id).line;
  }
  std::string now_text(LineId id) const { return now(id) == 0 ? "" : std::to_string(now(id)); }

  bool is_ranked(size_t index) const { return index < facts_.hot_lines().size(); }

  std::optional<Interval> interval(const LineFacts& line, size_t index) {
    if (is_ranked(index)) return ranking_.interval(index);
    return line.own.empty() ? std::nullopt : facts_.interval(line.own);
  }

  // "2", or "2–3" where nothing tells these apart; "" for what is in no ranking.
  std::string rank(size_t index) {
    if (!is_ranked(index)) return "";
    const RankRange range = ranking_.places(index);
    if (range.first == range.last) return std::to_string(range.first);
    return fmt::format("{}{}{}", range.first, cells_.is_human() ? "–" : "-", range.last);
  }

  std::vector<Column> columns_for_people() const {
    std::vector<Column> columns{{"#", Align::Right, "rank"}, kLineColumn};
    if (any_moved_) columns.push_back({"now", Align::Right});
    columns.push_back({"self", Align::Right});
    if (any_interval_) columns.push_back({"±", Align::Right, "interval"});
    for (const Column& column : std::vector<Column>{{"share", Align::Right},
                                                    {"inclusive", Align::Right},
                                                    {"×", Align::Right, "calls"},
                                                    {"where"},
                                                    {"confidence"},
                                                    {.name = "text", .is_prose = true}})
      columns.push_back(column);
    return columns;
  }

  std::vector<std::string> row_for_people(const LineFacts& line, size_t index) {
    std::vector<std::string> row{rank(index), cells_.line(line.id)};
    if (any_moved_) row.push_back(now_text(line.id));
    row.push_back(cells_.cost(line.self));
    if (any_interval_) {
      const std::optional<Interval> known = interval(line, index);
      row.push_back(
          known ? cells_.time(std::max(known->high - line.self.value, line.self.value - known->low))
                : "");
    }
    for (std::string cell : {cells_.share(line.self.share), cells_.cost(line.inclusive),
                             line.runs == 0 ? "" : std::to_string(line.runs), join(line.where, "+"),
                             std::string(name_of(line.confidence)),
                             // Of definitions no text was recorded.
                             std::string(line.text.empty() ? line.function : line.text)})
      row.push_back(std::move(cell));
    return row;
  }

  std::vector<Column> columns_of_data() const {
    return {{"rank", Align::Right},
            {"file"},
            {"line", Align::Right},
            {"now", Align::Right},
            {cells_.header("self"), Align::Right},
            {cells_.header("low"), Align::Right},
            {cells_.header("high"), Align::Right},
            {"share", Align::Right},
            {cells_.header("inclusive"), Align::Right},
            {"occurrences", Align::Right},
            {"calls", Align::Right},
            {"where"},
            {"confidence"},
            {"text"}};
  }

  std::vector<std::string> row_of_data(const LineFacts& line, size_t index) {
    const std::optional<Interval> known = interval(line, index);
    return {rank(index),
            cells_.path(line.file),
            std::to_string(line.number),
            now_text(line.id),
            cells_.cost(line.self),
            known ? cells_.time(known->low) : "",
            known ? cells_.time(known->high) : "",
            cells_.share(line.self.share),
            cells_.cost(line.inclusive),
            cells_.count(line.occurrences),
            std::to_string(line.runs),
            join(line.where, "+"),
            std::string(name_of(line.confidence)),
            std::string(line.text)};
  }

  const Facts& facts_;
  const std::vector<AnchoredSource>& sources_;
  Cells cells_;
  Ranking ranking_;  // of the first lines
  bool any_moved_ = false;
  bool any_interval_ = false;
};

}  // namespace

Table lines_table(const Facts& facts, const std::vector<AnchoredSource>& sources,
                  const TableOptions& options) {
  Table table = LinesTable(facts, sources, options).run();
  if (!options.by_group) return table;
  std::vector<CostsInGroups> groups;
  for (const LineId line : listed_lines(facts)) groups.push_back(in_groups(facts, line));
  add_group_columns(table, options.style == TableStyle::Human ? "×" : "occurrences", facts, options,
                    groups);
  return table;
}

}  // namespace etlens
