// SPDX-License-Identifier: Apache-2.0
#include "core/runs/content_hash.h"

#include <algorithm>
#include <bit>

#include "core/base/budget.h"

namespace etlens {
namespace {

constexpr std::array<uint32_t, 64> kRounds{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

}  // namespace

void ContentHash::take(const uint8_t* block) {
  std::array<uint32_t, 64> words{};
  for (size_t i = 0; i < 16; ++i) {
    const uint8_t* at = block + 4 * i;
    words[i] =
        uint32_t{at[0]} << 24 | uint32_t{at[1]} << 16 | uint32_t{at[2]} << 8 | uint32_t{at[3]};
  }
  for (size_t i = 16; i < words.size(); ++i) {
    const uint32_t a = words[i - 15], b = words[i - 2];
    words[i] = words[i - 16] + words[i - 7] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3) +
               (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10);
  }
  std::array<uint32_t, 8> s = state_;
  for (size_t i = 0; i < words.size(); ++i) {
    const uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
    const uint32_t majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
    const uint32_t one = s[7] + (std::rotr(s[4], 6) ^ std::rotr(s[4], 11) ^ std::rotr(s[4], 25)) +
                         choice + kRounds[i] + words[i];
    const uint32_t two =
        (std::rotr(s[0], 2) ^ std::rotr(s[0], 13) ^ std::rotr(s[0], 22)) + majority;
    s = {one + two, s[0], s[1], s[2], s[3] + one, s[4], s[5], s[6]};
  }
  for (size_t i = 0; i < s.size(); ++i) state_[i] += s[i];
}

void ContentHash::add(std::span<const uint8_t> bytes) {
  bytes_ += bytes.size();
  if (rest_size_ > 0) {
    const size_t taken = std::min(kBlock - rest_size_, bytes.size());
    std::copy_n(bytes.data(), taken, rest_.data() + rest_size_);
    rest_size_ += taken;
    bytes = bytes.subspan(taken);
    if (rest_size_ < kBlock) return;
    take(rest_.data());
    rest_size_ = 0;
  }
  for (; bytes.size() >= kBlock; bytes = bytes.subspan(kBlock)) take(bytes.data());
  std::copy_n(bytes.data(), bytes.size(), rest_.data());
  rest_size_ = bytes.size();
}

std::string ContentHash::hex() {
  const uint64_t bits = bytes_ * 8;
  std::array<uint8_t, kBlock + 8> end{0x80};
  const size_t padding = (rest_size_ < 56 ? 56 : 120) - rest_size_;
  for (size_t i = 0; i < 8; ++i) end[padding + i] = static_cast<uint8_t>(bits >> (56 - 8 * i));
  add(std::span(end).first(padding + 8));
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const uint32_t word : state_) {
    for (int shift = 28; shift >= 0; shift -= 4) text += kDigits[word >> shift & 15];
  }
  return text;
}

bool is_content_hash(std::string_view text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

Result<std::string> hash_file(const FileSystem& files, const std::string& path) {
  constexpr uint64_t kPiece = 1 << 20;
  ContentHash hash;
  for (uint64_t at = 0;; at += kPiece) {
    go_on();
    const Result<Bytes> piece = files.read_range(path, at, kPiece);
    if (!piece) return piece.error();
    hash.add(piece->span());
    if (piece->size() < kPiece) return hash.hex();
  }
}

}  // namespace etlens
