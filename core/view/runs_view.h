// SPDX-License-Identifier: Apache-2.0
// The stored runs of a folder: the document of `etlens runs`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/fields.h"
#include "core/runs/run_store.h"
#include "core/view/row_choice.h"

namespace etlens {

struct StoredRunView {
  uint32_t run = 0;                 // its number
  int64_t time = 0;                 // when the dump was written: milliseconds since 1970
  Nullable<double> total;           // of one execution, in `unit`; null if nothing was timed
  Nullable<std::string_view> unit;  // ns or cycles
  Nullable<std::string_view> statistic;
  Nullable<uint64_t> executions;
  Nullable<std::string_view> group;  // of executions, that the total is of; null without groups
  Nullable<double> change;           // of the total since `since`, as a fraction
  Nullable<uint32_t> since;          // the run before of the same model
  Nullable<std::string_view> method;
  std::string_view dump;  // where it was
  Nullable<std::string_view> branch;
  Nullable<std::string_view> commit;
  bool pinned = false;
  std::string etdump;  // the stored files
  Nullable<std::string> etrecord;
  Nullable<std::string> pte;
  Nullable<std::string_view> left_out;  // why there is no program
};
FIELDS(StoredRunView, run, time, total, unit, statistic, executions, group, change, since, method,
       dump, branch, commit, pinned, etdump, etrecord, pte, left_out)

struct RunsView {
  Literal<"etlens/runs@1"> schema;
  std::string_view folder;   // that has .etlens/runs
  uint64_t bytes = 0;        // of all files of the runs, each once
  uint64_t damaged = 0;      // runs that cannot be read
  Rows<StoredRunView> runs;  // the newest first
};
FIELDS(RunsView, schema, folder, bytes, damaged, runs)

// `stored` must outlive the view.
RunsView runs_view(const StoredRuns& stored, const RowChoice& rows = {});

}  // namespace etlens
