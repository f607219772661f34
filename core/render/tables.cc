// SPDX-License-Identifier: Apache-2.0
// The tables of modules, events and delegate calls.
#include "core/render/tables.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/facts/delegation.h"
#include "core/facts/graph_advice.h"
#include "core/facts/ranking.h"
#include "core/render/cells.h"
#include "core/render/group_columns.h"
#include "core/render/hint_text.h"
#include "core/render/summary.h"

namespace etlens {
namespace {

// For people: indented by its depth below the root that is shown, or where the rows are no tree,
// its path.
std::string module_name(const ModuleFacts& module, std::string_view root, uint32_t root_depth,
                        const TableOptions& options) {
  if (!options.is_tree) return module.path.empty() ? "(model)" : std::string(module.path);
  const std::string indent(2 * (module.depth - root_depth), ' ');
  if (module.path.empty()) return indent + "(model)";
  const size_t dot = module.path == root ? std::string_view::npos : module.path.rfind('.');
  return indent + std::string(module.path.substr(dot == std::string_view::npos ? 0 : dot + 1));
}

double fraction(Amount part, Amount whole) {
  return whole.value == 0 ? 0 : static_cast<double>(part.value) / static_cast<double>(whole.value);
}

std::string instruction_of(const EventFacts& event) {
  return event.instruction ? std::to_string(event.instruction->value) : "";
}

class EventsTable {
 public:
  EventsTable(const Facts& facts, const std::vector<AnchoredSource>& sources,
              const TableOptions& options)
      : facts_(facts), sources_(sources), cells_(facts, options) {}

  Table run() {
    const std::vector<double> running = running_shares(facts_);
    std::vector<EventFacts> events;
    for (const ContributionId id : facts_.ranked()) events.push_back(facts_.event(id));
    const bool has_units = std::any_of(events.begin(), events.end(), [](const EventFacts& event) {
      return event.unit != DelegateUnit::Ticks;
    });
    is_once_ = std::all_of(events.begin(), events.end(),
                           [](const EventFacts& event) { return event.occurrences == 1; });
    Table table;
    table.columns = cells_.is_human() ? columns_for_people() : columns_of_data();
    if (has_units) table.columns.push_back({"reported", Align::Right});
    for (size_t i = 0; i < events.size(); ++i) {
      table.rows.push_back(cells_.is_human() ? row_for_people(events[i], running[i])
                                             : row_of_data(events[i], running[i]));
      if (has_units) table.rows.back().push_back(cells_.reported(events[i]));
    }
    return table;
  }

 private:
  std::vector<Column> columns_for_people() const {
    return {{"event"},
            {"instr", Align::Right, "instruction"},
            {"self", Align::Right},
            {"share", Align::Right},
            {"sum", Align::Right},
            {.name = "p50", .align = Align::Right, .is_extra = true},
            {.name = "p90", .align = Align::Right, .is_extra = true},
            {.name = "n", .align = Align::Right, .key = "occurrences", .is_extra = is_once_},
            {"where"},
            kLineColumn,
            {"module"}};
  }

  // As in hints.
  static std::string_view sign_of(const EventFacts& event) {
    if (event.has_place() && event.confidence == Confidence::Inferred) return kInferredSign;
    return event.has_place() && event.confidence == Confidence::Recovered ? kRecoveredSign : "";
  }

  // An operator that no delegate ran.
  static bool is_kernel(const EventFacts& event) {
    return event.backend.empty() && (event.has_place() || event.part == Part::Unattributed);
  }

  std::vector<std::string> row_for_people(const EventFacts& event, double running) const {
    const PerfData perf = statistics(event);
    return {event.name,
            instruction_of(event),
            cells_.cost(event.self),
            cells_.share(event.self.share),
            cells_.share(running),
            event.has_duration ? cells_.measured(perf.p50, event.id) : "",
            event.has_duration ? cells_.measured(perf.p90, event.id) : "",
            cells_.count(event.occurrences),
            is_kernel(event) ? "CPU" : event.where,
            fmt::format("{}{}", sign_of(event), place_of(event)),
            std::string(event.module_path.value_or(""))};
  }

