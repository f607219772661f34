// SPDX-License-Identifier: Apache-2.0
// A source line and what it costs, and all of them: the document of `etlens lines`.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/view/place_view.h"
#include "core/view/row_choice.h"
#include "core/workspace/anchored_source.h"

namespace etlens {

struct LineReferenceView {
  std::string_view recorded_path;
  uint32_t line = 0;
};
FIELDS(LineReferenceView, recorded_path, line)

// Where a line is, and its own cost.
struct OwnLineView {
  uint32_t line = 0;                // as recorded
  Nullable<uint32_t> current_line;  // in the file of today
  std::string_view anchor;
  bool edited = false;
  std::string_view function;
  std::string_view text;
  double self = 0;
  int64_t self_ticks = 0;
  Spread<IntervalView> interval;
};
FIELDS(OwnLineView, line, current_line, anchor, edited, function, text, self, self_ticks, interval)

struct LineCostView {
  double inclusive = 0;
  int64_t inclusive_ticks = 0;
  int64_t disturbance_ticks = 0;
  double share = 0;
  double occurrences = 0;
  uint64_t calls = 0;
  std::string_view confidence;
  double delegated = 0;
  int64_t delegated_ticks = 0;
  std::vector<std::string_view> delegates;
  Nullable<std::string_view> shape;  // of what its costliest operation computes
};
FIELDS(LineCostView, inclusive, inclusive_ticks, disturbance_ticks, share, occurrences, calls,
       confidence, delegated, delegated_ticks, delegates, shape)

// A branch or the body of a loop that has operators on the line, or whose operator stands there.
struct BodyView {
  std::string_view operation;         // "cond", "map", "scan"
  std::string_view part;              // "true branch", "false branch", "body"
  Nullable<LineReferenceView> place;  // of the operation
  uint64_t runs = 0;                  // in each execution that is shown
  uint64_t least = 0;                 // in one execution, over all of the method in the dump
  uint64_t most = 0;
  uint64_t executions = 0;  // of the method in the dump
  uint64_t taken_in = 0;    // of these
};
FIELDS(BodyView, operation, part, place, runs, least, most, executions, taken_in)

// A buffer of the model whose new value the line computes.
struct StateWriteView {
  std::string_view buffer;
  uint64_t bytes = 0;
};
FIELDS(StateWriteView, buffer, bytes)

struct LineView {
  Spread<OwnLineView> own;
  // The places that it may have among the lines with a self time: first, last.
  Nullable<std::array<uint64_t, 2>> rank;
  Spread<LineCostView> cost;
  std::vector<OpView> ops;
  std::vector<uint32_t> fused_into;
  // The same with their files: a line of a helper may be fused into one of its caller's.
  std::vector<LineReferenceView> fused_into_places;
  std::vector<uint32_t> partitions;
  std::vector<BodyView> bodies;
  std::vector<StateWriteView> writes;
  CostsInGroupsView groups;
};
FIELDS(LineView, own, rank, cost, ops, fused_into, fused_into_places, partitions, bodies, writes,
       groups)

struct LinesOfFileView {
  std::string_view recorded_path;
  Nullable<std::string_view> path;
  Rows<LineView> lines;
};
FIELDS(LinesOfFileView, recorded_path, path, lines)

struct LinesView {
  Literal<"etlens/lines@2"> schema;
  Spread<ReportView> report;
  Rows<LinesOfFileView> files;
  Rows<DelegateCallView> partitions;
};
FIELDS(LinesView, schema, report, files, partitions)

OwnLineView own_line_view(const Scale& scale, const LineFacts& line, const Anchor& anchor,
                          const std::optional<Interval>& interval);
LineCostView line_cost_view(const Facts& facts, const Scale& scale, const LineFacts& line);
// `sources`: one per file of the code. All that is passed by reference must outlive the view.
LinesView lines_view(const Facts& facts, const std::vector<AnchoredSource>& sources, Scale scale,
                     ReportView report, const RowChoice& rows);

}  // namespace etlens
