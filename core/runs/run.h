// SPDX-License-Identifier: Apache-2.0
// StoredRun: one stored run of a model, and the text in which it is kept.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/measure/group_pairs.h"

namespace etlens {

// What a run took, as surfaces show it. Two runs compare if all but the values are equal.
struct RunTotal {
  double value = 0;         // of one execution, in `unit`
  std::string unit = "ns";  // "ns" or "cycles"
  std::string statistic;    // "typical", …
  uint64_t executions = 0;  // that the statistic is of
  // The group that they are of; nullopt if nothing distinguishes the executions.
  std::optional<GroupEvidence> group = std::nullopt;

  friend bool operator==(const RunTotal&, const RunTotal&) = default;
};

struct StoredFile {
  std::string hash;  // SHA-256; "" without a file
  uint64_t bytes = 0;

  explicit operator bool() const { return !hash.empty(); }
  friend bool operator==(const StoredFile&, const StoredFile&) = default;
};

struct StoredRun {
  uint32_t number = 0;  // counts up from 1 in the order in which runs were stored
  int64_t time_ms = 0;  // when the dump was written: since the epoch, by the clock of that machine
  std::string dump_path;  // where it was: below the folder that has the store, or absolute
  std::string dump_name;  // of the stored file, in the run's folder
  StoredFile dump;
  StoredFile record;     // kept once for all runs that have it
  StoredFile program;    // also kept once
  std::string left_out;  // why the program is not stored; "" if it is, or if there was none
  std::string method;    // "" without a record
  std::string code;      // a hash of the recorded sources' paths; "" without a record
  std::optional<RunTotal> total;  // nullopt where nothing was timed
  std::string branch;             // of git; "" for none
  std::string commit;             // 40 hexadecimal digits, or ""
  bool is_pinned = false;         // not part of the text

  friend bool operator==(const StoredRun&, const StoredRun&) = default;
};

// A line for each field: its name, a blank, the value.
std::string text_of(const StoredRun& run);
// Corrupt, without a path in the sentence, for anything that text_of() does not write: names of files that lead elsewhere
// are refused. Unknown fields are skipped.
Result<StoredRun> read_run(std::string_view text);

// Whether `later` is a run of what `earlier` ran, so that their totals compare.
bool is_same_model(const StoredRun& earlier, const StoredRun& later);

}  // namespace etlens
