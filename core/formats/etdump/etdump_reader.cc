// SPDX-License-Identifier: Apache-2.0
#include "core/formats/etdump/etdump_reader.h"

#include <algorithm>
#include <unordered_map>

#include "core/base/budget.h"
#include "core/formats/etdump/debug_value_reader.h"
#include "core/formats/etdump/verified_dump.h"

namespace etlens {
namespace {

// Events may share a name, and everything downstream holds it by itself.
constexpr size_t kMaxNameBytes = 16 << 10;

std::string_view view(const flatbuffers::String* text) {
  return text == nullptr ? std::string_view() : std::string_view(text->c_str(), text->size());
}

struct KeyHash {
  size_t operator()(const std::vector<EventKey>* events) const {
    uint64_t hash = events->size();
    for (const EventKey& key : *events) {
      const uint64_t low = static_cast<uint64_t>(key.name.value) << 32 |
                           static_cast<uint32_t>(key.instruction.value);
      const uint64_t high = static_cast<uint64_t>(key.delegate_id_str.value) << 32 |
                            static_cast<uint32_t>(key.delegate_id_int);
      hash = (hash ^ low) * 0x9E3779B97F4A7C15ull;
      hash =
          (hash ^ high ^ (hash >> 29)) * 0xBF58476D1CE4E5B9ull + static_cast<uint32_t>(key.chain);
    }
    return hash ^ (hash >> 32);
  }
};

// Debug events carry the chain as an unsigned number: 2^64-1 stands for "not inside an
// instruction".
int32_t chain_of_debug(uint64_t chain) {
  return chain > INT32_MAX ? -1 : static_cast<int32_t>(chain);
}

// Builds the log from a verified dump; `Dump` is the generated class of either schema.
class LogBuilder {
 public:
  LogBuilder(EventLog& log, const CancelToken& cancel) : log_(log), cancel_(cancel) {}

  template <typename Dump>
  Result<void> read(const Dump& dump) {
    if (dump.run_data() == nullptr) return {};
    size_t rows = 0;
    for (const auto* run : *dump.run_data()) {
      go_on();
      rows += run->events() ? run->events()->size() : 0;
    }
    log_.start.reserve(rows);
    log_.end.reserve(rows);
    for (const auto* run : *dump.run_data()) {
      if (cancel_.cancelled()) return Error{ErrorCode::Cancelled, "reading was cancelled"};
      read_run(*run);
      if (longest_name_ > kMaxNameBytes) {
        return Error{ErrorCode::Corrupt, "is damaged: the name of an event has " +
                                             std::to_string(longest_name_) +
                                             " bytes; copy it from the device again"};
      }
    }
    return {};
  }

 private:
  template <typename RunData>
  void read_run(const RunData& data) {
    Run run;
    run.first_row = log_.start.size();
    run.first_debug_value = log_.debug_values.size();
    run.first_allocation = log_.allocations.size();
    int32_t bundled_input_index = -1;
    if constexpr (requires { data.bundled_input_index(); }) {
      bundled_input_index = data.bundled_input_index();
    }
    const StringId name = intern(data.name());
    run.sequence = read_events(data, name, bundled_input_index);
    log_.runs.push_back(run);
    last_sequence_ = run.sequence;
  }

  // Appends the run's rows and says which sequence they are. Most runs repeat the run before: then
  // nothing is interned and nothing allocated.
  template <typename RunData>
  SequenceId read_events(const RunData& data, StringId name, int32_t bundled_input_index) {
    static const EventSequence kNoSequence;
    const EventSequence& last =
        last_sequence_.valid() ? log_.sequence(last_sequence_) : kNoSequence;
    const size_t count = data.events() == nullptr ? 0 : data.events()->size();
    size_t agreeing = 0;
    std::vector<EventKey> others;  // from the first on that does not agree
    for (size_t i = 0; i < count; ++i) {
      go_on();
      const auto& event = *data.events()->Get(static_cast<uint32_t>(i));
      const bool agrees =
          others.empty() && i < last.events.size() && is_same(last.events[i], event);
      if (agrees) ++agreeing;
      else others.push_back(key_of(event));
      append_row(event);
    }
    std::vector<StringId> allocators = names_of(data.allocators());
    if (agreeing == count && count == last.events.size() && last.name == name &&
        last.bundled_input_index == bundled_input_index && last.allocators == allocators &&
        &last != &kNoSequence) {
      return last_sequence_;
    }
    EventSequence sequence;
    sequence.name = name;
    sequence.bundled_input_index = bundled_input_index;
    sequence.allocators = std::move(allocators);
    sequence.events.assign(last.events.begin(),
                           last.events.begin() + static_cast<ptrdiff_t>(agreeing));
    sequence.events.insert(sequence.events.end(), others.begin(), others.end());
    return known_or_new(std::move(sequence));
  }

