// SPDX-License-Identifier: Apache-2.0
#include "core/pstats/stats.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

namespace etlens::pstats {
namespace {

std::string_view last_component(std::string_view file) {
  return file.substr(file.rfind('/') + 1);  // npos + 1 is 0
}

// Adds what one profile says of each function to what the builder has.
class Adder {
 public:
  explicit Adder(bool strips) : strips_(strips) {}

  void add(const PythonProfile& profile) {
    for (const PythonFunctionId id : profile.listed) {
      const PythonFunctionId mine = find(profile, id);
      builder_.list(mine);
      builder_.row(mine).cost += profile.row(id).cost;
      add_callers(profile, id, mine);
    }
  }

  PythonProfile finish(const CallCost& total) { return builder_.finish(total); }

 private:
  PythonFunctionId find(const PythonProfile& profile, PythonFunctionId id) {
    const std::string_view file = profile.file(id);
    return builder_.function(strips_ ? last_component(file) : file, profile.row(id).key.line,
                             profile.name(id));
  }

  // Callers that `of` itself has twice once their folders are gone: the last stays. What is there
  // from functions before is added to.
  void add_callers(const PythonProfile& profile, PythonFunctionId of, PythonFunctionId mine) {
    std::vector<std::pair<PythonFunctionId, const PythonCaller*>> last;
    for (const PythonCaller& caller : profile.callers_of(of))
      last.emplace_back(find(profile, caller.function), &caller);
    const auto by_function = [](const auto& a, const auto& b) { return a.first < b.first; };
    std::vector<PythonFunctionId> order;  // of their first naming
    for (const auto& row : last) order.push_back(row.first);
    std::stable_sort(last.begin(), last.end(), by_function);
    for (const PythonFunctionId caller : order) {
      const auto end =
          std::upper_bound(last.begin(), last.end(), std::pair(caller, nullptr), by_function);
      const PythonCaller*& row = std::prev(end)->second;
      if (row == nullptr) continue;  // was added where it was first named
      add_caller(mine, caller, *row);
      row = nullptr;
    }
  }

  void add_caller(PythonFunctionId callee, PythonFunctionId caller, const PythonCaller& from) {
    bool is_new = false;
    PythonCaller& to = builder_.caller(callee, caller, is_new);
    to.has_times = from.has_times;
    to.cost += from.cost;
  }

  bool strips_;
  PythonProfileBuilder builder_;
};

auto key_of(const PythonProfile& profile, PythonFunctionId id) {
  return std::tuple(profile.file(id), profile.row(id).key.line, profile.name(id));
}

}  // namespace

PythonProfile merged(const PythonProfile& a, const PythonProfile& b) {
  Adder adder(false);
  adder.add(a);
  adder.add(b);
  CallCost total = a.total;
  total += b.total;
  return adder.finish(total);
}

PythonProfile without_folders(const PythonProfile& profile) {
  Adder adder(true);
  adder.add(profile);
  return adder.finish(profile.total);
}

std::string standard_name(const PythonProfile& profile, PythonFunctionId id) {
  const std::string_view name = profile.name(id);
  if (!profile.is_built_in(id))
    return fmt::format("{}:{}({})", profile.file(id), profile.row(id).key.line, name);
  const bool is_angled = name.starts_with('<') && name.ends_with('>');
  if (is_angled && name.size() > 1) return fmt::format("{{{}}}", name.substr(1, name.size() - 2));
  return std::string(name);
}

std::vector<std::vector<Callee>> callees_of_all(const PythonProfile& profile) {
  std::vector<std::vector<Callee>> callees(profile.functions.size());
  for (size_t f = 0; f < profile.functions.size(); ++f) {
    for (const PythonCaller& caller : profile.callers_of(PythonFunctionId(f)))
      callees[caller.function.value].push_back(
          {PythonFunctionId(f), caller.cost, caller.has_times});
  }
  for (std::vector<Callee>& rows : callees) {
    std::sort(rows.begin(), rows.end(), [&](const Callee& a, const Callee& b) {
      return key_of(profile, a.function) < key_of(profile, b.function);
    });
  }
  return callees;
}

std::vector<PythonCaller> sorted_callers(const PythonProfile& profile, PythonFunctionId id) {
  const std::span<const PythonCaller> callers = profile.callers_of(id);
  std::vector<PythonCaller> rows(callers.begin(), callers.end());
  std::sort(rows.begin(), rows.end(), [&](const PythonCaller& a, const PythonCaller& b) {
    return key_of(profile, a.function) < key_of(profile, b.function);
  });
  return rows;
}

size_t width_of(std::string_view text) {
  return static_cast<size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<uint8_t>(c) >> 6) != 2; }));
}

}  // namespace etlens::pstats
