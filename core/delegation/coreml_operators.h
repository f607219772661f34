// SPDX-License-Identifier: Apache-2.0
// Which operators coremltools converts: it decides what Core ML's partitioner takes.
#pragma once

#include <string_view>

namespace etlens {

// `target` as the edge program has it: "aten.mean.dim".
bool is_coreml_operator(std::string_view target);

}  // namespace etlens
