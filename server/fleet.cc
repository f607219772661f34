// SPDX-License-Identifier: Apache-2.0
// Server: the fleet beside the shown dump: what is read of it, and what is said while it is.
#include <fmt/format.h>

#include <map>

#include "core/base/path.h"
#include "core/render/fleet_hover.h"
#include "server/server.h"

namespace etlens {
namespace {

constexpr size_t kLeastDumps = 2;  // of a folder that is offered

}  // namespace

void Server::make_fleet_loader() {
  FleetLoader::Handlers handlers;
  handlers.started = [this](const std::string& path) {
    session_.reads_fleet = true;
    session_.fleet_message = fmt::format("reading the fleet {}", path);
    fleet_progress_.begin("the fleet " + std::string(base_name(path)));
    announce();
  };
  handlers.progress = [this](double part) { fleet_progress_.report(part); };
  handlers.done = [this](const FleetLoader::FleetResult& fleet) { show_fleet(fleet); };
  handlers.finished = [this] {
    session_.reads_fleet = false;
    fleet_progress_.end();
  };
  fleets_ =
      std::make_unique<FleetLoader>(loop_, session_.files, options_.timing, std::move(handlers));
}

// Its lines are those of the shown dump, so it waits for one.
void Server::configure_fleet() {
  if (session_.study() == nullptr) return;
  FleetRequest request{session_.roots, session_.config.fleet, loader_->settings(),
                       session_.study()->study().etrecord_path, session_.study()->study().pte_path};
  if (chosen_fleet_) {
    request.fleet.paths = chosen_fleet_->paths;
    if (chosen_fleet_->groupBy) request.fleet.group_by = *chosen_fleet_->groupBy;
  }
  fleets_->configure(std::move(request));
}

void Server::show_fleet(const FleetLoader::FleetResult& fleet) {
  session_.reads_fleet = false;
  session_.fleet_message.clear();
  if (!fleet) {
    session_.fleet_message = "no fleet is shown: " + fleet.error().message;
    session_.set_fleet(nullptr);
    tell(lsp::MessageType::Warning, session_.fleet_message);
  } else {
    session_.set_fleet(*fleet);
    if (*fleet != nullptr) {
      session_.fleet_message = fleet_summary(**fleet, session_.config.show.unit);
      tell(lsp::MessageType::Log, session_.fleet_message);
    }
  }
  study_changed();
}

// The user does not want to wait: what was shown before stays.
void Server::give_up_fleet() {
  fleets_->cancel();
  session_.fleet_message = "reading the fleet was cancelled; reload to read it";
  announce();
}

Result<lsp::Json> Server::select_fleet(const lsp::Json& argument) {
  chosen_fleet_.reset();
  if (!argument.is_null()) {
    Result<extensions::SelectFleetArguments> chosen =
        lsp::decode<extensions::SelectFleetArguments>(argument);
    if (!chosen) return std::move(chosen).error();
    chosen_fleet_ = std::move(*chosen);
  }
  configure_loader();
  return lsp::Json();
}

// Folders of the workspace that hold several dumps.
void Server::offer_fleets() {
  std::vector<std::string> folders;  // that of the newest dump first
  std::map<std::string, size_t> dumps_in;
  for (const FoundArtifact* dump : dumps_by_age(loader_->found())) {
    std::string folder(parent_path(dump->path));
    if (++dumps_in[folder] == 1) folders.push_back(std::move(folder));
  }
  std::vector<Offer> offers{{"None", [this] { chosen_fleet_.emplace(); }}};
  for (const std::string& folder : folders) {
    if (dumps_in[folder] < kLeastDumps) continue;
    offers.push_back({short_path(session_.roots, folder), [this, path = folder] {
                        chosen_fleet_ = extensions::SelectFleetArguments{{path}, std::nullopt};
                      }});
  }
  offer("Which folder of dumps should etlens show next to the shown one?", std::move(offers));
}

}  // namespace etlens