  template <typename Allocators>
  std::vector<StringId> names_of(const Allocators* allocators) {
    std::vector<StringId> names;
    if (allocators == nullptr) return names;
    for (const auto* allocator : *allocators) {
      go_on();
      names.push_back(log_.strings.intern(view(allocator->name())));
    }
    return names;
  }

  SequenceId known_or_new(EventSequence sequence) {
    const size_t hash = KeyHash()(&sequence.events);
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
    const auto count_of = [&](EventKind kind) {
      return static_cast<uint32_t>(
          std::count_if(sequence.events.begin(), sequence.events.end(),
                        [kind](const EventKey& key) { return key.kind == kind; }));
    };
    sequence.debug_events = count_of(EventKind::Debug);
    sequence.allocation_events = count_of(EventKind::Allocation);
    const SequenceId row(log_.sequences.size());
    log_.sequences.push_back(std::move(sequence));
    by_hash_.emplace(hash, row);
    return row;
  }

  // Events may share a string, so a long one is looked at once for each place in the file.
  StringId intern(const flatbuffers::String* text) {
    constexpr size_t kShort = 128;
    if (text == nullptr) return kEmptyString;
    if (text->size() <= kShort) return log_.strings.intern(view(text));
    const auto [at, is_new] = long_strings_.try_emplace(text);
    if (!is_new) return at->second;
    longest_name_ = std::max<size_t>(longest_name_, text->size());
    go_on(text->size() / kShort);
    return at->second = log_.strings.intern(view(text));
  }

  bool is_text(StringId id, const flatbuffers::String* text) {
    constexpr size_t kShort = 128;
    const std::string_view known = log_.text(id);
    const std::string_view own = view(text);
    if (known.size() != own.size()) return false;
    return own.size() <= kShort ? known == own : intern(text) == id;
  }

  template <typename Event>
  EventKey key_of(const Event& event) {
    EventKey key;
    if (const auto* profile = event.profile_event()) {
      key.name = intern(profile->name());
      key.chain = profile->chain_index();
      key.instruction = profile->instruction_id();
      key.delegate_id_int = profile->delegate_debug_id_int();
      key.delegate_id_str = intern(profile->delegate_debug_id_str());
      return key;
    }
    if constexpr (requires { event.debug_event(); }) {
      if (const auto* debug = event.debug_event()) {
        key.kind = EventKind::Debug;
        key.name = intern(debug->name());
        key.chain = chain_of_debug(debug->chain_index());
        key.instruction = debug->instruction_id();
        key.delegate_id_int = debug->delegate_debug_id_int();
        key.delegate_id_str = intern(debug->delegate_debug_id_str());
        return key;
      }
    }
    key.kind = event.allocation_event() != nullptr ? EventKind::Allocation : EventKind::Empty;
    return key;
  }

  template <typename Event>
  bool is_same(const EventKey& key, const Event& event) {
    if (const auto* profile = event.profile_event()) {
      return key.kind == EventKind::Profile && key.instruction == profile->instruction_id() &&
             key.chain == profile->chain_index() &&
             key.delegate_id_int == profile->delegate_debug_id_int() &&
             is_text(key.name, profile->name()) &&
             is_text(key.delegate_id_str, profile->delegate_debug_id_str());
    }
    if constexpr (requires { event.debug_event(); }) {
      if (const auto* debug = event.debug_event()) {
        return key.kind == EventKind::Debug && key.instruction == debug->instruction_id() &&
               key.chain == chain_of_debug(debug->chain_index()) &&
               key.delegate_id_int == debug->delegate_debug_id_int() &&
               is_text(key.name, debug->name()) &&
               is_text(key.delegate_id_str, debug->delegate_debug_id_str());
      }
    }
    return key.kind ==
           (event.allocation_event() != nullptr ? EventKind::Allocation : EventKind::Empty);
  }

