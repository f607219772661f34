// SPDX-License-Identifier: Apache-2.0
#include "core/render/hover_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "core/base/path.h"
#include "core/base/text.h"
#include "core/code/operator_name.h"
#include "core/facts/export_facts.h"
#include "core/facts/line_work.h"
#include "core/render/format.h"
#include "core/render/group_columns.h"

namespace etlens {
namespace {

constexpr size_t kMaxHoverRows = 8;
constexpr size_t kMaxHoverGroups = 4;

std::string short_operator(std::string_view op) {
  return std::string(op.empty() ? op : base_operator_of_target(op));
}

// "layers.*.attn ×32": how often it occurs in one execution, where that is more than once.
std::string module_words(const WorkFacts& row) {
  std::string text = row.has_module ? shown_module(row.module) : "";
  if (row.occurrences != 1)
    text += fmt::format("{}×{:g}", text.empty() ? "" : " ", row.occurrences);
  return text;
}

// "XNNPACK, aligned".
std::string place_words(const WorkFacts& row) {
  return fmt::format("{}, {}", row.where.empty() ? "CPU" : row.where,
                     confidence_words(row.confidence, row.candidates));
}

// The kernel tells nothing that its operator does not.
bool is_named_by_operator(const WorkFacts& row) {
  const std::string op = short_operator(row.op);
  return !op.empty() && base_operator_of_kernel(row.name) == op;
}

}  // namespace

void add_work(const Facts& facts, const LineFacts& line, const HoverOptions& options,
              HoverInfo& info) {
  std::vector<WorkFacts> rows = work_of(facts, line.own.empty() ? line.through : line.own);
  info.more_operators = rows.size() - std::min(rows.size(), kMaxHoverRows);
  rows.resize(rows.size() - info.more_operators);
  const bool has_kernels = !std::all_of(rows.begin(), rows.end(), is_named_by_operator);
  const bool is_one_place = std::all_of(rows.begin(), rows.end(), [&](const WorkFacts& row) {
    return place_words(row) == place_words(rows.front());
  });
  Table& table = info.operators;
  table.columns = {{"operator"}};
  if (has_kernels) table.columns.push_back({"event"});
  table.columns.push_back({"module"});
  info.name_columns = table.columns.size();
  table.columns.push_back({"time", Align::Right});
  if (!is_one_place) table.columns.push_back({"where"});
  for (const WorkFacts& row : rows) {
    std::vector<std::string>& cells = table.rows.emplace_back();
    cells.push_back(short_operator(row.op));
    if (has_kernels) cells.push_back(short_kernel(row.name));
    cells.push_back(module_words(row));
    cells.push_back(format_cost(facts, row.cost, options.unit));
    const EventFacts first = facts.event(row.events.front());
    const bool has_unit = row.events.size() == 1 && (first.unit == DelegateUnit::Cycles ||
                                                     first.unit == DelegateUnit::Counter);
    if (has_unit) cells.back() += fmt::format(" ({})", format_reported(first.reported, first.unit));
    if (!is_one_place) cells.push_back(place_words(row));
  }
}

void add_groups(const Facts& facts, const CostsInGroups& costs, bool is_inclusive,
                const HoverOptions& options, HoverInfo& info) {
  if (costs.empty()) return;
  const auto shown = is_inclusive ? &CostInGroup::inclusive : &CostInGroup::self;
  const bool has_inner =
      !is_inclusive && std::any_of(costs.begin(), costs.end(), [](const CostInGroup& cost) {
        return cost.inclusive.amount > cost.self.amount;
      });
  const size_t count = std::min(costs.size(), kMaxHoverGroups);
  info.more_groups = costs.size() - count;
  Table& table = info.groups;
  table.columns = {{"time"}};
  table.rows = {{is_inclusive ? "in what it calls" : "self"}, {"share"}};
  if (has_inner) table.rows.push_back({"with what it calls"});
  for (size_t g = 0; g < count; ++g) {
    const Cost& cost = costs[g].*shown;
    table.columns.push_back({group_heading(costs[g].group, costs[g].executions), Align::Right});
    table.rows[0].push_back(format_cost(facts, cost, options.unit));
    table.rows[1].push_back(format_share(cost.share));
    if (has_inner) table.rows[2].push_back(format_cost(facts, costs[g].inclusive, options.unit));
  }
}

void add_callees(const Facts& facts, const LineFacts& line, const HoverOptions& options,
                 HoverInfo& info) {
  const std::vector<CalleeFacts> rows = callees_of(facts, line);
  if (rows.empty()) return;
  info.operators.columns = {
      {"function"}, {"lines"}, {"module"}, {"time", Align::Right}, {"share", Align::Right}};
  info.name_columns = 3;
  info.linked_column = 1;
  for (const CalleeFacts& row : rows) {
    if (info.operators.rows.size() == kMaxHoverRows) break;
    const FileId file = facts.code().lines[row.lines.front().value].file;
    std::vector<std::string> numbers;
    for (const LineId id : row.lines)
      numbers.push_back(std::to_string(current_number(facts, id, options)));
    constexpr size_t kMaxNumbers = 4;
    if (numbers.size() > kMaxNumbers) {
      numbers.resize(kMaxNumbers);
      numbers.emplace_back("…");
    }
    const std::string path(base_name(facts.code().recorded_path(file)));
    info.operators.rows.push_back(
        {std::string(row.function), path + ":" + join(numbers, ","), shown_module(row.module),
         format_cost(facts, row.cost, options.unit), format_share(row.cost.share)});
    info.row_addresses.push_back(address_of(facts, row.lines.front(), options));
  }
  info.more_operators = rows.size() - info.operators.rows.size();
}

HoverWords callees_words(const Facts& facts, const LineFacts& line, const HoverOptions& options) {
  std::vector<HoverWords> items;
  for (const CalleeFacts& row : callees_of(facts, line)) {
    HoverWords item;
    item.name(row.function);
    if (!row.module.empty()) item.say(" of ").name(row.module);
    item.say(" ");
    item.append(line_words(facts, row.lines.front(), line.file, options));
    items.push_back(std::move(item.say(" " + format_cost(facts, row.cost, options.unit))));
  }
  if (items.empty()) return {};
  HoverWords words("calls ");
  words.list(items, kMaxHoverRows);
  return words;
}

void add_operators(const Facts& facts, const std::vector<ContributionId>& operators,
                   HoverInfo& info) {
  struct Row {
    std::string where;
    std::string op;
    std::string why;
    auto operator<=>(const Row&) const = default;
  };
  // What runs on the CPU first: that is what there is something to do about.
  std::map<std::pair<bool, Row>, size_t> rows;
  const bool is_lowered = lowering_of(facts.study()) != Lowering::NotLowered;
  for (const ContributionId id : operators) {
    const ContributionFacts row = facts.contribution(id);
    const std::string cpu = is_lowered ? "CPU" : "";
    const bool is_delegated = row.partition.valid();
    ++rows[{is_delegated, {is_delegated ? row.where : cpu, short_operator(row.op), row.remark}}];
  }
  info.operators.columns = {{"operator"}, {"nodes", Align::Right}, {"runs on"}, {"why"}};
  info.name_columns = 1;
  for (const auto& [key, count] : rows) {
    if (info.operators.rows.size() == kMaxHoverRows) break;
    info.operators.rows.push_back(
        {key.second.op, std::to_string(count), key.second.where, key.second.why});
  }
  info.more_operators = rows.size() - info.operators.rows.size();
}

void add_contributions(const Facts& facts, const std::vector<ContributionId>& ranked,
                       const HoverOptions& options, HoverInfo& info) {
  const auto has_amount = [&](ContributionId id) {
    return facts.contribution(id).self.amount > Amount();
  };
  info.operators.columns = {{"operator"},
                            {"name"},
                            {"module"},
                            {std::string(facts.quantity().label), Align::Right},
                            {"remark"}};
  info.name_columns = 3;
  for (size_t i = 0; i < std::min(ranked.size(), kMaxHoverRows); ++i) {
    const ContributionFacts row = facts.contribution(ranked[i]);
    // Those that have nothing are only listed where none has.
    if (i > 0 && row.self.amount == Amount() && has_amount(ranked.front())) break;
    std::vector<std::string> remarks;
    if (row.level) remarks.push_back(format_level(*row.level));
    if (!row.remark.empty()) remarks.push_back(row.remark);
    if (row.confidence == Confidence::Inferred)
      remarks.push_back(confidence_words(row.confidence, row.candidates));
    info.operators.rows.push_back({short_operator(row.op), row.name,
                                   row.module_path ? shown_module(*row.module_path) : std::string(),
                                   format_cost(facts, row.self, options.unit),
                                   join(remarks, ", ")});
  }
  info.more_operators = ranked.size() - info.operators.rows.size();
}

void add_instances(const Facts& facts, const std::vector<ModuleId>& modules,
                   const HoverOptions& options, HoverInfo& info) {
  std::vector<ModuleFacts> ranked;
  for (const ModuleId id : modules) ranked.push_back(facts.module(id));
  std::stable_sort(ranked.begin(), ranked.end(), [](const ModuleFacts& a, const ModuleFacts& b) {
    return a.inclusive.amount > b.inclusive.amount;
  });
  info.operators.columns = {
      {"module"}, {"inclusive", Align::Right}, {"share", Align::Right}, {"self", Align::Right}};
  info.name_columns = 1;
  for (size_t i = 0; i < std::min(ranked.size(), kMaxHoverRows); ++i) {
    const ModuleFacts& module = ranked[i];
    info.operators.rows.push_back(
        {shown_module(module.path), format_cost(facts, module.inclusive, options.unit),
         format_share(module.inclusive.share), format_cost(facts, module.self, options.unit)});
  }
  info.more_operators = ranked.size() - info.operators.rows.size();
}

}  // namespace etlens
