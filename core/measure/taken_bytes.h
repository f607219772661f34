// SPDX-License-Identifier: Apache-2.0
// TakenBytes: which bytes of a file somebody owns already.
#pragma once

#include <cstdint>
#include <map>

#include "core/formats/pte/program.h"

namespace etlens {

class TakenBytes {
 public:
  // How many bytes of the range nobody had; now they are taken.
  uint64_t take(ByteRange range);

 private:
  std::map<uint64_t, uint64_t> ranges_;  // begin to end; apart from each other
};

}  // namespace etlens
