// SPDX-License-Identifier: Apache-2.0
// LoadReport: what was odd about artifacts that could be read all the same. Every kind of oddity is
// a row of one table (load_report.cc) with a sentence of advice; nothing is dropped without a row
// here.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace etlens {

enum class Severity { Info, DataLoss, Error };

enum class Oddity {
  // ETDump
  DumpRelease01,
  DumpTrailingBytes,
  DumpEmptyEvent,
  DumpEndBeforeStart,
  DumpClockWrapped,
  DumpClockStands,
  DumpValuesLogged,
  DumpAllocations,
  DumpMethodOnly,
  DumpInLog,
  // ETRecord
  RecordGraphUnreadable,
  RecordNodeOdd,
  RecordLoweredUnreadable,
  RecordMapOdd,
  RecordMapEmpty,
  RecordLeftOut,
  RecordNoStackTraces,
  RecordNonStrict,
  RecordLinesRecovered,
  // .pte
  ProgramUnreadable,
  ProgramDiffers,
  ProgramBundled,
  ProgramNegativeSize,
  ProgramSizeOverflow,
  ProgramOutsideBuffer,
  ProgramOverlap,
  ProgramArgumentOdd,
  ProgramDataOdd,
  // Values
  ValuesUnreadable,
  ValuesReferenceUnfit,
  ValuesLarge,
  // Joining them
  InstructionsUnmapped,
  InstructionsUnplaced,
  EventOutsideExecution,
  DelegateRescaled,
  DelegateCycles,
  DelegateEstimates,
  DelegateNotTimes,
  DelegateUnaligned,
  DelegateInferred,
  ExecutionBrokeOff,
  ExecutionFarOff,
  ExecutionsDiffer,
  SingleSample,
  ProfileUnreadable,
  ProfileOfLastFrame,
  ProfileClockBack,
  SourceNotFound,
  SourceAmbiguous,
  SourceCopied,
  SourceChanged,
  SourceExpensive,
  SourceNotShown,
  HistoryExpensive,
  MeasureExpensive,
  MemoryUnreadable,
  // The file about the run
  RunUnreadable,
  RunOfAnotherDump,
  kCount,
};

// What the table says of an oddity.
struct OddityInfo {
  std::string_view id;  // stable; users' scripts may look for it
  Severity severity = Severity::Info;
  std::string_view text;  // what it means and what to do; {controls} stand for words of the surface
};

const OddityInfo& info_of(Oddity oddity);
// Its text in the words of the surface that this process serves.
std::string advice_of(Oddity oddity);
std::string_view name_of(Severity severity);

struct ReportRow {
  Oddity oddity;
  uint64_t count = 0;
  std::string first;  // the first example
};

class LoadReport;
// What a reader of any number must know first: what was left out, and what the dump does not hold.
// A sentence each.
std::vector<std::string> sentences_before_numbers(const LoadReport& report);

class LoadReport {
 public:
  void add(Oddity oddity, std::string_view example, uint64_t count = 1);
  void append(const LoadReport& other);
  void remove(Oddity oddity);

  // In the order of the table.
  const std::vector<ReportRow>& rows() const { return rows_; }
  const ReportRow* find(Oddity oddity) const;

 private:
  std::vector<ReportRow> rows_;
};

}  // namespace etlens
