// SPDX-License-Identifier: Apache-2.0
#include "core/backend/payload_part.h"

#include <algorithm>
#include <optional>

#include "core/base/text.h"

namespace etlens {
namespace {

// Characters of base64 that hold so many bytes.
uint64_t base64_size(uint64_t bytes) { return (bytes / 3 + (bytes % 3 == 0 ? 0 : 1)) * 4; }

std::vector<uint8_t> decode_part(const Backend& backend, std::string_view base64) {
  if (backend.operator_bytes == nullptr) return {};
  const size_t front_bytes = backend.payload_front_bytes;
  const std::optional<std::vector<uint8_t>> front =
      base64_decode(base64.substr(0, base64_size(front_bytes)), front_bytes);
  if (!front) return {};
  // How long it is decoded nobody knows yet: less than this.
  const uint64_t end = backend.operator_bytes(*front, base64.size());
  const std::string_view part =
      base64.substr(0, std::min<uint64_t>(base64.size(), base64_size(end)));
  return base64_decode(part, end).value_or(std::vector<uint8_t>());
}

}  // namespace

PayloadDecoder payload_decoder(const Backends& backends) {
  return [&backends](std::string_view backend, std::string_view base64) {
    return decode_part(backends.find(backend), base64);
  };
}

std::vector<uint8_t> read_payload_part(const FileSystem& files, const EtProgram& program,
                                       const ProgramDelegate& delegate, const Backends& backends) {
  const Backend& backend = backends.find(delegate.backend);
  if (backend.operator_bytes == nullptr) return {};
  const uint64_t begin = program.file_offset + delegate.offset;
  const Result<Bytes> front = files.read_range(
      program.path, begin, std::min<uint64_t>(delegate.size, backend.payload_front_bytes));
  if (!front) return {};
  const Result<Bytes> part =
      files.read_range(program.path, begin, backend.operator_bytes(front->span(), delegate.size));
  if (!part) return {};
  return {part->span().begin(), part->span().end()};
}

}  // namespace etlens
