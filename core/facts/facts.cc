// SPDX-License-Identifier: Apache-2.0
#include "core/facts/facts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>

#include "core/base/assert.h"
#include "core/base/text.h"

namespace etlens {
namespace {

// How many leading components the paths share.
size_t shared_components(std::string_view a, std::string_view b) {
  const std::vector<std::string_view> x = split(a, '.');
  const std::vector<std::string_view> y = split(b, '.');
  const auto ends = std::mismatch(x.begin(), x.end(), y.begin(), y.end());
  return static_cast<size_t>(ends.first - x.begin());
}

std::string_view leading_components(std::string_view path, size_t count) {
  size_t end = 0;
  for (size_t i = 0; i < count && end < path.size(); ++i)
    end = std::min(path.find('.', end + (end > 0 ? 1 : 0)), path.size());
  return path.substr(0, end);
}

std::vector<ContributionId> by_cost(const Measure& measure, std::vector<ContributionId> events) {
  std::stable_sort(events.begin(), events.end(), [&](ContributionId a, ContributionId b) {
    return measure.self[a.value].amount > measure.self[b.value].amount;
  });
  return events;
}

std::vector<double> shown_values(const Measure& measure,
                                 std::span<const ContributionId> contributions) {
  std::vector<double> values;
  for (const int64_t value : measure.values_of(contributions))
    values.push_back(static_cast<double>(value) / static_cast<double>(measure.quantity.per_unit));
  return values;
}

std::vector<CallFacts> by_inclusive(std::vector<CallFacts> rows) {
  std::stable_sort(rows.begin(), rows.end(), [](const CallFacts& a, const CallFacts& b) {
    return a.inclusive.amount > b.inclusive.amount;
  });
  return rows;
}

std::optional<double> level_of(const Measure& measure, ContributionId id) {
  if (measure.levels.empty() || std::isnan(measure.levels[id.value])) return std::nullopt;
  return measure.levels[id.value];
}

}  // namespace

Facts::Facts(std::shared_ptr<const Study> study, size_t measure, FactsFor use)
    : study_(std::move(study)), measure_(measure), is_for_editors_(use == FactsFor::Editors) {
  const std::vector<Amount>& totals = this->measure().samples.totals;
  clock_stands_ =
      has_events() && quantity().dimension == Dimension::Time && !totals.empty() &&
      std::all_of(totals.begin(), totals.end(), [](Amount total) { return total == Amount(); });
  rank();
  const Landings& landings = *this->measure().landings;
  fused_from_.resize(code().lines.size());
  for (size_t l = 0; l < landings.lines.size(); ++l) {
    for (const LineId target : landings.lines[l].fused_into)
      fused_from_[target.value].emplace_back(l);
  }
  find_lines_of_modules();
  if (is_for_editors_) classes_ = class_table(this->measure());
  if (has_events()) collect_event_tables();
  sort_calls();
}

FileId Facts::find_source(std::string_view path) const {
  const std::vector<SourceLocation>& rows = sources();
  const auto at = std::find_if(rows.begin(), rows.end(),
                               [&](const SourceLocation& row) { return row.path == path; });
  return at == rows.end() ? FileId() : FileId(static_cast<size_t>(at - rows.begin()));
}

// What no other contribution has.
void Facts::collect_event_tables() {
  collect_metadata();
  fallback_gaps_ = find_fallback_gaps(join(), this->measure());
  line_fallbacks_ = fallbacks_of_lines(fallback_gaps_, this->measure());
  if (is_for_editors_) symbols_ = collect_symbols(join(), this->measure(), line_of_module_);
}

void Facts::sort_calls() {
  const std::vector<Call>& calls = measure().calls;
  for (size_t c = 0; c < calls.size(); ++c) calls_by_caller_.push_back(static_cast<uint32_t>(c));
  std::stable_sort(calls_by_caller_.begin(), calls_by_caller_.end(),
                   [&](uint32_t a, uint32_t b) { return calls[a].caller < calls[b].caller; });
}

std::vector<CallFacts> Facts::callers_of(ContributionId id) const {
  const std::vector<Call>& calls = measure().calls;
  const auto first = std::partition_point(calls.begin(), calls.end(),
                                          [&](const Call& call) { return call.callee < id; });
  std::vector<CallFacts> rows;
  for (auto call = first; call != calls.end() && call->callee == id; ++call)
    rows.push_back(call_facts(*call, call->caller));
  return by_inclusive(std::move(rows));
}

std::vector<CallFacts> Facts::callees_of(ContributionId id) const {
  const std::vector<Call>& calls = measure().calls;
  const auto first = std::partition_point(calls_by_caller_.begin(), calls_by_caller_.end(),
                                          [&](uint32_t row) { return calls[row].caller < id; });
  std::vector<CallFacts> rows;
  for (auto row = first; row != calls_by_caller_.end() && calls[*row].caller == id; ++row)
    rows.push_back(call_facts(calls[*row], calls[*row].callee));
  return by_inclusive(std::move(rows));
}

CallFacts Facts::call_facts(const Call& call, ContributionId other) const {
  const auto samples = static_cast<double>(std::max<size_t>(1, measure().sample_count()));
  return {other, cost(call.inclusive), static_cast<double>(call.times) / samples};
}

void Facts::rank() {
  const Measure& m = measure();
  for (size_t e = 0; e < m.self.size(); ++e) {
    if (m.occurrences[e] > 0) ranked_.emplace_back(e);
  }
  ranked_ = by_cost(m, std::move(ranked_));
  for (size_t l = 0; l < m.lines.size(); ++l) {
    if (m.lines[l].self.amount > Amount()) hot_lines_.emplace_back(l);
  }
  std::stable_sort(hot_lines_.begin(), hot_lines_.end(), [&](LineId a, LineId b) {
    return m.lines[a.value].self.amount > m.lines[b.value].self.amount;
  });
}

// For every module the line of its costliest contribution (its own or of a module below it); a
// module that is only known to be inside a delegate call has the call's first line.
void Facts::find_lines_of_modules() {
  struct Best {
    LineId line;
    Amount amount;
  };
  std::vector<Best> best(code().modules.size());
  const auto offer = [&](ModuleId module, LineId line, Amount amount) {
    for (; module.valid(); module = code().modules[module.value].parent) {
      Best& row = best[module.value];
      if (!row.line.valid() || amount > row.amount) row = {line, amount};
    }
  };
  const Landings& landings = *measure().landings;
  for (size_t c = 0; c < landings.rows.size(); ++c) {
    const Landing& row = landings.rows[c];
    if (row.line.valid()) offer(row.module, row.line, measure().self[c].amount);
  }
  for (const Partition& partition : code().partitions) {
    if (!partition.lines.empty()) offer(partition.module, partition.lines.front(), Amount());
  }
  for (const Best& row : best) line_of_module_.push_back(row.line);
}

void Facts::collect_metadata() {
  const EventLog& log = *join().log;
  const Block& block = join().selected();
  if (log.metadata.empty()) return;
  metadata_.resize(contribution_count());
  std::unordered_map<SequenceId, RunId> first_run;
  for (const RunId run : block.runs) first_run.try_emplace(log.run(run).sequence, run);
  for (size_t s = 0; s < block.sequences.size(); ++s) {
    const auto run = first_run.find(block.sequences[s]);
    if (run == first_run.end()) continue;
    const std::vector<ContributionId>& events = join().event_of_position[s];
    for (size_t i = 0; i < events.size(); ++i) {
      if (!events[i].valid() || !metadata_[events[i].value].empty()) continue;
      metadata_[events[i].value] = log.text(log.metadata[log.run(run->second).first_row + i]);
    }
  }
}

Cost Facts::cost(const Total& total) const {
  return {total.amount, total.disturbance, measure().shown(total.amount),
          measure().share(total.amount)};
}

Cost Facts::cost_of(std::span<const ContributionId> contributions) const {
  return cost_of(sum_of(measure(), contributions).total, contributions);
}

Cost Facts::cost_of(const Total& total, std::span<const ContributionId> contributions) const {
  Cost result = cost(total);
  if (total.amount == Amount()) result.below = clock_step(contributions);
  return result;
}

double Facts::clock_step(std::span<const ContributionId> contributions) const {
  double step = 0;
  if (!has_events() || quantity().dimension != Dimension::Time || clock_stands_) return step;
  for (const ContributionId id : contributions) {
    if (measure().occurrences[id.value] > 0)
      step = std::max({step, 1.0, study_->logged.step[id.value]});
  }
  return step;
}

std::vector<std::string> Facts::where_ran(std::span<const ContributionId> events) const {
  if (code().partitions.empty() || !(has_events() || has_operators())) return {};
  std::set<std::string_view> backends;
  bool on_cpu = false;
  for (const ContributionId id : events) {
    const std::string_view backend = backend_id(id);
    if (backend.empty()) on_cpu = true;
    else backends.insert(backend);
  }
  std::set<std::string> labels;
  for (const std::string_view backend : backends) labels.insert(join().backends->label(backend));
  std::vector<std::string> where(labels.begin(), labels.end());
  if (on_cpu) where.emplace_back("CPU");
  return where;
}

std::vector<const BodyRuns*> Facts::bodies_of(LineId id) const {
  std::vector<const BodyRuns*> bodies;
  const ControlRuns& control = study().control;
  if (!has_events() || control.bodies.empty()) return bodies;
  for (const uint32_t body : control.of_line[id.value]) bodies.push_back(&control.bodies[body]);
  return bodies;
}

std::span<const StateWrite> Facts::writes_of(LineId id) const {
  if (!has_events()) return {};
  const std::vector<StateWrite>& writes = study().writes;
  const auto first = std::ranges::lower_bound(writes, id, {}, &StateWrite::line);
  return {first, std::ranges::upper_bound(first, writes.end(), id, {}, &StateWrite::line)};
}

uint64_t Facts::rounds_of(LineId id) const {
  const ControlRuns& control = study().control;
  if (!has_events() || control.bodies.empty()) return 1;
  const uint32_t around = control.around_line[id.value];
  return around == kNone ? 1 : control.bodies[around].shown;
}

LineFacts Facts::line(LineId id) const {
  const CodeLine& row = code().lines[id.value];
  const LineTotal& total = measure().lines[id.value];
  const LineLandings& landings = measure().landings->lines[id.value];
  LineFacts facts;
  facts.id = id;
  facts.file = row.file;
  facts.number = row.number;
  facts.recorded_path = code().recorded_path(row.file);
  facts.function = code().text(row.function);
  facts.text = code().text(row.text);
  facts.self = cost_of(total.self, landings.own);
  facts.inclusive =
      cost_of(total.inclusive, landings.through.empty() ? landings.own : landings.through);
  for (const ContributionId event : landings.own) {
    if ((*measure().landings)[event].partition.valid())
      facts.delegated += measure().self[event.value].amount;
  }
  facts.occurrences = static_cast<double>(total.occurrences) /
                      static_cast<double>(std::max<size_t>(1, measure().sample_count()));
  facts.runs = row.runs * rounds_of(id);
  facts.confidence = landings.confidence;
  facts.where = where_ran(landings.own);
  facts.own = by_cost(measure(), landings.own);
  facts.through = by_cost(measure(), landings.through);
  facts.fused_into = landings.fused_into;
  facts.fused_from = fused_from_[id.value];
  facts.partitions = landings.partitions;
  if (!facts.own.empty()) facts.level = level_of(measure(), facts.own.front());
  return facts;
}

std::string_view Facts::backend_id(ContributionId id) const {
  if (has_events()) return join().backend_id(id);
  const PartitionId partition = (*measure().landings)[id].partition;
  if (!partition.valid()) return "";
  const StringId backend = code().partitions[partition.value].backend;
  return backend.valid() ? code().text(backend) : std::string_view();
}

void Facts::describe(ContributionId id, ContributionFacts& facts) const {
  const Landing& landing = (*measure().landings)[id];
  facts.id = id;
  if (has_events()) {
    facts.name = join().readable_name(id);
  } else {
    facts.name = measure().labels[id.value].name;
    facts.remark = measure().labels[id.value].remark;
  }
  if (landing.node.valid())
    facts.op = code().record->text(code().record->nodes[landing.node.value].target);
  facts.part = landing.part;
  facts.self = cost_of(measure().self[id.value], std::span(&id, 1));
  facts.inclusive = cost_of(Total{measure().inclusive[id.value], {}}, std::span(&id, 1));
  facts.occurrences = static_cast<double>(measure().occurrences[id.value]) /
                      static_cast<double>(std::max<size_t>(1, measure().sample_count()));
  facts.backend = backend_id(id);
  if (!facts.backend.empty()) facts.where = join().backends->label(facts.backend);
  facts.level = level_of(measure(), id);
  facts.partition = landing.partition;
  facts.module = landing.module;
  if (landing.module.valid()) facts.module_path = code().modules[landing.module.value].path;
  facts.line = landing.line;
  facts.node = landing.node;
  facts.confidence = landing.confidence;
  facts.candidates = landing.candidates;
  facts.is_layout = landing.is_layout;
}

ContributionFacts Facts::contribution(ContributionId id) const {
  ContributionFacts facts;
  describe(id, facts);
  return facts;
}

EventFacts Facts::event(ContributionId id) const {
  ETLENS_ASSERT(has_events());
  const Event& row = join().event(id);
  EventFacts facts;
  describe(id, facts);
  facts.logged_name = join().logged_name(id);
  if (row.key.in_instruction()) facts.instruction = row.key.instruction;
  facts.chain = row.key.chain;
  facts.is_rescaled = study_->logged.is_rescaled[id.value];
  facts.has_duration = row.has_duration();
  facts.unit = row.unit;
  facts.reported = static_cast<double>(study_->logged.reported[id.value]) /
                   static_cast<double>(std::max<size_t>(1, measure().sample_count()));
  return facts;
}

ModuleFacts Facts::module(ModuleId id) const {
  const CodeModule& row = code().modules[id.value];
  const ModuleTotal& total = measure().modules[id.value];
  return {id,
          row.path,
          code().text(row.type),
          row.parent,
          row.depth,
          row.calls,
          cost(total.self),
          cost(total.inclusive),
          total.delegated,
          line_of_module_[id.value]};
}

PartitionFacts Facts::partition(PartitionId id) const {
  const Partition& row = code().partitions[id.value];
  const PartitionTotal& total = measure().partitions[id.value];
  const PartitionLandings& landings = measure().landings->partitions[id.value];
  PartitionFacts facts;
  facts.id = id;
  facts.number = row.number;
  facts.instruction = row.instruction;
  if (row.backend.valid()) {
    facts.backend = code().text(row.backend);
    facts.label = join().backends->label(facts.backend);
  }
  facts.module_path = code().modules[row.module.value].path;
  facts.total = cost(total.total);
  facts.explained = cost(total.explained);
  facts.opaque = cost(total.opaque);
  facts.overhead = cost(total.overhead);
  if (landings.call.valid()) {
    facts.occurrences = static_cast<double>(measure().occurrences[landings.call.value]) /
                        static_cast<double>(std::max<size_t>(1, measure().sample_count()));
  }
  const std::vector<std::optional<Amount>>& inits = study().cold.delegates.of_call;
  if (quantity().id == kTimeId && !inits.empty() && inits[id.value])
    facts.init = static_cast<double>(inits[id.value]->value);
  facts.nodes = row.nodes;
  facts.lines = row.lines;
  facts.events = landings.inside;
  facts.unreported = landings.unreported;
  return facts;
}

PerfData Facts::statistics(std::span<const ContributionId> contributions) const {
  return perf_data(std::span<const double>(shown_values(measure(), contributions)));
}

Histogram Facts::histogram(std::span<const ContributionId> contributions) const {
  return etlens::histogram(shown_values(measure(), contributions));
}

std::optional<Interval> Facts::interval(std::span<const ContributionId> contributions) const {
  return interval_of(uncertainty_of(measure(), contributions));
}

std::vector<ModuleShare> Facts::by_module(const LineFacts& line) const {
  const bool by_call = line.own.empty();
  const std::vector<ContributionId>& events = by_call ? line.through : line.own;
  const auto path_of = [&](ContributionId event) -> std::string_view {
    const ModuleId module = (*measure().landings)[event].module;
    return code().modules[module.valid() ? module.value : 0].path;
  };
  size_t shared = SIZE_MAX;
  for (const ContributionId event : events)
    shared = std::min(shared, shared_components(path_of(events.front()), path_of(event)));
  std::map<std::string_view, std::vector<ContributionId>> groups;
  for (const ContributionId event : events) {
    const std::string_view path = path_of(event);
    groups[by_call ? leading_components(path, shared + 1) : path].push_back(event);
  }
  std::vector<ModuleShare> shares;
  for (size_t m = 0; m < code().modules.size(); ++m) {
    const auto group = groups.find(code().modules[m].path);
    if (group != groups.end()) shares.push_back({ModuleId(m), cost_of(group->second)});
  }
  std::stable_sort(shares.begin(), shares.end(), [](const ModuleShare& a, const ModuleShare& b) {
    return a.cost.amount > b.cost.amount;
  });
  return shares;
}

std::vector<DebugHandle> Facts::handles_of(const LineFacts& line) const {
  std::set<DebugHandle> handles;
  if (!has_events()) return {};
  for (const ContributionId id : line.own) {
    for (const DebugHandle handle : join().handles_of(id)) handles.insert(handle);
  }
  return {handles.begin(), handles.end()};
}

std::string_view Facts::metadata(ContributionId id) const {
  return metadata_.empty() ? std::string_view() : metadata_[id.value];
}

const LineFallback* Facts::fallback_of(LineId line) const {
  const auto at =
      std::lower_bound(line_fallbacks_.begin(), line_fallbacks_.end(), line,
                       [](const LineFallback& row, LineId id) { return row.line < id; });
  return at != line_fallbacks_.end() && at->line == line ? &*at : nullptr;
}

}  // namespace etlens
