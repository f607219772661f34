// SPDX-License-Identifier: Apache-2.0
#include "core/formats/etdump/verified_dump.h"

#include <flatbuffers/flatbuffers.h>

#include <algorithm>
#include <cstring>

#include "core/formats/etdump/etdump_reader.h"

namespace etlens {
namespace {

constexpr char kIdentifier[] = "ED00";
constexpr size_t kPrefixBytes = 4;
// One table takes at least this much, so a file cannot honestly hold more of them.
constexpr size_t kMinDumpTableBytes = 8;
constexpr flatbuffers::uoffset_t kMaxDumpDepth = 16;

// The part of the file that is the FlatBuffer, and whether its size stands in front of it.
struct Envelope {
  const uint8_t* data = nullptr;
  size_t size = 0;
  bool prefixed = false;
};

// A length in front of a dump that has its own, as a link or a simulator sends messages.
bool has_second_prefix(std::span<const uint8_t> bytes) {
  constexpr size_t kIdentifierOffset = 12;
  if (bytes.size() < kIdentifierOffset + 4) return false;
  if (std::memcmp(bytes.data() + kIdentifierOffset, kIdentifier, 4) != 0) return false;
  ByteReader reader(bytes);
  const uint64_t outer = reader.u32();
  const uint64_t inner = reader.u32();
  return outer == inner + kPrefixBytes;
}

Result<Envelope> open_envelope(std::span<const uint8_t> bytes, LoadReport& report) {
  if (bytes.size() > kMaxDumpBytes) return too_large_dump();
  if (!looks_like_etdump(bytes)) {
    return Error{ErrorCode::Unsupported,
                 "is not an ETDump (no identifier ED00); give the file that the runtime's event "
                 "tracer wrote"};
  }
  if (std::memcmp(bytes.data() + 4, kIdentifier, 4) == 0) {
    return Envelope{bytes.data(), bytes.size(), false};
  }
  const uint64_t promised = uint64_t{ByteReader(bytes).u32()} + kPrefixBytes;
  if (promised > bytes.size()) {
    return Error{ErrorCode::Incomplete, "is cut off: " + std::to_string(bytes.size()) + " of " +
                                            std::to_string(promised) +
                                            " bytes are here; copy it from the device again"};
  }
  if (promised < bytes.size()) {
    report.add(Oddity::DumpTrailingBytes, std::to_string(bytes.size() - promised) + " bytes");
  }
  return Envelope{bytes.data(), promised, true};
}

template <typename Dump>
const Dump* verified(const Envelope& envelope) {
  const auto max_tables =
      static_cast<flatbuffers::uoffset_t>(envelope.size / kMinDumpTableBytes + 1);
  flatbuffers::Verifier verifier(envelope.data, envelope.size, kMaxDumpDepth, max_tables);
  const bool ok = envelope.prefixed ? verifier.VerifySizePrefixedBuffer<Dump>(kIdentifier)
                                    : verifier.VerifyBuffer<Dump>(kIdentifier);
  if (!ok) return nullptr;
  return envelope.prefixed ? flatbuffers::GetSizePrefixedRoot<Dump>(envelope.data)
                           : flatbuffers::GetRoot<Dump>(envelope.data);
}

// The same content with its size in front, or without: what stands in front of it moves every field
// by four bytes. A writer aligns its fields relative to the place where its own buffer begins, so
// that a size which somebody put there later, or cut off, leaves them where no reader may read
// them.
Envelope moved_by_prefix(const Envelope& envelope, Bytes& copy) {
  if (envelope.prefixed) {
    copy = Bytes(envelope.size - kPrefixBytes);
    std::memcpy(copy.data(), envelope.data + kPrefixBytes, copy.size());
    return {copy.data(), copy.size(), false};
  }
  copy = Bytes(envelope.size + kPrefixBytes);
  const auto size = static_cast<uint32_t>(envelope.size);
  for (size_t i = 0; i < kPrefixBytes; ++i) copy.data()[i] = static_cast<uint8_t>(size >> (8 * i));
  std::memcpy(copy.data() + kPrefixBytes, envelope.data, envelope.size);
  return {copy.data(), copy.size(), true};
}

template <typename Dump>
bool has_events(const Dump& dump) {
  if (dump.run_data() == nullptr) return false;
  return std::any_of(dump.run_data()->begin(), dump.run_data()->end(), [](const auto* run) {
    return run->events() != nullptr && run->events()->size() > 0;
  });
}

VerifiedDump verify_envelope(const Envelope& envelope) {
  VerifiedDump found;
  found.dump = verified<etdump_schema::ETDump>(envelope);
  if (found.dump != nullptr && has_events(*found.dump)) return found;
  const auto* old = verified<etdump_v01_schema::ETDump>(envelope);
  if (old != nullptr && has_events(*old)) found.old = old;
  return found;
}

}  // namespace

bool looks_like_etdump(std::span<const uint8_t> bytes) {
  if (bytes.size() < 12) return false;
  return std::memcmp(bytes.data() + 8, kIdentifier, 4) == 0 ||
         std::memcmp(bytes.data() + 4, kIdentifier, 4) == 0 || has_second_prefix(bytes);
}

Error too_large_dump() {
  return {ErrorCode::Unsupported, "is larger than 2 GB, more than an ETDump can be"};
}

Result<VerifiedDump> verify_dump(const Bytes& file, LoadReport& report) {
  Bytes inner;
  if (has_second_prefix(file.span())) inner = Bytes::copy_of(file.text().substr(kPrefixBytes));
  const Result<Envelope> envelope =
      open_envelope(inner.empty() ? file.span() : inner.span(), report);
  if (!envelope) return envelope.error();
  VerifiedDump found = verify_envelope(*envelope);
  found.copy = std::move(inner);
  if (found.dump == nullptr && found.old == nullptr) {
    Bytes moved;
    found = verify_envelope(moved_by_prefix(*envelope, moved));
    found.copy = std::move(moved);
  }
  if (found.dump != nullptr || found.old != nullptr) return found;
  return Error{ErrorCode::Corrupt,
               "is damaged: an offset points outside the file; copy it from the device again, or "
               "run the model again (values in half precision broke dumps of some releases)"};
}

}  // namespace etlens
