// SPDX-License-Identifier: Apache-2.0
// Bytes -> ETDump reader -> event trees and blocks.
#include <cstddef>
#include <cstdint>

#include "core/formats/etdump/etdump_reader.h"
#include "core/join/attribution.h"
#include "core/join/pairing.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace etlens;
  const Bytes bytes = Bytes::copy_of({reinterpret_cast<const char*>(data), size});
  Result<EventLog> read = read_etdump(bytes);
  if (!read) return 0;
  auto log = std::make_shared<EventLog>(std::move(*read));
  AttributionRequest request;
  request.log = log;
  request.trees = build_event_trees(*log);
  request.blocks = group_blocks(*log, request.trees);
  const Result<Selection> selection =
      select_block(*log, request.trees, request.blocks, nullptr, {});
  if (!selection) return 0;
  request.block = selection->block;
  attribute(std::move(request));  // asserts that the parts add up
  return 0;
}
