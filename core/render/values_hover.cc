// SPDX-License-Identifier: Apache-2.0
#include "core/render/values_hover.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/base/text.h"
#include "core/render/format.h"
#include "core/render/histogram_picture.h"
#include "core/render/hover_words.h"
#include "core/render/values_report.h"

namespace etlens {
namespace {

constexpr size_t kMaxValues = 6;

std::string number(double value) { return fmt::format("{:.4g}", value); }

std::string name_of(const ValueFacts& value) {
  if (value.node.empty()) return value.event;
  if (value.node_output == 0) return std::string(value.node);
  return fmt::format("{}[{}]", value.node, value.node_output);
}

// "-1.5 … 2.25"; what is no number is counted: "-1.5 … 2.25, 3 NaN".
std::string range_text(const ValueStatistics& statistics, bool has_numbers) {
  std::vector<std::string> parts;
  if (has_numbers)
    parts.push_back(fmt::format("{} … {}", number(statistics.minimum), number(statistics.maximum)));
  if (statistics.nan > 0) parts.push_back(fmt::format("{} NaN", statistics.nan));
  if (statistics.inf() > 0) parts.push_back(fmt::format("{} Inf", statistics.inf()));
  return join(parts, ", ");
}

// Where an element is: its indices, of its place in the order of them.
std::string index_text(uint64_t index, std::span<const int64_t> shape) {
  std::vector<std::string> indices(shape.size());
  for (size_t d = shape.size(); d-- > 0;) {
    const auto size = static_cast<uint64_t>(std::max<int64_t>(shape[d], 1));
    indices[d] = std::to_string(index % size);
    index /= size;
  }
  return "[" + join(indices, ", ") + "]";
}

// Elements from the most negative magnitude over zero to the most positive, in as many bars as a
// picture has.
struct Spread {
  Histogram histogram;
  std::string low;  // "-2^3"; "" of no elements
  std::string high;
};

std::string bound_text(size_t bin) {
  constexpr size_t kBins = Magnitudes::kBins;
  const auto exponent = [](size_t b) { return static_cast<int>(b) + Magnitudes::kFirstExponent; };
  if (bin == kBins) return "0";
  return bin < kBins ? fmt::format("-2^{}", exponent(kBins - 1 - bin) + 1)
                     : fmt::format("2^{}", exponent(bin - kBins - 1) + 1);
}

Spread spread_of(const Magnitudes& magnitudes) {
  std::vector<uint64_t> bins(magnitudes.negative.rbegin(), magnitudes.negative.rend());
  bins.push_back(magnitudes.zeros);
  bins.insert(bins.end(), magnitudes.positive.begin(), magnitudes.positive.end());
  const auto is_used = [](uint64_t count) { return count > 0; };
  const auto first = std::find_if(bins.begin(), bins.end(), is_used);
  if (first == bins.end()) return {};
  const auto last = std::find_if(bins.rbegin(), bins.rend(), is_used).base();
  const auto used = static_cast<size_t>(last - first);
  const size_t step = (used + Histogram::kBins - 1) / Histogram::kBins;
  Spread spread;
  for (size_t i = 0; i < used; ++i) {
    uint32_t& bar = spread.histogram.counts[i / step];
    const uint64_t sum = uint64_t{bar} + first[static_cast<ptrdiff_t>(i)];
    bar = static_cast<uint32_t>(std::min<uint64_t>(sum, std::numeric_limits<uint32_t>::max()));
  }
  const auto begin = static_cast<size_t>(first - bins.begin());
  spread.low = bound_text(begin);
  spread.high = bound_text(begin + used - 1);
  return spread;
}

class ValuesHover {
 public:
  ValuesHover(const ValuesFacts& facts, const HoverOptions& options)
      : facts_(facts), options_(options) {}

  std::vector<HoverInfo> run(LineId line) {
    const std::span<const size_t> rows = facts_.rows_of(line);
    if (rows.empty()) return {};
    table(rows);
    if (shown_) picture(facts_.magnitudes(*shown_), "its elements by magnitude", infos_.front());
    if (shown_ && facts_.value(*shown_).comparison != nullptr) worst_elements(*shown_);
    return std::move(infos_);
  }

