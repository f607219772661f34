// SPDX-License-Identifier: Apache-2.0
#include "core/formats/table_walk.h"

#include <algorithm>

namespace etlens {
namespace {

constexpr size_t kVtableEntryBytes = 2;
constexpr size_t kFirstEntry =
    2 * kVtableEntryBytes;  // behind the sizes of the vtable and of the table

// Of a table at 8n + r: bit r. `alignment`: 1, 2, 4 or 8.
uint8_t aligned_begins(size_t offset, size_t alignment) {
  const unsigned every = 0xFF / ((1u << alignment) - 1);  // one of so many bits, from the lowest on
  const size_t first = (0 - offset) & (alignment - 1);
  return static_cast<uint8_t>(every << first);
}

}  // namespace

bool TableWalk::learn(size_t vtable, const FlatKind& kind, FlatLayout& layout) const {
  layout = {};
  if (vtable % kVtableEntryBytes != 0 || !fits(vtable, kVtableEntryBytes)) return false;
  const size_t size = load<uint16_t>(data_ + vtable);
  if (size % kVtableEntryBytes != 0 || !fits(vtable, size)) return false;
  layout.extent = kOffsetBytes;
  size_t entry = kFirstEntry;
  for (size_t field = 0; field < kind.count_; ++field) {
    const uint8_t bytes = kind.bytes_[field];
    if (bytes == kNoField) continue;
    if (entry >= size) break;
    const uint16_t offset = load<uint16_t>(data_ + vtable + entry);
    entry += kVtableEntryBytes;
    if (offset == 0) continue;
    layout.at[field] = offset;
    layout.extent = std::max<size_t>(layout.extent, size_t{offset} + bytes);
    layout.aligned &= aligned_begins(offset, bytes);
  }
  layout.vtable = vtable;
  return true;
}

}  // namespace etlens
