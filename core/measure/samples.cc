// SPDX-License-Identifier: Apache-2.0
#include "core/measure/samples.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>

#include "core/base/budget.h"
#include "core/base/text.h"

namespace etlens {
namespace {

// A sample is odd if it took this many times the median, ...
constexpr double kOddFactor = 3;
// ... or this many and a tenth of all that samples took beyond the median.
constexpr double kLessOddFactor = 1.5;
constexpr double kOddShare = 0.1;

// From one kind of samples to the next, how much longer most contributions take.
constexpr double kKindStep = 1.75;
// A kind has so many samples, and of these so many are near its quicker half.
constexpr size_t kLeastOfKind = 3;
constexpr double kMostOfKind = 0.75;
constexpr double kNear = 1.25;

std::vector<uint32_t> all_of(size_t count) {
  std::vector<uint32_t> all(count);
  std::iota(all.begin(), all.end(), 0u);
  return all;
}

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// As many contributions tell how slow a sample is as all of them.
constexpr size_t kWitnesses = 128;

// The contributions that cost most in the sample in the middle.
std::vector<uint32_t> find_witnesses(const Series& series, std::span<const Amount> totals) {
  std::vector<uint32_t> order = all_of(series.samples());
  const auto middle = order.begin() + static_cast<ptrdiff_t>(order.size() / 2);
  std::nth_element(order.begin(), middle, order.end(),
                   [&](uint32_t a, uint32_t b) { return totals[a] < totals[b]; });
  const std::span<const int64_t> sample = series.sample(*middle);
  std::vector<uint32_t> witnesses = all_of(series.contributions());
  std::erase_if(witnesses, [&](uint32_t c) { return sample[c] <= 0; });
  const auto end =
      witnesses.begin() + static_cast<ptrdiff_t>(std::min(kWitnesses, witnesses.size()));
  std::partial_sort(witnesses.begin(), end, witnesses.end(),
                    [&](uint32_t a, uint32_t b) { return sample[a] > sample[b]; });
  witnesses.erase(end, witnesses.end());
  return witnesses;
}

// How slow each sample is: the weighted median, over the witnesses, of what it took against what is
// typical of the contribution over all samples.
std::vector<double> slowness_of(const Series& series, std::span<const Amount> totals,
                                std::span<const int64_t> slack) {
  const std::vector<uint32_t> witnesses = find_witnesses(series, totals);
  std::vector<double> typical;
  std::vector<int64_t> values;
  double weight = 0;
  for (const uint32_t c : witnesses) {
    go_on(1 + series.samples() / 16);
    values.clear();
    for (size_t s = 0; s < series.samples(); ++s) {
      if (series.at(c, s) != Series::kAbsent) values.push_back(series.at(c, s));
    }
    const Amount sum = summarize(values, Statistic::Typical, slack[c]);
    typical.push_back(static_cast<double>(sum.value) / static_cast<double>(values.size()));
    weight += typical.back();
  }
  std::vector<double> slowness(series.samples(), 1);
  std::vector<std::pair<double, double>> ratios;  // with their weights
  for (size_t s = 0; s < series.samples(); ++s) {
    go_on(1 + witnesses.size());
    ratios.clear();
    for (size_t i = 0; i < witnesses.size(); ++i) {
      if (typical[i] <= 0) continue;
      const auto value = static_cast<double>(std::max<int64_t>(series.at(witnesses[i], s), 0));
      ratios.emplace_back(value / typical[i], typical[i]);
    }
    std::sort(ratios.begin(), ratios.end());
    double below = 0;
    for (const auto& [ratio, share] : ratios) {
      slowness[s] = ratio;
      if ((below += share) >= weight / 2) break;
    }
  }
  return slowness;
}

// A group of samples, quicker first, is a kind if most of it lies together.
bool is_kind(std::span<const double> ascending) {
  if (ascending.size() < kLeastOfKind) return false;
  const double limit = kNear * mean_of(ascending.first((ascending.size() + 1) / 2));
  const auto near = std::count_if(ascending.begin(), ascending.end(),
                                  [&](double value) { return value <= limit; });
  return static_cast<double>(near) >= kMostOfKind * static_cast<double>(ascending.size());
}

Error bad_choice(std::string_view choice, size_t count) {
  return {ErrorCode::InvalidParams, "there are no executions \"" + std::string(choice) +
                                        "\": the block has " + std::to_string(count) +
                                        "; give numbers like 1-25,30, or slow, fast or all"};
}

// "3" or "3-7", 1-based; nothing for anything else.
std::optional<std::pair<size_t, size_t>> parse_range(std::string_view text) {
  const auto number = [](std::string_view digits) -> std::optional<size_t> {
    size_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
    return value;
  };
  const size_t dash = text.find('-');
  const std::optional<size_t> first = number(text.substr(0, dash));
  const std::optional<size_t> last =
      dash == std::string_view::npos ? first : number(text.substr(dash + 1));
  if (!first || !last) return std::nullopt;
  return std::pair(*first, *last);
}

}  // namespace

std::vector<SampleKind> find_kinds(const Series& series, std::span<const Amount> totals,
                                   std::span<const int64_t> slack) {
  const size_t samples = series.samples();
  if (samples < 2 * kLeastOfKind) return {};
  const std::vector<double> slowness = slowness_of(series, totals, slack);
  std::vector<uint32_t> order = all_of(samples);
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return slowness[a] < slowness[b]; });
  std::vector<double> ascending;
  for (const uint32_t s : order) ascending.push_back(slowness[s]);
  std::vector<SampleKind> kinds;
  for (size_t first = 0; first < samples;) {
    size_t end = first + 1;
    while (end < samples && ascending[end] < kKindStep * ascending[end - 1]) ++end;
    if (is_kind(std::span(ascending).subspan(first, end - first))) {
      SampleKind& kind = kinds.emplace_back();
      kind.samples.assign(order.begin() + static_cast<ptrdiff_t>(first),
                          order.begin() + static_cast<ptrdiff_t>(end));
      std::sort(kind.samples.begin(), kind.samples.end());
    }
    first = end;
  }
  return kinds.size() < 2 ? std::vector<SampleKind>() : kinds;
}

