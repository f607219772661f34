// SPDX-License-Identifier: Apache-2.0
#include "server/load_status.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "core/base/path.h"
#include "core/base/text.h"
#include "core/render/diff_text.h"
#include "core/render/findings.h"
#include "core/render/format.h"
#include "core/render/summary.h"

namespace etlens {
namespace {

// What is shown of something else than a dump.
std::string describe_measure(std::string_view name, const OpenMeasure& measure,
                             const LoadReport& report, std::optional<TimeScale> unit) {
  std::string text = fmt::format("{}: {} {}; {} on lines", name, measure.facts.quantity().label,
                                 format_cost(measure.facts, measure.headline.total, unit),
                                 format_share(measure.headline.on_lines));
  const bool is_last_frame = std::ranges::any_of(
      report.rows(), [](const ReportRow& row) { return row.oddity == Oddity::ProfileOfLastFrame; });
  if (is_last_frame) text += ". Dynamo writes it again with every frame: this is the last";
  return text;
}

// What is shown; or, where nothing can stand on lines, why and what to do.
std::string describe_study(const OpenStudy& open, std::optional<TimeScale> unit) {
  const Study& study = open.study();
  const Headline& head = open.time().headline;
  const std::string_view name = base_name(study.shown_path());
  if (study.is_of_export() && !open.record_problem.empty()) return open.record_problem;
  if (study.is_of_export())
    return fmt::format("{}: {}", name, headline_text(head, open.time().facts, unit));
  if (const size_t first = study.first_measure(); first != 0)
    return describe_measure(name, open.measures[first], study.report, unit);
  if (!open.record_problem.empty()) return open.record_problem;
  if (study.etrecord_path.empty()) {
    return fmt::format(
        "no ETRecord was found for {}, so no time can be placed on lines; save the ETRecord of "
        "the export next to it",
        name);
  }
  if (head.on_lines == 0) {
    for (const ReportRow& row : study.report.rows()) {
      if (info_of(row.oddity).severity == Severity::Error)
        return fmt::format("{}: {}", name, advice_of(row.oddity));
    }
  }
  return fmt::format("{}: {} {}; {} on lines, {} delegated", name,
                     head.method.empty() ? "Method::execute" : head.method,
                     headline_text(head, open.time().facts, unit), format_share(head.on_lines),
                     format_share(head.delegated));
}

// What the baseline says of it; "" without one.
std::string describe_comparison(const OpenStudy& open, std::optional<TimeScale> unit) {
  if (open.comparison == nullptr)
    return open.baseline_problem.empty() ? "" : "; not compared: " + open.baseline_problem;
  const std::string machine = machine_text(*open.comparison);
  return fmt::format("; since the baseline {}, {}{}{}", total_text(*open.comparison, unit),
                     counts_text(*open.comparison), machine.empty() ? "" : "; ", machine);
}

// What limits all of it.
std::string describe_findings(const OpenStudy& open, std::optional<TimeScale> unit) {
  std::string text;
  if (open.study().is_of_export() || open.study().first_measure() != 0 ||
      !open.record_problem.empty())
    return text;
  if (open.time().headline.clock_stands) return text;  // describe_study says it
  for (const std::string& finding : finding_texts(open.time().headline, open.time().facts, unit))
    text += (text.empty() ? ". " : " ") + finding;
  if (text.ends_with('.')) text.pop_back();
  return text;
}

// "19.7 ms typical"; of one execution "19.7 ms in a single sample".
std::string total_words(const OpenStudy& open, std::optional<TimeScale> unit) {
  const Headline& head = open.time().headline;
  return fmt::format("{} {}", format_cost(open.time().facts, head.total, unit),
                     head.used.size() == 1 ? "in a single sample" : name_of(head.statistic));
}

std::set<std::string_view> recorded_paths(const OpenStudy& open) {
  const Code& code = open.time().facts.code();
  std::set<std::string_view> paths;
  for (const CodeFile& file : code.files) paths.insert(code.text(file.recorded_path));
  return paths;
}

// Whether `now` is a later run of the sources of `before`. Only then do their times compare.
bool is_later_run(const OpenStudy& before, const OpenStudy& now) {
  const std::optional<FileStamp> was = before.used.stamp(), is = now.used.stamp();
  if (!was || !is || is->modified_ns < was->modified_ns) return false;
  if (now.study().etdump_path == before.study().etdump_path) return true;
  const std::set<std::string_view> paths = recorded_paths(now);
  return !paths.empty() && paths == recorded_paths(before);
}

// Both times, if `now` replaced an earlier run of the same method; else "".
std::string describe_replaced(const OpenStudy* before, const OpenStudy& now,
                              std::optional<TimeScale> unit) {
  if (before == nullptr) return "";
  if (before->used.name() == now.used.name() && before->used.stamp() == now.used.stamp()) return "";
  if (!is_later_run(*before, now)) return "";
  const Headline& was = before->time().headline;
  const Headline& is = now.time().headline;
  if (was.method != is.method || was.used.empty() || is.used.empty()) return "";
  return fmt::format("{} is new: {} before, {} now", base_name(now.study().etdump_path),
                     total_words(*before, unit), total_words(now, unit));
}

}  // namespace

Workers::Handlers LoadStatus::handlers() {
  Workers::Handlers handlers;
  StudyLoader::Handlers& study = handlers.study;
  study.started = [this](const std::string& etdump) { load_started(etdump); };
  study.loaded = [this](std::shared_ptr<const OpenStudy> open) { publish(std::move(open)); };
  study.unchanged = [this] { load_unchanged(); };
  study.failed = [this](const Error& error) { load_failed(error); };
  study.finished = [this] { study_progress_.end(); };
  study.nothing_found = [this] { nothing_found(); };
  study.abandoned = [this] { load_abandoned(); };
  study.changed = [this](const std::string& path) { policy_may_differ(path); };
  FleetLoader::Handlers& fleet = handlers.fleet;
  fleet.started = [this](const std::string& path) { fleet_started(path); };
  fleet.progress = [this](double part) { fleet_progress_.report(part); };
  fleet.done = [this](const FleetLoader::FleetResult& read) { show_fleet(read); };
  fleet.finished = [this] {
    session_.reads_fleet = false;
    fleet_progress_.end();
  };
  handlers.totals_changed = [this] { publisher_.notify_profiles_changed(); };
  handlers.source_looked_at = [this](const lsp::DocumentUri& uri, bool differs) {
    source_looked_at(uri, differs);
  };
  return handlers;
}

bool LoadStatus::hold(const lsp::DocumentUri& uri, const std::function<void()>& answer) {
  constexpr size_t kMost = 64;
  const bool is_looking = session_.study() == nullptr && session_.state == StudyState::Loading;
  // What is not known yet is looked at from now on.
  if (!is_looking) (void)session_.sources.view(uri);
  if (!is_looking && !session_.sources.is_looked_at(uri)) return false;
  if (held_.size() >= kMost || base_.timing.first_answer.count() == 0) return false;
  held_.push_back(answer);
  if (!held_timer_.pending())
    held_timer_ = base_.loop.after(base_.timing.first_answer, [this] { answer_held(); });
  return true;
}

void LoadStatus::answer_held() {
  held_timer_.cancel();
  for (const std::function<void()>& answer : std::exchange(held_, {})) answer();
}

void LoadStatus::cancel(const lsp::ProgressToken& token) {
  if (study_progress_.is_current(token)) workers_.study.cancel();
  if (!fleet_progress_.is_current(token)) return;
  workers_.fleet.cancel();  // what was shown before stays
  session_.fleet_message = "reading the fleet was cancelled; reload to read it";
  publisher_.notify_profile_changed();
}

void LoadStatus::end_progress() {
  study_progress_.end();
  fleet_progress_.end();
}

void LoadStatus::source_looked_at(const lsp::DocumentUri& uri, bool differs) {
  if (!base_.is_running()) return;
  answer_held();
  if (!differs) return;
  publisher_.refresh();
  if (session_.documents.find(uri) != nullptr) publisher_.publish_diagnostics(uri);
}

void LoadStatus::load_started(const std::string& etdump) {
  session_.state = StudyState::Loading;
  session_.message = fmt::format("reading {}", etdump);
  study_progress_.begin(std::string(base_name(etdump)));
}

void LoadStatus::publish(std::shared_ptr<const OpenStudy> study) {
  session_.replaced = describe_replaced(session_.study(), *study, session_.config.show.unit);
  session_.source_worker.release(session_.publish(study));
  const OpenStudy& open = *session_.study();
  load_unchanged();
  const bool is_calm = open.record_problem.empty() || open.is_exported_again;
  if (is_calm) publisher_.log_or_show(lsp::MessageType::Log, session_.message);
  else publisher_.show_problem(session_.message);
  if (!session_.replaced.empty()) publisher_.log_or_show(lsp::MessageType::Log, session_.replaced);
  LoadReport report = open.study().report;
  report.append(open.source_problems);
  for (const ReportRow& row : report.rows()) {
    const OddityInfo& info = info_of(row.oddity);
    base_.log.info(
        fmt::format("{} ×{}: {} First: {}", info.id, row.count, advice_of(row.oddity), row.first));
  }
  answer_held();
  publisher_.study_changed();
  shown_();
  look_for_other_models();
  keep_run(study);
  session_.budgets.reset();
  check_budgets();
  texts_timer_ = base_.loop.after(base_.timing.refresh_merge, [this] { prepare_texts(0); });
}

// Writes the texts of the hottest lines before somebody asks, a few at a time: messages that arrive
// meanwhile come first.
void LoadStatus::prepare_texts(size_t first) {
  constexpr size_t kLinesAtOnce = 16;
  constexpr size_t kMaxLines = 4096;
  if (session_.study() == nullptr || !base_.is_running()) return;
  const std::vector<LineId>& lines = session_.facts()->hot_lines();
  const size_t end = std::min({first + kLinesAtOnce, lines.size(), kMaxLines});
  for (size_t l = first; l < end; ++l) {
    const LineId line = lines[l];
    const SourceView* view = session_.sources.view(session_.facts()->code().lines[line.value].file);
    if (view != nullptr) (void)session_.line_hover_text(*view, line);
  }
  if (end == first) return;
  texts_timer_ = base_.loop.after(Delay(0), [this, end] { prepare_texts(end); });
}

void LoadStatus::load_unchanged() {
  const OpenStudy& open = *session_.study();
  const std::optional<TimeScale> unit = session_.config.show.unit;
  stop_waiting();
  session_.state = StudyState::Ready;
  session_.message =
      describe_study(open, unit) + describe_comparison(open, unit) + describe_findings(open, unit);
  if (open.is_exported_again) wait_for_run(open.record_problem);
}

void LoadStatus::load_abandoned() {
  if (session_.study() != nullptr) {
    load_unchanged();
  } else {
    session_.state = StudyState::None;
    session_.message = "reading was cancelled; etlens.reload reads again";
  }
  publisher_.notify_profile_changed();
  answer_held();
}

// The first load of a session that fails is worth a message, a later one is not: the old numbers
// are still there, and the status says what happened.
void LoadStatus::load_failed(const Error& error) {
  stop_waiting();
  if (is_exported_again(error)) {
    wait_for_run(error.message);
    publisher_.log_or_show(lsp::MessageType::Log, session_.message);
    publisher_.notify_profile_changed();
    return answer_held();
  }
  if (is_growing(error)) {
    wait_for_rest(error);
    base_.log.info(session_.message);
    return publisher_.notify_profile_changed();
  }
  session_.state = StudyState::Failed;
  session_.message = error.message;
  if (session_.study() == nullptr) publisher_.show_problem(error.message);
  else publisher_.log_or_show(lsp::MessageType::Log, error.message);
  publisher_.notify_profile_changed();
  answer_held();
}

// Asked again when other artifacts come or go, which are shown without a dump, too.
void LoadStatus::nothing_found() {
  stop_waiting();
  const std::string before = session_.message;
  if (session_.study() != nullptr) {
    const std::string& path = session_.study()->study().etdump_path;
    const bool is_there = session_.files.stat(path).has_value();
    session_.message = fmt::format(
        "{} {}; its last numbers stay until a new dump appears", path,
        is_there
            ? "is not found any more (its folder is not open, the settings leave it out, or it "
              "is not an ETDump now)"
            : "is gone");
  } else {
    session_.state = StudyState::None;
    session_.message =
        session_.roots.empty()
            ? "no folder is open; open the folder that holds the model and its ETDump"
            : fmt::format(
                  "no ETDump below {}, and no ETRecord or program; export a model there, or run it "
                  "with the event tracer and save its ETDump",
                  join(session_.roots, ", "));
  }
  if (session_.message != before) publisher_.log_or_show(lsp::MessageType::Log, session_.message);
  publisher_.notify_profile_changed();
  answer_held();
}

}  // namespace etlens
