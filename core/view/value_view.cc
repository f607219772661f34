// SPDX-License-Identifier: Apache-2.0
#include "core/view/value_view.h"

namespace etlens {
namespace {

StatisticsView statistics_view(const ValueStatistics& row) {
  StatisticsView view;
  view.sum = Real(row.sum);
  if (row.finite > 0) {
    view.min = Real(row.minimum);
    view.max = Real(row.maximum);
    view.mean = Real(row.mean);
    view.std = Real(row.deviation);
  }
  view.zeros = row.zeros;
  view.nan = row.nan;
  view.inf = row.inf();
  return view;
}

Nullable<HistogramView> histogram_view(const std::optional<Magnitudes>& magnitudes) {
  if (!magnitudes) return std::nullopt;
  const auto bins = [](const std::array<uint64_t, Magnitudes::kBins>& counts) {
    std::vector<BinView> views;
    for (size_t bin = 0; bin < counts.size(); ++bin)
      if (counts[bin] > 0) views.emplace_back(Magnitudes::lower_bound(bin), counts[bin]);
    return views;
  };
  return HistogramView{bins(magnitudes->negative), bins(magnitudes->positive)};
}

ComparedView compared_view(const ValueFacts& value) {
  ComparedView view;
  if (value.comparison == nullptr || !value.comparison->has_counterpart) return view;
  view.gap.emplace();
  if (!value.comparison->gap) {
    view.gap_problem = value.comparison->problem;
    return view;
  }
  const Gap& gap = *value.comparison->gap;
  GapView numbers{gap.mse,    gap.l1,   gap.l1_mean,         gap.max_abs, gap.snr,
                  gap.cosine, gap.psnr, name_of(gap.shapes), {}};
  for (const WorstElement& element : gap.worst)
    numbers.worst.push_back({element.index, element.value, element.reference});
  view.gap = std::move(numbers);
  view.made = value.made;
  return view;
}

ValueView value_view(const ValuesFacts& facts, size_t row, bool with_histogram) {
  const ValueFacts& value = facts.value(row);
  ValueView view;
  view.block = facts.study().join->selected().name;
  view.execution = value.execution;
  view.event = text_or_null(value.event);
  if (value.instruction) view.instruction_id = value.instruction->value;
  view.debug_handles = handles_view(value.handles);
  view.output = value.output;
  view.role = name_of(value.role);
  view.dtype = value.dtype;
  view.shape.assign(value.shape.begin(), value.shape.end());
  view.first.assign(value.first.begin(), value.first.end());
  if (value.statistics) {
    view.statistics = statistics_view(*value.statistics);
    if (const std::optional<Saturation>& ends = value.statistics->saturation)
      view.saturation = {ends->low, ends->high};
  }
  if (with_histogram) view.histogram = histogram_view(facts.magnitudes(row));
  view.node = text_or_null(value.node);
  view.module = value.module_path;
  view.line = place_view(facts.code(), value.line);
  if (value.line.valid()) view.confidence = name_of(value.confidence);
  view.compared = compared_view(value);
  if (!value.problem.empty()) view.problem = value.problem;
  return view;
}

std::vector<OriginView> origins_view(const ValuesFacts& facts) {
  std::vector<OriginView> views;
  for (const OriginFacts& row : facts.origins()) {
    OriginView& view = views.emplace_back();
    view.line = place_view(facts.code(), row.line);
    view.node = row.node;
    view.op = row.op;
    view.module = row.module_path;
    view.made = row.made;
    if (row.snr_before) view.snr_before = Real(*row.snr_before);
    view.snr_after = row.snr_after;
    view.lines = places_view(facts.code(), row.lines);
  }
  return views;
}

}  // namespace

ValuesView values_view(const ValuesFacts& facts, Rows<ValuesFacts> blocks, bool with_histograms) {
  ValuesView view;
  view.debug_buffer = text_or_null(facts.study().debug_buffer);
  view.values = Rows<ValueView>([blocks = std::move(blocks), with_histograms](const auto& take) {
    blocks.each([&](const ValuesFacts& block) {
      for (size_t row = 0; row < block.size(); ++row) take(value_view(block, row, with_histograms));
    });
  });
  if (!facts.has_reference()) return view;
  const std::vector<std::optional<uint32_t>>& cases = facts.study().test_cases;
  view.test_cases.emplace(cases.begin(), cases.end());
  view.origin = origins_view(facts);
  return view;
}

GapsView gaps_view(std::span<const InspectorGapRow> rows, GapMetric metric) {
  GapsView view;
  view.metric = name_of(metric);
  for (const InspectorGapRow& row : rows) {
    const std::vector<uint32_t> handles = handles_view(row.handles);
    GapRowView& gap = view.rows.emplace_back(GapRowView{handles, handles, row.ops, {}, {}});
    gap.gap.assign(row.gap.begin(), row.gap.end());
    if (!row.note.empty()) gap.note = row.note;
  }
  return view;
}

}  // namespace etlens
