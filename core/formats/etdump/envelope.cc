// SPDX-License-Identifier: Apache-2.0
#include "core/formats/etdump/envelope.h"

#include <cstring>
#include <string>

#include "core/formats/etdump/etdump_reader.h"

namespace etlens {
namespace {

constexpr char kIdentifier[] = "ED00";
constexpr size_t kIdentifierBytes = 4;
constexpr size_t kPrefixBytes = 4;
constexpr size_t kOffsetOfIdentifier = 4;  // behind the prefix, if there is one

bool has_identifier(std::span<const uint8_t> bytes, size_t at) {
  return bytes.size() >= at + kIdentifierBytes &&
         std::memcmp(bytes.data() + at, kIdentifier, kIdentifierBytes) == 0;
}

}  // namespace

size_t Envelope::root() const { return prefixed ? kPrefixBytes : 0; }

bool Envelope::is_whole() const {
  const bool is_sized = !prefixed || (bytes.size() >= kPrefixBytes &&
                                      ByteReader(bytes).u32() == bytes.size() - kPrefixBytes);
  return is_sized && has_identifier(bytes, root() + kOffsetOfIdentifier);
}

bool has_second_prefix(std::span<const uint8_t> bytes) {
  if (!has_identifier(bytes, 2 * kPrefixBytes + kOffsetOfIdentifier)) return false;
  ByteReader reader(bytes);
  const uint64_t outer = reader.u32();
  const uint64_t inner = reader.u32();
  return outer == inner + kPrefixBytes;
}

bool looks_like_etdump(std::span<const uint8_t> bytes) {
  if (bytes.size() < 12) return false;
  return has_identifier(bytes, kPrefixBytes + kOffsetOfIdentifier) ||
         has_identifier(bytes, kOffsetOfIdentifier) || has_second_prefix(bytes);
}

Result<Envelope> open_envelope(std::span<const uint8_t> bytes, LoadReport& report) {
  if (bytes.size() > kMaxDumpBytes) return too_large_dump();
  if (!looks_like_etdump(bytes)) {
    return Error{ErrorCode::Unsupported,
                 "is not an ETDump (no identifier ED00); give the file that the runtime's event "
                 "tracer wrote"};
  }
  if (has_identifier(bytes, kOffsetOfIdentifier)) return Envelope{bytes, false};
  const uint64_t promised = uint64_t{ByteReader(bytes).u32()} + kPrefixBytes;
  if (promised > bytes.size()) {
    return Error{ErrorCode::Incomplete, "is cut off: " + std::to_string(bytes.size()) + " of " +
                                            std::to_string(promised) +
                                            " bytes are here; copy it from the device again"};
  }
  if (promised < bytes.size()) {
    report.add(Oddity::DumpTrailingBytes, std::to_string(bytes.size() - promised) + " bytes");
  }
  return Envelope{bytes.first(promised), true};
}

Envelope moved_by_prefix(const Envelope& envelope, Bytes& copy) {
  const std::span<const uint8_t> from = envelope.bytes;
  if (envelope.prefixed) {
    copy = Bytes(from.size() - kPrefixBytes);
    std::memcpy(copy.data(), from.data() + kPrefixBytes, copy.size());
    return {copy.span(), false};
  }
  copy = Bytes(from.size() + kPrefixBytes);
  for (size_t i = 0; i < kPrefixBytes; ++i)
    copy.data()[i] = static_cast<uint8_t>(from.size() >> (8 * i));
  std::memcpy(copy.data() + kPrefixBytes, from.data(), from.size());
  return {copy.span(), true};
}

Error too_large_dump() {
  return {ErrorCode::Unsupported, "is larger than 2 GB, more than an ETDump can be"};
}

}  // namespace etlens
