// SPDX-License-Identifier: Apache-2.0
// The scales and zero points of a method's quantized tensors: constants of its quantize_per_tensor
// and dequantize_per_tensor nodes, which the tables of an EtRecord leave out. Read when somebody
// asks about values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/base/file_system.h"
#include "core/base/result.h"

namespace etlens {

// real = (stored - zero_point) * scale, stored in [minimum, maximum].
struct Quantization {
  double scale = 1;
  int64_t zero_point = 0;
  int64_t minimum = 0;
  int64_t maximum = 0;
};

// By the name of the node's output, which holds stored or real values of that kind.
using Quantizations = std::unordered_map<std::string, Quantization>;

// Empty if the method quantizes nothing per tensor, or the record has no graph of it. Errors: of
// ZipArchive; Corrupt if the graph is no JSON.
Result<Quantizations> read_quantizations(const FileSystem& files, std::string_view path,
                                         std::string_view method);

}  // namespace etlens
