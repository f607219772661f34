// SPDX-License-Identifier: Apache-2.0
#include "core/bundle/sparse_bytes.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "core/base/budget.h"

namespace etlens {
namespace {

constexpr size_t kBlock = 64 << 10;
constexpr std::array<char, kBlock> kZeros{};

void give_zeros(uint64_t count, const std::function<void(std::string_view)>& take) {
  for (; count > 0; count -= std::min<uint64_t>(count, kBlock)) {
    go_on();
    take({kZeros.data(), static_cast<size_t>(std::min<uint64_t>(count, kBlock))});
  }
}

}  // namespace

SparseBytes::SparseBytes(std::string text) : size_(text.size()) {
  if (!text.empty()) pieces_.emplace(0, std::move(text));
}

SparseBytes SparseBytes::zeros(uint64_t size) {
  SparseBytes bytes;
  bytes.size_ = size;
  return bytes;
}

void SparseBytes::put(uint64_t offset, std::string bytes) {
  if (offset >= size_) return;
  bytes.resize(std::min<uint64_t>(bytes.size(), size_ - offset));
  const auto next = pieces_.lower_bound(offset);
  if (next != pieces_.end()) bytes.resize(std::min<uint64_t>(bytes.size(), next->first - offset));
  if (next != pieces_.begin()) {
    const auto& [begin, before] = *std::prev(next);
    const uint64_t end = begin + before.size();
    if (end > offset) {
      bytes.erase(0, end - offset);
      offset = end;
    }
  }
  if (!bytes.empty()) pieces_.emplace(offset, std::move(bytes));
}

std::string SparseBytes::range(uint64_t offset, uint64_t size) const {
  if (offset >= size_) return "";
  size = std::min(size, size_ - offset);
  std::string out(size, '\0');
  auto piece = pieces_.upper_bound(offset);
  if (piece != pieces_.begin()) --piece;
  for (; piece != pieces_.end() && piece->first < offset + size; ++piece) {
    const uint64_t begin = std::max(piece->first, offset);
    const uint64_t end = std::min(piece->first + piece->second.size(), offset + size);
    if (begin < end)
      out.replace(begin - offset, end - begin, piece->second, begin - piece->first, end - begin);
  }
  return out;
}

void SparseBytes::each_block(const std::function<void(std::string_view)>& take) const {
  uint64_t at = 0;
  for (const auto& [begin, bytes] : pieces_) {
    give_zeros(begin - at, take);
    for (size_t done = 0; done < bytes.size(); done += kBlock) {
      go_on();
      take(std::string_view(bytes).substr(done, kBlock));
    }
    at = begin + bytes.size();
  }
  give_zeros(size_ - at, take);
}

}  // namespace etlens
