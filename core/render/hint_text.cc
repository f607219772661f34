// SPDX-License-Identifier: Apache-2.0
#include "core/render/hint_text.h"

#include <fmt/format.h>

#include "core/base/path.h"
#include "core/base/text.h"
#include "core/render/export_text.h"
#include "core/render/format.h"

namespace etlens {
namespace {

// Drops the least important tail until the text fits.
std::string fitting(std::string head, const std::vector<std::string>& tails) {
  for (const std::string& tail : tails) {
    if (tail.empty()) continue;
    if (utf8_count(head) + 1 + utf8_count(tail) > kMaxHintWidth) break;
    head += " " + tail;
  }
  return head;
}

HintText of_parts(std::vector<HintPart> parts) {
  HintText hint;
  for (const HintPart& part : parts) hint.text += part.text;
  hint.parts = std::move(parts);
  return hint;
}

// `head` with as much of the tails as fits behind it, as a part of their own.
HintText of_head(const std::string& head, LineId target, const std::vector<std::string>& tails) {
  const std::string text = fitting(head, tails);
  std::vector<HintPart> parts{{head, target}};
  if (text.size() > head.size()) parts.push_back({text.substr(head.size()), {}});
  return of_parts(std::move(parts));
}

std::string cost_text(const Facts& facts, const Hint& hint, const HintTextOptions& options) {
  const Cost& cost = hint.cost;
  if (!options.fleet.empty()) return options.fleet;
  if (!options.change.empty()) {
    const bool is_share = options.style == HintStyle::Share;
    return (is_share ? format_share(cost.share) : format_cost(facts, cost, options.unit)) + " " +
           options.change;
  }
  if (options.style == HintStyle::Share) return format_share(cost.share);
  const bool is_full = options.style == HintStyle::Full;
  if (hint.level && !is_full) return format_level(*hint.level);
  if (hint.level) return format_level(*hint.level) + " ▼ " + format_share(cost.share);
  return is_full ? format_cost_share(facts, cost, options.unit)
                 : format_cost(facts, cost, options.unit);
}

HintText cost_hint(const Facts& facts, const Hint& hint, const HintTextOptions& options) {
  std::string head = hint.is_edited ? "~" : "";
  if (hint.is_inferred) head += kInferredSign;
  if (hint.is_recovered) head += kRecoveredSign;
  if (hint.is_inclusive) head += "Σ ";
  head += cost_text(facts, hint, options);
  std::vector<std::string> tails;
  if (options.style == HintStyle::Full) {
    tails.push_back(join(hint.where, "+"));
    if (hint.runs > 1) tails.push_back(fmt::format("×{}", hint.runs));
  }
  return of_head(head, {}, tails);
}

// "XNNPACK · 36.9 kB", "CPU", "Σ 2 of 14 operators on the CPU · 1.2 MB".
HintText operators_hint(const Facts& facts, const Hint& hint) {
  const Lowering lowering = lowering_of(facts.study());
  std::string head = hint.is_edited ? "~" : "";
  if (hint.is_recovered) head += kRecoveredSign;
  if (hint.is_inclusive) head += "Σ ";
  const bool names_place = !hint.is_inclusive && !hint.where.empty();
  head += names_place ? join(hint.where, "+") : operators_text(hint.operators, lowering);
  std::vector<std::string> tails;
  if (hint.bytes) tails.push_back("· " + format_bytes(*hint.bytes));
  return of_head(head, {}, tails);
}

HintText fused_hint(const Facts& facts, const Hint& hint, const HintTextOptions& options) {
  const CodeLine& target = facts.code().lines[hint.fused_into.value];
  const uint32_t current = options.current_line ? options.current_line(hint.fused_into) : 0;
  const uint32_t number = current == 0 ? target.number : current;
  const auto words = [&](std::string where) {
    return of_parts({{"fused → ", {}}, {std::move(where), hint.fused_into}});
  };
  if (target.file == facts.code().lines[hint.line.value].file)
    return words(fmt::format("L{}", number));
  const std::string_view name = base_name(facts.code().recorded_path(target.file));
  const std::string where = fmt::format("{}:{}", name, number);
  if (fitting("fused →", {where}) == "fused →") return of_parts({{"fused →", hint.fused_into}});
  return words(where);
}

HintText partition_hint(const Facts& facts, const Hint& hint, const HintTextOptions& options) {
  const PartitionFacts first = facts.partition(hint.partitions.front());
  const std::string backend = first.backend.empty() ? "a delegate" : first.label;
  const std::string where = hint.partitions.size() == 1
                                ? fmt::format("in {} #{}", backend, first.number)
                                : fmt::format("in {} {} calls", hint.partitions.size(), backend);
  return of_head(where, first.lines.empty() ? LineId() : first.lines.front(),
                 {fmt::format("({}, {})", format_cost(facts, hint.cost, options.unit),
                              counted(hint.partition_lines, "line"))});
}

}  // namespace

HintText hint_text(const Facts& facts, const Hint& hint, const HintTextOptions& options) {
  switch (hint.kind) {
    case HintKind::Fused:
      return fused_hint(facts, hint, options);
    case HintKind::Partition:
      return partition_hint(facts, hint, options);
    case HintKind::Operators:
      return operators_hint(facts, hint);
    case HintKind::Cost:
      break;
  }
  return cost_hint(facts, hint, options);
}

}  // namespace etlens
