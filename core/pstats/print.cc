// SPDX-License-Identifier: Apache-2.0
#include "core/pstats/print.h"

#include <algorithm>
#include <array>
#include <ctime>

#include <fmt/format.h>

#include "core/pstats/stats.h"

namespace etlens::pstats {
namespace {

constexpr size_t kTimeWidth = 8;

std::string f8(double seconds) { return fmt::format("{:8.3f}", seconds); }

// A time per call; blank where there were no calls.
std::string f8(double seconds, int64_t calls) {
  return calls == 0 ? std::string(kTimeWidth, ' ') : f8(seconds / static_cast<double>(calls));
}

std::string counts(const CallCost& cost) {
  if (cost.calls == cost.primitive) return fmt::format("{}", cost.calls);
  return fmt::format("{}/{}", cost.calls, cost.primitive);
}

// As it was before Python decoded it, without control characters.
std::string shown(std::string_view text) {
  std::string bytes = plain_bytes(text);
  for (char& c : bytes) {
    const auto byte = static_cast<uint8_t>(c);
    if (byte < 0x20 || byte == 0x7F) c = ' ';
  }
  return bytes;
}

std::string padded(std::string_view text, size_t width) {
  const size_t used = width_of(text);
  return shown(text) + std::string(width > used ? width - used : 0, ' ');
}

// Whether callers have times is told by the first function that has any.
bool has_times(const PythonProfile& profile) {
  for (const PythonFunctionId id : profile.listed) {
    const std::span<const PythonCaller> callers = profile.callers_of(id);
    if (!callers.empty()) return callers.front().has_times;
  }
  return false;
}

std::string call_heading(const PythonProfile& profile, size_t width, std::string_view title) {
  std::string text = padded("Function ", width) + std::string(title) + "\n";
  if (has_times(profile)) text += std::string(width, ' ') + "    ncalls  tottime  cumtime\n";
  return text;
}

// One line per call; the first stands behind the name. `Call`: PythonCaller or Callee.
template <typename Call>
std::string call_lines(const PythonProfile& profile, size_t width, PythonFunctionId of,
                       const std::vector<Call>& calls, std::string_view arrow) {
  std::string text = padded(standard_name(profile, of), width) + std::string(arrow) + " ";
  if (calls.empty()) return text + "\n";
  bool is_first = true;
  for (const Call& call : calls) {
    const std::string name = shown(standard_name(profile, call.function));
    size_t left = is_first ? 0 : width + 3;
    std::string line;
    if (call.has_times) {
      left = is_first ? 0 : width + 1;
      line = fmt::format("{:>{}} {} {}  {}", counts(call.cost), is_first ? 7 : 9, f8(call.cost.own),
                         f8(call.cost.cumulative), name);
    } else {
      line = fmt::format("{}({}) {}", name, call.cost.calls,
                         f8(profile.row(call.function).cost.cumulative));
    }
    text += std::string(left, ' ') + line + "\n";
    is_first = false;
  }
  return text;
}

std::string function_line(const PythonProfile& profile, PythonFunctionId id) {
  const CallCost& cost = profile.row(id).cost;
  return fmt::format("{:>9} {} {} {} {} {}\n", counts(cost), f8(cost.own), f8(cost.own, cost.calls),
                     f8(cost.cumulative), f8(cost.cumulative, cost.primitive),
                     shown(standard_name(profile, id)));
}

// Functions that the profilers of old called from nowhere.
bool is_top_level(const PythonProfile& profile, PythonFunctionId id) {
  const std::span<const PythonCaller> callers = profile.callers_of(id);
  return std::any_of(callers.begin(), callers.end(), [&](const PythonCaller& caller) {
    return profile.file(caller.function) == "jprofile" &&
           profile.row(caller.function).key.line == 0 &&
           profile.name(caller.function) == "profiler";
  });
}

}  // namespace

FunctionList list_functions(const PythonProfile& profile, const ListOptions& options) {
  FunctionList list;
  list.functions = profile.listed;
  list.message = "   Random listing order was used\n";
  if (!options.order.is_none()) {
    sort_functions(profile, options.order, list.functions);
    if (options.is_reversed) std::reverse(list.functions.begin(), list.functions.end());
    list.message = "   Ordered by: " + options.order.label + "\n";
  }
  for (const Restriction& restriction : options.restrictions)
    list.message += restrict_functions(profile, restriction, list.functions);
  for (const PythonFunctionId id : list.functions)
    list.width = std::max(list.width, width_of(standard_name(profile, id)));
  return list;
}

std::string stats_text(const PythonProfile& profile, const std::vector<std::string>& files,
                       const FunctionList& list) {
  std::string text;
  for (const std::string& file : files) text += file + "\n";
  if (!files.empty()) text += "\n";
  for (const PythonFunctionId id : profile.listed) {
    if (is_top_level(profile, id)) text += fmt::format("{:8} {}\n", "", shown(profile.name(id)));
  }
  const CallCost& total = profile.total;
  text += fmt::format("{:8} {} function calls ", "", total.calls);
  if (total.calls != total.primitive) text += fmt::format("({} primitive calls) ", total.primitive);
  text += fmt::format("in {:.3f} seconds\n\n", total.own);
  if (list.functions.empty()) return text;
  text += list.message + "\n";
  text += "   ncalls  tottime  percall  cumtime  percall filename:lineno(function)\n";
  for (const PythonFunctionId id : list.functions) text += function_line(profile, id);
  return text + "\n\n";
}

std::string callers_text(const PythonProfile& profile, const FunctionList& list) {
  if (list.functions.empty()) return "";
  const size_t width = list.width + 2;
  std::string text = list.message + "\n" + call_heading(profile, width, "was called by...");
  for (const PythonFunctionId id : list.functions)
    text += call_lines(profile, width, id, sorted_callers(profile, id), "<-");
  return text + "\n\n";
}

std::string callees_text(const PythonProfile& profile, const FunctionList& list) {
  if (list.functions.empty()) return "";
  const size_t width = list.width + 2;
  const std::vector<std::vector<Callee>> callees = callees_of_all(profile);
  std::string text = list.message + "\n" + call_heading(profile, width, "called...");
  for (const PythonFunctionId id : list.functions)
    text += call_lines(profile, width, id, callees[id.value], "->");
  return text + "\n\n";
}

std::string file_line(int64_t modified_ns, std::string_view path) {
  constexpr int64_t kSecond = 1'000'000'000;
  const auto seconds = static_cast<std::time_t>(modified_ns / kSecond);
  std::tm local{};
  localtime_r(&seconds, &local);
  static constexpr std::array<const char*, 7> kDays{"Sun", "Mon", "Tue", "Wed",
                                                    "Thu", "Fri", "Sat"};
  static constexpr std::array<const char*, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                       "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  return fmt::format("{} {} {:2} {:02}:{:02}:{:02} {}    {}",
                     kDays[static_cast<size_t>(local.tm_wday)],
                     kMonths[static_cast<size_t>(local.tm_mon)], local.tm_mday, local.tm_hour,
                     local.tm_min, local.tm_sec, local.tm_year + 1900, path);
}

}  // namespace etlens::pstats
