// SPDX-License-Identifier: Apache-2.0
// Which operators the openvino package supports: it decides what the OpenVINO partitioner takes.
#pragma once

#include <string_view>

namespace etlens {

// `target` as the edge program has it: "aten.mean.dim".
bool is_openvino_operator(std::string_view target);

}  // namespace etlens
