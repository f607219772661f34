// SPDX-License-Identifier: Apache-2.0
#include "core/facts/hints.h"

#include <algorithm>
#include <map>
#include <set>

namespace etlens {
namespace {

// From this multiple of the own cost on, the inclusive cost is what a reader wants to see.
constexpr int64_t kInclusiveFactor = 2;

Hint cost_hint(const Facts& facts, const LineFacts& line) {
  Hint hint;
  hint.is_inclusive = line.inclusive.amount.value > kInclusiveFactor * line.self.amount.value;
  hint.cost = hint.is_inclusive ? line.inclusive : line.self;
  hint.is_inferred = line.confidence == Confidence::Inferred;
  hint.is_recovered = line.confidence == Confidence::Recovered;
  if (!hint.is_inclusive) hint.level = line.level;
  if (facts.has_events()) hint.runs = line.runs;
  if (!hint.is_inclusive && !facts.code().partitions.empty()) hint.where = line.where;
  return hint;
}

std::optional<Hint> fused_hint(const Facts& facts, const LineFacts& line,
                               const HintOptions& options) {
  const auto cheaper = [&](LineId a, LineId b) {
    return facts.measure().lines[a.value].self.amount < facts.measure().lines[b.value].self.amount;
  };
  Hint hint;
  hint.kind = HintKind::Fused;
  hint.fused_into = *std::max_element(line.fused_into.begin(), line.fused_into.end(), cheaper);
  const Cost target = facts.cost(facts.measure().lines[hint.fused_into.value].self);
  if (target.share < options.threshold) return std::nullopt;
  return hint;
}

std::optional<Hint> partition_hint(const Facts& facts, const LineFacts& line,
                                   const HintOptions& options) {
  Hint hint;
  hint.kind = HintKind::Partition;
  hint.partitions = line.partitions;
  Amount opaque;
  Total total;
  std::set<LineId> lines;
  for (const PartitionId id : line.partitions) {
    opaque += facts.measure().partitions[id.value].opaque;
    total += facts.measure().partitions[id.value].total;
    const std::vector<LineId>& own = facts.code().partitions[id.value].lines;
    lines.insert(own.begin(), own.end());
  }
  if (opaque == Amount() || facts.cost(opaque).share < options.threshold) return std::nullopt;
  hint.cost = facts.cost(total);
  hint.partition_lines = lines.size();
  return hint;
}

// Lines speak however little they have: what they cost is not known yet.
std::optional<Hint> operators_hint(const Facts& facts, const LineFacts& line) {
  Hint hint;
  hint.kind = HintKind::Operators;
  hint.is_inclusive = line.own.empty();
  hint.cost = hint.is_inclusive ? line.inclusive : line.self;
  hint.is_recovered = line.confidence == Confidence::Recovered;
  hint.operators = operators_of(facts, line, hint.is_inclusive);
  hint.bytes = file_bytes_of(facts, line.id, hint.is_inclusive);
  hint.where = line.where;
  if (hint.where.empty() && lowering_of(facts.study()) == Lowering::NoDelegate)
    hint.where = {"CPU"};
  return hint;
}

std::optional<Hint> quiet_or(const Facts& facts, const LineFacts& line,
                             const HintOptions& options) {
  if (line.has_cost() && facts.has_operators()) return operators_hint(facts, line);
  if (line.has_cost()) {
    Hint hint = cost_hint(facts, line);
    const bool is_something = facts.has_events() || hint.cost.amount > Amount();
    const bool speaks = (hint.cost.share >= options.threshold && is_something) ||
                        facts.fallback_of(line.id) != nullptr;
    return speaks ? std::optional(std::move(hint)) : std::nullopt;
  }
  if (!line.fused_into.empty()) return fused_hint(facts, line, options);
  if (!line.partitions.empty()) return partition_hint(facts, line, options);
  return std::nullopt;
}

}  // namespace

std::optional<Hint> hint_of(const Facts& facts, LineId id, bool edited,
                            const HintOptions& options) {
  if (facts.measure().landings->lines[id.value].empty()) return std::nullopt;
  std::optional<Hint> hint = quiet_or(facts, facts.line(id), options);
  if (hint) {
    hint->line = id;
    hint->is_edited = edited;
  }
  return hint;
}

bool speaks_instead(const Hint& later, const Hint& earlier) {
  return later.cost.amount > earlier.cost.amount;
}

SourceHints hints(const Facts& facts, const AnchoredSource& source, const HintOptions& options,
                  uint32_t first, uint32_t last) {
  SourceHints result;
  std::map<uint32_t, Hint> placed;
  const CodeFile& file = facts.code().files[source.file.value];
  for (uint32_t i = 0; i < file.line_count; ++i) {
    const LineId id(file.first_line + i);
    const Anchor& anchor = source.anchors[i];
    if (anchor.line > 0 && (anchor.line < first || anchor.line > last)) continue;
    std::optional<Hint> hint = hint_of(facts, id, anchor.edited, options);
    if (!hint) continue;
    if (anchor.line == 0) {
      result.unplaced.push_back(std::move(*hint));
      continue;
    }
    const auto [at, is_new] = placed.try_emplace(anchor.line, *hint);
    if (!is_new && speaks_instead(*hint, at->second)) at->second = std::move(*hint);
  }
  for (auto& [line, hint] : placed) result.placed.push_back({line, std::move(hint)});
  return result;
}

std::vector<PlacedHint> recorded_hints(const Facts& facts, FileId id, const HintOptions& options) {
  std::vector<PlacedHint> result;
  const CodeFile& file = facts.code().files[id.value];
  for (uint32_t i = 0; i < file.line_count; ++i) {
    const LineId line(file.first_line + i);
    if (std::optional<Hint> hint = hint_of(facts, line, false, options))
      result.push_back({facts.code().lines[line.value].number, std::move(*hint)});
  }
  return result;
}

}  // namespace etlens
