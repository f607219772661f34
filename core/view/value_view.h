// SPDX-License-Identifier: Apache-2.0
// Values that a dump logged, and where error begins: the document of `etlens values`. With --compat
// it has the rows of the Inspector's numeric gaps instead.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/facts/value_facts.h"
#include "core/view/place_view.h"

namespace etlens {

// Of the finite elements min, max, mean and std: null if there are none. All are null where the
// value could not be read.
struct StatisticsView {
  Nullable<Real> sum;
  Nullable<Real> min;
  Nullable<Real> max;
  Nullable<Real> mean;
  Nullable<Real> std;
  Nullable<uint64_t> zeros;
  Nullable<uint64_t> nan;
  Nullable<uint64_t> inf;
};
FIELDS(StatisticsView, sum, min, max, mean, std, zeros, nan, inf)

// Elements at the ends of what the quantization has.
struct SaturationView {
  uint64_t low = 0;
  uint64_t high = 0;
};
FIELDS(SaturationView, low, high)

// Bins with elements: [smallest magnitude, count].
using BinView = std::tuple<double, uint64_t>;
struct HistogramView {
  std::vector<BinView> negative;
  std::vector<BinView> positive;
};
FIELDS(HistogramView, negative, positive)

struct WorstElementView {
  uint64_t index = 0;
  Real value;
  Real reference;
};
FIELDS(WorstElementView, index, value, reference)

struct GapView {
  Real mse;
  Real l1;
  Real l1_mean;
  Real max_abs;
  Real snr;
  Real cosine;
  Real psnr;
  std::string_view shapes;
  std::vector<WorstElementView> worst;
};
FIELDS(GapView, mse, l1, l1_mean, max_abs, snr, cosine, psnr, shapes, worst)

// Of a value that has a counterpart in the reference.
struct ComparedView {
  std::optional<Nullable<GapView>> gap;
  std::optional<std::string_view> gap_problem;  // why there is none
  std::optional<double> made;                   // share of the final error that was made here
};
FIELDS(ComparedView, gap, gap_problem, made)

struct ValueView {
  std::string_view block;
  uint32_t execution = 0;
  Nullable<std::string_view> event;  // null for what the method returned
  Nullable<int32_t> instruction_id;
  std::vector<uint32_t> debug_handles;
  uint32_t output = 0;
  std::string_view role;
  std::string_view dtype;
  std::vector<int64_t> shape;
  std::vector<Real> first;
  Spread<StatisticsView> statistics;
  std::optional<SaturationView> saturation;
  std::optional<Nullable<HistogramView>> histogram;
  Nullable<std::string_view> node;
  Nullable<std::string_view> module;
  Nullable<PlaceView> line;
  std::optional<std::string_view> confidence;  // of the line
  Spread<ComparedView> compared;
  std::optional<std::string_view> problem;  // why there are no statistics
};
FIELDS(ValueView, block, execution, event, instruction_id, debug_handles, output, role, dtype,
       shape, first, statistics, saturation, histogram, node, module, line, confidence, compared,
       problem)

// Where error begins.
struct OriginView {
  Nullable<PlaceView> line;
  std::string_view node;
  std::string_view op;
  Nullable<std::string_view> module;
  double made = 0;
  Nullable<Real> snr_before;
  Real snr_after;
  std::vector<Nullable<PlaceView>> lines;  // of all that can have made it
};
FIELDS(OriginView, line, node, op, module, made, snr_before, snr_after, lines)

struct ValuesView {
  Literal<"etlens/values@1"> schema;
  Nullable<std::string_view> debug_buffer;
  std::optional<std::vector<Nullable<uint32_t>>> test_cases;  // with a reference
  Rows<ValueView> values;
  std::optional<std::vector<OriginView>> origin;  // likewise
};
FIELDS(ValuesView, schema, debug_buffer, test_cases, values, origin)

// `blocks`: whose values are listed, one after the other; what is about the reference is of
// `facts`. `with_histograms` reads every value again. Both must outlive the view.
ValuesView values_view(const ValuesFacts& facts, Rows<ValuesFacts> blocks, bool with_histograms);

struct GapRowView {
  std::vector<uint32_t> aot_debug_handle;
  std::vector<uint32_t> runtime_debug_handle;
  std::vector<std::string> runtime_ops;
  std::vector<Real> gap;
  std::optional<std::string_view> note;  // why this row is not the Inspector's
};
FIELDS(GapRowView, aot_debug_handle, runtime_debug_handle, runtime_ops, gap, note)

struct GapsView {
  Literal<"etlens/values@1"> schema;
  std::string_view metric;
  std::vector<GapRowView> rows;
};
FIELDS(GapsView, schema, metric, rows)

// `rows` must outlive the view.
GapsView gaps_view(std::span<const InspectorGapRow> rows, GapMetric metric);

}  // namespace etlens
