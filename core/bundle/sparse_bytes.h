// SPDX-License-Identifier: Apache-2.0
// SparseBytes: a file of which most bytes are zero, as a program without its weights is. Only the others take memory.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace etlens {

class SparseBytes {
 public:
  SparseBytes() = default;
  SparseBytes(std::string text);  // all of a file, which is not sparse
  static SparseBytes zeros(uint64_t size);

  uint64_t size() const { return size_; }
  // Sets bytes that nothing set before. What lies behind the end, or was set before, is left out.
  void put(uint64_t offset, std::string bytes);
  // What was set, by offset; its bytes may be changed, not their number.
  std::map<uint64_t, std::string>& pieces() { return pieces_; }
  // Bytes [offset, offset + size); fewer only where the file ends.
  std::string range(uint64_t offset, uint64_t size) const;
  // The whole file in blocks of at most 64 KB.
  void each_block(const std::function<void(std::string_view)>& take) const;

 private:
  uint64_t size_ = 0;
  std::map<uint64_t, std::string> pieces_;
};

}  // namespace etlens
