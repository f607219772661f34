// SPDX-License-Identifier: Apache-2.0
// TableWalk: reads a FlatBuffer and verifies it on the way, so that every byte is touched once. It
// accepts what the library's own verifier accepts, which a test compares: every offset leads into
// the buffer, every number is aligned, every text ends in a zero, and tables that several others
// share count as often as they are entered.
//
// The reader walks its schema, of which no table may hold one of its own kind: then its depth is
// bounded by its own functions. A fault is remembered: from there on everything is absent, and
// sound() is false. A loop over elements asks sound().
//
// Tables of one kind mostly share a vtable. Where its fields lie is worked out once, and a table of
// it needs two comparisons: is it long enough, and does it begin where its fields are aligned.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <span>
#include <string_view>

namespace etlens {

// The bytes of a field's value in its table, which are its alignment too.
inline constexpr uint8_t kOffsetBytes = 4;  // of a text, a vector or a table, which lie elsewhere
inline constexpr uint8_t kNoField = 0;      // that this version of the schema does not have

// Where the fields of the tables of one vtable lie.
struct FlatLayout {
  static constexpr size_t kFields = 8;

  size_t vtable = SIZE_MAX;            // its place in the buffer
  std::array<uint16_t, kFields> at{};  // from the begin of the table; 0: absent
  size_t extent = SIZE_MAX;            // bytes from the begin of the table to the end of its fields
  uint8_t aligned = 0xFF;              // bit r: fields are aligned in a table that begins at 8n + r
};

// A kind of table, and the layouts of it that were met last.
class FlatKind {
 public:
  // The bytes of its fields in the order of the schema, at most FlatLayout::kFields. Readers name a
  // field by its row here.
  FlatKind(std::initializer_list<uint8_t> bytes) : count_(bytes.size()) {
    std::copy(bytes.begin(), bytes.end(), bytes_.begin());
  }

 private:
  friend class TableWalk;
  static constexpr size_t kLayouts = 8;
  FlatLayout& place_for(size_t vtable) { return layouts_[vtable / 2 % kLayouts]; }

  std::array<uint8_t, FlatLayout::kFields> bytes_{};
  size_t count_;
  std::array<FlatLayout, kLayouts> layouts_;
};

// Absent if the field is, or if it is faulty: then its fields are absent too.
struct FlatTable {
  const uint8_t* begin = nullptr;
  std::array<uint16_t, FlatLayout::kFields> at{};

  explicit operator bool() const { return begin != nullptr; }
};

struct FlatVector {
  size_t at = 0;  // of the first element
  size_t count = 0;
};

class TableWalk {
 public:
  // `bytes` outlive the walk and are fewer than 2^31; every table that is entered is one of
  // `max_tables`.
  TableWalk(std::span<const uint8_t> bytes, size_t max_tables)
      : data_(bytes.data()), size_(bytes.size()), tables_left_(max_tables) {}

  bool sound() const { return sound_; }

  // The table that the offset at `at` leads to.
  FlatTable root(size_t at, FlatKind& kind) {
    if (!fits(at, kOffsetBytes) || at % kOffsetBytes != 0) return faulty();
    return enter(target(at), kind);
  }
  FlatTable table(const FlatTable& parent, size_t field, FlatKind& kind) {
    return parent.at[field] == 0 ? FlatTable() : enter(target_of(parent, field), kind);
  }
  // `index` is below the count.
  FlatTable element(const FlatVector& tables, size_t index, FlatKind& kind) {
    return enter(place_of(tables, index), kind);
  }
  // Where that table would begin; nothing says that it is in the buffer.
  size_t place_of(const FlatVector& tables, size_t index) const {
    const size_t at = tables.at + index * kOffsetBytes;
    return at + load<uint32_t>(data_ + at);
  }

