// SPDX-License-Identifier: Apache-2.0
// Python's marshal: one object as a tree of nodes, which repeated references make a graph without
// cycles. Reads what versions 0 to 5 write (Python 2.4 to 3.14): the version is not stored, and a
// reader takes them all. Format: CPython's Python/marshal.c, and Doc/library/marshal.rst.
//
// Hostile bytes cost no more than their number: 20 bytes for each object, none of which is shorter
// than one. Nothing is copied, nothing recurses.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/bytes.h"
#include "core/base/id.h"
#include "core/base/result.h"

namespace etlens {

using MarshalId = Id<struct MarshalTag>;

enum class MarshalType : uint8_t {
  Null,  // ends a dict; never part of one
  None,
  Constant,  // True, False, Ellipsis, StopIteration
  Int,
  BigInt,  // an integer beyond 64 bits
  Float,
  Complex,
  String,  // text, or the bytes that Python 2 calls str
  Tuple,
  List,
  Set,
  Dict,  // its items are key, value, key, value, …
  Slice,
};

// "a tuple", "a whole number", … for messages.
std::string_view describe(MarshalType type);

// Nesting that Python's own reader takes.
inline constexpr size_t kMaxMarshalDepth = 2000;
// Longer files are refused: a profile of a whole test suite has some 20 MB.
inline constexpr size_t kMaxMarshalBytes = size_t{256} << 20;

class MarshalData {
 public:
  // The object at the front of `bytes`, which must outlive the data; what stands behind it is
  // ignored, as Python ignores it. Errors: Corrupt, Unsupported for code objects.
  static Result<MarshalData> read(std::span<const uint8_t> bytes);

  MarshalId root() const { return root_; }
  MarshalType type(MarshalId id) const { return nodes_[id.value].type; }
  // Of a Tuple, List, Set, Dict or Slice; nothing for others.
  std::span<const MarshalId> items(MarshalId id) const;
  int64_t integer(MarshalId id) const;  // of an Int
  double real(MarshalId id) const;      // of a Float; may be NaN or infinite
  // Of a String: as it was written. Text is UTF-8 in which surrogates stand alone (surrogatepass).
  std::string_view text(MarshalId id) const;

 private:
  struct Node {
    MarshalType type = MarshalType::None;
    bool is_open = false;  // its items are being read
    uint32_t size = 0;     // of text, or the number of items
    uint64_t payload = 0;  // bits of a number; where text or items begin
  };
  friend class MarshalReader;

  std::span<const uint8_t> bytes_;
  std::vector<Node> nodes_;
  std::vector<MarshalId> items_;
  MarshalId root_;
};

}  // namespace etlens