  std::vector<Column> columns_of_data() const {
    return {{"event"},
            {"instruction", Align::Right},
            {cells_.header("self"), Align::Right},
            {cells_.header("low"), Align::Right},
            {cells_.header("high"), Align::Right},
            {"share", Align::Right},
            {"sum", Align::Right},
            {cells_.header("p50"), Align::Right},
            {cells_.header("p90"), Align::Right},
            {"occurrences", Align::Right},
            {"where"},
            {"confidence"},
            kLineColumn,
            {"module"}};
  }

  std::vector<std::string> row_of_data(const EventFacts& event, double running) const {
    const PerfData perf = statistics(event);
    const std::optional<Interval> interval = facts_.interval(std::span(&event.id, 1));
    return {event.logged_name,
            instruction_of(event),
            cells_.cost(event.self),
            interval ? cells_.time(interval->low) : "",
            interval ? cells_.time(interval->high) : "",
            cells_.share(event.self.share),
            cells_.share(running),
            event.has_duration ? cells_.time(perf.p50) : "",
            event.has_duration ? cells_.time(perf.p90) : "",
            cells_.count(event.occurrences),
            std::string(event.backend),
            event.has_place() ? std::string(name_of(event.confidence)) : "",
            place_of(event),
            std::string(event.module_path.value_or(""))};
  }

  // Where the event's time is: a line as it is now, or the part of the time.
  std::string place_of(const EventFacts& event) const {
    if (!event.line.valid()) return std::string(place_words(event.part));
    const CodeLine& line = facts_.code().lines[event.line.value];
    const Anchor& anchor = sources_[line.file.value].of(facts_.code(), event.line);
    return fmt::format("{}:{}", cells_.path(line.file),
                       anchor.line == 0 ? line.number : anchor.line);
  }

  std::string_view place_words(Part part) const {
    return cells_.is_human() ? describe(facts_, part) : name_of(part);
  }

  PerfData statistics(const EventFacts& event) const {
    return event.has_duration ? facts_.statistics(std::span(&event.id, 1)) : PerfData();
  }

