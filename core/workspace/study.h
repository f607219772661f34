// SPDX-License-Identifier: Apache-2.0
// Study: everything that one look at one pair of artifacts gives. Immutable and shared: a reader
// keeps the pointer that it has, a newer study replaces it whole.
//
// Without a dump (of an export that has not run, of a Python profile) the join holds no event.
// It holds the join (what each event is and where it lands), the measures (how much), and where the
// sources are. Surfaces read it through core/facts.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/formats/pstats/python_profile.h"
#include "core/join/control_runs.h"
#include "core/join/join.h"
#include "core/join/pairing.h"
#include "core/join/state_buffers.h"
#include "core/measure/registry.h"
#include "core/measure/time.h"
#include "core/workspace/anchored_source.h"

namespace etlens {

// Where the files of a code are here.
struct CodeSources {
  std::shared_ptr<const Code> code;
  std::vector<SourceLocation> files;  // one per Code::files
};

// A block of executions that the dump holds beside the one that is shown.
struct OtherBlock {
  std::string method;  // "" if none fits, or there is no record
  std::string block;
  size_t executions = 0;
  double total = 0;  // ticks of one execution, of the statistic
};

struct Delegation;
struct RunCheck;
struct RecordRecovery;
struct ValueStudy;

struct Study {
  std::shared_ptr<const Join> join;
  // Row 0 is time, or the operators of an export that has not run and that has a record; then those
  // of the registry that say something.
  std::vector<Measure> measures;
  LoggedValues logged;             // what the events logged beyond their time
  ColdStart cold;                  // beside the total of time
  std::vector<OtherBlock> others;  // of the same dump, those with the most executions first
  std::string etdump_path;         // of an export that has not run ""; of a profile alone its path
  std::string etrecord_path;       // "" without a record
  FileStamp etrecord_stamp;        // before it was read
  std::shared_ptr<const PythonProfile> profile;  // null without one
  std::string pte_path;  // "" without a program, or with one that does not belong to the dump
  std::optional<MethodFit> fit;
  ControlRuns control;                  // how often branches and loops of the joined method ran
  std::vector<StateWrite> writes;       // of its state, by line
  std::shared_ptr<const RunCheck> run;  // null without a file about the run of this dump
  // Of lines that the record lost; null if none was looked for, or no source is here.
  std::shared_ptr<const RecordRecovery> recovery;
  std::vector<SourceLocation> sources;    // one per Code::files of the join
  std::vector<CodeSources> more_sources;  // of measures whose code is another than the join's
  LoadReport report;                      // of reading, joining and mapping

  // Which call runs each operator of the record, and why not the rest. Null without a record, and of
  // a dump unless it was asked for.
  std::shared_ptr<const Delegation> delegation;
  std::shared_ptr<const ValueStudy> values;  // null if not asked for, or if none were logged

  const Code& code() const { return join->code(); }
  const Measure& time() const { return measures.front(); }
  // The row to show when nobody chose one: the first that says something.
  size_t first_measure() const;
  // Nothing ran: the export alone is shown.
  bool is_of_export() const { return etdump_path.empty(); }
  // What people know the study by: the dump, else the program, else the record.
  const std::string& shown_path() const;
  TimeScale clock() const { return join->clock; }
  // Of a measure's code.
  const std::vector<SourceLocation>& sources_of(const Code& of) const;
};

}  // namespace etlens
