// SPDX-License-Identifier: Apache-2.0
// Envelope: where in the bytes of a file the FlatBuffer of an ETDump is. For the reader alone.
#pragma once

#include <cstdint>
#include <span>

#include "core/base/bytes.h"
#include "core/base/load_report.h"
#include "core/base/result.h"

namespace etlens {

inline constexpr size_t kMaxDumpBytes = (size_t{1} << 31) - 2;
Error too_large_dump();

struct Envelope {
  std::span<const uint8_t> bytes;  // with the size in front, if it has one
  bool prefixed = false;

  // Where the offset of the root is.
  size_t root() const;
  // The identifier and the size in front are what they have to be.
  bool is_whole() const;
};

// A length in front of a dump that has its own, as a link or a simulator sends messages.
bool has_second_prefix(std::span<const uint8_t> bytes);

// Errors: Unsupported, Incomplete. `bytes` outlive the result.
Result<Envelope> open_envelope(std::span<const uint8_t> bytes, LoadReport& report);

// The same content with its size in front, or without: what stands in front of it moves every field
// by four bytes. A writer aligns its fields relative to the place where its own buffer begins, so
// that a size which somebody put there later, or cut off, leaves them where no reader may read
// them. The result lies in `copy`.
Envelope moved_by_prefix(const Envelope& envelope, Bytes& copy);

}  // namespace etlens
