// SPDX-License-Identifier: Apache-2.0
// etlens/status and etlens/profiles: what is shown, what else there is, and what is odd.
#include <algorithm>

#include "core/render/findings.h"
#include "core/render/runs_table.h"
#include "core/render/summary.h"
#include "core/workspace/run_check.h"
#include "server/features/features.h"

namespace etlens {
namespace {

constexpr int64_t kNanosecondsPerMillisecond = 1'000'000;

std::string_view name_of(StudyState state) {
  switch (state) {
    case StudyState::None:
      return "none";
    case StudyState::Loading:
      return "loading";
    case StudyState::Ready:
      return "ready";
    case StudyState::Failed:
      return "failed";
  }
  return "none";
}

constexpr Statistic kStatistics[] = {Statistic::Typical, Statistic::Mean, Statistic::Median,
                                     Statistic::Minimum, Statistic::Maximum};

void add_executions(const Session& session, extensions::StatusProfile& status) {
  const Facts& facts = *session.time_facts();
  const Headline& head = session.study()->time().headline;
  const std::optional<TimeScale> unit = session.config.show.unit;
  status.head = head_view(facts, head, scale_of(facts), finding_texts(head, facts, unit));
  status.total_text = value_words(session, facts, head.total.value);
  status.mean_text = value_words(session, facts, head.mean);
  status.headline = headline_text(head, facts, unit);
  status.strip = strip_text(head);
  for (const OddSample& odd : head.odd) {
    status.odd.push_back(
        {odd.sample + 1, value_words(session, facts, odd.total), odd_reason(odd, facts, unit)});
  }
  status.kinds_text = text_if_any(groups_text(head, facts, unit));
  for (const GroupFacts& group : head.groups)
    status.group_texts.push_back(group_text(group, facts, unit));
  status.also_text = text_if_any(also_text(facts.study(), unit));
  if (head.cold.loads > 0)
    status.cold_start_text = cold_start_text(head.cold, TimeStyle(facts.study().clock(), unit));
}

extensions::StatusProfile describe_study(const Session& session) {
  const OpenStudy& open = *session.study();
  const Study& study = open.study();
  const Headline& head = open.time().headline;
  extensions::StatusProfile status;
  status.etdump = study.etdump_path;
  status.etrecord = text_if_any(study.etrecord_path);
  status.pte = text_if_any(study.pte_path);
  status.modified =
      open.used.stamp().value_or(FileStamp{}).modified_ns / kNanosecondsPerMillisecond;
  add_executions(session, status);
  status.on_lines = head.on_lines;
  status.in_modules = head.in_modules;
  status.delegated = head.delegated;
  status.record_problem = text_if_any(open.record_problem);
  if (study.fit) {
    status.pair_score = study.fit->score;
    status.pair_verdict = etlens::name_of(study.fit->verdict());
    status.pair_reasons = study.fit->reasons;
    status.pair_confidence = pair_confidence(study.run.get());
  }
  return status;
}

bool is_baseline(const Session& session, const std::string& dump) {
  if (session.study() == nullptr) return false;
  const std::vector<std::string>& dumps = session.study()->used.baseline.dumps;
  return std::find(dumps.begin(), dumps.end(), dump) != dumps.end();
}

extensions::DumpItem dump_item(const Session& session, const FoundArtifact& dump,
                               const DumpTotals& totals) {
  extensions::DumpItem item;
  item.etdump = dump.path;
  item.modified = dump.stamp.modified_ns / kNanosecondsPerMillisecond;
  item.size = dump.stamp.size;
  const Facts* facts = session.time_facts();
  item.current = facts != nullptr && facts->study().etdump_path == dump.path;
  item.baseline = is_baseline(session, dump.path);
  if (const std::optional<DumpTotal> total = totals.find(dump); total && !item.current) {
    item.total = time_value(session, total->ticks, total->value);
    item.executions = total->executions;
  }
  return item;
}

std::vector<extensions::ExecutionItem> list_executions(const Session& session) {
  const Facts& facts = *session.time_facts();
  const Headline& head = session.study()->time().headline;
  std::vector<extensions::ExecutionItem> items;
  for (size_t s = 0; s < head.totals.size(); ++s)
    items.push_back({static_cast<uint32_t>(s + 1), amount_value(session, facts, head.totals[s])});
  for (const uint32_t s : head.used) items[s].used = true;
  for (const OddSample& odd : head.odd) items[odd.sample].odd = true;
  return items;
}

// The method that the block ran: the one that fits it, if no other does as well.
std::optional<std::string> method_of(const Join& join, const Block& block) {
  if (!join.record) return std::nullopt;
  const std::vector<MethodFit> fits = fit_methods(*join.log, join.trees, block, *join.record);
  const auto is_worse = [](const MethodFit& a, const MethodFit& b) { return a.score < b.score; };
  const auto best = std::max_element(fits.begin(), fits.end(), is_worse);
  if (best == fits.end() || best->score < kPartialScore) return std::nullopt;
  const auto ties = std::count_if(fits.begin(), fits.end(),
                                  [&](const MethodFit& fit) { return !is_worse(fit, *best); });
  return ties > 1 ? std::nullopt : std::optional(std::string(join.record->text(best->method.name)));
}

// A dump of very many blocks is not compared with all of the record for each of them.
constexpr size_t kMostPaired = 32;

void list_blocks(const Join& join, extensions::ProfilesResult& result) {
  for (size_t b = 0; b < join.blocks.size(); ++b) {
    const Block& block = join.blocks[b];
    if (!block.is_execution) continue;
    const bool is_current = BlockId(b) == join.block;
    result.blocks.push_back({block.name, block.runs.size(), is_current, std::nullopt});
    if (result.blocks.size() <= kMostPaired) result.blocks.back().method = method_of(join, block);
  }
}

std::optional<extensions::FleetItem> fleet_item(const Session& session) {
  if (session.fleet_message.empty()) return std::nullopt;
  extensions::FleetItem item;
  item.message = session.fleet_message;
  item.reading = session.reads_fleet;
  const FleetView* view = session.fleet();
  if (view == nullptr) return item;
  if (!view->problem().empty()) {
    item.message = view->problem();
    return item;
  }
  item.dumps = view->fleet().dumps;
  item.left_out = view->fleet().broken_count();
  return item;
}

// `since`: "since the last run".
extensions::LastRunItem item_of(const LastRun& run, const std::string& since) {
  extensions::LastRunItem item;
  item.change = run.change;
  item.text = run_change_text(run.change) + " " + since;
  item.run = run.number;
  item.selection.paths = {run.files.etdump};
  if (!run.files.etrecord.empty()) item.selection.etrecord = run.files.etrecord;
  if (!run.files.pte.empty()) item.selection.pte = run.files.pte;
  return item;
}

std::vector<extensions::LastRunItem> earlier_run_items(const Session& session) {
  std::vector<extensions::LastRunItem> items;
  // Since a day, since a branch; the best one may be of any time.
  for (const NamedRun& earlier : session.earlier_runs) {
    const bool is_best = earlier.name.starts_with("the ");
    items.push_back(item_of(earlier.run, (is_best ? "against " : "since ") + earlier.name));
  }
  return items;
}

// Lines are where the text of now has them. A place that is gone leaves the budget's own line.
std::optional<BudgetsView> budgets_item(Session& session) {
  if (!session.budgets) return std::nullopt;
  BudgetsView view = session.budgets->view;
  for (size_t i = 0; i < view.broken.size(); ++i) {
    const LineId id = session.budgets->lines[i];
    if (!id.valid()) continue;
    BrokenBudgetView& broken = view.broken[i];
    broken.line = session.sources.current_line(id);
    if (broken.line != 0u) continue;
    broken.path.reset();
    broken.line.reset();
  }
  return view;
}

}  // namespace

std::optional<extensions::LastRunItem> last_run_item(const Session& session) {
  if (!session.last_run) return std::nullopt;
  return item_of(*session.last_run, "since the last run");
}

extensions::StatusResult status(Session& session) {
  extensions::StatusResult result;
  result.state = name_of(session.state);
  result.message = session.message;
  result.generation = session.generation();
  result.waiting = text_if_any(session.waiting);
  result.details = text_if_any(session.waiting_details);
  result.fleet = fleet_item(session);
  if (result.fleet) result.message += "; " + result.fleet->message;
  if (session.study() == nullptr) return result;
  result.profile = describe_study(session);
  if (const std::string note = session.measure_note(); !note.empty()) result.message += "; " + note;
  if (!session.other_models.empty()) result.message += "; " + session.other_models;
  result.replaced = text_if_any(session.replaced);
  result.last_run = last_run_item(session);
  result.earlier_runs = earlier_run_items(session);
  result.budgets = budgets_item(session);
  result.measure = session.facts()->quantity().id;
  for (const OpenMeasure& row : session.study()->measures) {
    const Quantity& quantity = row.facts.quantity();
    result.measures.push_back({std::string(quantity.id), std::string(quantity.label),
                               &row.facts == session.facts(),
                               amount_value(session, row.facts, row.headline.total.value)});
  }
  result.comparison = comparison_item(session);
  LoadReport report = session.time_facts()->study().report;
  report.append(session.study()->source_problems);
  for (const ReportRow& row : report.rows()) {
    const OddityInfo& info = info_of(row.oddity);
    result.warnings.push_back({std::string(info.id), std::string(etlens::name_of(info.severity)),
                               row.count, row.first, advice_of(row.oddity)});
  }
  return result;
}

extensions::ProfilesResult list_profiles(Session& session, const std::vector<FoundArtifact>& found,
                                         const DumpTotals& totals, bool pinned) {
  extensions::ProfilesResult result;
  result.pinned = pinned;
  const Facts* facts = session.time_facts();
  for (const FoundArtifact* dump : dumps_by_age(found))
    result.dumps.push_back(dump_item(session, *dump, totals));
  for (const FoundArtifact& artifact : found) {
    if (artifact.kind == FileKind::EtRecord) result.records.push_back(artifact.path);
  }
  if (facts == nullptr) return result;
  const Join& join = facts->join();
  if (join.record) {
    for (const RecordMethod& method : join.record->methods) {
      const std::string name(join.record->text(method.name));
      result.methods.push_back({name, facts->code().method_name() == name});
    }
  }
  list_blocks(join, result);
  result.executions = list_executions(session);
  for (const Statistic statistic : kStatistics) {
    result.statistics.push_back({std::string(etlens::name_of(statistic)),
                                 statistic == session.study()->time().headline.statistic});
  }
  return result;
}

}  // namespace etlens