 private:
  void table(std::span<const size_t> rows) {
    HoverInfo& info = infos_.emplace_back();
    info.facts.push_back(HoverWords(counted(rows.size(), "value") + " logged here").take());
    info.name_columns = 1;
    info.operators.columns = {{"value"}, {"type"}, {"range", Align::Right}, {"mean", Align::Right}};
    if (facts_.has_reference()) info.operators.columns.push_back({"SNR", Align::Right});
    for (const size_t row : rows) {
      if (info.operators.rows.size() == kMaxValues) break;
      info.operators.rows.push_back(this->row(row));
    }
    info.more_operators = rows.size() - info.operators.rows.size();
  }

  std::vector<std::string> row(size_t row) {
    const LoggedValue& logged = facts_.study().values[row];
    const bool is_read = read_ + facts_.bytes(row) <= kMostHoverBytes;
    if (!is_read) {
      std::vector<std::string> cells(infos_.back().operators.columns.size());
      cells[0] = logged.made_by.node.valid() && facts_.code().record != nullptr
                     ? facts_.code().record->text(
                           facts_.code().record->nodes[logged.made_by.node.value].name)
                     : std::string_view("value");
      cells[1] = fmt::format("{}, too large to read here", shape_text(logged.sizes));
      return cells;
    }
    read_ += facts_.bytes(row);
    const ValueFacts& value = facts_.value(row);
    std::vector<std::string> cells{name_of(value),
                                   fmt::format("{} {}", value.dtype, shape_text(value.shape))};
    if (!value.problem.empty()) cells.back() += ", " + value.problem;
    const bool has_numbers = value.statistics && value.statistics->finite > 0;
    const ValueStatistics statistics = value.statistics.value_or(ValueStatistics());
    cells.push_back(range_text(statistics, has_numbers));
    cells.push_back(
        has_numbers ? fmt::format("{} ± {}", number(statistics.mean), number(statistics.deviation))
                    : "");
    if (facts_.has_reference()) {
      const auto* comparison = value.comparison;
      const bool is_compared = comparison != nullptr && comparison->gap;
      cells.push_back(is_compared ? snr_text(comparison->gap->snr) : "");
      if (is_compared && (!shown_ || !is_compared_shown_ || comparison->gap->snr < worst_)) {
        shown_ = row;
        is_compared_shown_ = true;
        worst_ = comparison->gap->snr;
      }
    }
    if (!shown_ && has_numbers) shown_ = row;
    return cells;
  }

  void picture(const std::optional<Magnitudes>& magnitudes, std::string_view what,
               HoverInfo& info) const {
    if (!options_.pictures || !magnitudes) return;
    const Spread spread = spread_of(*magnitudes);
    if (spread.low.empty()) return;
    info.picture = picture_of(spread.histogram, {spread.low, spread.high, "elements"});
    info.picture_words = fmt::format("{}, from {} to {}", what, spread.low, spread.high);
  }

  void worst_elements(size_t row) {
    const ValueFacts& value = facts_.value(row);
    if (!value.comparison->gap) return;
    const Gap& gap = *value.comparison->gap;
    HoverInfo info;
    HoverWords words("worst elements of ");
    info.facts.push_back(words.name(name_of(value)).take());
    info.facts.push_back(HoverWords(format_level(gap.snr)).take());
    info.facts.push_back(HoverWords("max error " + number(gap.max_abs)).take());
    info.operators.columns = {
        {"element"}, {"value", Align::Right}, {"reference", Align::Right}, {"error", Align::Right}};
    for (const WorstElement& element : gap.worst) {
      if (element.value == element.reference) continue;
      info.operators.rows.push_back({index_text(element.index, value.shape), number(element.value),
                                     number(element.reference),
                                     number(element.value - element.reference)});
    }
    if (info.operators.rows.empty()) return;
    picture(facts_.reference_magnitudes(row), "the reference's elements by magnitude", info);
    infos_.push_back(std::move(info));
  }

  const ValuesFacts& facts_;
  const HoverOptions& options_;
  std::vector<HoverInfo> infos_;
  uint64_t read_ = 0;
  std::optional<size_t> shown_;  // the one that is shown in detail: the furthest from its reference
  bool is_compared_shown_ = false;
  double worst_ = 0;
};

}  // namespace

std::vector<HoverInfo> values_hover(const ValuesFacts& facts, LineId line,
                                    const HoverOptions& options) {
  return ValuesHover(facts, options).run(line);
}

}  // namespace etlens
