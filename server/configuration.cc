// SPDX-License-Identifier: Apache-2.0
// Server: settings and workspace folders.
#include <algorithm>

#include "core/base/path.h"
#include "server/server.h"

namespace etlens {
namespace {

constexpr const char* kSection = "etlens";

// Some clients send the section, some what holds it.
const lsp::Json& section_of(const lsp::Json& settings) {
  if (!settings.is_object()) return settings;
  const auto section = settings.find(kSection);
  return section == settings.end() ? settings : *section;
}

}  // namespace

void Server::ask_for_settings() {
  connection_.request<std::vector<lsp::Json>>(
      "workspace/configuration", lsp::ConfigurationParams{{{kSection}}},
      [this](const Result<std::vector<lsp::Json>>& answer) {
        if (state_ != State::Running) return;
        if (!answer) log_.warning("the client gave no settings: " + answer.error().message);
        // null: the user has none, and the initialization options stand.
        else if (!answer->empty() && !answer->front().is_null()) take_settings(answer->front());
        settings_timer_.cancel();
        configure_loader();
      });
}

void Server::take_settings(const lsp::Json& settings) {
  ConfigReading reading = read_config(section_of(settings));
  for (const std::string& name : reading.unknown) {
    if (said_.is_new(name)) log_.warning("there is no setting " + name);
  }
  for (const std::string& problem : reading.problems) {
    if (said_.is_new(problem)) tell(lsp::MessageType::Warning, problem);
  }
  const bool shows_differently = reading.config.show != session_.config.show;
  session_.set_config(std::move(reading.config));
  if (session_.choose_measure(chosen_measure_.value_or(session_.config.show.measure))) announce();
  if (!shows_differently || session_.study() == nullptr) return;
  refresher_.request();
  publish_diagnostics();
}

// Asks the client to look again, if another measure is shown now than before.
void Server::show_measure() {
  if (session_.choose_measure(chosen_measure_.value_or(session_.config.show.measure)))
    study_changed();
}

// A load passes over values that are so many that it would take long, until somebody wants to see
// them.
bool Server::wants_all_values() {
  const std::string& measure = chosen_measure_.value_or(session_.config.show.measure);
  const OpenStudy* open = session_.study();
  const bool is_left_out = open != nullptr && open->find(measure) == nullptr && open->values &&
                           open->study().report.find(Oddity::ValuesLarge) != nullptr;
  wants_all_values_ |= is_left_out && ValuesFacts::has_measure(measure);
  return wants_all_values_;
}

// Loads again if what is to be loaded, or how, is not what it was.
void Server::configure_loader() {
  settings_timer_.cancel();
  if (state_ != State::Running) return;
  LoadSettings settings = session_.config.load;
  if (chosen_profile_) {
    settings.etdump = path_as_shown(loader_->found(), chosen_profile_->etdump);
    settings.etrecord = path_as_shown(loader_->found(), chosen_profile_->etrecord.value_or(""));
    settings.pte = path_as_shown(loader_->found(), chosen_profile_->pte.value_or(""));
  }
  if (chosen_method_) {
    settings.selection.method = chosen_method_->method.value_or("");
    settings.selection.block = chosen_method_->block.value_or("");
  }
  if (wants_all_values()) settings.values->most_bytes = UINT64_MAX;
  if (chosen_statistic_) settings.time.statistic = *chosen_statistic_;
  if (chosen_baseline_) settings.baseline = *chosen_baseline_;
  if (chosen_executions_) settings.time.executions = *chosen_executions_;
  loader_->configure(session_.roots, std::move(settings));
  configure_fleet();
}

void Server::change_folders(const lsp::WorkspaceFoldersChangeEvent& event) {
  for (const lsp::WorkspaceFolder& folder : event.removed) {
    std::erase(session_.roots, folder.uri.path());
  }
  for (const lsp::WorkspaceFolder& folder : event.added) {
    const std::string& path = folder.uri.path();
    const bool is_known =
        std::find(session_.roots.begin(), session_.roots.end(), path) != session_.roots.end();
    if (folder.uri.is_file() && !is_known) session_.roots.push_back(path);
  }
  configure_loader();
}

}  // namespace etlens
