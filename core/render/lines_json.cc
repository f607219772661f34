// SPDX-License-Identifier: Apache-2.0
// The JSON of `etlens lines`.
#include "core/facts/ranking.h"
#include "core/render/report_json.h"
#include "core/render/report_writer.h"

namespace etlens {
namespace {

class LinesWriter {
 public:
  LinesWriter(const Facts& facts, TimeScale target)
      : facts_(facts),
        out_(facts, target),
        json_(out_.json()),
        ranges_(rank_ranges(facts)),
        ranks_(facts.line_count(), kUnranked) {
    for (size_t i = 0; i < facts.hot_lines().size(); ++i) ranks_[facts.hot_lines()[i].value] = i;
  }

  std::string run(const std::vector<AnchoredSource>& sources, const RowChoice& rows) {
    if (rows) choose(*rows);
    out_.head("etlens/lines@2");
    out_.reconciliation();
    json_.key("files").begin_array();
    for (size_t f = 0; f < sources.size(); ++f) file(FileId(f), sources[f]);
    json_.end_array().key("partitions").begin_array();
    for (size_t p = 0; p < facts_.code().partitions.size(); ++p) {
      json_.begin_object();
      out_.partition(facts_.partition(PartitionId(p)));
      json_.end_object();
    }
    json_.end_array().end_object();
    return json_.take();
  }

 private:
  static constexpr size_t kUnranked = SIZE_MAX;

  // Of a choice, the lines of each file in its order.
  void choose(const std::vector<size_t>& rows) {
    chosen_.emplace(facts_.code().files.size());
    const std::vector<LineId> listed = listed_lines(facts_);
    for (const size_t row : rows) {
      const FileId file = facts_.code().lines[listed[row].value].file;
      (*chosen_)[file.value].push_back(listed[row]);
    }
  }

  std::vector<LineId> lines_of(FileId id) const {
    if (chosen_) return (*chosen_)[id.value];
    const CodeFile& row = facts_.code().files[id.value];
    std::vector<LineId> lines;
    for (uint32_t i = 0; i < row.line_count; ++i) {
      const LineId line(row.first_line + i);
      if (facts_.is_listed(line)) lines.push_back(line);
    }
    return lines;
  }

  void file(FileId id, const AnchoredSource& source) {
    const std::vector<LineId> lines = lines_of(id);
    if (chosen_ && lines.empty()) return;
    json_.begin_object().field("recorded_path", facts_.code().recorded_path(id));
    out_.nullable("path", facts_.sources()[id.value].path);
    json_.key("lines").begin_array();
    for (const LineId line : lines) this->line(facts_.line(line), source);
    json_.end_array().end_object();
  }

  void line(const LineFacts& line, const AnchoredSource& source) {
    const Anchor& anchor = source.of(facts_.code(), line.id);
    json_.begin_object().field("line", line.number).key("current_line");
    if (anchor.line == 0) json_.null();
    else json_.value(anchor.line);
    json_.field("anchor", name_of(anchor.verdict)).field("edited", anchor.edited);
    json_.field("function", line.function).field("text", line.text);
    out_.cost("self", line.self);
    out_.interval(line.own);
    rank(line.id);
    out_.cost("inclusive", line.inclusive);
    json_.field("disturbance_ticks", line.self.disturbance.value);
    json_.field("share", line.self.share);
    json_.field("occurrences", line.occurrences).field("calls", line.runs);
    json_.field("confidence", name_of(line.confidence));
    json_.field("delegated", fraction_of(line.delegated, line.self.amount));
    json_.field("delegated_ticks", line.delegated.value);
    out_.backends("delegates", delegates_of(line));
    json_.key("ops").begin_array();
    for (const ContributionId event : line.own) {
      json_.begin_object();
      out_.op(event);
      json_.end_object();
    }
    json_.end_array().key("fused_into").begin_array();
    for (const LineId target : line.fused_into)
      json_.value(facts_.code().lines[target.value].number);
    // The same with their files: a line of a helper may be fused into one of its caller's.
    json_.end_array().key("fused_into_places").begin_array();
    for (const LineId target : line.fused_into) {
      const CodeLine& row = facts_.code().lines[target.value];
      json_.begin_object().field("recorded_path", facts_.code().recorded_path(row.file));
      json_.field("line", row.number).end_object();
    }
    json_.end_array();
    out_.partition_numbers(line.partitions);
    json_.end_object();
  }

  // The places that it may have among the lines with a self time, or null.
  void rank(LineId line) {
    json_.key("rank");
    if (ranks_[line.value] == kUnranked) {
      json_.null();
      return;
    }
    const RankRange& range = ranges_[ranks_[line.value]];
    json_.begin_array().value(range.first).value(range.last).end_array();
  }

  BackendIds delegates_of(const LineFacts& line) const {
    BackendIds delegates = out_.backends_of(line.partitions);
    for (const ContributionId id : line.own) {
      const std::string_view backend = facts_.backend_id(id);
      if (!backend.empty()) delegates.insert(backend);
    }
    return delegates;
  }

  const Facts& facts_;
  ReportWriter out_;
  JsonWriter& json_;
  std::vector<RankRange> ranges_;
  std::vector<size_t> ranks_;                               // per line: into the ranges
  std::optional<std::vector<std::vector<LineId>>> chosen_;  // per file; nullopt: all
};

}  // namespace

std::string lines_json(const Facts& facts, const std::vector<AnchoredSource>& sources,
                       TimeScale target, const RowChoice& rows) {
  return LinesWriter(facts, target).run(sources, rows);
}

}  // namespace etlens
