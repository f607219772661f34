// SPDX-License-Identifier: Apache-2.0
#include "core/delegate/xnnpack_payload.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "core/base/bytes.h"
#include "core/base/text.h"

namespace etlens {
namespace {

constexpr size_t kHeaderBytes = 30;
constexpr char kHeaderMagic[] = "XH00";
// A graph of a million operators takes less.
constexpr uint64_t kMaxOperatorBytes = 256ull << 20;

// Bytes of the payload up to the end of its FlatBuffer; nullopt without a header (release 0.1).
std::optional<uint64_t> operators_end(std::span<const uint8_t> front) {
  if (front.size() < kHeaderBytes || std::memcmp(front.data() + 4, kHeaderMagic, 4) != 0) {
    return std::nullopt;
  }
  ByteReader reader(front.subspan(10));
  const uint64_t offset = reader.u32();
  return offset + reader.u32();
}

}  // namespace

std::vector<uint8_t> decode_xnnpack_operators(std::string_view base64) {
  const std::optional<std::vector<uint8_t>> front =
      base64_decode(base64.substr(0, kHeaderBytes / 3 * 4), kHeaderBytes);
  if (!front) return {};
  const uint64_t end = std::min(operators_end(*front).value_or(UINT64_MAX), kMaxOperatorBytes);
  const uint64_t characters = std::min<uint64_t>(base64.size(), (end + 2) / 3 * 4);
  return base64_decode(base64.substr(0, characters), end).value_or(std::vector<uint8_t>());
}

}  // namespace etlens
