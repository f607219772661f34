// SPDX-License-Identifier: Apache-2.0
#include "core/workspace/delegated_code.h"

#include "core/code/build_code.h"

namespace etlens {

std::shared_ptr<const Code> code_of_delegation(const Delegation& delegation,
                                               const std::vector<std::string>& library_frames) {
  const ProjectFrames frames(*delegation.record, library_frames);
  const MethodContext context(*delegation.record, delegation.method, frames);
  std::vector<CallNodes> calls;
  for (const CalledDelegate& call : delegation.calls)
    calls.push_back({call.instruction, call.backend, {}, {}});
  for (const NodeDelegation& row : delegation.nodes)
    if (row.is_delegated()) calls[row.call].nodes.push_back(row.node);
  return std::make_shared<const Code>(
      build_code(delegation.record, delegation.method, context, calls));
}

}  // namespace etlens
