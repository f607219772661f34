// SPDX-License-Identifier: Apache-2.0
#include "core/pstats/order.h"

#include <algorithm>
#include <array>
#include <compare>
#include <map>
#include <set>

#include "core/base/text.h"
#include "core/pstats/stats.h"

namespace etlens::pstats {
namespace {

struct SortKey {
  std::string_view word;
  std::vector<SortField> fields;
  std::string_view label;
};

// In the order of pstats, which decides what abbreviations mean.
const std::vector<SortKey>& keys() {
  static const std::vector<SortKey> kKeys{
      {"calls", {SortField::Calls}, "call count"},
      {"ncalls", {SortField::Calls}, "call count"},
      {"cumtime", {SortField::Cumulative}, "cumulative time"},
      {"cumulative", {SortField::Cumulative}, "cumulative time"},
      {"filename", {SortField::File}, "file name"},
      {"line", {SortField::Line}, "line number"},
      {"module", {SortField::File}, "file name"},
      {"name", {SortField::Name}, "function name"},
      {"nfl", {SortField::Name, SortField::File, SortField::Line}, "name/file/line"},
      {"pcalls", {SortField::Primitive}, "primitive call count"},
      {"stdname", {SortField::Standard}, "standard name"},
      {"time", {SortField::Own}, "internal time"},
      {"tottime", {SortField::Own}, "internal time"},
  };
  return kKeys;
}

// A beginning belongs to the first key that has it, down to where an earlier key has it too: that
// one is nobody's.
const std::map<std::string_view, const SortKey*>& abbreviations() {
  static const auto kTable = [] {
    std::map<std::string_view, const SortKey*> table;
    std::set<std::string_view> ambiguous;
    for (const SortKey& key : keys()) {
      for (size_t length = key.word.size(); length > 0; --length) {
        const std::string_view beginning = key.word.substr(0, length);
        if (table.try_emplace(beginning, &key).second) continue;
        ambiguous.insert(beginning);
        break;
      }
    }
    for (const std::string_view beginning : ambiguous) table.erase(beginning);
    return table;
  }();
  return kTable;
}

// Below 0: `a` comes first.
int compare(const PythonProfile& profile, SortField field, PythonFunctionId a, PythonFunctionId b) {
  const PythonFunction& x = profile.row(a);
  const PythonFunction& y = profile.row(b);
  const auto order = [](const auto& l, const auto& r) { return l < r ? -1 : r < l ? 1 : 0; };
  switch (field) {
    case SortField::Primitive:
      return order(y.cost.primitive, x.cost.primitive);
    case SortField::Calls:
      return order(y.cost.calls, x.cost.calls);
    case SortField::Own:
      return order(y.cost.own, x.cost.own);
    case SortField::Cumulative:
      return order(y.cost.cumulative, x.cost.cumulative);
    case SortField::File:
      return order(profile.file(a), profile.file(b));
    case SortField::Line:
      return order(x.key.line, y.key.line);
    case SortField::Name:
      return order(profile.name(a), profile.name(b));
    case SortField::Standard:
      return order(standard_name(profile, a), standard_name(profile, b));
  }
  return 0;
}

}  // namespace

Result<SortOrder> parse_order(std::span<const std::string> words) {
  constexpr std::array<std::string_view, 4> kNumbered{"stdname", "calls", "time", "cumulative"};
  SortOrder order;
  if (words.size() == 1 && words[0] == "none") return order;
  for (const std::string& word : words) {
    std::string_view wanted = word;
    const std::optional<int64_t> number = parse_int(word);
    if (words.size() == 1 && number && *number >= -1 && *number <= 2)
      wanted = kNumbered[static_cast<size_t>(*number + 1)];
    const auto at = abbreviations().find(wanted);
    if (at == abbreviations().end()) {
      return Error{ErrorCode::InvalidParams,
                   "\"" + word + "\" is not a sort key of pstats; give one or more of " +
                       sort_keys() + ", or none"};
    }
    const SortKey& key = *at->second;
    order.fields.insert(order.fields.end(), key.fields.begin(), key.fields.end());
    if (!order.label.empty()) order.label += ", ";
    order.label += key.label;
  }
  return order;
}

std::string sort_keys() {
  std::vector<std::string> words;
  for (const SortKey& key : keys()) words.emplace_back(key.word);
  return join(words, ", ");
}

void sort_functions(const PythonProfile& profile, const SortOrder& order,
                    std::vector<PythonFunctionId>& functions) {
  std::stable_sort(functions.begin(), functions.end(), [&](PythonFunctionId a, PythonFunctionId b) {
    for (const SortField field : order.fields) {
      if (const int difference = compare(profile, field, a, b); difference != 0)
        return difference < 0;
    }
    return false;
  });
}

}  // namespace etlens::pstats
