// SPDX-License-Identifier: Apache-2.0
// Of every recorded stack, the frames that are the project's own.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/formats/etrecord/etrecord.h"

namespace etlens {

class ProjectFrames {
 public:
  // `library_globs`: files that count as library code beside the framework's own.
  ProjectFrames(const EtRecord& record, const std::vector<std::string>& library_globs);

  // The innermost project frame: where self time goes. Invalid if the stack has none.
  FrameId self_of(StackId stack) const;
  // One project frame per distinct line of the stack, outermost first: where inclusive time goes.
  std::span<const FrameId> lines_of(StackId stack) const;

 private:
  std::vector<uint32_t> offsets_;  // one more than there are stacks
  std::vector<FrameId> frames_;
  std::vector<FrameId> self_;
};

}  // namespace etlens
