// SPDX-License-Identifier: Apache-2.0
// ContentHash: SHA-256 (FIPS 180-4). Stored files are known by it: equal hashes are equal files, also where somebody wants
// two files to be taken for each other.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/base/file_system.h"

namespace etlens {

class ContentHash {
 public:
  void add(std::span<const uint8_t> bytes);
  // 64 hexadecimal digits. Nothing is added afterwards.
  std::string hex();

 private:
  static constexpr size_t kBlock = 64;

  void take(const uint8_t* block);

  std::array<uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<uint8_t, kBlock> rest_{};
  size_t rest_size_ = 0;
  uint64_t bytes_ = 0;
};

bool is_content_hash(std::string_view text);

// Of a file, which is read piece by piece. Errors are those of `files`.
Result<std::string> hash_file(const FileSystem& files, const std::string& path);

}  // namespace etlens