  const Facts& facts_;
  const std::vector<AnchoredSource>& sources_;
  Cells cells_;
  bool is_once_ = false;  // every event occurs once in an execution
};

void erase_column(Table& table, std::string_view name) {
  const auto at = std::find_if(table.columns.begin(), table.columns.end(),
                               [&](const Column& column) { return column.name == name; });
  const auto index = at - table.columns.begin();
  table.columns.erase(at);
  for (std::vector<std::string>& row : table.rows) row.erase(row.begin() + index);
}

std::string neighbours_text(const Cells& cells, const Facts& facts,
                            const std::vector<Neighbour>& neighbours) {
  std::vector<std::string> names;
  for (const Neighbour& row : neighbours) {
    names.push_back(row.partition.valid()
                        ? fmt::format("#{}", facts.code().partitions[row.partition.value].number)
                        : cells.operator_of(row.node));
  }
  return cells.list(std::move(names));
}

}  // namespace

Table modules_table(const Facts& facts, std::string_view root, const TableOptions& options) {
  const Cells cells(facts, options);
  Table table;
  table.columns = {{"module"},
                   {cells.header("inclusive"), Align::Right},
                   {"share", Align::Right},
                   {cells.header("self"), Align::Right},
                   {"calls", Align::Right},
                   {"delegated", Align::Right},
                   {"type"}};
  std::vector<CostsInGroups> groups;
  const ModuleId top = facts.code().find_module(root);
  const uint32_t top_depth = top.valid() ? facts.code().modules[top.value].depth : 0;
  for (const ModuleId id : modules_below(facts.code(), root)) {
    const ModuleFacts module = facts.module(id);
    const std::string_view type =
        cells.is_human() ? module.type.substr(module.type.rfind('.') + 1) : module.type;
    table.rows.push_back({cells.is_human() ? module_name(module, root, top_depth, options)
                                           : std::string(module.path),
                          cells.cost(module.inclusive), cells.share(module.inclusive.share),
                          cells.cost(module.self), std::to_string(module.calls),
                          cells.share(fraction(module.delegated, module.inclusive.amount)),
                          std::string(type)});
    if (options.by_group) groups.push_back(in_groups(facts, id));
  }
  add_group_columns(table, "calls", facts, options, groups, &CostInGroup::inclusive);
  return table;
}

Table events_table(const Facts& facts, const std::vector<AnchoredSource>& sources,
                   const TableOptions& options) {
  Table table = EventsTable(facts, sources, options).run();
  if (!options.by_group) return table;
  std::vector<CostsInGroups> groups;
  for (const ContributionId event : facts.ranked()) groups.push_back(in_groups(facts, event));
  add_group_columns(table, options.style == TableStyle::Human ? "n" : "occurrences", facts, options,
                    groups);
  return table;
}

Table partitions_table(const Facts& facts, const TableOptions& options) {
  const Cells cells(facts, options);
  const bool is_human = cells.is_human();
  Table table;
  table.columns = {{"#", Align::Right, "call"},
                   {is_human ? "instr" : "instruction", Align::Right, "instruction"},
                   {"backend"},
                   {cells.header("total"), Align::Right},
                   {"share", Align::Right},
                   {cells.header("explained"), Align::Right},
                   {cells.header("opaque"), Align::Right},
                   {cells.header("overhead"), Align::Right},
                   {"operators", Align::Right},
                   {"not reported", Align::Right},
                   {"lines"},
                   {.name = "fed by", .is_extra = true},
                   {.name = "read by", .is_extra = true},
                   {.name = cells.header("init"), .align = Align::Right}};
  const std::vector<PartitionDetail> details = partition_details(facts);
  bool any_init = false;
  bool any_opaque = false;
  bool any_unreported = false;
  for (size_t p = 0; p < details.size(); ++p) {
    const PartitionFacts row = facts.partition(PartitionId(p));
    any_init |= row.init.has_value();
    any_opaque |= row.opaque.amount != Amount();
    any_unreported |= !row.unreported.empty();
    table.rows.push_back({std::to_string(row.number), std::to_string(row.instruction.value),
                          is_human ? row.label : std::string(row.backend), cells.cost(row.total),
                          cells.share(row.total.share), cells.cost(row.explained),
                          cells.cost(row.opaque), cells.cost(row.overhead),
                          std::to_string(row.events.size()), std::to_string(row.unreported.size()),
                          cells.lines(row.lines), neighbours_text(cells, facts, details[p].fed_by),
                          neighbours_text(cells, facts, details[p].read_by),
                          row.init ? cells.time(*row.init) : std::string()});
  }
  table.columns.back().is_extra = !any_init;
  if (is_human && !any_unreported) erase_column(table, "not reported");
  if (is_human && !any_opaque) erase_column(table, "opaque");
  return table;
}

Table fallbacks_table(const Facts& facts, const TableOptions& options) {
  const Cells cells(facts, options);
  const std::vector<Partition>& partitions = facts.code().partitions;
  Table table;
  table.columns = {{"between"},
                   {cells.header("time"), Align::Right},
                   {"share", Align::Right},
                   {"operators"},
                   {"lines"}};
  for (const FallbackGap& gap : facts.fallback_gaps()) {
    std::vector<std::string> operators;
    std::vector<LineId> lines;
    for (const ContributionId id : gap.events) {
      const EventFacts event = facts.event(id);
      if (event.node.valid()) operators.push_back(cells.operator_of(event.node));
      else operators.push_back(cells.is_human() ? operator_name(facts, id) : event.logged_name);
      if (event.line.valid()) lines.push_back(event.line);
    }
    const Cost cost = facts.cost_of(gap.events);
    table.rows.push_back({fmt::format("#{} and #{}", partitions[gap.before.value].number,
                                      partitions[gap.after.value].number),
                          cells.cost(cost), cells.share(cost.share),
                          cells.list(std::move(operators)), cells.lines(lines)});
  }
  return table;
}

}  // namespace etlens
