// SPDX-License-Identifier: Apache-2.0
// The one entry point of core's import side: from files to a Study.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/cancellation.h"
#include "core/base/file_system.h"
#include "core/base/result.h"
#include "core/base/shared_list.h"
#include "core/formats/pte/pte_reader.h"
#include "core/source/paths/path_mapper.h"
#include "core/workspace/recovered_record.h"
#include "core/workspace/study.h"

namespace etlens {

// Bytes of values that are compared in a fraction of a second.
inline constexpr uint64_t kQuicklyCompared = 64'000'000;

// What to do about the values that a dump logged. Absolute paths; "" for none.
struct ValuesRequest {
  std::string debug_buffer;  // "": by name, beside the dump
  std::string reference;     // a dump, a bundled program, a record with outputs, or an .npz
  std::string reference_debug_buffer;
  std::string reference_etrecord;
  // Without a reference that is named: the first of these that fits.
  std::vector<std::string> candidates = {};
  uint64_t most_bytes = UINT64_MAX;  // more values than these are not compared, which is said
};

struct LoadRequest {
  std::string etdump;    // absolute path; "": of the profile alone
  std::string etrecord;  // "": without a record
  // Nobody named the record. One that cannot be used is left out and is a row of the report, as far
  // as the rest can be loaded without it.
  bool leaves_out_record = false;
  bool finds_record = true;  // false: choose_partners looks for none
  std::string pte;           // "": without a program
  std::string profile;       // "": without a Python profile (.prof)
  SelectionRequest selection;
  std::vector<std::string> library_frames;  // globs
  std::vector<std::string> roots;           // absolute folders that hold sources
  std::vector<PathMapping> path_mappings;
  std::vector<std::string> environments;  // of Python, absolute: where packages are installed
  bool recovers = true;                   // lines inside helpers that the record lost
  // Where sources are, if not where artifacts are: another revision. Null: in the same place.
  std::shared_ptr<const FileSystem> source_files;
  bool looks_at_others = true;  // Study::others
  TimeScale time_scale = TimeScale::Nanoseconds;
  TimeOptions time;
  Backends backends = built_in_backends();
  MeasureRows measures = built_in_measures();  // beside time
  std::optional<ValuesRequest> values;         // nullopt: values are not looked at
  // Loaded with the same sources and settings: its record is taken as it is, if neither that nor
  // what its lines were found with has changed since. May be null.
  std::shared_ptr<const Study> earlier = nullptr;
};

// The artifacts, read but not yet joined.
struct Artifacts {
  std::shared_ptr<const EventLog> log;
  std::shared_ptr<const EtRecord> record;          // null without one
  FileStamp record_stamp;                          // of its file, before it was read
  std::shared_ptr<const RecordRecovery> recovery;  // null if nothing was tried
  std::shared_ptr<const EtProgram> program;        // null without one that can be read
  EventTrees trees;
  SharedList<Block> blocks;
  Backends backends = built_in_backends();  // of the request
  LoadReport report;                        // of artifacts that could not be used
};

// Errors are one sentence: which file, what is wrong, what to do. Everything here that gives a
// Result runs within a budget (core/base/budget.h): Unsupported if the files cost too much.
Result<Artifacts> load_artifacts(const FileSystem& files, const LoadRequest& request,
                                 const CancelToken& cancel = {});

// As it is: lines that it lost are not looked for.
Result<std::shared_ptr<const EtRecord>> load_record(const FileSystem& files,
                                                    const std::string& path,
                                                    const Backends& backends,
                                                    const CancelToken& cancel = {});

// A block tied to the method that it ran.
struct JoinedBlock {
  Join join;
  bool uses_program = false;           // the artifacts' program is the one that ran
  const ProgramMethod* ran = nullptr;  // its method; of the artifacts' program
  LoadReport report;                   // of a program that is another one
};
// `fit`: of fit_methods or select_block; none leaves everything unplaced.
JoinedBlock join_block(const FileSystem& files, const Artifacts& artifacts,
                       const LoadRequest& request, BlockId block,
                       const std::optional<MethodFit>& fit);

// Joins, measures and maps paths. A pair that does not belong together is an error (Unsupported),
// or the record is left out: plausible numbers on the wrong lines are worse than none. A program
// that does not belong to them is a row of the report and not used. InvalidParams if the executions
// asked for do not exist.
Result<std::shared_ptr<const Study>> build_study(const FileSystem& files,
                                                 const Artifacts& artifacts,
                                                 const LoadRequest& request,
                                                 const CancelToken& cancel = {});

// A profile that cannot be read is an error where there is nothing else, else a row of the report.
Result<std::shared_ptr<const Study>> load_study(const FileSystem& files, const LoadRequest& request,
                                                const CancelToken& cancel = {});

// The sentence for a pair that does not belong together.
std::string mismatch_sentence(const LoadRequest& request, const MethodFit& fit);

}  // namespace etlens
