// SPDX-License-Identifier: Apache-2.0
// Windows cannot say whether a pipe takes something.
#include "rpc/write_soon.h"

#include <algorithm>

namespace etlens {

bool write_soon(std::FILE* file, std::string_view bytes) {
  const bool is_written =
      std::fwrite(bytes.data(), 1, std::min(bytes.size(), kMostWrittenAtOnce), file) > 0;
  return std::fflush(file) == 0 && is_written;
}

}  // namespace etlens
