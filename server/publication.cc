// SPDX-License-Identifier: Apache-2.0
// Server: what becomes of a load. The client hears of it once, and quietly.
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
#include "server/extensions/methods.h"
#include "server/features/features.h"
#include "server/server.h"

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
  const std::string_view name = base_name(study.etdump_path);
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
  if (open.study().first_measure() != 0 || !open.record_problem.empty()) return text;
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

// A message on the screen has room for a line: paths in the open folders are said as from there.
std::string from_roots(std::string text, const std::vector<std::string>& roots) {
  for (const std::string& root : roots) {
    const std::string prefix = root + '/';
    for (size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix, at + 1)) {
      if (at == 0 || text[at - 1] == ' ') text.erase(at, prefix.size());
    }
  }
  return text;
}

}  // namespace

void Server::make_loader() {
  StudyLoader::Handlers handlers;
  handlers.started = [this](const std::string& etdump) { load_started(etdump); };
  handlers.loaded = [this](std::shared_ptr<const OpenStudy> study) { publish(std::move(study)); };
  handlers.unchanged = [this] { load_unchanged(); };
  handlers.failed = [this](const Error& error) { load_failed(error); };
  handlers.finished = [this] { progress_.end(); };
  handlers.nothing_found = [this] { nothing_found(); };
  handlers.abandoned = [this] { load_abandoned(); };
  loader_ = std::make_unique<StudyLoader>(loop_, session_.files, options_.timing, log_,
                                          options_.watching, std::move(handlers));
}

void Server::load_started(const std::string& etdump) {
  session_.state = StudyState::Loading;
  session_.message = fmt::format("reading {}", etdump);
  progress_.begin(std::string(base_name(etdump)));
}

// Keeps a request until the first study is there, for a client that nobody can tell to ask again:
// else it would show nothing until the next edit. False if there is nothing to wait for.
bool Server::wait_for_first_study(std::function<void()> answer) {
  const bool is_looking = session_.study() == nullptr && session_.state == StudyState::Loading;
  return is_looking && keep_waiting(std::move(answer));
}

// The same, until a source was looked at in the background.
bool Server::wait_for_source(const lsp::DocumentUri& uri, std::function<void()> answer) {
  (void)session_.sources.view(uri);  // what is not known yet is looked at from now on
  return session_.sources.is_looked_at(uri) && keep_waiting(std::move(answer));
}

bool Server::keep_waiting(std::function<void()> answer) {
  constexpr size_t kMaxWaiting = 64;
  if (waiting_.size() >= kMaxWaiting || options_.timing.first_answer.count() == 0) return false;
  waiting_.push_back(std::move(answer));
  if (!waiting_timer_.pending()) {
    waiting_timer_ = loop_.after(options_.timing.first_answer, [this] { answer_waiting(); });
  }
  return true;
}

void Server::make_source_worker() {
  SourceWorker::Options options;
  options.background = [this](std::function<void()> work, std::function<void()> done) {
    loop_.run_in_background(std::move(work), std::move(done));
  };
  options.after = [this](Delay delay, std::function<void()> action) {
    return loop_.after(delay, std::move(action));
  };
  options.at_once_ns = options_.timing.at_once.count();
  options.looked_at = [this](const lsp::DocumentUri& uri, bool differs) {
    source_looked_at(uri, differs);
  };
  session_.source_worker.start(std::move(options));
}

void Server::source_looked_at(const lsp::DocumentUri& uri, bool differs) {
  if (state_ != State::Running) return;
  answer_waiting();
  if (!differs) return;
  refresher_.request();
  if (session_.documents.find(uri) != nullptr) publish_diagnostics(uri);
}

void Server::answer_waiting() {
  waiting_timer_.cancel();
  for (const std::function<void()>& answer : std::exchange(waiting_, {})) answer();
}

void Server::publish(std::shared_ptr<const OpenStudy> study) {
  session_.replaced = describe_replaced(session_.study(), *study, session_.config.show.unit);
  session_.source_worker.release(session_.publish(std::move(study)));
  session_.state = StudyState::Ready;
  session_.message = describe_study(*session_.study(), session_.config.show.unit) +
                     describe_comparison(*session_.study(), session_.config.show.unit) +
                     describe_findings(*session_.study(), session_.config.show.unit);
  stop_waiting();
  if (session_.study()->is_exported_again) wait_for_run(session_.study()->record_problem);
  const bool is_calm =
      session_.study()->record_problem.empty() || session_.study()->is_exported_again;
  if (is_calm) tell(lsp::MessageType::Log, session_.message);
  else tell_problem(session_.message);
  if (!session_.replaced.empty()) tell(lsp::MessageType::Log, session_.replaced);
  LoadReport report = session_.study()->study().report;
  report.append(session_.study()->source_problems);
  for (const ReportRow& row : report.rows()) {
    const OddityInfo& info = info_of(row.oddity);
    log_.info(
        fmt::format("{} ×{}: {} First: {}", info.id, row.count, advice_of(row.oddity), row.first));
  }
  answer_waiting();
  study_changed();
  configure_fleet();
  if (!wants_all_values_ && wants_all_values()) configure_loader();
  look_for_other_models();
  texts_timer_ = loop_.after(options_.timing.refresh_merge, [this] { prepare_texts(0); });
}

