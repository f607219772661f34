// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/fleet_view.h"

#include <fmt/format.h>

#include <string_view>
#include <unordered_map>

#include "core/fleet/study_rows.h"

namespace etlens {

FleetView::FleetView(std::shared_ptr<const Fleet> fleet, const Study& study)
    : fleet_(std::move(fleet)) {
  const std::string program = program_name(study);
  if (program != fleet_->program) {
    problem_ = fmt::format(
        "the fleet is of another program ({}) than the shown dump ({}); choose a dump of it",
        fleet_->program, program);
    return;
  }
  std::unordered_map<std::string_view, const FleetPlace*> places;
  for (const FleetPlace& place : fleet_->places) {
    if (place.place.kind == PlaceKind::Line) places.emplace(place.place.key, &place);
  }
  const Code& code = study.code();
  for (size_t l = 0; l < code.lines.size(); ++l) {
    const auto at = places.find(place_of_line(code, LineId(l)).key);
    lines_.push_back(at == places.end() ? nullptr : at->second);
  }
}

const FleetPlace* FleetView::of_line(LineId line) const {
  return line.value < lines_.size() ? lines_[line.value] : nullptr;
}

}  // namespace etlens
