// SPDX-License-Identifier: Apache-2.0
// Bytes -> the arguments of a graph's nodes, as the graph of a record.
#include <cstddef>
#include <cstdint>

#include "core/formats/etrecord/node_arguments.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace etlens;
  const Bytes bytes = Bytes::copy_of({reinterpret_cast<const char*>(data), size});
  (void)parse_node_arguments(bytes);
  return 0;
}
