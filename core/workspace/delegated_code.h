// SPDX-License-Identifier: Apache-2.0
// The code of an export with its delegate calls as they were found without a dump.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/code/code.h"
#include "core/delegation/delegation.h"

namespace etlens {

// The record and the method are the delegation's; row i of Code::partitions is its call i.
std::shared_ptr<const Code> code_of_delegation(const Delegation& delegation,
                                               const std::vector<std::string>& library_frames);

}  // namespace etlens
