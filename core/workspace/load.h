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
#include "core/workspace/read_ahead.h"
#include "core/workspace/recovered_record.h"
#include "core/workspace/run_check.h"
#include "core/workspace/study.h"
#include "core/workspace/wish.h"

namespace etlens {

// A wish that leaves nothing open (resolve() makes it): artifacts that it does not name are not
// used, so that "" for the dump is a study of the profile alone.
struct LoadRequest : StudyWish {
  // Nobody named the record. One that cannot be used is left out and is a row of the report, as far
  // as the rest can be loaded without it.
  bool leaves_out_record = false;
  // Nobody named the program of an export that has not run: it is left out if it is of another.
  bool leaves_out_program = false;
  // Where sources are, if not where artifacts are: another revision. Null: in the same place.
  std::shared_ptr<const FileSystem> source_files = nullptr;
  bool looks_at_others = true;  // Study::others
  // Study::delegation of a dump, too: the record's graph is parsed once more for it.
  bool finds_reasons = false;
  Backends backends = built_in_backends();
  MeasureRows measures = built_in_measures();  // beside time
  // Loaded with the same sources and settings: its record is taken as it is, if neither that nor
  // what its lines were found with has changed since. May be null.
  std::shared_ptr<const Study> earlier = nullptr;
  // What choose_partners() read; the load takes it out. May be null.
  std::shared_ptr<ReadAhead> read_ahead = nullptr;
};

// The artifacts, read but not yet joined.
struct Artifacts {
  std::shared_ptr<const EventLog> log;
  std::shared_ptr<const EtRecord> record;          // null without one
  FileStamp record_stamp;                          // of its file, before it was read
  std::shared_ptr<const RunCheck> run;             // null without a file about the run
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

// Why the record is not that of the run; nullopt if nothing says so.
std::optional<Error> check_record_of_run(const Artifacts& artifacts, const LoadRequest& request);

// The sentence for a pair that does not belong together.
std::string mismatch_sentence(const LoadRequest& request, const MethodFit& fit);

}  // namespace etlens
