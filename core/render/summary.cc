// SPDX-License-Identifier: Apache-2.0
#include "core/render/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "core/base/path.h"
#include "core/base/text.h"
#include "core/render/display_width.h"
#include "core/render/export_text.h"
#include "core/render/findings.h"
#include "core/render/format.h"
#include "core/render/table.h"

namespace etlens {
namespace {

// Above this, the work of a group is noticeably more than that of the least.
constexpr double kNoticedWork = 1.05;
constexpr double kLeastDisturbance = 0.005;   // of the mean; less is not worth a word
constexpr double kLeastOfDisturbance = 0.25;  // that one event makes up to be named for it
constexpr size_t kMaxNamed = 3;               // odd executions

std::string_view place_of(Part part) {
  switch (part) {
    case Part::OpaquePartition:
    case Part::DelegateOverhead:
      return "in a delegate call";
    case Part::Dispatch:
      return "around a kernel";
    case Part::Framework:
      return "in the framework";
    case Part::Sizes:
      return "in arithmetic on sizes";
    case Part::Line:
    case Part::Unattributed:
    case Part::kCount:
      break;
  }
  return "on no known line";
}

// "line 83", "line 83 of blocks.py" where there are several files; without a line, the part.
std::string place_of(const Excess& excess, const Facts& facts) {
  if (!excess.line.valid()) return std::string(place_of(facts.contribution(excess.event).part));
  const CodeLine& line = facts.code().lines[excess.line.value];
  std::string text = fmt::format("line {}", line.number);
  if (facts.code().files.size() > 1)
    text += fmt::format(" of {}", printable(base_name(facts.code().recorded_path(line.file))));
  return text;
}

std::string took_text(const Excess& excess, const Facts& facts, std::optional<TimeScale> unit) {
  return fmt::format("took {}, {}", format_value(facts, excess.took, unit),
                     place_of(excess, facts));
}

std::string disturbance_text(const Headline& head, const Facts& facts,
                             std::optional<TimeScale> unit) {
  std::string text = format_share(head.disturbance_share) + " of it noise";
  const double all = head.disturbance * static_cast<double>(head.used.size());
  const Excess& worst = head.worst;
  if (worst.event.valid() && worst.took - worst.typical >= kLeastOfDisturbance * all) {
    text += fmt::format(" (1 event in execution {} {})", worst.sample + 1,
                        took_text(worst, facts, unit));
  }
  return text;
}

// A line for each sentence.
std::string in_lines(std::string text) {
  constexpr std::string_view kEnd = ". ";
  for (size_t at = text.find(kEnd); at != std::string::npos; at = text.find(kEnd, at + 1))
    text[at + 1] = '\n';
  return text;
}

std::string executions_text(const Headline& head, const Facts& facts,
                            std::optional<TimeScale> unit) {
  const std::string strip = strip_text(head);
  if (strip.empty()) return "";
  const double most = *std::max_element(head.totals.begin(), head.totals.end());
  std::string text = fmt::format("executions {} up to {}", strip, format_value(facts, most, unit));
  if (const size_t step = strip_step(head); step > 1)
    text += fmt::format(", each mark the slowest of {}", step);
  text += '\n';
  for (size_t i = 0; i < std::min(head.odd.size(), kMaxNamed); ++i) {
    const OddSample& odd = head.odd[i];
    const std::string reason = odd_reason(odd, facts, unit);
    text += fmt::format("  execution {} took {}{}{}\n", odd.sample + 1,
                        format_value(facts, odd.total, unit), reason.empty() ? "" : ": ", reason);
  }
  if (head.odd.size() > kMaxNamed)
    text += fmt::format("  {} more are far from the others\n", head.odd.size() - kMaxNamed);
  return text;
}

}  // namespace

std::string_view describe(const Facts& facts, Part part) {
  if (part == Part::Framework && !facts.quantity().framework.empty())
    return facts.quantity().framework;
  // Without a record operators are known by their names.
  const bool has_lines = facts.code().record != nullptr || !facts.has_events();
  if (part == Part::OpaquePartition && !has_lines) return "in delegate calls";
  if (part == Part::Unattributed && !has_lines) {
    const bool is_logged = facts.study().report.find(Oddity::DumpMethodOnly) == nullptr;
    return is_logged ? "in kernels on the CPU" : "in operators that were not logged";
  }
  switch (part) {
    case Part::Line:
      return "on source lines";
    case Part::OpaquePartition:
      return "in delegate calls, not explained by an operator";
    case Part::DelegateOverhead:
      return "inside delegate calls, not measured";
    case Part::Dispatch:
      return "dispatch around kernels";
    case Part::Framework:
      return "framework";
    case Part::Sizes:
      return "arithmetic on sizes";
    case Part::Unattributed:
    case Part::kCount:
      break;
  }
  return "unattributed";
}

namespace {

// "memory, 393 kB at the peak", "error".
std::string total_text(const Headline& head, const Facts& facts, std::optional<TimeScale> unit) {
  const Quantity& quantity = facts.quantity();
  std::string text(quantity.label);
  if (!quantity.is_share()) text += ", " + format_cost(facts, head.total, unit);
  if (!quantity.at.empty()) text += " " + std::string(quantity.at);
  return text;
}

std::string parts_text(const Headline& head, const Facts& facts, std::optional<TimeScale> unit) {
  Table table;
  table.columns = {{"", Align::Left}, {"", Align::Right}, {"", Align::Right}, {"", Align::Left}};
  for (const PartFacts& part : head.parts) {
    std::string note;
    if (part.rounding > 0)
      note = fmt::format("(up to {} of it is rounding)", format_value(facts, part.rounding, unit));
    table.rows.push_back({fmt::format("  {}", describe(facts, part.part)),
                          format_cost(facts, part.cost, unit), format_share(part.cost.share),
                          std::move(note)});
  }
  const bool is_sum = head.total.disturbance == Amount();
  const std::string_view whole =
      facts.quantity().whole.empty() ? "Method::execute" : facts.quantity().whole;
  if (!is_sum) {
    table.rows.push_back(
        {"  noise", format_value(facts, head.disturbance, unit), "",
         head.disturbance < 0
             ? ""
             : fmt::format("({} of the mean)", format_share(head.disturbance_share))});
  }
  table.rows.push_back({fmt::format("= {}", whole), format_value(facts, head.mean, unit),
                        is_sum ? "100%" : "", is_sum ? "" : "(the mean)"});
  std::string text = to_text(table);
  return text.erase(0, text.find('\n') + 1);  // the empty header
}

}  // namespace

std::string describe_part(const Facts& facts, Part part, PartitionId partition) {
  const bool is_call = part == Part::OpaquePartition || part == Part::DelegateOverhead;
  if (!is_call || !partition.valid()) return std::string(describe(facts, part));
  const PartitionFacts call = facts.partition(partition);
  return fmt::format("in delegate call {}{}, not {}", call.number,
                     call.label.empty() ? "" : fmt::format(" ({})", call.label),
                     part == Part::OpaquePartition ? "explained by an operator" : "measured");
}

std::string describe_selection(const Headline& head) {
  std::string text;
  if (!head.method.empty()) text = fmt::format("method {}, ", printable(head.method));
  if (head.block.empty()) return text + "not run";
  text += fmt::format("block {}, {}", printable(head.block), describe_samples(head));
  return head.is_raw ? text + ", as logged" : text;
}

std::string describe_samples(const Headline& head) {
  const size_t used = head.used.size();
  if (head.samples == 1) return "1 execution";
  if (used == head.samples)
    return fmt::format("{} of {} executions", name_of(head.statistic), used);
  if (used == 1) return fmt::format("execution {} of {}", head.used_text, head.samples);
  return fmt::format("{} of {} of {} executions ({})", name_of(head.statistic), used, head.samples,
                     head.used_text);
}

std::string headline_text(const Headline& head, const Facts& facts, std::optional<TimeScale> unit) {
  if (facts.study().is_of_export())
    return "not run yet · " + export_text(export_summary(facts.study()));
  if (head.clock_stands) return "nothing was timed";
  const std::string total = format_cost(facts, head.total, unit);
  if (head.used.size() < 2) return total + ", a single sample";
  std::string text = fmt::format("{} {}", total, name_of(head.statistic));
  if (std::fabs(head.disturbance_share) < kLeastDisturbance) return text;
  text += fmt::format(" · {} mean", format_value(facts, head.mean, unit));
  if (head.disturbance > 0) text += ", " + disturbance_text(head, facts, unit);
  return text;
}

size_t strip_step(const Headline& head) {
  return std::max<size_t>(1, (head.totals.size() + kMaxStrip - 1) / kMaxStrip);
}

std::string strip_text(const Headline& head) {
  constexpr std::array<std::string_view, 8> kBlocks{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  if (head.totals.size() < 2) return "";
  const double most = *std::max_element(head.totals.begin(), head.totals.end());
  const size_t step = strip_step(head);
  std::string strip;
  for (size_t first = 0; first < head.totals.size(); first += step) {
    const size_t end = std::min(first + step, head.totals.size());
    const double slowest = *std::max_element(head.totals.begin() + static_cast<ptrdiff_t>(first),
                                             head.totals.begin() + static_cast<ptrdiff_t>(end));
    const double height = most > 0 ? std::ceil(kBlocks.size() * slowest / most) : 1;
    strip += kBlocks[std::clamp<size_t>(static_cast<size_t>(height), 1, kBlocks.size()) - 1];
  }
  return strip;
}

std::string odd_reason(const OddSample& odd, const Facts& facts, std::optional<TimeScale> unit) {
  if (!odd.excess.event.valid()) return "";
  if (!odd.is_one_event) return "spread over many events";
  return "1 event " + took_text(odd.excess, facts, unit);
}

// Three digits, and never fewer than there are before the point: "2670", "45.2".
std::string format_rate(double rate) {
  const double digits = rate <= 0 ? 0 : std::floor(std::log10(rate));
  const double step = std::pow(10, std::max(0.0, digits - 2));
  return rate >= 100 ? fmt::format("{:.0f}", std::round(rate / step) * step)
                     : fmt::format("{:.3g}", rate);
}

std::string group_text(const GroupFacts& group, const Facts& facts, std::optional<TimeScale> unit) {
  std::string text = fmt::format("{} ×{}: {}", group.name, group.samples.size(),
                                 format_value(facts, group.typical, unit));
  if (group.size && group.is_tokens)
    text += fmt::format(" ({})", counted(static_cast<size_t>(*group.size), "token"));
  else if (group.size) text += fmt::format(" (n = {})", *group.size);
  else if (group.is_tokens && group.work > 2)
    text += fmt::format(" (at least {:.0f} tokens)", group.work);
  else if (group.work > kNoticedWork)
    text += fmt::format(" (at least {:.2g}× the work)", group.work);
  if (group.tokens_per_second)
    text += fmt::format(", {} tokens/s", format_rate(*group.tokens_per_second));
  return text;
}

std::string groups_text(const Headline& head, const Facts& facts, std::optional<TimeScale> unit) {
  if (head.groups.empty()) return "";
  std::vector<std::string> groups;
  std::string shown = "shown: " + head.used_text;
  if (head.used.size() == head.samples) shown = "all are shown";
  for (const GroupFacts& group : head.groups) {
    groups.push_back(group_text(group, facts, unit));
    if (group.is_shown) shown = fmt::format("{} is shown", group.name);
  }
  return fmt::format("{}; {}", join(groups, " · "), shown);
}

namespace {

bool is_bare_word(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  });
}

// A method that several blocks ran is told by its block.
std::string control_text(const Study& study, const OtherBlock& other, MethodControl control) {
  if (control == MethodControl::Beside) return "";
  const bool is_one = !other.method.empty() && other.method != study.code().method_name() &&
                      std::count_if(study.others.begin(), study.others.end(), [&](const auto& row) {
                        return row.method == other.method;
                      }) == 1;
  const std::string_view name = is_one ? "method" : "block";
  const std::string value = printable(is_one ? other.method : other.block);
  if (control == MethodControl::Argument) return fmt::format(" ({}: \"{}\")", name, value);
  const std::string_view quote = is_bare_word(value) ? "" : "\"";
  return fmt::format(" (--{0} {1}{2}{1})", name, quote, value);
}

}  // namespace

