// SPDX-License-Identifier: Apache-2.0
#include "core/base/load_report.h"

#include <algorithm>
#include <array>

#include "core/base/controls.h"

namespace etlens {
namespace {

constexpr auto kInfo = Severity::Info;
constexpr auto kLoss = Severity::DataLoss;
constexpr auto kError = Severity::Error;

// In the order of the enumeration.
constexpr std::array<OddityInfo, static_cast<size_t>(Oddity::kCount)> kTable{{
    {"dump-release-0.1", kInfo,
     "The dump has the layout of ExecuTorch 0.1; everything in it was read."},
    {"dump-trailing-bytes", kInfo,
     "Bytes after the end of the dump were ignored; some runners write their whole buffer."},
    {"dump-empty-event", kLoss,
     "An event holds neither times nor a value; it was skipped. Record the dump again."},
    {"dump-end-before-start", kLoss,
     "An event ends before it starts and counts as 0 ticks; check the platform's clock."},
    {"dump-clock-wrapped", kInfo,
     "The platform's 32-bit clock wrapped around during an event; its duration allows for that."},
    {"dump-clock-stands", kError,
     "The clock stands: events begin and end at the same tick, so nothing was timed. Implement "
     "et_pal_current_ticks for the board and record again."},
    {"dump-values-logged", kInfo,
     "Values were logged while running: the times of kernels and delegate calls include copying "
     "them. Record without a debug buffer for true times."},
    {"dump-allocations", kInfo, "Allocation events carry no time{allocations}."},
    {"dump-method-only", kLoss,
     "The dump logs executions as a whole and no operator inside them: the event tracer ran at the "
     "level kProfileMethodOnly. Set the level kProfileAllEvents "
     "(set_event_tracer_profiling_level) and record again to log operators."},
    {"dump-in-log", kInfo, "The dump was decoded from base64 in a text file."},
    {"record-graph-unreadable", kLoss,
     "A graph of the record could not be read; what runs there cannot be placed. Export again."},
    {"record-node-odd", kLoss, "A node of a graph lacks what every node has; it was skipped."},
    {"record-lowered-unreadable", kLoss,
     "The original module of a delegate call could "
     "not be read; its time stays with the whole call."},
    {"record-map-odd", kLoss, "An entry of the debug handle map or delegate map was skipped."},
    {"record-map-empty", kError,
     "The record maps no instruction of a program, so no time can be placed on its lines. Generate "
     "the record with the program that to_executorch returned."},
    {"record-left-out", kLoss,
     "An ETRecord near the dump cannot be used and was left out, so no time is placed on lines. "
     "Give the ETRecord of the export that made the program that was run."},
    {"record-no-stack-traces", kError,
     "No node of the record has a stack trace, so no time can be placed on lines. Export with a "
     "PyTorch that records them and do not strip node metadata."},
    {"record-non-strict", kInfo,
     "Non-strict export keeps only frames of functions named forward: "
     "the time of a helper function stands on the line of forward that "
     "calls it. Export with strict=True to see the helper's lines."},
    {"record-lines-recovered", kInfo,
     "The export lost lines inside helper functions; these were found again by running the sources "
     "symbolically against the record.{recovery}"},
    {"program-unreadable", kLoss,
     "The .pte could not be read; what only it knows "
     "stays unplaced. Give the .pte of this export."},
    {"program-differs", kLoss,
     "The .pte does not belong to this dump or record "
     "and was not used. Give the .pte of this export."},
    {"program-bundled", kInfo,
     "The program lies inside a bundled program. The test inputs and expected outputs around it "
     "are not counted."},
    {"program-negative-size", kLoss,
     "A tensor of the .pte has a negative size and counts as nothing. Export it again."},
    {"program-size-overflow", kLoss,
     "A tensor of the .pte is larger than any memory and counts as nothing. Export it again."},
    {"program-outside-buffer", kLoss,
     "The memory plan puts a tensor outside its buffer; "
     "that part counts as nothing. Export it again."},
    {"program-overlap", kLoss,
     "The memory plan puts tensors that are needed at the same time into the same bytes; these "
     "count once. Check the memory planning pass of the export."},
    {"program-argument-odd", kLoss,
     "The .pte names a value that it does not have; it was left out. Export it again."},
    {"program-data-odd", kLoss,
     "Constants or segments of the .pte lie outside it or over each other; such bytes count once. "
     "Copy the file again or export it again."},
    {"values-unreadable", kLoss,
     "The dump logged values whose bytes are not there: keep the debug buffer that the runner "
     "wrote next to the dump, under its name with .bin."},
    {"values-reference-unfit", kLoss,
     "The reference found next to the dump does not fit: give the reference of the model that ran, "
     "or move this one away."},
    {"values-large", kInfo,
     "So many values are not looked through while loading: choose the measure error{values}."},
    {"instructions-unmapped", kLoss,
     "The record does not map some instructions (branches of control flow, views, write-backs of "
     "buffers), so their time is unattributed. Give the .pte{program}: it places them."},
    {"instructions-unplaced", kInfo,
     "The exporter added some instructions that neither the record nor the .pte ties to an "
     "operator of the model: their time is unattributed."},
    {"event-outside-execution", kInfo,
     "Events outside Method::execute are not part of the method's time."},
    {"delegate-rescaled", kInfo,
     "A backend's events are longer than its call (another clock, parallel work or estimates): "
     "they were taken as shares of the call."},
    {"delegate-cycles", kInfo,
     "A backend counts cycles or a counter of its own. Their part of the call's time follows "
     "from the call's totals, or is their share of the call."},
    {"delegate-estimates", kInfo,
     "This backend's times of operators are estimates: it divides the time of the whole prediction "
     "by its own costs."},
    {"delegate-not-times", kInfo,
     "Totals of a whole call, counts and bytes that a "
     "backend logs next to its operators are not in any sum."},
    {"delegate-unaligned", kInfo,
     "Some events of a delegate could not be tied to operators; their time stays with the call."},
    {"delegate-inferred", kInfo,
     "Some delegate events were placed by order alone. Give the .pte{program} to make them "
     "certain."},
    {"execution-broke-off", kLoss,
     "Executions broke off before their end: they count in no number. Look in "
     "the log of the run for the error that execute() returned."},
    {"execution-far-off", kInfo,
     "Executions are far from the others (warm-up, a busy machine). Their time beyond the "
     "typical is noise{mean}."},
    {"executions-differ", kInfo,
     "The executions do different work, like prefill and decode, and the largest group is shown. "
     "Choose others{executions}."},
    {"single-sample", kInfo,
     "Every number is a single sample of one execution: etlens cannot know how much of it is "
     "chance. Run the model more often while recording."},
    {"python-profile-unreadable", kLoss,
     "The Python profile (.prof) cannot be read and was not used. Write it again."},
    {"python-profile-last-frame", kInfo,
     "Dynamo writes its profile again with every frame that it compiles: this is the last one."},
    {"python-profile-clock", kInfo,
     "The clock of the Python profile was set back while "
     "it was written; times below 0 count as nothing."},
    {"source-not-found", kLoss, "A recorded file was not found here.{find_file}"},
    {"source-ambiguous", kLoss,
     "More than one file fits a recorded path, so none was taken.{choose_file}"},
    {"source-copied", kInfo,
     "Several copies fit a recorded path: etlens took the one next to the other recorded "
     "files.{choose_file}"},
    {"source-changed", kInfo,
     "The source was edited since the export. Lines "
     "whose statement is still found keep their numbers."},
    {"source-expensive", kLoss,
     "A source takes more time or memory than its size justifies: its lines are shown as they were "
     "recorded. Make it shorter, or set ETLENS_BUDGET=4 to allow it more."},
    {"source-not-shown", kInfo,
     "A source lies outside of the folders whose text may be sent: only the lines that the record "
     "itself holds are shown.{show_file}"},
    {"history-expensive", kLoss,
     "The git history of a source takes more time or memory than it may: lines that changed are "
     "looked for without the version that was exported."},
    {"measure-expensive", kLoss,
     "A measure other than time takes more than it may and is left out. Export the program "
     "again, or set ETLENS_BUDGET=4 to allow it more."},
    {"memory-unreadable", kLoss,
     "The planned memory of the program cannot be shown and is left out. Export the program again, "
     "or set ETLENS_BUDGET=4 to allow it more."},
    {"run-unreadable", kLoss,
     "The file about the run next to the dump cannot be read and was not used. Delete it, or run "
     "the program again."},
    {"run-of-another-dump", kInfo,
     "The file about the run next to the dump has the hash of another dump and was not used. "
     "Delete it."},
}};

}  // namespace

const OddityInfo& info_of(Oddity oddity) { return kTable[static_cast<size_t>(oddity)]; }

std::string advice_of(Oddity oddity) { return worded(info_of(oddity).text); }

std::string_view name_of(Severity severity) {
  switch (severity) {
    case Severity::Info:
      return "info";
    case Severity::DataLoss:
      return "data_loss";
    case Severity::Error:
      return "error";
  }
  return "error";
}

std::vector<std::string> sentences_before_numbers(const LoadReport& report) {
  std::vector<std::string> sentences;
  if (const ReportRow* row = report.find(Oddity::RecordLeftOut))
    sentences.push_back(row->first + "; the record is left out");
  for (const Oddity oddity : {Oddity::RecordMapEmpty, Oddity::DumpMethodOnly,
                              Oddity::ExecutionBrokeOff, Oddity::DumpInLog}) {
    const ReportRow* row = report.find(oddity);
    if (row == nullptr) continue;
    std::string& sentence = sentences.emplace_back(advice_of(oddity));
    sentence += " (" + row->first;
    if (row->count > 1) sentence += ", " + std::to_string(row->count) + " times";
    sentence += ")";
  }
  return sentences;
}

void LoadReport::add(Oddity oddity, std::string_view example, uint64_t count) {
  if (count == 0) return;
  const auto at = std::lower_bound(rows_.begin(), rows_.end(), oddity,
                                   [](const ReportRow& row, Oddity o) { return row.oddity < o; });
  if (at != rows_.end() && at->oddity == oddity) {
    at->count += count;
  } else {
    rows_.insert(at, {oddity, count, std::string(example)});
  }
}

void LoadReport::append(const LoadReport& other) {
  for (const ReportRow& row : other.rows_) add(row.oddity, row.first, row.count);
}

void LoadReport::remove(Oddity oddity) {
  std::erase_if(rows_, [&](const ReportRow& row) { return row.oddity == oddity; });
}

const ReportRow* LoadReport::find(Oddity oddity) const {
  const auto at = std::lower_bound(rows_.begin(), rows_.end(), oddity,
                                   [](const ReportRow& row, Oddity o) { return row.oddity < o; });
  return at != rows_.end() && at->oddity == oddity ? &*at : nullptr;
}

}  // namespace etlens
