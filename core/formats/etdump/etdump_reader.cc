// SPDX-License-Identifier: Apache-2.0
#include "core/formats/etdump/etdump_reader.h"

#include <algorithm>
#include <utility>

#include "core/base/budget.h"
#include "core/formats/etdump/dump_walk.h"
#include "core/formats/etdump/envelope.h"
#include "core/formats/etdump/log_builder.h"

namespace etlens {
namespace {

using dump_schema::Release;

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

void add_notes(EventLog& log) {
  if (!log.debug_values.empty())
    log.report.add(Oddity::DumpValuesLogged, std::to_string(log.debug_values.size()) + " values");
  note_standing_clock(log);
}

struct Reading {
  WalkedDump walked;
  EventLog log;
};

Result<Reading> read_as(Release release, const Envelope& envelope, const LoadReport& report,
                        const CancelToken& cancel) {
  Reading reading;
  reading.log.report = report;
  if (release == Release::Release01)
    reading.log.report.add(Oddity::DumpRelease01, "events in slot 2");
  const Result<WalkedDump> walked = walk_dump(envelope, release, reading.log, cancel);
  if (!walked) return walked.error();
  reading.walked = *walked;
  if (release == Release::From02) add_notes(reading.log);
  return reading;
}

// In the schema in which it has events, the newer one first. Unsound if it is sound in none.
Result<Reading> read_envelope(const Envelope& envelope, const LoadReport& report,
                              const CancelToken& cancel) {
  Result<Reading> now = read_as(Release::From02, envelope, report, cancel);
  if (!now || now->walked.verdict == WalkVerdict::Events) return now;
  if (now->walked.verdict == WalkVerdict::Unsound) now->log = {};  // what it holds is of no use
  Result<Reading> old = read_as(Release::Release01, envelope, report, cancel);
  if (!old || old->walked.verdict == WalkVerdict::Events) return old;
  return now;
}

// Whether the events last at most kMaxTicks together.
bool may_be_added(const EventLog& log) {
  // No event lasts longer than all their bits together. Mostly even so many are few enough.
  uint64_t most = 0;
  for (size_t i = 0; i < log.start.size(); ++i) most |= log.end[i] - log.start[i];
  if (most <= kMaxTicks / (log.start.size() + 1)) return true;
  uint64_t sum = 0;
  for (size_t i = 0; i < log.start.size(); ++i) {
    const auto ticks = static_cast<uint64_t>(elapsed_ticks(log.start[i], log.end[i]).value);
    if (ticks > kMaxTicks - sum) return false;
    sum += ticks;
  }
  return true;
}

// The log, if its times are some that can be added.
Result<EventLog> checked(EventLog&& log) {
  if (may_be_added(log)) return std::move(log);
  return Error{ErrorCode::Corrupt,
               "is damaged: its events last longer than a clock can count (2^62 ticks) "
               "together; copy it from the device again, or run the model again"};
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
  LoadReport report;
  Bytes inner;
  if (has_second_prefix(file.span())) inner = Bytes::copy_of(file.text().substr(sizeof(uint32_t)));
  const Result<Envelope> envelope =
      open_envelope(inner.empty() ? file.span() : inner.span(), report);
  if (!envelope) return envelope.error();
  Result<Reading> reading = read_envelope(*envelope, report, cancel);
  if (reading && reading->walked.verdict == WalkVerdict::Unsound) {
    Bytes moved;
    reading = read_envelope(moved_by_prefix(*envelope, moved), report, cancel);
  }
  if (!reading) return std::move(reading).error();
  if (reading->walked.verdict == WalkVerdict::Unsound) {
    return Error{ErrorCode::Corrupt,
                 "is damaged: an offset points outside the file; copy it from the device again, or "
                 "run the model again (values in half precision broke dumps of some releases)"};
  }
  if (reading->walked.longest_name > LogBuilder::kMaxNameBytes) {
    return Error{ErrorCode::Corrupt, "is damaged: the name of an event has " +
                                         std::to_string(reading->walked.longest_name) +
                                         " bytes; copy it from the device again"};
  }
  reading->log.file_bytes = file.size();
  return checked(std::move(reading->log));
}

}  // namespace etlens
