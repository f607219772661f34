// SPDX-License-Identifier: Apache-2.0
#include "core/formats/etdump/log_builder.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/base/budget.h"

namespace etlens {
namespace {

constexpr size_t kShort = 128;  // bytes of a text that is compared without further thought

size_t hash_of(const std::vector<EventKey>& events) {
  uint64_t hash = events.size();
  for (const EventKey& key : events) {
    const uint64_t low =
        static_cast<uint64_t>(key.name.value) << 32 | static_cast<uint32_t>(key.instruction.value);
    const uint64_t high = static_cast<uint64_t>(key.delegate_id_str.value) << 32 |
                          static_cast<uint32_t>(key.delegate_id_int);
    hash = (hash ^ low) * 0x9E3779B97F4A7C15ull;
    hash = (hash ^ high ^ (hash >> 29)) * 0xBF58476D1CE4E5B9ull + static_cast<uint32_t>(key.chain);
  }
  return hash ^ (hash >> 32);
}

bool is_equal_word(const char* a, const char* b) {
  uint64_t one;
  uint64_t other;
  std::memcpy(&one, a, sizeof(one));
  std::memcpy(&other, b, sizeof(other));
  return one == other;
}

// Of texts of one size. Eight bytes at a time, the last of them with some that were compared
// already: most are names that are too short for a call.
bool is_equal(std::string_view a, std::string_view b) {
  constexpr size_t kWord = sizeof(uint64_t);
  const size_t size = a.size();
  if (size < kWord) {
    for (size_t at = 0; at < size; ++at) {
      if (a[at] != b[at]) return false;
    }
    return true;
  }
  const size_t last = size - kWord;
  for (size_t at = 0; at < last; at += kWord) {
    if (!is_equal_word(a.data() + at, b.data() + at)) return false;
  }
  return is_equal_word(a.data() + last, b.data() + last);
}

uint32_t count_of(const std::vector<EventKey>& events, EventKind kind) {
  return static_cast<uint32_t>(std::count_if(
      events.begin(), events.end(), [kind](const EventKey& key) { return key.kind == kind; }));
}

}  // namespace

void LogBuilder::reserve(size_t rows) {
  log_.start.reserve(rows);
  log_.end.reserve(rows);
}

void LogBuilder::begin_run(std::string_view name) {
  Run run;
  run.first_row = log_.start.size();
  run.first_debug_value = log_.debug_values.size();
  run.first_allocation = log_.allocations.size();
  log_.runs.push_back(run);
  run_name_ = intern(name);
  others_.clear();
  expected_ = expected_end_ = nullptr;
  if (!last_sequence_.valid()) return;
  const std::vector<EventKey>& last = log_.sequence(last_sequence_).events;
  expected_ = last.data();
  expected_end_ = expected_ + last.size();
}

void LogBuilder::add_key(const RawKey& raw) {
  if (expected_ != expected_end_) {
    if (is_same(*expected_, raw)) {
      ++expected_;
      return;
    }
    expected_end_ = expected_;
  }
  others_.push_back(key_of(raw));
}

void LogBuilder::add_times(const RawKey& key, uint64_t start, uint64_t end,
                           std::string_view metadata) {
  if (end < start) {
    const bool is_wrap = start <= 0xFFFFFFFFull;
    log_.report.add(is_wrap ? Oddity::DumpClockWrapped : Oddity::DumpEndBeforeStart,
                    key.name.empty() ? key.delegate_id_str : key.name);
  }
  if (!metadata.empty()) {
    log_.metadata.resize(log_.start.size(), kEmptyString);
    go_on(metadata.size() / kShort);
    log_.metadata.push_back(log_.strings.intern(metadata));
  } else if (!log_.metadata.empty()) {
    log_.metadata.push_back(kEmptyString);
  }
  log_.start.push_back(start);
  log_.end.push_back(end);
}

void LogBuilder::add_repeated(std::span<const uint64_t> start, std::span<const uint64_t> end) {
  expected_ += start.size();
  log_.start.insert(log_.start.end(), start.begin(), start.end());
  log_.end.insert(log_.end.end(), end.begin(), end.end());
  if (!log_.metadata.empty()) log_.metadata.resize(log_.start.size(), kEmptyString);
}

void LogBuilder::add_value(DebugValue value) {
  add_no_times();
  log_.debug_values.push_back(std::move(value));
}

void LogBuilder::add_allocation(const Allocation* allocation) {
  add_no_times();
  if (allocation != nullptr) {
    log_.allocations.push_back(*allocation);
    log_.report.add(Oddity::DumpAllocations, "allocation event");
  } else {
    log_.report.add(Oddity::DumpEmptyEvent, "event " + std::to_string(log_.start.size() - 1));
  }
}

void LogBuilder::add_no_times() {
  if (!log_.metadata.empty()) log_.metadata.push_back(kEmptyString);
  log_.start.push_back(0);
  log_.end.push_back(0);
}

void LogBuilder::end_run(int32_t bundled_input_index,
                         const std::vector<std::string_view>& allocators) {
  EventSequence sequence;
  for (const std::string_view name : allocators) {
    go_on();
    sequence.allocators.push_back(log_.strings.intern(name));
  }
  Run& run = log_.runs.back();
  if (last_sequence_.valid()) {
    const EventSequence& last = log_.sequence(last_sequence_);
    const auto agreeing = static_cast<size_t>(expected_ - last.events.data());
    if (others_.empty() && agreeing == last.events.size() && last.name == run_name_ &&
        last.bundled_input_index == bundled_input_index && last.allocators == sequence.allocators) {
      run.sequence = last_sequence_;
      return;
    }
    sequence.events.assign(last.events.data(), expected_);
  }
  sequence.name = run_name_;
  sequence.bundled_input_index = bundled_input_index;
  sequence.events.insert(sequence.events.end(), others_.begin(), others_.end());
  run.sequence = last_sequence_ = known_or_new(std::move(sequence));
}

SequenceId LogBuilder::known_or_new(EventSequence sequence) {
  const size_t hash = hash_of(sequence.events);
  const auto [first, last] = by_hash_.equal_range(hash);
  for (auto it = first; it != last; ++it) {
    go_on();
    const EventSequence& known = log_.sequence(it->second);
    if (known.name == sequence.name && known.events == sequence.events &&
        known.bundled_input_index == sequence.bundled_input_index &&
        known.allocators == sequence.allocators) {
      return it->second;
    }
  }
  sequence.debug_events = count_of(sequence.events, EventKind::Debug);
  sequence.allocation_events = count_of(sequence.events, EventKind::Allocation);
  const SequenceId row(log_.sequences.size());
  log_.sequences.push_back(std::move(sequence));
  by_hash_.emplace(hash, row);
  return row;
}

// Events may share a text, so a long one is looked at once for each place in the file.
StringId LogBuilder::intern(std::string_view text) {
  if (text.size() <= kShort) return log_.strings.intern(text);
  const auto [at, is_new] = long_texts_.try_emplace(text.data());
  if (!is_new) return at->second;
  longest_name_ = std::max(longest_name_, text.size());
  at->second = kEmptyString;
  if (text.size() > kMaxNameBytes) return kEmptyString;
  go_on(text.size() / kShort);
  return at->second = log_.strings.intern(text);
}

bool LogBuilder::is_text(StringId id, std::string_view text) {
  if (text.empty()) return id == kEmptyString;
  const std::string_view known = log_.text(id);
  if (known.size() != text.size()) return false;
  return text.size() <= kShort ? is_equal(known, text) : intern(text) == id;
}

bool LogBuilder::is_same(const EventKey& key, const RawKey& raw) {
  if (key.kind != raw.kind) return false;
  if (raw.kind != EventKind::Profile && raw.kind != EventKind::Debug) return true;
  return key.instruction == Instruction(raw.instruction) && key.chain == raw.chain &&
         key.delegate_id_int == raw.delegate_id_int && is_text(key.name, raw.name) &&
         is_text(key.delegate_id_str, raw.delegate_id_str);
}

EventKey LogBuilder::key_of(const RawKey& raw) {
  EventKey key;
  key.kind = raw.kind;
  if (raw.kind != EventKind::Profile && raw.kind != EventKind::Debug) return key;
  key.name = intern(raw.name);
  key.chain = raw.chain;
  key.instruction = Instruction(raw.instruction);
  key.delegate_id_int = raw.delegate_id_int;
  key.delegate_id_str = intern(raw.delegate_id_str);
  return key;
}

}  // namespace etlens
