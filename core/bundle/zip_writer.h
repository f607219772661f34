// SPDX-License-Identifier: Apache-2.0
// Makes a ZIP file in memory.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/bundle/sparse_bytes.h"

namespace etlens {

struct ZipPart {
  std::string name;
  SparseBytes content;
};

enum class ZipMethod : uint8_t { Stored, Deflated };

// In the order of the parts; the same parts give the same bytes. Unsupported for what needs ZIP64: 4 GB, 65,535 parts.
Result<std::string> zip_of(const std::vector<ZipPart>& parts, ZipMethod method);

}  // namespace etlens
