// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4): tells whether a file is the one that somebody wrote down. No library that
// etlens links offers it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/base/file_system.h"

namespace etlens {

class Sha256 {
 public:
  using Digest = std::array<uint8_t, 32>;

  void update(std::span<const uint8_t> bytes);
  // Of all that was given. Ends the calculation: nothing may be given afterwards.
  Digest finish();

 private:
  static constexpr size_t kBlockBytes = 64;

  void take_block(const uint8_t* block);

  std::array<uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<uint8_t, kBlockBytes> rest_{};  // what fills no block yet
  uint64_t bytes_ = 0;
};

// 64 hexadecimal digits, in lower case.
std::string hex_of(const Sha256::Digest& digest);
std::string sha256_of(std::span<const uint8_t> bytes);
// Of a file of `size` bytes, which is read piece by piece. An error if it has fewer, or cannot be read.
Result<std::string> sha256_of_file(const FileSystem& files, const std::string& path, uint64_t size);
// Whether a text is written as these are.
bool is_sha256(std::string_view text);

}  // namespace etlens
