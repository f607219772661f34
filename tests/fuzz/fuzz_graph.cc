// SPDX-License-Identifier: Apache-2.0
// Bytes -> graph JSON reader, the debug handle map and the delegate map.
#include <cstddef>
#include <cstdint>

#include "core/formats/etrecord/debug_handle_map.h"
#include "core/formats/etrecord/graph_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace etlens;
  const Bytes bytes = Bytes::copy_of({reinterpret_cast<const char*>(data), size});
  EtRecord record;
  (void)read_debug_handle_map(bytes, record);
  (void)read_delegate_map(bytes, record);
  GraphReader reader(record);
  (void)reader.read(bytes, GraphKind::Edge, record.strings.intern("forward"));
  return 0;
}
