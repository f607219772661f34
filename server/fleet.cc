// SPDX-License-Identifier: Apache-2.0
// LoadStatus: the fleet beside the shown dump: what is said while it is read, and of it.
#include <fmt/format.h>

#include "core/base/path.h"
#include "core/render/fleet_hover.h"
#include "server/load_status.h"

namespace etlens {

void LoadStatus::fleet_started(const std::string& path) {
  session_.reads_fleet = true;
  session_.fleet_message = fmt::format("reading the fleet {}", path);
  fleet_progress_.begin("the fleet " + std::string(base_name(path)));
  publisher_.notify_profile_changed();
}

void LoadStatus::show_fleet(const FleetLoader::FleetResult& fleet) {
  session_.reads_fleet = false;
  session_.fleet_message.clear();
  if (!fleet) {
    session_.fleet_message = "no fleet is shown: " + fleet.error().message;
    session_.set_fleet(nullptr);
    publisher_.log_or_show(lsp::MessageType::Warning, session_.fleet_message);
  } else {
    session_.set_fleet(*fleet);
    if (*fleet != nullptr) {
      session_.fleet_message = fleet_summary(**fleet, session_.config.show.unit);
      publisher_.log_or_show(lsp::MessageType::Log, session_.fleet_message);
    }
  }
  publisher_.study_changed();
}

}  // namespace etlens
