// SPDX-License-Identifier: Apache-2.0
// Bytes: an owned buffer as it came from a file. ByteReader: a bounds-checked little-endian cursor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>

namespace etlens {

// Behind the last byte stand kPadding readable zero bytes, as SIMD parsers want them. The memory is
// not cleared first and aligned for every scalar.
class Bytes {
 public:
  static constexpr size_t kPadding = 64;

  Bytes() = default;
  explicit Bytes(size_t size)
      : data_(std::make_unique_for_overwrite<uint8_t[]>(size + kPadding)), size_(size) {
    std::memset(data_.get() + size, 0, kPadding);
  }
  static Bytes copy_of(std::string_view text) {
    Bytes bytes(text.size());
    if (!text.empty()) std::memcpy(bytes.data(), text.data(), text.size());
    return bytes;
  }

  uint8_t* data() { return data_.get(); }
  const uint8_t* data() const { return data_.get(); }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  // Forgets what is behind `size` (at most size()); the padding moves along.
  void shrink(size_t size) {
    size_ = size;
    std::memset(data_.get() + size, 0, kPadding);
  }
  std::span<const uint8_t> span() const { return {data_.get(), size_}; }
  std::string_view text() const { return {reinterpret_cast<const char*>(data_.get()), size_}; }

 private:
  std::unique_ptr<uint8_t[]> data_;
  size_t size_ = 0;
};

// Reads scalars front to back. A read past the end gives 0 and makes ok() false for good.
class ByteReader {
 public:
  explicit ByteReader(std::span<const uint8_t> bytes) : bytes_(bytes) {}

  uint8_t u8() { return scalar<uint8_t>(); }
  uint16_t u16() { return scalar<uint16_t>(); }
  uint32_t u32() { return scalar<uint32_t>(); }
  uint64_t u64() { return scalar<uint64_t>(); }

  std::span<const uint8_t> take(size_t count) {
    if (count > left()) {
      ok_ = false;
      at_ = bytes_.size();
      return {};
    }
    const std::span<const uint8_t> taken = bytes_.subspan(at_, count);
    at_ += count;
    return taken;
  }
  void skip(size_t count) { take(count); }

  bool ok() const { return ok_; }
  size_t left() const { return bytes_.size() - at_; }
  size_t position() const { return at_; }

 private:
  template <typename T>
  T scalar() {
    T value = 0;
    const std::span<const uint8_t> raw = take(sizeof(T));
    for (size_t i = 0; i < raw.size(); ++i)
      value |= static_cast<T>(static_cast<T>(raw[i]) << (8 * i));
    return value;
  }

  std::span<const uint8_t> bytes_;
  size_t at_ = 0;
  bool ok_ = true;
};

}  // namespace etlens
