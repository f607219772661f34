// SPDX-License-Identifier: Apache-2.0
#include "core/formats/etdump/dump_walk.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "core/base/budget.h"
#include "core/formats/etdump/debug_value_reader.h"
#include "core/formats/etdump/log_builder.h"
#include "core/formats/etdump/repeated_events.h"

namespace etlens {
namespace {

using namespace dump_schema;

// One table takes at least this much, so a file cannot honestly hold more of them.
constexpr size_t kMinTableBytes = 8;

size_t max_tables(const Envelope& envelope) { return envelope.bytes.size() / kMinTableBytes + 1; }

// Debug events carry the chain as an unsigned number: 2^64-1 stands for "not inside an
// instruction".
int32_t chain_of_debug(uint64_t chain) {
  return chain > INT32_MAX ? -1 : static_cast<int32_t>(chain);
}

class DumpWalk {
 public:
  DumpWalk(const Envelope& envelope, Release release, EventLog& log)
      : envelope_(envelope),
        kinds_(release),
        walk_(envelope.bytes, max_tables(envelope)),
        builder_(log) {}

  // How many events there are. The runs alone are walked.
  size_t count_events() {
    size_t events = 0;
    const FlatVector runs = runs_of_dump();
    for (size_t i = 0; i < runs.count && walk_.sound(); ++i) {
      go_on();
      const FlatTable run = walk_.element(runs, i, kinds_.run_data);
      events += walk_.vector(run, RunData::kEvents, kOffsetBytes).count;
    }
    return events;
  }

  Result<void> read(size_t events, const CancelToken& cancel) {
    builder_.reserve(events);
    const FlatVector runs = runs_of_dump();
    for (size_t i = 0; i < runs.count && walk_.sound(); ++i) {
      if (cancel.cancelled()) return Error{ErrorCode::Cancelled, "reading was cancelled"};
      read_run(walk_.element(runs, i, kinds_.run_data), i + 1 < runs.count);
    }
    return {};
  }

  bool sound() const { return walk_.sound(); }
  size_t longest_name() const { return builder_.longest_name(); }

 private:
  FlatVector runs_of_dump() {
    const FlatTable dump = walk_.root(envelope_.root(), kinds_.dump);
    return walk_.vector(dump, Dump::kRunData, kOffsetBytes);
  }

  void read_run(const FlatTable& run, bool has_next) {
    const FlatVector events = walk_.vector(run, RunData::kEvents, kOffsetBytes);
    builder_.begin_run(walk_.text(run, RunData::kName));
    for (size_t i = 0; i < events.count && walk_.sound();) {
      const size_t repeated = add_repeated(events, i);
      i += repeated;
      if (repeated > 0) continue;
      go_on();
      const FlatTable event = walk_.element(events, i, kinds_.event);
      const FlatTable profile = read_event(event);
      if (has_next && profile) remember(i, event, profile);
      ++i;
    }
    repeated_.end_run();
    builder_.end_run(TableWalk::number<int32_t>(run, RunData::kBundledInputIndex, -1),
                     allocators_of(run));
  }

  // How many events from `row` on are those of the run before. They are read then.
  size_t add_repeated(const FlatVector& events, size_t row) {
    const size_t most = std::min(builder_.may_repeat(), events.count - row);
    const RepeatedEvents::Times times = repeated_.repeated(events, row, most);
    if (times.start.empty()) return 0;
    go_on(times.start.size());
    builder_.add_repeated(times.start, times.end);
    return times.start.size();
  }

  std::vector<std::string_view> allocators_of(const FlatTable& run) {
    std::vector<std::string_view> names;
    const FlatVector allocators = walk_.vector(run, RunData::kAllocators, kOffsetBytes);
    for (size_t i = 0; i < allocators.count && walk_.sound(); ++i) {
      go_on();
      const FlatTable allocator = walk_.element(allocators, i, kinds_.allocator);
      names.push_back(walk_.text(allocator, Allocator::kName));
    }
    return names;
  }

  // Of several members the first is the event; the others are verified. Returns its profile if it has
  // nothing else.
  FlatTable read_event(const FlatTable& event) {
    const FlatTable profile = walk_.table(event, Event::kProfile, kinds_.profile);
    const FlatTable debug = walk_.table(event, Event::kDebug, kinds_.debug);
    const FlatTable allocation = walk_.table(event, Event::kAllocation, kinds_.allocation);
    if (profile) read_profile(profile);
    if (debug) read_debug(debug, !profile);
    if (!profile && !debug) read_allocation(allocation);
    return debug || allocation ? FlatTable() : profile;
  }

