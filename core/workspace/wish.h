// SPDX-License-Identifier: Apache-2.0
// StudyWish: which files somebody wants to see, and how they are to be read. Every surface has one
// filled in from what it is told (options, settings, arguments) and gives it to resolve()
// (core/workspace/resolve.h), which finds what it leaves open. A new way to load is a field here.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/time_scale.h"
#include "core/join/pairing.h"
#include "core/measure/time.h"
#include "core/source/paths/path_mapper.h"
#include "core/workspace/recovered_record.h"

namespace etlens {

// Bytes of values that are compared in a fraction of a second.
inline constexpr uint64_t kQuicklyCompared = 64'000'000;

// What to do about the values that a dump logged. Paths; "" for none.
struct ValuesRequest {
  std::string debug_buffer;  // "": by name, next to the dump
  std::string reference;     // a dump, a bundled program, a record with outputs, or an .npz
  std::string reference_debug_buffer;
  std::string reference_etrecord;
  // Without a reference that is named: the first of these that fits. resolve() fills them in.
  std::vector<std::string> candidates = {};
  uint64_t most_bytes = UINT64_MAX;  // more values than these are not compared, which is reported

  friend bool operator==(const ValuesRequest&, const ValuesRequest&) = default;
};

// Paths are absolute once make_absolute() was called.
struct StudyWish {
  std::string etdump;        // "": the newest one found; of a program: none
  std::string etrecord;      // "": the one found that fits
  bool finds_record = true;  // false: without a record if none is named
  std::string pte;           // "": the one found that fits; of a program: the newest one found
  std::string profile;       // of Python (.prof); "": none
  std::optional<ValuesRequest> values;  // nullopt: values are not looked at
  SelectionRequest selection;
  std::vector<std::string> roots;                 // folders that hold sources
  std::vector<PathMapping> path_mappings;         // of recorded paths; the first that fits wins
  std::vector<std::string> environments;          // of Python: where packages are installed
  std::vector<std::string> library_frames;        // globs of files that are library code
  bool recovers = true;                           // finds lines inside helpers that the record lost
  TimeScale time_scale = TimeScale::Nanoseconds;  // the unit of the dump's ticks
  TimeOptions time;

  friend bool operator==(const StudyWish&, const StudyWish&) = default;
};

// Where a path that somebody wrote leads, absolute; or why it may not be read.
using PathResolver = std::function<Result<std::string>(const std::string&)>;

// Resolves every path of the wish but its roots. The first error ends it.
Result<void> make_absolute(StudyWish& wish, const PathResolver& resolve);

// "FROM=TO". nullopt if it is something else.
std::optional<PathMapping> parse_path_mapping(std::string_view text);

// InvalidParams, in a sentence, for names of no statistic.
Result<Statistic> read_statistic(const std::string& name);

// The same for any dump: without the artifacts of one, its values and its executions by number.
StudyWish of_any_dump(StudyWish wish);
// Only what the lines of a record depend on, apart from its file. Equal ones give equal lines.
StudyWish of_lines(StudyWish wish);

// Where the wish has sources looked for.
SourceSearch source_search_of(const StudyWish& wish);
// How lines that a record lost are looked for; nullopt: not at all.
std::optional<RecoveryRequest> recovery_of(
    const StudyWish& wish, const std::shared_ptr<const FileSystem>& source_files = nullptr);

}  // namespace etlens
