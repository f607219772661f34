// SPDX-License-Identifier: Apache-2.0
#include "core/render/hover_delegates.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"
#include "core/facts/line_work.h"
#include "core/render/format.h"
#include "core/render/hover_words.h"

namespace etlens {
namespace {

constexpr size_t kMaxHoverLines = 8;
constexpr size_t kMaxCallNotes = 3;  // more delegate calls share one note
constexpr size_t kMaxGaps = 4;

HoverWords line_list(const std::vector<LineId>& ids, FileId from, const Facts& facts,
                     const HoverOptions& options) {
  std::vector<HoverWords> names;
  for (const LineId id : ids) names.push_back(line_words(facts, id, from, options));
  HoverWords words;
  words.list(names, kMaxHoverLines);
  return words;
}

void add_fused(const Facts& facts, const LineFacts& line, const HoverOptions& options,
               HoverInfo& info) {
  if (!line.fused_into.empty()) {
    HoverWords words("fused into ");
    words.append(line_list(line.fused_into, line.file, facts, options));
    add_note(info, words.say(", which carries the time"));
  }
  if (!line.fused_from.empty()) {
    HoverWords words("does the work of ");
    add_note(info,
             words.append(line_list(line.fused_from, line.file, facts, options)).say(" as well"));
  }
}

HoverWords remainder_words(const Facts& facts, const Cost& opaque, const Cost& overhead,
                           std::string_view calls, const HoverOptions& options) {
  HoverWords words;
  if (opaque.amount > Amount())
    words.say(
        fmt::format("; {} of it belongs to no single line", cost_text(facts, opaque, options)));
  if (overhead.amount > Amount())
    words.say(
        fmt::format("; {} inside {} was not measured", cost_text(facts, overhead, options), calls));
  return words;
}

// "XNNPACK #5 to #191, 32 calls: 352 µs in all; …".
HoverWords calls_words(const Facts& facts, const CallsFacts& row, const HoverOptions& options) {
  HoverWords words =
      partition_words(facts, facts.partition(row.calls.front()), CallEnd::First, options);
  words.say(fmt::format(" to #{}, {} calls: {} in all", facts.partition(row.calls.back()).number,
                        row.calls.size(), cost_text(facts, row.total, options)));
  return words.append(remainder_words(facts, row.opaque, row.overhead, "the calls", options));
}

void add_partitions(const Facts& facts, const LineFacts& line, const HoverOptions& options,
                    HoverInfo& info) {
  for (const CallsFacts& row : calls_of(facts, line.partitions)) {
    if (row.calls.size() > kMaxCallNotes) {
      add_note(info, calls_words(facts, row, options));
      continue;
    }
    for (const PartitionId id : row.calls) {
      const PartitionFacts call = facts.partition(id);
      HoverWords words = partition_words(facts, call, CallEnd::First, options);
      words.say(fmt::format(": {} in all, {}", cost_text(facts, call.total, options),
                            counted(call.lines.size(), "line")));
      if (call.init)
        words.say(fmt::format("; init {}", format_value(facts, *call.init, options.unit)));
      add_note(info, words.append(
                         remainder_words(facts, call.opaque, call.overhead, "the call", options)));
    }
  }
}

void add_fallback(const Facts& facts, const LineFacts& line, const HoverOptions& options,
                  HoverInfo& info) {
  const LineFallback* row = facts.fallback_of(line.id);
  if (row == nullptr) return;
  for (size_t i = 0; i < std::min(row->gaps.size(), kMaxGaps); ++i) {
    const GapOfLine& gap = row->gaps[i];
    HoverWords words(cost_text(facts, facts.cost_of(gap.events), options) + " on the CPU between ");
    words.append(partition_words(facts, facts.partition(gap.before), CallEnd::Last, options));
    words.say(" and ");
    words.append(partition_words(facts, facts.partition(gap.after), CallEnd::First, options));
    add_note(info, words.say(": the data leaves the delegate and comes back"));
  }
  if (row->gaps.size() > kMaxGaps)
    add_note(info, HoverWords(fmt::format("… and between {} more", row->gaps.size() - kMaxGaps)));
}

}  // namespace

void add_delegate_notes(const Facts& facts, const LineFacts& line, const HoverOptions& options,
                        HoverInfo& info) {
  add_fused(facts, line, options, info);
  add_partitions(facts, line, options, info);
  add_fallback(facts, line, options, info);
}

}  // namespace etlens
