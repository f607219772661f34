// SPDX-License-Identifier: Apache-2.0
// A fleet beside one dump of its program: what it says of the lines that the dump's study has.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/fleet/fleet.h"
#include "core/workspace/study.h"

namespace etlens {

class FleetView {
 public:
  FleetView(std::shared_ptr<const Fleet> fleet, const Study& study);

  const Fleet& fleet() const { return *fleet_; }
  // Null where no dump of the fleet spent time on the line.
  const FleetPlace* of_line(LineId line) const;
  // A sentence: why it says nothing of any line; "" if it does.
  const std::string& problem() const { return problem_; }

 private:
  std::shared_ptr<const Fleet> fleet_;
  std::vector<const FleetPlace*> lines_;  // one per Code::lines; none with a problem
  std::string problem_;
};

}  // namespace etlens
