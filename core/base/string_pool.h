// SPDX-License-Identifier: Apache-2.0
// StringPool: every distinct string once, named by a StringId. Tables hold ids, never strings.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "core/base/id.h"

namespace etlens {

using StringId = Id<struct StringTag>;

// The empty string is always row 0.
inline constexpr StringId kEmptyString{0};

// What the pool's own table uses: quick for the hundreds of bytes of a stack trace.
uint32_t hash_of_text(std::string_view text);

// For maps by text.
struct TextHash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const { return hash_of_text(text); }
};

class StringPool {
 public:
  StringPool();
  StringPool(StringPool&&) = default;
  StringPool& operator=(StringPool&&) = default;

  // The id of `text`, which is copied if it is new.
  StringId intern(std::string_view text);
  // The id of `text` if it was interned before; else an invalid id.
  StringId find(std::string_view text) const;

  // Valid as long as the pool lives, also when it grows or is moved. An invalid id gives "".
  std::string_view operator[](StringId id) const {
    return id.valid() ? views_[id.value] : std::string_view();
  }

  size_t size() const { return views_.size(); }

 private:
  struct Slot {
    uint32_t hash = 0;
    uint32_t id = kNone;
  };

  std::string_view store(std::string_view text);
  void grow();

  std::vector<std::unique_ptr<char[]>> blocks_;
  size_t block_left_ = 0;
  char* block_at_ = nullptr;
  std::vector<std::string_view> views_;
  std::vector<Slot> slots_;  // open addressing; the size is a power of two
};

}  // namespace etlens