std::vector<uint32_t> find_odd(std::span<const Amount> totals, std::span<const uint32_t> used) {
  if (used.size() < 3) return {};
  std::vector<double> sorted;
  for (const uint32_t s : used) sorted.push_back(static_cast<double>(totals[s].value));
  std::sort(sorted.begin(), sorted.end());
  const double median = sorted[sorted.size() / 2];
  double beyond = 0;
  for (const double total : sorted) beyond += std::max(0.0, total - median);
  std::vector<uint32_t> odd;
  for (const uint32_t s : used) {
    const auto total = static_cast<double>(totals[s].value);
    const bool is_less_odd =
        total > kLessOddFactor * median && total - median >= kOddShare * beyond;
    if (total > kOddFactor * median || is_less_odd) odd.push_back(s);
  }
  return odd;
}

Result<std::vector<uint32_t>> choose_samples(std::string_view choice, size_t count,
                                             const std::vector<SampleKind>& kinds) {
  if (choice == "all" || (choice.empty() && kinds.empty())) return all_of(count);
  if (choice == "slow" || choice == "fast") {
    if (kinds.empty()) {
      return Error{ErrorCode::InvalidParams, "all executions are of one kind, so none are \"" +
                                                 std::string(choice) +
                                                 "\"; give numbers like 1-25,30"};
    }
    return choice == "slow" ? kinds.back().samples : kinds.front().samples;
  }
  if (choice.empty()) {
    const auto larger = [](const SampleKind& a, const SampleKind& b) {
      return a.samples.size() < b.samples.size();
    };
    return std::max_element(kinds.begin(), kinds.end(), larger)->samples;
  }
  std::vector<bool> wanted(count);
  for (const std::string_view part : split(choice, ',')) {
    const auto range = parse_range(trim(part));
    if (!range || range->first < 1 || range->first > range->second || range->second > count)
      return bad_choice(choice, count);
    std::fill(wanted.begin() + static_cast<ptrdiff_t>(range->first - 1),
              wanted.begin() + static_cast<ptrdiff_t>(range->second), true);
  }
  std::vector<uint32_t> used;
  for (uint32_t s = 0; s < count; ++s) {
    if (wanted[s]) used.push_back(s);
  }
  return used;
}

std::string samples_text(std::span<const uint32_t> used, size_t count) {
  if (used.size() == count) return "all";
  std::string text;
  for (size_t i = 0; i < used.size();) {
    size_t end = i + 1;
    while (end < used.size() && used[end] == used[end - 1] + 1) ++end;
    if (!text.empty()) text += ',';
    text += std::to_string(used[i] + 1);
    if (end - i > 1) text += '-' + std::to_string(used[end - 1] + 1);
    i = end;
  }
  return text;
}

}  // namespace etlens
