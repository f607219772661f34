// SPDX-License-Identifier: Apache-2.0
#include "core/gate/write_policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string_view>

#include "core/base/budget.h"
#include "core/base/shown_text.h"
#include "core/base/text.h"

namespace etlens {
namespace {

// Room over what is there: sizes change a little with every release, times with every process.
constexpr double kRoomOfBytes = 1.05;
constexpr double kRoomOfTime = 1.5;
// A longer list is nothing that a person maintains, and no policy may be so large.
constexpr size_t kMaxListed = 200;

struct WrittenUnit {
  double size;
  std::string_view name;
};
constexpr std::array<WrittenUnit, 4> kWrittenBytes{
    {{1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}, {1, "B"}}};
constexpr std::array<WrittenUnit, 4> kWrittenTimes{
    {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}}};

// "1.25 MB": at least `least`, with three digits.
std::string rounded_up(double least, const std::array<WrittenUnit, 4>& units) {
  const WrittenUnit* unit = &units.back();
  for (const WrittenUnit& row : units) {
    if (least < row.size) continue;
    unit = &row;
    break;
  }
  const double value = least / unit->size;
  const int digits = unit->size == 1 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  const double step = std::pow(10.0, digits);
  return fmt::format("{:.{}f} {}", std::ceil(value * step) / step, digits, unit->name);
}

// A string of TOML that is `text`.
std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : valid_utf8(text)) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') (out += '\\') += c;
    else if (byte < 0x20 || byte == 0x7F) out += fmt::format("\\u{:04X}", byte);
    else out += c;
  }
  return out + '"';
}

std::string quoted(const std::vector<std::string>& texts) {
  std::vector<std::string> parts;
  for (const std::string& text : texts) parts.push_back(quoted(text));
  return "[" + join(parts, ", ") + "]";
}

// Text of artifacts in one line.
std::string comment(std::string_view text) {
  std::string line = shown_text(text);
  std::ranges::replace(line, '\n', ' ');
  std::ranges::replace(line, '\t', ' ');
  return line;
}

std::string artifacts_text(const PolicyArtifacts& artifacts) {
  std::string text;
  const auto add = [&](std::string_view key, const std::string& value) {
    if (!value.empty()) text += fmt::format("{} = {}\n", key, quoted(value));
  };
  add("folder", artifacts.folder);
  add("etrecord", artifacts.etrecord);
  add("pte", artifacts.pte);
  add("method", artifacts.method);
  add("source_time_scale", artifacts.tick_unit);
  if (!artifacts.etdump.empty()) text += "etdump = " + quoted(artifacts.etdump) + "\n";
  if (!artifacts.base.empty()) text += "base = " + quoted(artifacts.base) + "\n";
  if (text.empty()) return "";
  return "# Where the model is. Paths are relative to this file.\n[artifacts]\n" + text + "\n";
}

struct OperatorKind {
  size_t count = 0;
  std::string reason;
};

std::string operators_text(const DelegationEvidence& delegation) {
  std::map<std::string, OperatorKind> kinds;
  for (const CpuOperator& row : delegation.cpu) {
    go_on();
    OperatorKind& kind = kinds[row.target.empty() ? row.op : row.target];
    if (kind.count++ == 0) kind.reason = row.reason.text;
  }
  std::string text =
      "# Operators that may run on the CPU; globs such as \"aten.topk.*\" are fine.\n";
  if (kinds.empty()) return text + "cpu_operators = []\n";
  if (kinds.size() > kMaxListed)
    return text + fmt::format("# Not listed here: {} kinds.\n# cpu_operators = []\n", kinds.size());
  const std::string& first = kinds.begin()->second.reason;
  const bool is_common = kinds.size() > 1 && std::ranges::all_of(kinds, [&](const auto& kind) {
                           return kind.second.reason == first;
                         });
  if (is_common) text += "# " + comment(first) + "\n";
  text += "cpu_operators = [\n";
  for (const auto& [target, kind] : kinds) {
    const std::string why = is_common ? "" : ": " + comment(kind.reason);
    text += fmt::format("  {},  # {}{}\n", quoted(target), kind.count, why);
  }
  return text + "]\n";
}

std::string delegation_text(const Known<DelegationEvidence>& delegation) {
  if (!delegation.value) {
    return fmt::format(
        "# Not known here: {}.\n# cpu_operators = [\"aten.topk.*\"]\n"
        "# cpu_nodes = 8\n# delegated = \"95%\"\n",
        comment(delegation.why_not));
  }
  std::string text = operators_text(*delegation.value);
  text += fmt::format("# The most operators on the CPU.\ncpu_nodes = {}\n",
                      delegation.value->cpu.size());
  const CountedOperators& counted = delegation.value->counted;
  if (counted.all == 0) return text;
  // Down to a tenth of a percent.
  const uint64_t tenths = counted.delegated * 1000 / counted.all;
  return text + fmt::format(
                    "# The least share of the operators that is delegated, without views, "
                    "quantize and dequantize: {} of {} now.\n"
                    "delegated = \"{}.{}%\"\n",
                    counted.delegated, counted.all, tenths / 10, tenths % 10);
}

template <typename T>
std::string unknown_text(const Known<T>& known, std::string_view example) {
  return fmt::format("# Not known here: {}.\n# {}\n", comment(known.why_not), example);
}

}  // namespace

std::string policy_text(const PolicyArtifacts& artifacts, const Evidence& evidence) {
  std::string text =
      "# The budget of a model on the device. `etlens gate` checks it and ends with status 3 if the\n"
      "# model does not keep it; docs/gate.md describes every key. Change the numbers to what you "
      "want.\n\n" +
      artifacts_text(artifacts) + "[budget]\n" + delegation_text(evidence.delegation);
  if (const auto& calls = evidence.calls; calls.value)
    text += fmt::format("# The most delegate calls.\ndelegate_calls = {}\n", calls.value->size());
  else text += unknown_text(calls, "delegate_calls = 3");
  if (const auto& memory = evidence.memory; memory.value) {
    text += fmt::format(
        "# The peak of the planned memory: {} bytes now, and 5% of room.\n"
        "peak_memory = \"{}\"\n",
        memory.value->peak,
        rounded_up(static_cast<double>(memory.value->peak) * kRoomOfBytes, kWrittenBytes));
  } else {
    text += unknown_text(memory, "peak_memory = \"16 MB\"");
  }
  if (const auto& size = evidence.size; size.value) {
    text += fmt::format(
        "# The size of the .pte file: {} bytes now, and 5% of room.\n"
        "file_size = \"{}\"\n",
        size.value->bytes,
        rounded_up(static_cast<double>(size.value->bytes) * kRoomOfBytes, kWrittenBytes));
  } else {
    text += unknown_text(size, "file_size = \"16 MB\"");
  }
  if (const auto& cold = evidence.cold_start; cold.value) {
    text += fmt::format(
        "# Loading and the first execution, of the dumps in the folder, and half as "
        "much of room.\ncold_start = \"{}\"\n",
        rounded_up(*cold.value * kRoomOfTime, kWrittenTimes));
  } else {
    text += unknown_text(cold, "cold_start = \"50 ms\"");
  }
  return text +
         "# With ETDumps and a base (`base = \"baseline\"` below [artifacts]): how much slower the "
         "whole and each line may be.\n"
         "# slower_total = \"3%\"\n# slower_lines = \"10%\"\n"
         "# Budgets that have to be checked; `required = true` means all of them.\n"
         "# required = [\"delegated\"]\n";
}

}  // namespace etlens
