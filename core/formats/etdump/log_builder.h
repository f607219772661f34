// SPDX-License-Identifier: Apache-2.0
// LogBuilder: makes an EventLog of runs and their events as they stand in a dump. A run that repeats
// the events of the run before, as most do, interns and allocates nothing.
#pragma once

#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/formats/etdump/event_log.h"

namespace etlens {

// What makes an event the same in every run, with its texts as they stand in the dump. Equal data of
// two texts is one text.
struct RawKey {
  EventKind kind = EventKind::Empty;
  std::string_view name;
  int32_t chain = 0;
  int32_t instruction = 0;
  int32_t delegate_id_int = 0;
  std::string_view delegate_id_str;
};

class LogBuilder {
 public:
  // Events may share a name, and everything downstream holds it by itself.
  static constexpr size_t kMaxNameBytes = 16 << 10;

  // `log` must outlive the builder and is empty but for its report.
  explicit LogBuilder(EventLog& log) : log_(log) {}

  void reserve(size_t rows);
  // Then for each event its key and what it has beside it.
  void begin_run(std::string_view name);
  void add_key(const RawKey& key);
  void add_times(const RawKey& key, uint64_t start, uint64_t end, std::string_view metadata);
  // So many events from the next on may be those of the run before in the same rows: so far all were.
  size_t may_repeat() const { return static_cast<size_t>(expected_end_ - expected_); }
  // They are, and have no metadata: instead of add_key and add_times. One time for each; no end is
  // before its start.
  void add_repeated(std::span<const uint64_t> start, std::span<const uint64_t> end);
  void add_value(DebugValue value);
  void add_allocation(const Allocation* allocation);  // null: of an empty event
  void end_run(int32_t bundled_input_index, const std::vector<std::string_view>& allocators);

  // Of the events' names and delegate ids so far. One that is longer than kMaxNameBytes is not kept.
  size_t longest_name() const { return longest_name_; }

 private:
  StringId intern(std::string_view text);
  bool is_text(StringId id, std::string_view text);
  bool is_same(const EventKey& key, const RawKey& raw);
  EventKey key_of(const RawKey& raw);
  void add_no_times();
  SequenceId known_or_new(EventSequence sequence);

  EventLog& log_;
  SequenceId last_sequence_;
  StringId run_name_;
  // The event of the last sequence that this one is compared with, and where these end: at once
  // behind the first that differed.
  const EventKey* expected_ = nullptr;
  const EventKey* expected_end_ = nullptr;
  std::vector<EventKey> others_;  // events of the run from the first on that differed
  std::unordered_multimap<size_t, SequenceId> by_hash_;
  std::unordered_map<const char*, StringId> long_texts_;  // by their place
  size_t longest_name_ = 0;                               // bytes
};

}  // namespace etlens