  void read_profile(const FlatTable& profile) {
    const FlatVector metadata = walk_.vector(profile, Profile::kMetadata, 1);
    const RawKey key{EventKind::Profile,
                     walk_.text(profile, Profile::kName),
                     TableWalk::number<int32_t>(profile, Profile::kChain),
                     TableWalk::number<int32_t>(profile, Profile::kInstruction, -1),
                     TableWalk::number<int32_t>(profile, Profile::kIdInt, -1),
                     walk_.text(profile, Profile::kIdStr)};
    builder_.add_key(key);
    builder_.add_times(key, TableWalk::number<uint64_t>(profile, Profile::kStart),
                       TableWalk::number<uint64_t>(profile, Profile::kEnd),
                       walk_.text_of(metadata));
  }

  // For the next run.
  void remember(size_t row, const FlatTable& event, const FlatTable& profile) {
    if (!has_lone_times(profile) || walk_.vector(profile, Profile::kMetadata, 1).count > 0) return;
    repeated_.remember(row, {walk_.bytes_of(event, kinds_.event),
                             walk_.bytes_of(profile, kinds_.profile),
                             profile.at[Profile::kStart],
                             profile.at[Profile::kEnd],
                             {text_bytes(profile, Profile::kName),
                              text_bytes(profile, Profile::kIdStr), no_metadata(profile)}});
  }

  // Fields of a broken file may lie inside each other.
  static bool has_lone_times(const FlatTable& profile) {
    for (size_t field = Profile::kName; field < Profile::kStart; ++field) {
      const size_t at = profile.at[field];
      for (const size_t time : {Profile::kStart, Profile::kEnd}) {
        const size_t begin = profile.at[time];
        if (at != 0 && at + kOffsetBytes > begin && at < begin + sizeof(uint64_t)) return false;
      }
    }
    return true;
  }

  // With its length and its zero.
  std::span<const uint8_t> text_bytes(const FlatTable& table, size_t field) {
    const std::string_view text = walk_.text(table, field);
    if (text.data() == nullptr) return {};
    const auto* begin = reinterpret_cast<const uint8_t*>(text.data()) - kOffsetBytes;
    return {begin, kOffsetBytes + text.size() + 1};
  }
  // Of empty metadata, the length.
  std::span<const uint8_t> no_metadata(const FlatTable& profile) {
    if (profile.at[Profile::kMetadata] == 0) return {};
    const FlatVector none = walk_.vector(profile, Profile::kMetadata, 1);
    return {walk_.bytes_of(none) - kOffsetBytes, kOffsetBytes};
  }

  void read_debug(const FlatTable& debug, bool is_kept) {
    const RawKey key{EventKind::Debug,
                     walk_.text(debug, Debug::kName),
                     chain_of_debug(TableWalk::number<uint64_t>(debug, Debug::kChain)),
                     TableWalk::number<int32_t>(debug, Debug::kInstruction, -1),
                     TableWalk::number<int32_t>(debug, Debug::kIdInt, -1),
                     walk_.text(debug, Debug::kIdStr)};
    DebugValue value =
        read_debug_value(walk_, kinds_, walk_.table(debug, Debug::kEntry, kinds_.value));
    if (!is_kept) return;
    builder_.add_key(key);
    builder_.add_value(std::move(value));
  }

  void read_allocation(const FlatTable& table) {
    RawKey key;
    key.kind = table ? EventKind::Allocation : EventKind::Empty;
    builder_.add_key(key);
    const Allocation allocation{TableWalk::number<int32_t>(table, AllocationEvent::kAllocator),
                                TableWalk::number<uint64_t>(table, AllocationEvent::kBytes)};
    builder_.add_allocation(table ? &allocation : nullptr);
  }

  const Envelope& envelope_;
  Kinds kinds_;
  TableWalk walk_;
  RepeatedEvents repeated_{walk_};
  LogBuilder builder_;
};

}  // namespace

Result<WalkedDump> walk_dump(const Envelope& envelope, Release release, EventLog& log,
                             const CancelToken& cancel) {
  if (!envelope.is_whole()) return WalkedDump();
  // Every event is a table, so that more of them than tables are never sound.
  DumpWalk runs(envelope, release, log);
  const size_t events = runs.count_events();
  if (!runs.sound() || events > max_tables(envelope)) return WalkedDump();
  DumpWalk dump(envelope, release, log);
  if (Result<void> read = dump.read(events, cancel); !read) return std::move(read).error();
  if (!dump.sound()) return WalkedDump();
  return WalkedDump{events > 0 ? WalkVerdict::Events : WalkVerdict::Empty, dump.longest_name()};
}

}  // namespace etlens
