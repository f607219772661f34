// SPDX-License-Identifier: Apache-2.0
#include "core/base/sha256.h"

#include <algorithm>
#include <bit>
#include <string_view>
#include <tuple>

#include "core/base/budget.h"

namespace etlens {
namespace {

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
constexpr std::array<uint32_t, 64> kRoundConstants{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

constexpr int kBitsPerByte = 8;

uint32_t big_endian(const uint8_t* bytes) {
  return static_cast<uint32_t>(bytes[0]) << 24 | static_cast<uint32_t>(bytes[1]) << 16 |
         static_cast<uint32_t>(bytes[2]) << 8 | static_cast<uint32_t>(bytes[3]);
}

}  // namespace

void Sha256::take_block(const uint8_t* block) {
  std::array<uint32_t, 64> words;
  for (size_t i = 0; i < 16; ++i) words[i] = big_endian(block + 4 * i);
  for (size_t i = 16; i < words.size(); ++i) {
    const uint32_t early = words[i - 15];
    const uint32_t late = words[i - 2];
    const uint32_t s0 = std::rotr(early, 7) ^ std::rotr(early, 18) ^ (early >> 3);
    const uint32_t s1 = std::rotr(late, 17) ^ std::rotr(late, 19) ^ (late >> 10);
    words[i] = words[i - 16] + s0 + words[i - 7] + s1;
  }
  auto [a, b, c, d, e, f, g, h] = state_;
  for (size_t i = 0; i < words.size(); ++i) {
    const uint32_t s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const uint32_t chosen = (e & f) ^ (~e & g);
    const uint32_t first = h + s1 + chosen + kRoundConstants[i] + words[i];
    const uint32_t s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const uint32_t majority = (a & b) ^ (a & c) ^ (b & c);
    h = g;
    g = f;
    f = e;
    e = d + first;
    d = c;
    c = b;
    b = a;
    a = first + s0 + majority;
  }
  const std::array<uint32_t, 8> sum{a, b, c, d, e, f, g, h};
  for (size_t i = 0; i < state_.size(); ++i) state_[i] += sum[i];
}

void Sha256::update(std::span<const uint8_t> bytes) {
  const auto filled = static_cast<size_t>(bytes_ % kBlockBytes);
  bytes_ += bytes.size();
  if (filled > 0) {
    const size_t taken = std::min(bytes.size(), kBlockBytes - filled);
    std::copy_n(bytes.begin(), taken, rest_.begin() + static_cast<std::ptrdiff_t>(filled));
    bytes = bytes.subspan(taken);
    if (filled + taken < kBlockBytes) return;
    take_block(rest_.data());
  }
  for (; bytes.size() >= kBlockBytes; bytes = bytes.subspan(kBlockBytes)) take_block(bytes.data());
  std::copy(bytes.begin(), bytes.end(), rest_.begin());
}

// Padded with a one bit, zeros and the number of bits.
Sha256::Digest Sha256::finish() {
  const uint64_t bits = bytes_ * kBitsPerByte;
  constexpr size_t kLengthBytes = 8;
  const auto filled = static_cast<size_t>(bytes_ % kBlockBytes);
  const size_t room = kBlockBytes - kLengthBytes;
  const size_t padding = filled < room ? room - filled : room + kBlockBytes - filled;
  std::array<uint8_t, kBlockBytes + kLengthBytes> end{0x80};
  for (size_t i = 0; i < kLengthBytes; ++i)
    end[padding + i] = static_cast<uint8_t>(bits >> (kBitsPerByte * (kLengthBytes - 1 - i)));
  update({end.data(), padding + kLengthBytes});
  Digest digest;
  for (size_t i = 0; i < digest.size(); ++i)
    digest[i] = static_cast<uint8_t>(state_[i / 4] >> (24 - kBitsPerByte * (i % 4)));
  return digest;
}

std::string hex_of(const Sha256::Digest& digest) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const uint8_t byte : digest) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::string sha256_of(std::span<const uint8_t> bytes) {
  Sha256 hash;
  hash.update(bytes);
  return hex_of(hash.finish());
}

Result<std::string> sha256_of_file(const FileSystem& files, const std::string& path,
                                   uint64_t size) {
  constexpr uint64_t kHashedAtOnce = 1 << 20;
  Sha256 hash;
  for (uint64_t at = 0; at < size; at += kHashedAtOnce) {
    go_on(kHashedAtOnce / 64);
    const uint64_t wanted = std::min(kHashedAtOnce, size - at);
    const Result<Bytes> piece = files.read_range(path, at, wanted);
    if (!piece) return piece.error();
    if (piece->size() != wanted)
      return Error{ErrorCode::Incomplete, path + " became shorter while it was read"};
    hash.update(piece->span());
  }
  return hex_of(hash.finish());
}

bool is_sha256(std::string_view text) {
  return text.size() == 2 * std::tuple_size_v<Sha256::Digest> &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace etlens
