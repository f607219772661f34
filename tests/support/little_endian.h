// SPDX-License-Identifier: Apache-2.0
// Numbers as the formats write them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace etlens::test {

inline void put(std::string& out, uint64_t value, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xFF);
}

}  // namespace etlens::test
