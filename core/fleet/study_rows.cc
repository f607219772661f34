// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/study_rows.h"

#include <fmt/format.h>

#include <map>

#include "core/base/budget.h"

namespace etlens {
namespace {

using Contributions = std::vector<ContributionId>;

class RowMaker {
 public:
  RowMaker(const Study& study, DumpHead head, bool each_execution)
      : study_(study),
        measure_(study.time()),
        code_(study.code()),
        each_execution_(each_execution) {
    rows_.head = std::move(head);
  }

  DumpRows run() && {
    fill_head();
    add_total();
    add_lines();
    add_modules();
    add_operators();
    return std::move(rows_);
  }

 private:
  void fill_head() {
    const Join& join = *study_.join;
    rows_.head.block = join.selected().name;
    rows_.head.statistic = name_of(measure_.statistic);
    rows_.head.executions = static_cast<uint32_t>(measure_.sample_count());
    rows_.head.tick = name_of(study_.clock());
    rows_.head.program = program_name(study_);
  }

  DumpRow& add(RowPlace place, Amount self, Amount inclusive) {
    DumpRow& row = rows_.rows.emplace_back();
    row.place = std::move(place);
    row.self_ticks = self.value;
    row.inclusive_ticks = inclusive.value;
    return row;
  }

  // Behind the row of the statistic, one for each execution used.
  void add_executions(const RowPlace& place, std::span<const int64_t> self,
                      std::span<const int64_t> inclusive) {
    for (size_t i = 0; i < self.size(); ++i) {
      add(place, Amount(self[i]), Amount(inclusive[i])).execution = measure_.samples.used[i] + 1;
    }
  }

  void add_total() {
    add({PlaceKind::Total, "total", "", 0, "", ""}, measure_.total.typical(), measure_.total.total);
    if (!each_execution_) return;
    std::vector<int64_t> totals;
    for (const uint32_t s : measure_.samples.used)
      totals.push_back(measure_.samples.totals[s].value);
    add_executions({PlaceKind::Total, "total", "", 0, "", ""}, totals, totals);
  }

  void add_lines() {
    const std::vector<LineLandings>& landings = measure_.landings->lines;
    size_t hottest = SIZE_MAX;  // a row
    for (size_t l = 0; l < landings.size(); ++l) {
      go_on();
      if (landings[l].own.empty()) continue;
      const LineTotal& total = measure_.lines[l];
      const RowPlace place = place_of_line(code_, LineId(l));
      const size_t row = rows_.rows.size();
      add(place, total.self.amount, total.inclusive.amount);
      const int64_t most = hottest == SIZE_MAX ? 0 : rows_.rows[hottest].self_ticks;
      if (total.self.amount.value > most) hottest = row;
      if (!each_execution_) continue;
      Contributions all = landings[l].own;
      all.insert(all.end(), landings[l].through.begin(), landings[l].through.end());
      add_executions(place, measure_.values_of(landings[l].own), measure_.values_of(all));
    }
    if (hottest != SIZE_MAX) rows_.rows[hottest].is_hottest = true;
  }

  void add_modules() {
    std::vector<Contributions> own(code_.modules.size());  // these two for single executions only
    std::vector<Contributions> all(code_.modules.size());
    std::vector<bool> has_any(code_.modules.size());
    for (size_t c = 0; c < measure_.landings->rows.size(); ++c) {
      const Landing& landing = measure_.landings->rows[c];
      if (landing.module.valid() && each_execution_) own[landing.module.value].emplace_back(c);
      for (const ModuleId owner : measure_.landings->owners_of(landing)) {
        go_on();
        has_any[owner.value] = true;
        if (each_execution_) all[owner.value].emplace_back(c);
      }
    }
    for (size_t m = 0; m < code_.modules.size(); ++m) {
      if (!has_any[m]) continue;
      const ModuleTotal& total = measure_.modules[m];
      const RowPlace place{PlaceKind::Module, code_.modules[m].path, "", 0, "", ""};
      add(place, total.self.amount, total.inclusive.amount);
      if (each_execution_)
        add_executions(place, measure_.values_of(own[m]), measure_.values_of(all[m]));
    }
  }

  // By the node's operator; where no node is known, by what the dump calls it.
  void add_operators() {
    std::map<std::string, Contributions> operators;
    for (size_t c = 0; c < measure_.landings->rows.size(); ++c) {
      go_on();
      const ContributionId id(c);
      const Landing& landing = measure_.landings->rows[c];
      if (landing.node.valid() && landing.is_leaf())
        operators[std::string(code_.record->text(code_.record->nodes[landing.node.value].target))]
            .push_back(id);
      else if (landing.is_leaf()) operators[study_.join->readable_name(id)].push_back(id);
    }
    for (const auto& [name, contributions] : operators) {
      const Sum sum = sum_of(measure_, contributions);
      const RowPlace place{PlaceKind::Operator, name, "", 0, "", ""};
      add(place, sum.total.amount, sum.total.amount);
      if (!each_execution_) continue;
      const std::vector<int64_t> values = measure_.values_of(contributions);
      add_executions(place, values, values);
    }
  }

  const Study& study_;
  const Measure& measure_;
  const Code& code_;
  bool each_execution_;
  DumpRows rows_;
};

}  // namespace

DumpRows rows_of(const Study& study, DumpHead head, bool each_execution) {
  return RowMaker(study, std::move(head), each_execution).run();
}

std::string program_name(const Study& study) {
  const Code& code = study.code();
  if (code.record != nullptr && !code.modules.empty()) {
    const StringId type = code.modules.front().type;
    return fmt::format("{} {}", code.method_name(),
                       type.valid() ? code.text(type) : std::string_view("?"));
  }
  uint64_t hash = 14695981039346656037u;
  for (size_t e = 0; e < study.join->events.size(); ++e) {
    go_on();
    for (const char c : study.join->logged_name(ContributionId(e)))
      hash = (hash ^ static_cast<uint8_t>(c)) * 1099511628211u;
  }
  return fmt::format("? {:016x}", hash);
}

RowPlace place_of_line(const Code& code, LineId line) {
  const LineKey key = code.key_of(line);
  RowPlace place{PlaceKind::Line,           "",
                 std::string(key.file),     code.lines[line.value].number,
                 std::string(key.function), std::string(key.text)};
  place.key = fmt::format("{}:{}:{}:{}", key.file, key.function, key.before, key.text);
  return place;
}

}  // namespace etlens