  template <typename Event>
  void append_row(const Event& event) {
    if (const auto* profile = event.profile_event()) {
      const uint64_t start = profile->start_time();
      const uint64_t end = profile->end_time();
      if (end < start) note_wrap(*profile);
      if (const auto* bytes = profile->delegate_debug_metadata(); bytes && bytes->size() > 0) {
        log_.metadata.resize(log_.start.size(), kEmptyString);
        go_on(bytes->size() / 128);
        log_.metadata.push_back(
            log_.strings.intern({reinterpret_cast<const char*>(bytes->data()), bytes->size()}));
      } else if (!log_.metadata.empty()) {
        log_.metadata.push_back(kEmptyString);
      }
      log_.start.push_back(start);
      log_.end.push_back(end);
      return;
    }
    log_.start.push_back(0);
    log_.end.push_back(0);
    if (!log_.metadata.empty()) log_.metadata.push_back(kEmptyString);
    if constexpr (requires { event.debug_event(); }) {
      if (const auto* debug = event.debug_event()) {
        log_.debug_values.push_back(read_debug_value(debug->debug_entry()));
        return;
      }
    }
    if (const auto* allocation = event.allocation_event()) {
      log_.allocations.push_back({allocation->allocator_id(), allocation->allocation_size()});
      log_.report.add(Oddity::DumpAllocations, "allocation event");
    } else {
      log_.report.add(Oddity::DumpEmptyEvent, "event " + std::to_string(log_.start.size() - 1));
    }
  }

  template <typename Profile>
  void note_wrap(const Profile& profile) {
    const bool is_wrap = profile.start_time() <= 0xFFFFFFFFull;
    const std::string_view own = view(profile.name());
    const std::string_view name = own.empty() ? view(profile.delegate_debug_id_str()) : own;
    log_.report.add(is_wrap ? Oddity::DumpClockWrapped : Oddity::DumpEndBeforeStart, name);
  }

  EventLog& log_;
  const CancelToken& cancel_;
  SequenceId last_sequence_;
  std::unordered_multimap<size_t, SequenceId> by_hash_;
  std::unordered_map<const flatbuffers::String*, StringId> long_strings_;
  size_t longest_name_ = 0;  // bytes
};

// All times equal: a platform without a clock of its own reports a constant.
void note_standing_clock(EventLog& log) {
  if (log.start.empty()) return;
  uint64_t first = 0;
  for (size_t i = 0; i < log.start.size(); ++i) {
    if (log.start[i] == 0 && log.end[i] == 0) continue;  // not a profile event
    if (first == 0) first = log.start[i];
    if (log.start[i] != first || log.end[i] != first) return;
  }
  const bool is_timed =
      first != 0 || std::any_of(log.sequences.begin(), log.sequences.end(), [](const auto& one) {
        return std::any_of(one.events.begin(), one.events.end(),
                           [](const EventKey& key) { return key.kind == EventKind::Profile; });
      });
  if (is_timed) log.report.add(Oddity::DumpClockStands, "every time is " + std::to_string(first));
}

// The log, if its times are some that can be added.
Result<EventLog> checked(EventLog&& log) {
  uint64_t sum = 0;
  for (size_t i = 0; i < log.start.size(); ++i) {
    const auto ticks = static_cast<uint64_t>(elapsed_ticks(log.start[i], log.end[i]).value);
    if (ticks > kMaxTicks - sum) {
      return Error{ErrorCode::Corrupt,
                   "is damaged: its events last longer than a clock can count (2^62 ticks) "
                   "together; copy it from the device again, or run the model again"};
    }
    sum += ticks;
  }
  return std::move(log);
}

}  // namespace

Result<Bytes> read_etdump_file(const FileSystem& files, const std::string& path) {
  const Result<FileStamp> stamp = files.stat(path);
  if (!stamp) return stamp.error();
  if (stamp->size > kMaxDumpBytes) return too_large_dump();
  grant_reading(path, stamp->size, stamp->size);
  return files.read_range(path, 0, stamp->size);
}

Result<EventLog> read_etdump(const Bytes& file, const CancelToken& cancel) {
  EventLog log;
  log.file_bytes = file.size();
  const Result<VerifiedDump> found = verify_dump(file, log.report);
  if (!found) return found.error();
  LogBuilder builder(log, cancel);
  if (found->old != nullptr) {
    log.report.add(Oddity::DumpRelease01, "events in slot 2");
    if (Result<void> read = builder.read(*found->old); !read) return read.error();
    return checked(std::move(log));
  }
  if (Result<void> read = builder.read(*found->dump); !read) return read.error();
  if (!log.debug_values.empty()) {
    log.report.add(Oddity::DumpValuesLogged, std::to_string(log.debug_values.size()) + " values");
  }
  note_standing_clock(log);
  return checked(std::move(log));
}

}  // namespace etlens
