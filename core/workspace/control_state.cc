// SPDX-License-Identifier: Apache-2.0
#include "core/workspace/control_state.h"

namespace etlens {

void add_control_and_state(const Artifacts& artifacts, const JoinedBlock& joined, BlockId block,
                           Study& study) {
  const Code& code = joined.join.code();
  if (code.record == nullptr || joined.ran == nullptr) return;
  study.control = count_control_runs({*artifacts.log, artifacts.trees, artifacts.blocks, block,
                                      *artifacts.program, *joined.ran, code},
                                     joined.join.bodies);
  study.writes = state_writes(code, *joined.ran);
}

}  // namespace etlens
