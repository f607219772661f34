// SPDX-License-Identifier: Apache-2.0
// What the extensions about memory and size share: a number of bytes.
#pragma once

#include <cstdint>
#include <string>

#include "protocol/types.h"

namespace etlens::extensions {

struct ByteCount {
  uint64_t value = 0;
  std::string text;  // "3.10 MB"
};
FIELDS(ByteCount, value, text)

}  // namespace etlens::extensions
