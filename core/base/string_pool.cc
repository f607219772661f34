// SPDX-License-Identifier: Apache-2.0
#include "core/base/string_pool.h"

#include <cstring>
#include <utility>

#include "core/base/assert.h"
#include "core/base/budget.h"

namespace etlens {
namespace {

constexpr size_t kBlockBytes = 64 * 1024;

template <typename Word>
Word word_at(const char* at) {
  Word word;
  std::memcpy(&word, at, sizeof(word));
  return word;
}

// Both halves of the product of two words.
uint64_t mixed(uint64_t a, uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

// The bytes of a text that is shorter than two words, in two words.
std::pair<uint64_t, uint64_t> words_of_short(std::string_view text) {
  constexpr size_t kWord = sizeof(uint64_t);
  constexpr size_t kHalf = kWord / 2;
  const char* begin = text.data();
  const char* end = begin + text.size();
  // Two pieces that overlap in the middle.
  if (text.size() >= kWord) return {word_at<uint64_t>(begin), word_at<uint64_t>(end - kWord)};
  if (text.size() >= kHalf) return {word_at<uint32_t>(begin), word_at<uint32_t>(end - kHalf)};
  uint64_t word = 0;
  for (const char c : text) word = word << 8 | static_cast<uint8_t>(c);
  return {word, 0};
}

}  // namespace

// Takes sixteen bytes at a time, because most interned texts are stack traces of some hundred bytes.
uint32_t hash_of_text(std::string_view text) {
  constexpr size_t kWord = sizeof(uint64_t);
  constexpr uint64_t kFirst = 0x9E3779B97F4A7C15ull;
  constexpr uint64_t kSecond = 0xBF58476D1CE4E5B9ull;
  uint64_t hash = kFirst ^ text.size();
  const char* at = text.data();
  size_t left = text.size();
  for (; left > 2 * kWord; at += 2 * kWord, left -= 2 * kWord)
    hash = mixed(word_at<uint64_t>(at) ^ kSecond, word_at<uint64_t>(at + kWord) ^ hash);
  // The last sixteen bytes of a longer text begin among those that were taken already.
  const char* end = at + left;
  const auto [first, second] =
      text.size() < 2 * kWord
          ? words_of_short(text)
          : std::pair(word_at<uint64_t>(end - 2 * kWord), word_at<uint64_t>(end - kWord));
  hash = mixed(first ^ kSecond, second ^ hash);
  return static_cast<uint32_t>(mixed(hash ^ kFirst, kSecond));
}

StringPool::StringPool() : slots_(64) { intern(""); }

StringId StringPool::intern(std::string_view text) {
  const uint32_t hash = hash_of_text(text);
  const size_t mask = slots_.size() - 1;
  size_t at = hash & mask;
  while (slots_[at].id != kNone) {
    if (slots_[at].hash == hash && views_[slots_[at].id] == text) return StringId(slots_[at].id);
    go_on();
    at = (at + 1) & mask;
  }
  ETLENS_ASSERT(views_.size() < kNone);
  const StringId id(views_.size());
  slots_[at] = {hash, id.value};
  views_.push_back(store(text));
  if (views_.size() * 4 > slots_.size() * 3) grow();
  return id;
}

StringId StringPool::find(std::string_view text) const {
  const uint32_t hash = hash_of_text(text);
  const size_t mask = slots_.size() - 1;
  for (size_t at = hash & mask; slots_[at].id != kNone; at = (at + 1) & mask) {
    if (slots_[at].hash == hash && views_[slots_[at].id] == text) return StringId(slots_[at].id);
    go_on();
  }
  return {};
}

std::string_view StringPool::store(std::string_view text) {
  if (text.empty()) return {};
  if (text.size() > kBlockBytes / 4) {  // a block of its own; the shared one stays open
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(text.size()));
    char* at = blocks_.back().get();
    std::memcpy(at, text.data(), text.size());
    return {at, text.size()};
  }
  if (text.size() > block_left_) {
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(kBlockBytes));
    block_at_ = blocks_.back().get();
    block_left_ = kBlockBytes;
  }
  std::memcpy(block_at_, text.data(), text.size());
  const std::string_view stored(block_at_, text.size());
  block_at_ += text.size();
  block_left_ -= text.size();
  return stored;
}

void StringPool::grow() {
  std::vector<Slot> bigger(slots_.size() * 2);
  const size_t mask = bigger.size() - 1;
  for (const Slot& slot : slots_) {
    if (slot.id == kNone) continue;
    size_t at = slot.hash & mask;
    while (bigger[at].id != kNone) at = (at + 1) & mask;
    bigger[at] = slot;
  }
  slots_ = std::move(bigger);
}

}  // namespace etlens
