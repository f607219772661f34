// SPDX-License-Identifier: Apache-2.0
// The FlatBuffer of a payload, verified. Names of Table are those of a generated schema.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <flatbuffers/flatbuffers.h>

namespace etlens {

// Null if an offset points outside of `buffer`. The table is in `buffer`, or in `aligned`: a payload
// inside another file starts anywhere, and FlatBuffers need aligned memory.
template <typename Table>
const Table* payload_table(std::span<const uint8_t> buffer, std::vector<uint8_t>& aligned) {
  constexpr size_t kMostAligned = 16;  // that any FlatBuffer asks for
  constexpr size_t kLeastTable = 8;    // bytes
  constexpr flatbuffers::uoffset_t kDepth = 8;
  if (reinterpret_cast<uintptr_t>(buffer.data()) % kMostAligned != 0) {
    aligned.assign(buffer.begin(), buffer.end());
    buffer = aligned;
  }
  const auto max_tables = static_cast<flatbuffers::uoffset_t>(buffer.size() / kLeastTable + 1);
  flatbuffers::Verifier verifier(buffer.data(), buffer.size(), kDepth, max_tables);
  if (!verifier.VerifyBuffer<Table>(nullptr)) return nullptr;
  return flatbuffers::GetRoot<Table>(buffer.data());
}

}  // namespace etlens