// Writes the texts of the hottest lines before somebody asks, a few at a time: messages that arrive
// meanwhile come first.
void Server::prepare_texts(size_t first) {
  constexpr size_t kLinesAtOnce = 16;
  constexpr size_t kMaxLines = 4096;
  if (session_.study() == nullptr || state_ != State::Running) return;
  const std::vector<LineId>& lines = session_.facts()->hot_lines();
  const size_t end = std::min({first + kLinesAtOnce, lines.size(), kMaxLines});
  for (size_t l = first; l < end; ++l) {
    const LineId line = lines[l];
    const SourceView* view = session_.sources.view(session_.facts()->code().lines[line.value].file);
    if (view != nullptr) (void)session_.line_hover_text(*view, line);
  }
  if (end == first) return;
  texts_timer_ = loop_.after(Delay(0), [this, end] { prepare_texts(end); });
}

// Hints were answered by arithmetic. The client is asked to look again only if that was not all.
void Server::settle_after_typing() {
  typing_timer_ = loop_.after(options_.timing.typing_pause, [this] {
    if (state_ == State::Running && session_.sources.settle()) refresher_.request();
  });
}

void Server::load_unchanged() {
  stop_waiting();
  session_.state = StudyState::Ready;
  session_.message = describe_study(*session_.study(), session_.config.show.unit) +
                     describe_comparison(*session_.study(), session_.config.show.unit) +
                     describe_findings(*session_.study(), session_.config.show.unit);
  if (session_.study()->is_exported_again) wait_for_run(session_.study()->record_problem);
}

void Server::load_abandoned() {
  if (session_.study() != nullptr) {
    load_unchanged();
  } else {
    session_.state = StudyState::None;
    session_.message = "reading was cancelled; etlens.reload reads again";
  }
  announce();
  answer_waiting();
}

// The first load of a session that fails is worth a message, a later one is not: the old numbers
// are still there, and the status says what happened.
void Server::load_failed(const Error& error) {
  stop_waiting();
  if (is_exported_again(error)) {
    wait_for_run(error.message);
    tell(lsp::MessageType::Log, session_.message);
    announce();
    return answer_waiting();
  }
  if (is_growing(error)) {
    wait_for_rest(error);
    log_.info(session_.message);
    return announce();
  }
  session_.state = StudyState::Failed;
  session_.message = error.message;
  if (session_.study() == nullptr) tell_problem(error.message);
  else tell(lsp::MessageType::Log, error.message);
  announce();
  answer_waiting();
}

// Once, and not to clients that say it themselves: they know from the status.
void Server::tell_problem(const std::string& sentence) {
  const bool is_said = session_.client.profile_changed || !said_.is_new(sentence);
  if (is_said) tell(lsp::MessageType::Log, sentence);
  else tell(lsp::MessageType::Warning, from_roots(sentence, session_.roots));
}

// Asked again when other artifacts come or go, which are shown without a dump, too.
void Server::nothing_found() {
  stop_waiting();
  const std::string before = session_.message;
  if (session_.study() != nullptr) {
    const std::string& path = session_.study()->study().etdump_path;
    const bool is_there = session_.files.stat(path).has_value();
    session_.message = fmt::format("{} is {}; its numbers are shown until there are others", path,
                                   is_there ? "not looked at any more, or no ETDump" : "gone");
  } else {
    session_.state = StudyState::None;
    session_.message =
        session_.roots.empty()
            ? "no folder is open; open the folder that holds the model and its ETDump"
            : fmt::format(
                  "no ETDump below {}; run the model with the event tracer and save its ETDump "
                  "there",
                  join(session_.roots, ", "));
  }
  if (session_.message != before) tell(lsp::MessageType::Log, session_.message);
  announce();
  answer_waiting();
}

void Server::study_changed() {
  refresher_.request();
  publish_diagnostics();
  announce();
}

// To clients that show more than hints.
void Server::announce() {
  if (!session_.client.profile_changed) return;
  connection_.notify(extensions::kProfileChanged,
                     extensions::ProfileChangedParams{session_.generation()});
}

void Server::announce_profiles() {
  if (session_.client.profile_changed && state_ == State::Running)
    connection_.notify(extensions::kProfilesChanged,
                       extensions::ProfileChangedParams{session_.generation()});
}

void Server::publish_diagnostics() {
  for (const auto& [uri, document] : session_.documents.all()) publish_diagnostics(uri);
}

// Says nothing about documents that never had a diagnostic.
void Server::publish_diagnostics(const lsp::DocumentUri& uri) {
  lsp::PublishDiagnosticsParams params;
  params.uri = uri;
  params.diagnostics = diagnostics(session_, uri);
  if (params.diagnostics.empty()) {
    if (diagnosed_.erase(uri) == 0) return;
  } else {
    diagnosed_.insert(uri);
  }
  const OpenDocument* document = session_.documents.find(uri);
  if (session_.client.diagnostics_version && document != nullptr)
    params.version = document->version;
  connection_.notify("textDocument/publishDiagnostics", params);
}

namespace {

// Clients make a link of [text](address), also of a name in a file: a blank keeps it text.
std::string without_links(std::string message) {
  for (size_t at = message.find("]("); at != std::string::npos; at = message.find("](", at))
    message.insert(at + 1, " ");
  return message;
}

}  // namespace

// Log: the client's log and ours; everything else is a message on the screen as well.
void Server::tell(lsp::MessageType type, const std::string& message) {
  if (type == lsp::MessageType::Log) log_.info(message);
  else log_.warning(message);
  if (state_ != State::Running) return;
  if (type == lsp::MessageType::Log) {
    connection_.notify("window/logMessage", lsp::MessageParams{lsp::MessageType::Info, message});
  } else {
    connection_.notify("window/showMessage", lsp::MessageParams{type, without_links(message)});
  }
}

}  // namespace etlens
