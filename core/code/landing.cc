// SPDX-License-Identifier: Apache-2.0
#include "core/code/landing.h"

#include <algorithm>

#include "core/base/budget.h"

namespace etlens {
namespace {

void index_row(Landings& landings, ContributionId id) {
  go_on();
  const Landing& row = landings[id];
  const Code& code = *landings.code;
  if (row.part != Part::Line) return;
  landings.lines[row.line.value].own.push_back(id);
  for (const LineId line : code.places[row.place.value].stack) {
    if (line != row.line) landings.lines[line.value].through.push_back(id);
  }
  for (const NodeId node : landings.fused_of(row)) {
    const Place* place = code.place_of(node);
    if (place == nullptr || !place->line.valid() || place->line == row.line) continue;
    landings.lines[place->line.value].fused_into.push_back(row.line);
  }
}

void finish_line(const Landings& landings, const CodeLine& row, LineLandings& line) {
  std::sort(line.fused_into.begin(), line.fused_into.end());
  line.fused_into.erase(std::unique(line.fused_into.begin(), line.fused_into.end()),
                        line.fused_into.end());
  const bool only_in_partition = line.own.empty() && line.through.empty();
  if (only_in_partition && !line.partitions.empty() && line.fused_into.empty())
    line.confidence = Confidence::Partition;
  for (const ContributionId id : line.own.empty() ? line.through : line.own)
    line.confidence = std::max(line.confidence, landings[id].confidence);
  if (row.is_recovered && !line.empty())
    line.confidence = std::max(line.confidence, Confidence::Recovered);
}

// Last, because a line of the record that such a contribution passes through is none the less sure.
void cap_confidence_of_recovered_lines(Landings& landings) {
  for (Landing& row : landings.rows) {
    if (row.part == Part::Line && landings.code->lines[row.line.value].is_recovered)
      row.confidence = std::max(row.confidence, Confidence::Recovered);
  }
}

void find_unreported(const Landings& landings, const Partition& partition, PartitionLandings& row) {
  std::vector<NodeId> reported;
  for (const ContributionId id : row.inside) {
    const Landing& landing = landings[id];
    if (!landing.is_layout) reported.push_back(landing.node);
    const std::span<const NodeId> fused = landings.fused_of(landing);
    reported.insert(reported.end(), fused.begin(), fused.end());
  }
  std::sort(reported.begin(), reported.end());
  for (const NodeId node : partition.nodes) {
    if (!std::binary_search(reported.begin(), reported.end(), node)) row.unreported.push_back(node);
  }
}

}  // namespace

std::string_view name_of(Part part) {
  switch (part) {
    case Part::Line:
      return "line";
    case Part::OpaquePartition:
      return "opaque_partition";
    case Part::DelegateOverhead:
      return "delegate_overhead";
    case Part::Dispatch:
      return "dispatch_overhead";
    case Part::Framework:
      return "framework";
    case Part::Sizes:
      return "sizes";
    case Part::Unattributed:
    case Part::kCount:
      break;
  }
  return "unattributed";
}

std::vector<ModuleId> Landings::owners_of(const Landing& row) const {
  if (!row.module.valid()) return {};
  if (row.part != Part::OpaquePartition && row.place.valid()) {
    const SharedList<ModuleId>& owners = code->places[row.place.value].owners;
    return {owners.begin(), owners.end()};
  }
  std::vector<ModuleId> owners;
  for (ModuleId at = row.module; at.valid(); at = code->modules[at.value].parent)
    owners.push_back(at);
  std::sort(owners.begin(), owners.end());
  return owners;
}

void index_landings(Landings& landings, const std::vector<bool>& is_call) {
  const Code& code = *landings.code;
  landings.lines.resize(code.lines.size());
  landings.partitions.resize(code.partitions.size());
  for (size_t p = 0; p < code.partitions.size(); ++p) {
    for (const LineId line : code.partitions[p].lines)
      landings.lines[line.value].partitions.emplace_back(p);
  }
  for (size_t c = 0; c < landings.rows.size(); ++c) {
    const Landing& row = landings.rows[c];
    index_row(landings, ContributionId(c));
    if (!row.partition.valid() || row.part == Part::Framework) continue;
    PartitionLandings& partition = landings.partitions[row.partition.value];
    if (is_call[c]) partition.call = ContributionId(c);
    else partition.inside.emplace_back(c);
  }
  for (size_t l = 0; l < landings.lines.size(); ++l)
    finish_line(landings, code.lines[l], landings.lines[l]);
  cap_confidence_of_recovered_lines(landings);
  for (size_t p = 0; p < code.partitions.size(); ++p)
    find_unreported(landings, code.partitions[p], landings.partitions[p]);
}

}  // namespace etlens