  // For a reader that knows bytes again which it has read before.
  size_t place_of(const uint8_t* byte) const { return static_cast<size_t>(byte - data_); }
  const uint8_t* at(size_t place) const { return data_ + place; }
  bool holds(size_t at, size_t bytes) const { return fits(at, bytes); }
  // From the table's begin to the end of its last field. `table` was entered as one of `kind`.
  std::span<const uint8_t> bytes_of(const FlatTable& table, const FlatKind& kind) const {
    size_t extent = kOffsetBytes;
    for (size_t field = 0; field < kind.count_; ++field) {
      if (table.at[field] != 0)
        extent = std::max<size_t>(extent, size_t{table.at[field]} + kind.bytes_[field]);
    }
    return {table.begin, extent};
  }
  // Counts so many tables as entered. False if there would be too many.
  bool enter_again(size_t tables) {
    if (tables_left_ < tables) return false;
    tables_left_ -= tables;
    return true;
  }

  // Null data if it is absent. Equal data is the same text of the file.
  std::string_view text(const FlatTable& table, size_t field) {
    if (table.at[field] == 0) return {};
    const size_t at = target_of(table, field);
    if (!may_begin(at)) return refused_text();
    const size_t length = load<uint32_t>(data_ + at);
    const size_t end = at + kOffsetBytes + length;
    if (end >= size_ || data_[end] != 0) return refused_text();
    return {reinterpret_cast<const char*>(data_ + at + kOffsetBytes), length};
  }
  // Elements of `bytes` each, which need not be aligned.
  FlatVector vector(const FlatTable& table, size_t field, size_t bytes) {
    if (table.at[field] == 0) return {};
    const size_t at = target_of(table, field);
    if (!may_begin(at)) return refused_vector();
    const size_t count = load<uint32_t>(data_ + at);
    if (!fits(at, kOffsetBytes + count * bytes)) return refused_vector();
    return {at + kOffsetBytes, count};
  }
  const uint8_t* bytes_of(const FlatVector& vector) const { return data_ + vector.at; }
  // Of a vector of bytes.
  std::string_view text_of(const FlatVector& bytes) const {
    return {reinterpret_cast<const char*>(data_ + bytes.at), bytes.count};
  }

  template <typename Number>
  static Number number(const FlatTable& table, size_t field, Number absent = 0) {
    const uint16_t at = table.at[field];
    return at == 0 ? absent : load<Number>(table.begin + at);
  }

 private:
  template <typename Number>
  static Number load(const uint8_t* at) {
    static_assert(std::endian::native == std::endian::little, "as the numbers in the buffer");
    Number number;
    std::memcpy(&number, at, sizeof(number));
    return number;
  }
  bool fits(size_t at, size_t bytes) const { return bytes < size_ && at <= size_ - bytes; }
  // Whether a table, text or vector may begin at `at`.
  bool may_begin(size_t at) const {
    return at != 0 && at % kOffsetBytes == 0 && fits(at, kOffsetBytes);
  }

  // Where the offset at `at` leads, which is in the buffer and aligned; 0 if it leads nowhere.
  size_t target(size_t at) const {
    const uint32_t offset = load<uint32_t>(data_ + at);
    const bool leads_on = offset != 0 && offset <= INT32_MAX && fits(at + offset, 1);
    return leads_on ? at + offset : 0;
  }
  size_t target_of(const FlatTable& table, size_t field) const {
    return target(static_cast<size_t>(table.begin - data_) + table.at[field]);
  }

  FlatTable enter(size_t at, FlatKind& kind) {
    if (!may_begin(at) || tables_left_ == 0) return faulty();
    --tables_left_;
    const auto back = static_cast<size_t>(ptrdiff_t{load<int32_t>(data_ + at)});
    FlatLayout& layout = kind.place_for(at - back);
    if (layout.vtable != at - back && !learn(at - back, kind, layout)) return faulty();
    const bool is_aligned = (layout.aligned >> (at % 8) & 1) != 0;
    if (!is_aligned || !fits(at, layout.extent)) return faulty();
    return {data_ + at, layout.at};
  }
  // False if there is no sound vtable.
  bool learn(size_t vtable, const FlatKind& kind, FlatLayout& layout) const;

  FlatTable faulty() {
    sound_ = false;
    return {};
  }
  std::string_view refused_text() {
    sound_ = false;
    return {};
  }
  FlatVector refused_vector() {
    sound_ = false;
    return {};
  }

  const uint8_t* data_;
  size_t size_;
  size_t tables_left_;
  bool sound_ = true;
};

}  // namespace etlens
