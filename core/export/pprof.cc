// SPDX-License-Identifier: Apache-2.0
// pprof's profile: gzipped protobuf. Field numbers are those that pprof publishes
// (proto/profile.proto). A sample is an event with the stack of source lines that led to it; what
// is on no line is a frame in brackets. Three values each: the time of one execution in whole
// nanoseconds (what tools show), the same summed over the executions used, exactly as etlens counts
// it, and how often the event ran in them.
#include <fmt/format.h>

#include <cmath>
#include <map>
#include <protozero/pbf_writer.hpp>

#include "core/base/path.h"
#include "core/base/shown_text.h"
#include "core/export/definitions.h"
#include "core/export/gzip.h"
#include "core/export/labels.h"
#include "core/facts/cost_tree.h"
#include "core/facts/headline.h"
#include "core/render/summary.h"

namespace etlens {
namespace {

using protozero::pbf_writer;

// Profile
constexpr uint32_t kSampleType = 1;
constexpr uint32_t kSample = 2;
constexpr uint32_t kLocation = 4;
constexpr uint32_t kFunction = 5;
constexpr uint32_t kStringTable = 6;
constexpr uint32_t kDuration = 10;
constexpr uint32_t kComment = 13;
constexpr uint32_t kDefaultSampleType = 14;
// ValueType
constexpr uint32_t kValueType = 1;
constexpr uint32_t kUnit = 2;
// Sample
constexpr uint32_t kLocationIds = 1;
constexpr uint32_t kValues = 2;
constexpr uint32_t kLabel = 3;
// Label
constexpr uint32_t kKey = 1;
constexpr uint32_t kLabelText = 2;
constexpr uint32_t kNumber = 3;
// Location, Line, Function
constexpr uint32_t kId = 1;
constexpr uint32_t kLine = 4;
constexpr uint32_t kFunctionId = 1;
constexpr uint32_t kLineNumber = 2;
constexpr uint32_t kFunctionName = 2;
constexpr uint32_t kFileName = 4;
constexpr uint32_t kStartLine = 5;

class PprofWriter {
 public:
  PprofWriter(const ExportInput& input, Sink& sink)
      : input_(input),
        facts_(input.facts),
        out_(sink),
        clock_(facts_.quantity().ticks),
        definitions_(definition_lines(input)) {
    text("");
  }

  void run() {
    const Headline head = headline(facts_);
    samples_ = head.used.size();
    const std::string_view unit = clock_ == TimeScale::Cycles ? "cycles" : "nanoseconds";
    sample_type("time", unit);
    sample_type("time_of_all_executions", unit);
    sample_type("occurrences", "count");
    for (size_t c = 0; c < facts_.contribution_count(); ++c) sample(ContributionId(c));
    flush();
    pbf_writer profile(message_);
    profile.add_int64(kDuration, of_one_execution(head.total.amount));
    for (const std::string& comment :
         {std::string(input_.generator), describe_selection(head),
          "dump: " + std::string(base_name(facts_.study().etdump_path))})
      profile.add_int64(kComment, text(comment));
    profile.add_int64(kDefaultSampleType, text("time"));
    flush();
    for (const std::string* each : in_order_) {
      pbf_writer(message_).add_string(kStringTable, *each);
      flush();
    }
    out_.finish();
  }

 private:
  // Row of the string table.
  int64_t text(std::string_view value) {
    const auto [at, is_new] =
        strings_.try_emplace(shown_text(value), static_cast<int64_t>(strings_.size()));
    if (is_new) in_order_.push_back(&at->first);
    return at->second;
  }

  void sample_type(std::string_view type, std::string_view unit) {
    pbf_writer profile(message_);
    pbf_writer row(profile, kSampleType);
    row.add_int64(kValueType, text(type));
    row.add_int64(kUnit, text(unit));
  }

  // What was written so far goes on its way.
  void flush() {
    out_.append(message_);
    message_.clear();
  }

  int64_t exact(Amount amount) const {
    const uint64_t ns =
        nanoseconds(static_cast<uint64_t>(std::max<int64_t>(amount.value, 0)), clock_);
    return static_cast<int64_t>(std::min<uint64_t>(ns, INT64_MAX));
  }

