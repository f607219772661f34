// SPDX-License-Identifier: Apache-2.0
// Text -> the file about a run.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/formats/run/run_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)etlens::read_run_file({reinterpret_cast<const char*>(data), size});
  return 0;
}
