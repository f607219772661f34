// SPDX-License-Identifier: Apache-2.0
// Server: settings, with what the user chose, and workspace folders.
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
        if (!base_.is_running()) return;
        if (!answer) base_.log.warning("the client gave no settings: " + answer.error().message);
        // null: the user has none, and the initialization options stand.
        else if (!answer->empty() && !answer->front().is_null()) take_settings(answer->front());
        settings_timer_.cancel();
        configure_loader();
      });
}

void Server::take_settings(const lsp::Json& settings) {
  ConfigReading reading = read_config(section_of(settings));
  for (const std::string& name : reading.unknown) {
    if (publisher_.is_new(name)) base_.log.warning("there is no setting " + name);
  }
  for (const std::string& problem : reading.problems) {
    if (publisher_.is_new(problem)) publisher_.log_or_show(lsp::MessageType::Warning, problem);
  }
  const bool shows_differently = reading.config.show != session_.config.show;
  const bool has_other_policy = reading.config.budgets != session_.config.budgets;
  session_.set_config(std::move(reading.config));
  if (has_other_policy) load_status_.check_budgets();
  if (session_.choose_measure(choices_.measure())) publisher_.notify_profile_changed();
  if (!shows_differently || session_.study() == nullptr) return;
  publisher_.refresh();
  publisher_.publish_diagnostics();
}

// Loads again if what is to be loaded, or how, is not what it was.
void Server::configure_loader() {
  settings_timer_.cancel();
  if (!base_.is_running()) return;
  workers_.study.configure(session_.roots, choices_.load_settings());
  configure_fleet();
}

// Its lines are those of the shown dump, so it waits for one.
void Server::configure_fleet() {
  if (session_.study() == nullptr) return;
  const Study& study = session_.study()->study();
  workers_.fleet.configure({session_.roots, choices_.fleet_settings(), workers_.study.settings(),
                            study.etrecord_path, study.pte_path});
}

void Server::apply_choices() {
  if (session_.choose_measure(choices_.measure())) publisher_.study_changed();
  configure_loader();
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
