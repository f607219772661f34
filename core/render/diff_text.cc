// SPDX-License-Identifier: Apache-2.0
#include "core/render/diff_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "core/base/path.h"
#include "core/base/text.h"
#include "core/render/format.h"

namespace etlens {
namespace {

// Beyond it a ratio says more than a percentage.
constexpr double kManyTimes = 2;
// Nobody records as many more.
constexpr uint32_t kTooManyDumps = 100;
// Lines that a sentence names.
constexpr size_t kMostMoves = 5;

std::string percent(double fraction) {
  const double value = std::abs(fraction) * 100;
  const std::string_view sign = fraction < 0 ? "−" : "+";
  // Almost all of it is not all of it.
  if (fraction < 0 && value >= 99) return fmt::format("−{:.1f}%", std::min(value, 99.9));
  return value < 9.95 ? fmt::format("{}{:.1f}%", sign, value)
                      : fmt::format("{}{:.0f}%", sign, value);
}

std::string bare_percent(double fraction) {
  std::string text = percent(fraction);
  text.pop_back();
  return text;
}

// "1.4", "12", "0.71".
std::string ratio(double value) {
  return value < 9.95 ? fmt::format("{:.2g}", value) : fmt::format("{:.0f}", value);
}

std::string needs_text(const Judged& judged) {
  if (!judged.needs_dumps) return {};
  if (*judged.needs_dumps > kTooManyDumps) return ": more dumps would hardly settle it";
  return fmt::format(": {} of each side would settle it",
                     counted(*judged.needs_dumps, "more dump", "more dumps"));
}

std::string numbers_of(const Code& code, std::span<const LineId> lines) {
  std::vector<std::string> numbers;
  for (const LineId line : lines) numbers.push_back(std::to_string(code.lines[line.value].number));
  return join(numbers, ",");
}

std::string_view file_of(const Code& code, std::span<const LineId> lines) {
  return base_name(code.recorded_path(code.lines[lines.front().value].file));
}

}  // namespace

std::string change_text(const Judged& judged) {
  if (judged.verdict != Verdict::Slower && judged.verdict != Verdict::Faster) return {};
  const double times = 1 + judged.change;
  return times >= kManyTimes ? ratio(times) + "×" : percent(judged.change);
}

std::string_view change_mark(const Judged& judged) {
  if (judged.verdict == Verdict::Slower) return "▲";
  if (judged.verdict == Verdict::Faster) return "▼";
  return {};
}

std::string short_change_text(const Judged& judged) {
  if (judged.verdict == Verdict::New) return "new";
  const std::string change = change_text(judged);
  if (change.empty()) return {};
  return fmt::format("{} {}{}", change, change_mark(judged), judged.is_likely ? " likely" : "");
}

std::string short_change_text(const LineChange& line, bool is_inclusive) {
  std::string text = short_change_text((is_inclusive ? line.inclusive : line.change).judged);
  if (!text.empty() && line.after.size() > 1) text += fmt::format(" ({} lines)", line.after.size());
  return text;
}

std::string interval_text(const Judged& judged) {
  const bool has_none = judged.verdict == Verdict::Gone || judged.verdict == Verdict::New ||
                        judged.reason == Reason::Nothing;
  if (has_none) return {};
  if (1 + judged.high >= kManyTimes && judged.low > 0)
    return fmt::format("{} … {}×", ratio(1 + judged.low), ratio(1 + judged.high));
  return fmt::format("{} … {}", bare_percent(judged.low), percent(judged.high));
}

std::string verdict_text(const Judged& judged) {
  const std::string_view likely = judged.is_likely ? "likely " : "";
  const std::string_view name =
      judged.verdict == Verdict::CannotTell ? "cannot tell" : name_of(judged.verdict);
  return fmt::format("{}{}", likely, name);
}

std::string reason_text(const Judged& judged) {
  switch (judged.reason) {
    case Reason::None:
      return {};
    case Reason::Machine:
      return "it changed no more than the machine may have changed it" + needs_text(judged);
    case Reason::OneProcess:
      return "a side has one dump, and what two processes differ by is not known from it" +
             needs_text(judged);
    case Reason::FewDumps:
      return "there are too few dumps for certainty" + needs_text(judged);
    case Reason::Spread:
      return judged.needs_dumps ? "the dumps of a side differ too much" + needs_text(judged)
                                : "the dumps of a side differ too much, and the change is too "
                                  "near to what does not matter";
    case Reason::Small:
      return "less than 0.5% of the time is spent here";
    case Reason::Nothing:
      return "it took no time that the clock could measure";
  }
  return {};
}

std::string machine_text(const Comparison& comparison) {
  const Machine& machine = comparison.machine;
  if (!machine.is_known) return {};
  const bool slower = machine.low > 1.02;
  const bool faster = machine.high < 1 / 1.02;
  if (!slower && !faster) return {};
  return slower ? fmt::format("the machine was {:.2f}× slower on the new side ({:.2f} to {:.2f})",
                              machine.factor, machine.low, machine.high)
                : fmt::format("the machine was {:.2f}× faster on the new side ({:.2f} to {:.2f})",
                              1 / machine.factor, 1 / machine.high, 1 / machine.low);
}

std::string dumps_text(const Comparison& comparison) {
  return fmt::format("{} against {}", counted(comparison.before->dumps.size(), "dump", "dumps"),
                     comparison.after->dumps.size());
}

std::string total_text(const Comparison& comparison, std::optional<TimeScale> unit) {
  const Change& total = comparison.total;
  const TimeStyle style(comparison.scale, unit);
  std::string verdict = verdict_text(total.judged);
  if (const std::string change = change_text(total.judged); !change.empty())
    verdict = fmt::format("{} {}", change, verdict);
  return fmt::format("{} → {}: {} ({}); {}", format_time(total.before.value, style),
                     format_time(total.after.value, style), verdict, interval_text(total.judged),
                     dumps_text(comparison));
}

std::string cold_start_change_text(const Comparison& comparison, std::optional<TimeScale> unit) {
  const ColdStart before = comparison.before->cold_start();
  const ColdStart after = comparison.after->cold_start();
  if (before.loads == 0 || after.loads == 0) return {};
  const TimeStyle style(comparison.scale, unit);
  return fmt::format("cold start {} → {} (load and init {} → {}, first run +{} → +{})",
                     format_time(before.total(), style), format_time(after.total(), style),
                     format_time(static_cast<double>(before.loading().value), style),
                     format_time(static_cast<double>(after.loading().value), style),
                     format_time(before.first, style), format_time(after.first, style));
}

std::string counts_text(const Comparison& comparison) {
  // In this order, certain ones first.
  constexpr std::array kVerdicts{Verdict::Slower, Verdict::Faster, Verdict::Gone, Verdict::New};
  std::vector<std::string> counts;
  for (const Verdict verdict : kVerdicts) {
    for (const bool is_likely : {false, true}) {
      const auto is_that = [&](const LineChange& line) {
        const Judged& judged = line.change.judged;
        return judged.verdict == verdict && judged.is_likely == is_likely;
      };
      const auto count = std::count_if(comparison.lines.begin(), comparison.lines.end(), is_that);
      if (count > 0)
        counts.push_back(
            fmt::format("{}{} {}", count, is_likely ? " likely" : "", name_of(verdict)));
    }
  }
  return counts.empty() ? "no line with a verdict" : join(counts, ", ");
}

std::vector<std::string> group_sentences(const Comparison& comparison) {
  const ChosenGroup& before = comparison.before->group;
  const ChosenGroup& after = comparison.after->group;
  const GroupEvidence* base = before.get();
  const GroupEvidence* fresh = after.get();
  if (base == nullptr || fresh == nullptr) return {};
  std::vector<std::string> sentences;
  if (base->name == fresh->name)
    sentences.push_back(fmt::format("of several groups of executions {} is compared", base->name));
  else
    sentences.push_back(
        fmt::format("of several groups of executions {} of the base is compared "
                    "with {} of the new side, which did the same work",
                    base->name, fresh->name));
  for (const std::string& name : unpaired_groups(before, after))
    sentences.push_back(
        fmt::format("{} of the base has no group of the same work on the new side", name));
  for (const std::string& name : unpaired_groups(after, before))
    sentences.push_back(
        fmt::format("{} of the new side has no group of the same work on the base", name));
  return sentences;
}

std::vector<std::string> caveats(const Comparison& comparison) {
  const Side& before = *comparison.before;
  const Side& after = *comparison.after;
  std::vector<std::string> sentences = group_sentences(comparison);
  if (std::string machine = machine_text(comparison); !machine.empty()) {
    sentences.push_back(machine + ": changes exclude it");
  } else if (!comparison.machine.is_known) {
    sentences.emplace_back(
        "too few lines do the same work on both sides to separate the machine from the change: "
        "take the dumps of both sides in turn");
  }
  if (std::min(before.dumps.size(), after.dumps.size()) < 2) {
    sentences.emplace_back(
        "a side has one dump: differences between processes are unknown, and a verdict is likely "
        "at best");
  }
  for (const Side* side : {&before, &after}) {
    if (side->code->lines.empty()) {
      sentences.push_back(side->dumps.front().path +
                          " has no ETRecord with source lines: only its total, its parts and its "
                          "delegate calls are compared");
    }
    if (!side->left_out.empty()) {
      sentences.push_back(fmt::format("left out: {}", join(side->left_out, ", ")));
    }
  }
  return sentences;
}

std::string place_text(const Comparison& comparison, const LineChange& line) {
  const Code& before = *comparison.before->code;
  const Code& after = *comparison.after->code;
  if (line.before.empty())
    return fmt::format("{}:{}", file_of(after, line.after), numbers_of(after, line.after));
  const std::string_view file = file_of(before, line.before);
  const std::string numbers = numbers_of(before, line.before);
  if (line.after.empty()) return fmt::format("{}:{}", file, numbers);
  const std::string_view file_after = file_of(after, line.after);
  const std::string numbers_after = numbers_of(after, line.after);
  if (file != file_after)
    return fmt::format("{}:{} → {}:{}", file, numbers, file_after, numbers_after);
  if (numbers != numbers_after) return fmt::format("{}:{} → {}", file, numbers, numbers_after);
  return fmt::format("{}:{}", file, numbers);
}

std::string moved_operators_text(const DelegationMove& move) {
  std::vector<std::string> operators;
  for (const MovedOperator& moved : move.operators)
    operators.push_back(moved.count == 1 ? std::string(moved.op)
                                         : fmt::format("{} × {}", moved.count, moved.op));
  return join(operators, ", ");
}

std::string move_place_text(const Comparison& comparison, const DelegationMove& move) {
  LineChange line;
  if (move.before.valid()) line.before.push_back(move.before);
  if (move.after.valid()) line.after.push_back(move.after);
  return line.before.empty() && line.after.empty() ? "no line" : place_text(comparison, line);
}

std::vector<std::string> delegation_sentences(const Comparison& comparison) {
  const DelegationMoves& moves = comparison.delegation;
  if (!moves.is_known())
    return {"what left the delegate and what entered it is not known: " + moves.why_not};
  std::vector<std::string> sentences;
  for (const bool left : {true, false}) {
    std::vector<std::string> places;
    size_t rows = 0;
    for (const DelegationMove& move : moves.rows) {
      if (move.is_left != left || ++rows > kMostMoves) continue;
      places.push_back(
          fmt::format("{} ({})", move_place_text(comparison, move), moved_operators_text(move)));
    }
    if (rows == 0) continue;
    if (rows > kMostMoves)
      places.push_back(fmt::format("{} more", counted(rows - kMostMoves, "line", "lines")));
    sentences.push_back(fmt::format("{} {} the delegate: {}",
                                    counted(moves.count(left), "operator"),
                                    left ? "left" : "entered", join(places, "; ")));
  }
  return sentences;
}

std::string kernel_text(const std::vector<std::string>& before,
                        const std::vector<std::string>& after) {
  std::vector<std::string> a = before;
  std::vector<std::string> b = after;
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  if (a == b || before.empty() || after.empty()) return {};
  std::vector<std::string> only_before;
  std::vector<std::string> only_after;
  for (const std::string& name : before) {
    if (!std::binary_search(b.begin(), b.end(), name)) only_before.push_back(name);
  }
  for (const std::string& name : after) {
    if (!std::binary_search(a.begin(), a.end(), name)) only_after.push_back(name);
  }
  if (only_before.empty()) return "with " + join(only_after, " + ");
  if (only_after.empty()) return "without " + join(only_before, " + ");
  // "Fully Connected (NC, F32) GEMM → (NC, QD8, F32, QC8W) GEMM": the operation is named once.
  const size_t operation = only_before.front().find(" (");
  const bool is_variant =
      only_before.size() == 1 && only_after.size() == 1 && operation != std::string::npos &&
      only_after.front().starts_with(only_before.front().substr(0, operation + 2));
  if (is_variant) only_after.front().erase(0, operation + 1);
  return join(only_before, " + ") + " → " + join(only_after, " + ");
}

}  // namespace etlens
