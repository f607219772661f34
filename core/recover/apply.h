// SPDX-License-Identifier: Apache-2.0
// Puts recovered lines into a record: nodes get stacks of frames as a strict export would have
// written them, so that everything behind the readers sees lines, stacks and calls as usual.
#pragma once

#include <vector>

#include "core/recover/recover.h"

namespace etlens {

// Where a whole stack was found it takes the place of the project's frames; where only the line is
// sure, its frame is added behind them. Frames of libraries stay innermost. Frames that the record
// has on no line are marked (Frame::is_recovered), and so are nodes whose innermost frame of the
// project changes (Node::is_recovered). The texts of new frames come from
// `read`. Gives the number of nodes that were marked.
size_t apply_recovery(EtRecord& record, const std::vector<bool>& is_project_file,
                      const Recovery& recovery, const ReadSource& read);

}  // namespace etlens
