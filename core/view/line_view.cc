// SPDX-License-Identifier: Apache-2.0
#include "core/view/line_view.h"

#include <memory>

#include "core/facts/output_shape.h"
#include "core/facts/ranking.h"

namespace etlens {
namespace {

// What the views of all lines are made of.
class Lines {
 public:
  Lines(const Facts& facts, const std::vector<AnchoredSource>& sources, Scale scale,
        const RowChoice& rows)
      : facts_(facts),
        sources_(sources),
        scale_(scale),
        ranking_(facts),
        rows_(facts.line_count(), kUnranked) {
    for (size_t i = 0; i < facts.hot_lines().size(); ++i) rows_[facts.hot_lines()[i].value] = i;
    if (rows) choose(*rows);
  }

  void each_file(const Rows<LinesOfFileView>::Take& take) const {
    const Code& code = facts_.code();
    for (size_t f = 0; f < sources_.size(); ++f) {
      const FileId file(f);
      const std::vector<LineId> lines = lines_of(file);
      if (chosen_ && lines.empty()) continue;
      take({code.recorded_path(file), text_or_null(facts_.sources()[f].path),
            Rows<LineView>([&](const Rows<LineView>::Take& take_line) {
              for (const LineId line : lines) take_line(view(facts_.line(line), sources_[f]));
            })});
    }
  }

  void each_call(const Rows<DelegateCallView>::Take& take) const {
    for (size_t p = 0; p < facts_.code().partitions.size(); ++p)
      take(delegate_call_view(facts_, scale_, facts_.partition(PartitionId(p))));
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

  LineView view(const LineFacts& line, const AnchoredSource& source) const {
    LineView view;
    view.own = own_line_view(scale_, line, source.of(facts_.code(), line.id), interval(line));
    view.rank = rank(line.id);
    view.cost = line_cost_view(facts_, scale_, line);
    view.ops.reserve(line.own.size());
    for (const ContributionId op : line.own) view.ops.push_back(op_view(facts_, scale_, op));
    for (const LineId target : line.fused_into) {
      const CodeLine& row = facts_.code().lines[target.value];
      view.fused_into.push_back(row.number);
      view.fused_into_places.push_back({facts_.code().recorded_path(row.file), row.number});
    }
    view.partitions = call_numbers(facts_, line.partitions);
    for (const BodyRuns* body : facts_.bodies_of(line.id)) view.bodies.push_back(body_view(*body));
    for (const StateWrite& write : facts_.writes_of(line.id))
      view.writes.push_back({write.buffer, write.bytes});
    view.groups = costs_in_groups_view(scale_, in_groups(facts_, line.id));
    return view;
  }

  BodyView body_view(const BodyRuns& body) const {
    const Code& code = facts_.code();
    BodyView view;
    view.operation = operation_of(code, body);
    view.part = part_of_body(view.operation, body.number);
    if (body.line.valid()) {
      const CodeLine& line = code.lines[body.line.value];
      view.place = LineReferenceView{code.recorded_path(line.file), line.number};
    }
    view.runs = body.shown;
    view.least = body.least;
    view.most = body.most;
    view.executions = body.executions;
    view.taken_in = body.taken_in;
    return view;
  }

  std::optional<Interval> interval(const LineFacts& line) const {
    if (const size_t row = rows_[line.id.value]; row != kUnranked) return ranking_.interval(row);
    return line.own.empty() ? std::nullopt : facts_.interval(line.own);
  }

  Nullable<std::array<uint64_t, 2>> rank(LineId line) const {
    if (rows_[line.value] == kUnranked) return std::nullopt;
    const RankRange range = ranking_.places(rows_[line.value]);
    return std::array<uint64_t, 2>{range.first, range.last};
  }

  const Facts& facts_;
  const std::vector<AnchoredSource>& sources_;
  Scale scale_;
  mutable Ranking ranking_;                                 // finds a row when it is asked for
  std::vector<size_t> rows_;                                // per line: of the ranking
  std::optional<std::vector<std::vector<LineId>>> chosen_;  // per file; nullopt: all
};

}  // namespace

OwnLineView own_line_view(const Scale& scale, const LineFacts& line, const Anchor& anchor,
                          const std::optional<Interval>& interval) {
  OwnLineView view;
  view.line = line.number;
  if (anchor.line != 0) view.current_line = anchor.line;
  view.anchor = name_of(anchor.verdict);
  view.edited = anchor.edited;
  view.function = line.function;
  view.text = line.text;
  view.self = scale.of(line.self);
  view.self_ticks = line.self.amount.value;
  view.interval = interval_view(scale, interval);
  return view;
}

LineCostView line_cost_view(const Facts& facts, const Scale& scale, const LineFacts& line) {
  LineCostView view;
  view.inclusive = scale.of(line.inclusive);
  view.inclusive_ticks = line.inclusive.amount.value;
  view.disturbance_ticks = line.self.disturbance.value;
  view.share = line.self.share;
  view.occurrences = line.occurrences;
  view.calls = line.runs;
  view.confidence = name_of(line.confidence);
  view.delegated = fraction_of(line.delegated, line.self.amount);
  view.delegated_ticks = line.delegated.value;
  view.delegates = backends_of(facts, line.partitions, line.own);
  view.shape = text_or_null(output_shape(facts, line));
  return view;
}

LinesView lines_view(const Facts& facts, const std::vector<AnchoredSource>& sources, Scale scale,
                     ReportView report, const RowChoice& rows) {
  const auto lines = std::make_shared<const Lines>(facts, sources, scale, rows);
  LinesView view;
  view.report = std::move(report);
  view.files = Rows<LinesOfFileView>([lines](const auto& take) { lines->each_file(take); });
  view.partitions = Rows<DelegateCallView>([lines](const auto& take) { lines->each_call(take); });
  return view;
}

}  // namespace etlens