  // Rounded so that the samples add up to the whole, which is rounded once.
  int64_t of_one_execution(Amount amount) const {
    const auto count = static_cast<int64_t>(std::max<size_t>(1, samples_));
    const int64_t ns = exact(amount);
    return ns / count + (ns % count >= count - ns % count ? 1 : 0);
  }
  int64_t share_of_execution(Amount amount) {
    const int64_t before = of_one_execution(summed_);
    summed_ += amount;
    return of_one_execution(summed_) - before;
  }

  uint64_t function(const std::string& name, const std::string& file, uint32_t definition) {
    const auto [at, is_new] = functions_.try_emplace({name, file}, functions_.size() + 1);
    if (!is_new) return at->second;
    const int64_t name_row = text(name);
    const int64_t file_row = text(file);
    pbf_writer profile(message_);
    pbf_writer row(profile, kFunction);
    row.add_uint64(kId, at->second);
    row.add_int64(kFunctionName, name_row);
    row.add_int64(kFileName, file_row);
    if (definition != 0) row.add_int64(kStartLine, definition);
    return at->second;
  }

  // A line of a function; 0 for a frame that is no source.
  uint64_t location(uint64_t function, uint32_t line) {
    const auto [at, is_new] = locations_.try_emplace({function, line}, locations_.size() + 1);
    if (!is_new) return at->second;
    pbf_writer profile(message_);
    pbf_writer row(profile, kLocation);
    row.add_uint64(kId, at->second);
    pbf_writer place(row, kLine);
    place.add_uint64(kFunctionId, function);
    if (line != 0) place.add_int64(kLineNumber, line);
    return at->second;
  }

  // The innermost first.
  std::vector<uint64_t> stack_of(const EventFacts& event) {
    std::vector<uint64_t> stack;
    const std::vector<LineId> lines = lines_of(facts_, event.id);
    for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
      const SourcePlace place = source_place(input_, *line);
      const uint32_t definition = definitions_[line->value];
      const std::string name = function_name(facts_, *line, definition);
      stack.push_back(location(function(name, place.path, definition), place.line));
    }
    if (stack.empty()) {
      const std::string name = describe_part(facts_, event.part, event.partition);
      stack.push_back(location(function("[" + name + "]", "", 0), 0));
    }
    return stack;
  }

  void sample(ContributionId id) {
    const EventFacts event = facts_.event(id);
    const Amount amount = event.self.amount;
    if (amount == Amount()) return;
    const std::vector<uint64_t> stack = stack_of(event);
    const std::vector<int64_t> values{
        share_of_execution(amount), exact(amount),
        std::llround(event.occurrences * static_cast<double>(samples_))};
    std::vector<Label> labels = labels_of(input_, id);
    labels.insert(labels.begin(), {"event", event.name});
    pbf_writer profile(message_);
    pbf_writer row(profile, kSample);
    row.add_packed_uint64(kLocationIds, stack.begin(), stack.end());
    row.add_packed_int64(kValues, values.begin(), values.end());
    for (const Label& label : labels) {
      if (label.name == "source" || label.name == "function") continue;  // the stack has them
      pbf_writer entry(row, kLabel);
      entry.add_int64(kKey, text(label.name));
      if (const auto* number = std::get_if<int64_t>(&label.value))
        entry.add_int64(kNumber, *number);
      else entry.add_int64(kLabelText, text(std::get<std::string>(label.value)));
    }
    if (message_.size() >= kFlushFrom) {
      row.commit();
      flush();
    }
  }

  static constexpr size_t kFlushFrom = 32 * 1024;

  const ExportInput& input_;
  const Facts& facts_;
  GzipWriter out_;
  TimeScale clock_;
  std::vector<uint32_t> definitions_;  // per line of the code
  size_t samples_ = 0;
  Amount summed_;  // of the samples so far
  std::map<std::string, int64_t> strings_;
  std::vector<const std::string*> in_order_;  // of the string table
  std::map<std::pair<std::string, std::string>, uint64_t> functions_;
  std::map<std::pair<uint64_t, uint32_t>, uint64_t> locations_;
  std::string message_;
};

}  // namespace

void write_pprof(const ExportInput& input, Sink& sink) { PprofWriter(input, sink).run(); }

}  // namespace etlens
