// SPDX-License-Identifier: Apache-2.0
// Names of the members of an ETRecord that more than one reader asks for.
#pragma once

#include <string_view>

namespace etlens {

inline constexpr std::string_view kEdgeProgram = "edge_dialect_exported_program";
// The same behind the passes that the user gave: what the partitioner saw. From 1.2 on.
inline constexpr std::string_view kTransformedProgram = "edge_after_transform";
// The only method of records up to 1.1.
inline constexpr std::string_view kForward = "forward";
inline constexpr std::string_view kNumOutsMap = "instruction_id_to_num_outs_map";
inline constexpr std::string_view kReferenceOutputs = "reference_outputs";

}  // namespace etlens
