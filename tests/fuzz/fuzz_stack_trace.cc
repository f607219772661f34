// SPDX-License-Identifier: Apache-2.0
// Bytes -> stack trace and module stack parsers.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "core/formats/etrecord/module_stack.h"
#include "core/formats/etrecord/stack_trace.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace etlens;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const ParsedFrame& frame : parse_stack_trace(text).frames) {
    if (frame.mark_end > frame.text.size() || frame.mark_begin > frame.mark_end) std::abort();
  }
  for (const ParsedModule& module : parse_module_stack(text)) (void)normal_module_path(module.path);
  return 0;
}
