// SPDX-License-Identifier: Apache-2.0
#include "core/base/string_pool.h"

#include <cstring>
#include <functional>

#include "core/base/assert.h"

namespace etlens {
namespace {

constexpr size_t kBlockBytes = 64 * 1024;

uint32_t hash_of(std::string_view text) {
  const size_t hash = std::hash<std::string_view>()(text);
  return static_cast<uint32_t>(hash ^ (hash >> 32));
}

}  // namespace

StringPool::StringPool() : slots_(64) { intern(""); }

StringId StringPool::intern(std::string_view text) {
  const uint32_t hash = hash_of(text);
  const size_t mask = slots_.size() - 1;
  size_t at = hash & mask;
  while (slots_[at].id != kNone) {
    if (slots_[at].hash == hash && views_[slots_[at].id] == text) return StringId(slots_[at].id);
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
  const uint32_t hash = hash_of(text);
  const size_t mask = slots_.size() - 1;
  for (size_t at = hash & mask; slots_[at].id != kNone; at = (at + 1) & mask) {
    if (slots_[at].hash == hash && views_[slots_[at].id] == text) return StringId(slots_[at].id);
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
