// SPDX-License-Identifier: Apache-2.0
// What else a dump holds: its other blocks of executions, most often other methods of the program.
#pragma once

#include <vector>

#include "core/workspace/load.h"
#include "core/workspace/study.h"

namespace etlens {

inline constexpr size_t kMostOtherBlocks = 4;

// Those with the most executions first, at most kMostOtherBlocks. By the statistic that was asked
// for, of all their executions: what a study of each of them has as its total.
std::vector<OtherBlock> other_blocks(const FileSystem& files, const Artifacts& artifacts,
                                     const LoadRequest& request, BlockId shown,
                                     const CancelToken& cancel);

}  // namespace etlens