std::string also_text(const Study& study, std::optional<TimeScale> unit, MethodControl control) {
  if (study.others.empty()) return {};
  const TimeStyle style(study.clock(), unit);
  std::vector<std::string> rows;
  for (const OtherBlock& other : study.others) {
    const std::string& name = other.method.empty() ? other.block : other.method;
    rows.push_back(fmt::format("{} {} × {}{}", printable(name), other.executions,
                               format_time(other.total, style),
                               control_text(study, other, control)));
  }
  return "also: " + join(rows, ", ");
}

std::string cold_start_text(const ColdStart& cold, const TimeStyle& style) {
  const auto time = [&](double value) { return format_time(value, style); };
  const auto of = [&](Amount amount) { return time(static_cast<double>(amount.value)); };
  std::string text = fmt::format("cold start {}: load {}", time(cold.total()), of(cold.load));
  if (cold.init > Amount()) text += fmt::format(", init {}", of(cold.init));
  if (cold.delegates.total > Amount())
    text += fmt::format(" ({} of it in delegates)", of(cold.delegates.total));
  if (cold.first > 0) text += fmt::format(", first run +{}", time(cold.first));
  return cold.loads > 1 ? fmt::format("{} ({} methods loaded)", text, cold.loads) : text;
}

std::string summary_text(const Headline& head, const Facts& facts, std::optional<TimeScale> unit) {
  if (facts.has_operators()) {
    return (head.method.empty() ? "" : printable(head.method) + ": ") +
           headline_text(head, facts, unit) + "\n";
  }
  if (!facts.quantity().is_sampled()) {
    const std::string method = head.method.empty() ? "" : printable(head.method) + ": ";
    std::string text = fmt::format("{}{}\n\n{}", method, total_text(head, facts, unit),
                                   parts_text(head, facts, unit));
    if (facts.study().is_of_export()) text = headline_text(head, facts, unit) + "\n" + text;
    return text;
  }
  std::string text = describe_selection(head) + "\n";
  text += headline_text(head, facts, unit) + "\n";
  const std::string also = also_text(facts.study(), unit, MethodControl::Option);
  if (!also.empty()) text += also + "\n";
  for (const std::string& finding : finding_texts(head, facts, unit))
    text += in_lines(finding) + "\n";
  if (head.clock_stands) return text;
  text += executions_text(head, facts, unit);
  if (const std::string groups = groups_text(head, facts, unit); !groups.empty())
    text += groups + "\n";
  text += '\n';
  text += parts_text(head, facts, unit);
  if (head.cold.loads > 0)
    text +=
        fmt::format("  {}\n", cold_start_text(head.cold, TimeStyle(facts.study().clock(), unit)));
  return text;
}

}  // namespace etlens
