// SPDX-License-Identifier: Apache-2.0
// ProfileSnapshot: everything that one look at one pair of artifacts gives. Immutable and shared: a
// reader keeps the pointer that it has, a newer snapshot replaces it whole.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/join/pairing.h"
#include "core/join/profile.h"
#include "core/base/time_scale.h"

namespace etlens {

// Where a recorded file is in this workspace.
struct SourceLocation {
  std::string path;                     // absolute; "" if it was not found
  std::vector<std::string> candidates;  // if several fit equally well
};

struct ProfileSnapshot {
  Profile profile;
  std::string etdump_path;
  std::string etrecord_path;  // "" without a record
  std::string pte_path;       // "" without a program, or with one that does not belong to the dump
  std::optional<MethodFit> fit;
  TimeScale time_scale = TimeScale::Nanoseconds;  // of the ticks
  std::vector<SourceLocation> sources;            // one per Profile::files
  LoadReport report;                              // of reading, joining and mapping
  uint64_t generation = 0;                        // counts up with every load of a session

  double average(uint64_t ticks) const {
    const size_t n = profile.execution_count();
    return n == 0 ? 0 : static_cast<double>(ticks) / static_cast<double>(n);
  }
  std::string_view method_name() const {
    return profile.method ? profile.record->text(profile.method->name) : std::string_view();
  }
  std::string_view recorded_path(FileId file) const {
    return profile.record->text(profile.files[file.value].recorded_path);
  }
  // The row of the source file at `path` (absolute); invalid if the profile has nothing there.
  FileId find_source(std::string_view path) const;
};

}  // namespace etlens
