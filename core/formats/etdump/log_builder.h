// SPDX-License-Identifier: Apache-2.0
// LogBuilder: makes an EventLog of runs and their events as they stand in a dump. A run that repeats
// the events of the run before, as most do, interns and allocates nothing.
#pragma once

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
  // Then for each event, of which there are `events`, its key and what it has beside it.
  void begin_run(std::string_view name, size_t events);
  void add_key(const RawKey& key);
  void add_times(const RawKey& key, uint64_t start, uint64_t end, std::string_view metadata);
  // Whether the next event may be that of the run before in the same row: so far all were.
  bool may_repeat() const { return expected_ != expected_end_; }
  // It is, and has no metadata: instead of add_key and add_times. `end` is not before `start`.
  void add_repeated(uint64_t start, uint64_t end) {
    ++expected_;
    if (!log_.metadata.empty()) log_.metadata.push_back(kEmptyString);
    log_.start[row_] = start;
    log_.end[row_] = end;
    ++row_;
  }
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
  size_t row_ = 0;  // of the event that is added
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
