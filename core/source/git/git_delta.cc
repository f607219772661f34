// SPDX-License-Identifier: Apache-2.0
#include "core/source/git/git_delta.h"

#include "core/base/budget.h"

namespace etlens {
namespace {

// Seven bits a byte, the lowest first; the highest bit says that another follows.
std::optional<uint64_t> take_number(std::string_view& text) {
  constexpr int kBits = 63;
  uint64_t value = 0;
  for (int shift = 0; shift < kBits && !text.empty(); shift += 7) {
    const auto byte = static_cast<uint8_t>(text.front());
    text.remove_prefix(1);
    value |= static_cast<uint64_t>(byte & 0x7F) << shift;
    if ((byte & 0x80) == 0) return value;
  }
  return std::nullopt;
}

// The bytes of a number that the bits of `which` say are there, the lowest first.
std::optional<uint64_t> take_bytes(std::string_view& text, unsigned which) {
  uint64_t value = 0;
  for (int shift = 0; which != 0; which >>= 1, shift += 8) {
    if ((which & 1) == 0) continue;
    if (text.empty()) return std::nullopt;
    value |= static_cast<uint64_t>(static_cast<uint8_t>(text.front())) << shift;
    text.remove_prefix(1);
  }
  return value;
}

// What the next step of the delta adds.
std::optional<std::string_view> next_piece(std::string_view base, std::string_view& delta) {
  constexpr unsigned kCopies = 0x80;
  constexpr uint64_t kWithoutSize = 0x10000;
  const auto step = static_cast<uint8_t>(delta.front());
  delta.remove_prefix(1);
  if ((step & kCopies) == 0) {
    if (step == 0 || step > delta.size()) return std::nullopt;
    const std::string_view piece = delta.substr(0, step);
    delta.remove_prefix(step);
    return piece;
  }
  const std::optional<uint64_t> offset = take_bytes(delta, step & 0x0F);
  const std::optional<uint64_t> size = offset ? take_bytes(delta, step >> 4 & 0x07) : std::nullopt;
  if (!size) return std::nullopt;
  const uint64_t count = *size == 0 ? kWithoutSize : *size;
  if (*offset > base.size() || count > base.size() - *offset) return std::nullopt;
  return base.substr(*offset, count);
}

}  // namespace

std::optional<GitDeltaSizes> take_git_delta_sizes(std::string_view& delta) {
  const std::optional<uint64_t> base = take_number(delta);
  const std::optional<uint64_t> result = base ? take_number(delta) : std::nullopt;
  if (!result) return std::nullopt;
  return GitDeltaSizes{*base, *result};
}

std::optional<std::string> apply_git_delta(std::string_view base, std::string_view delta,
                                           size_t limit) {
  constexpr size_t kBytesPerStep = 4096;
  const std::optional<GitDeltaSizes> sizes = take_git_delta_sizes(delta);
  if (!sizes || sizes->base != base.size() || sizes->result > limit) return std::nullopt;
  std::string result;
  while (!delta.empty()) {
    const std::optional<std::string_view> piece = next_piece(base, delta);
    if (!piece || piece->size() > sizes->result - result.size()) return std::nullopt;
    go_on(1 + piece->size() / kBytesPerStep);
    result += *piece;
  }
  if (result.size() != sizes->result) return std::nullopt;
  return result;
}

}  // namespace etlens
