// SPDX-License-Identifier: Apache-2.0
#include "core/render/group_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/facts/headline.h"
#include "core/render/cells.h"
#include "core/render/summary.h"

namespace etlens {
namespace {

// What one types for a group's column.
std::string key_of_group(std::string_view name) {
  std::string key(name);
  std::replace(key.begin(), key.end(), ' ', '-');
  return key;
}

// The columns of one group, and the cells below them.
struct GroupColumns {
  const Cells& cells;
  Cost CostInGroup::*ranked;

  bool is_self() const { return ranked == &CostInGroup::self; }

  std::array<Column, 3> of(const GroupFacts& group) const {
    const std::string key = key_of_group(group.name);
    const std::string_view first = is_self() ? "self" : "inclusive";
    const std::string_view other = is_self() ? "inclusive" : "self";
    const auto name = [&](std::string_view what) { return fmt::format("{} {}", group.name, what); };
    const bool is_human = cells.is_human();
    return {Column{.name = is_human ? group_heading(group.name, group.samples.size())
                                    : cells.header(name(first)),
                   .align = Align::Right,
                   .key = key},
            Column{.name = is_human ? "share" : name("share"),
                   .align = Align::Right,
                   .key = key + "-share"},
            Column{.name = cells.header(name(other)),
                   .align = Align::Right,
                   .key = fmt::format("{}-{}", key, other),
                   .is_extra = is_human}};
  }

  std::array<std::string, 3> row(const CostInGroup& cost) const {
    return {cells.cost(cost.*ranked), cells.share((cost.*ranked).share),
            cells.cost(is_self() ? cost.inclusive : cost.self)};
  }
};

// Of the shown group alone.
bool is_of_one_group(const Column& column) {
  constexpr std::array<std::string_view, 7> kKeys{"self", "interval", "share", "inclusive",
                                                  "sum",  "p50",      "p90"};
  return std::find(kKeys.begin(), kKeys.end(), column.typed()) != kKeys.end();
}

}  // namespace

std::string group_heading(std::string_view name, size_t executions) {
  return fmt::format("{} ×{}", name, executions);
}

void add_group_columns(Table& table, std::string_view before, const Facts& facts,
                       const TableOptions& options, const std::vector<CostsInGroups>& rows,
                       Cost CostInGroup::*ranked) {
  if (rows.empty() || rows.front().empty()) return;
  const Cells cells(facts, options);
  const GroupColumns columns{cells, ranked};
  std::vector<Column> added;
  for (const GroupFacts& group : headline(facts).groups)
    std::ranges::move(columns.of(group), std::back_inserter(added));
  if (cells.is_human()) {
    for (Column& column : table.columns) column.is_extra |= is_of_one_group(column);
  }
  const auto at = std::ranges::find(table.columns, before, &Column::name) - table.columns.begin();
  table.columns.insert(table.columns.begin() + at, added.begin(), added.end());
  for (size_t r = 0; r < table.rows.size(); ++r) {
    std::vector<std::string> row;
    for (const CostInGroup& cost : rows[r])
      std::ranges::move(columns.row(cost), std::back_inserter(row));
    table.rows[r].insert(table.rows[r].begin() + at, std::make_move_iterator(row.begin()),
                         std::make_move_iterator(row.end()));
  }
}

Table parts_by_group_table(const Facts& facts, const TableOptions& options) {
  const std::vector<GroupFacts> groups = headline(facts).groups;
  if (groups.empty()) return {};
  const Cells cells(facts, options);
  Table table;
  table.columns = {{"part"}};
  std::vector<std::string> whole{fmt::format(
      "= {}", facts.quantity().whole.empty() ? "Method::execute" : facts.quantity().whole)};
  for (const GroupFacts& group : groups) {
    table.columns.push_back({.name = group_heading(group.name, group.samples.size()),
                             .align = Align::Right,
                             .key = key_of_group(group.name)});
    whole.push_back(cells.time(facts.quantity().shown(group.total.total, group.samples.size())));
  }
  const auto row_of = [&](std::string_view name, const std::vector<Cost>& costs) {
    std::vector<std::string> row{std::string(name)};
    for (const Cost& cost : costs) row.push_back(cells.cost(cost));
    return row;
  };
  for (const PartInGroups& part : parts_in_groups(facts))
    table.rows.push_back(row_of(describe(facts, part.part), part.costs));
  table.rows.push_back(row_of("noise", noise_of_groups(facts)));
  table.rows.push_back(std::move(whole));
  return table;
}

}  // namespace etlens
