// SPDX-License-Identifier: Apache-2.0
#include "core/measure/samples.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>

#include "core/base/text.h"
#include "core/measure/groups.h"

namespace etlens {
namespace {

// A sample is odd if it took this many times the median, ...
constexpr double kOddFactor = 3;
// ... or this many and a tenth of all that samples took beyond the median.
constexpr double kLessOddFactor = 1.5;
constexpr double kOddShare = 0.1;

std::vector<uint32_t> all_of(size_t count) {
  std::vector<uint32_t> all(count);
  std::iota(all.begin(), all.end(), 0u);
  return all;
}

Error bad_choice(std::string_view choice, size_t count) {
  return {ErrorCode::InvalidParams, "there are no executions \"" + std::string(choice) +
                                        "\": the block has " + std::to_string(count) +
                                        "; give numbers like 1-25,30, or slow, fast or all"};
}

Error no_group(std::string_view name, const std::vector<SampleGroup>& groups) {
  std::vector<std::string> names;
  for (const SampleGroup& group : groups) names.push_back(group.name);
  const std::string there =
      names.empty() ? "all executions did the same work" : "there are " + join(names, ", ");
  return {ErrorCode::InvalidParams,
          "there is no group of executions \"" + std::string(name) + "\": " + there};
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

Result<std::vector<uint32_t>> choose_samples(std::string_view choice, std::string_view group,
                                             size_t count, const std::vector<SampleGroup>& groups) {
  if (choice == "all") return all_of(count);
  const bool is_alias = choice == "slow" || choice == "fast";
  if (is_alias && groups.empty()) {
    return Error{ErrorCode::InvalidParams, "all executions are of one kind, so none are \"" +
                                               std::string(choice) +
                                               "\"; give numbers like 1-25,30"};
  }
  if (const std::string_view name = is_alias ? choice : group;
      !name.empty() && (is_alias || choice.empty())) {
    const SampleGroup* found = group_named(groups, name);
    if (found == nullptr) return no_group(name, groups);
    return found->samples;
  }
  if (const SampleGroup* found = group_named(groups, choice); found != nullptr)
    return found->samples;
  if (choice.empty()) return groups.empty() ? all_of(count) : groups.front().samples;
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

Result<std::vector<uint32_t>> without_first(std::vector<uint32_t> used, size_t warmup,
                                            size_t count) {
  std::erase_if(used, [&](uint32_t sample) { return sample < warmup; });
  if (!used.empty()) return used;
  return Error{ErrorCode::InvalidParams,
               "the block has " + counted(count, "execution") + ", and the first " +
                   std::to_string(warmup) +
                   " are left out as warm-up: none of those chosen is left"};
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
