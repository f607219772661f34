// SPDX-License-Identifier: Apache-2.0
#include "core/join/delegate_placement.h"

#include <string>
#include <unordered_map>

#include "core/base/assert.h"
#include "core/base/budget.h"

namespace etlens {

DelegatePlacer::DelegatePlacer(const MethodContext& context, const OperatorPlacer& operators,
                               const EventLog& log, BackendEvents& backends, PayloadSource payloads,
                               LoadReport& report)
    : context_(context),
      operators_(operators),
      log_(log),
      backends_(backends),
      payloads_(std::move(payloads)),
      report_(report) {}

std::span<const NodePlacement> DelegatePlacer::place(Instruction instruction,
                                                     std::span<const EventKey> events) {
  std::vector<uint64_t> key;
  key.reserve(events.size());
  for (const EventKey& event : events) {
    key.push_back(uint64_t{static_cast<uint32_t>(event.delegate_id_int)} << 32 |
                  event.delegate_id_str.value);
  }
  const auto at = placed_.find({instruction, key});
  if (at != placed_.end()) return at->second;
  std::vector<NodePlacement> placements = place_anew(instruction, events);
  return placed_.emplace(std::pair(instruction, std::move(key)), std::move(placements))
      .first->second;
}

const std::vector<NodeId>& DelegatePlacer::nodes_of(Instruction instruction) {
  const auto [at, is_new] = nodes_.try_emplace(instruction);
  if (is_new) at->second = nodes_of_call(context_, operators_, instruction);
  return at->second;
}

std::vector<NodePlacement> DelegatePlacer::place_anew(Instruction instruction,
                                                      std::span<const EventKey> events) {
  std::vector<NodePlacement> placements(events.size());
  const DelegateEntry* entry = context_.map().find_delegate(instruction);
  if (entry == nullptr) return placements;
  const Backend& backend = backends_.backends().find(context_.record().text(entry->backend));
  if (!entry->ids.empty()) place_by_map(*entry, events, placements);
  else if (backend.open_placer != nullptr) return place_by_backend(backend, instruction, events);
  place_by_node_name(instruction, events, placements);
  return placements;
}

void DelegatePlacer::place_by_map(const DelegateEntry& entry, std::span<const EventKey> events,
                                  std::vector<NodePlacement>& placements) const {
  std::unordered_map<std::string_view, const DelegateHandles*> by_id;
  for (const DelegateHandles& ids : entry.ids) by_id.emplace(context_.record().text(ids.id), &ids);
  for (size_t i = 0; i < events.size(); ++i) {
    // Ids are compared whole: the Inspector's substring rule ties "1" to every id with a 1 in it.
    const auto ids = by_id.find(backends_.of(events[i]).key);
    if (ids == by_id.end()) continue;
    std::vector<NodeId> nodes;
    for (const DebugHandle handle : context_.map().handles_of(*ids->second)) {
      const std::span<const NodeId> own = context_.nodes().nodes_of(handle);
      nodes.insert(nodes.end(), own.begin(), own.end());
    }
    placements[i] = place_on_dominating(context_, nodes, true);
  }
}

// The backend's own passes may rename nodes, so a name that is there is sure of its line only as
// far as alignment is, and one that is missing says nothing.
void DelegatePlacer::place_by_node_name(Instruction instruction, std::span<const EventKey> events,
                                        std::vector<NodePlacement>& placements) {
  std::unordered_map<std::string_view, NodeId> by_name;
  for (size_t i = 0; i < events.size(); ++i) {
    const std::string& name = backends_.of(events[i]).node_name;
    if (name.empty() || placements[i].node.valid()) continue;
    if (by_name.empty()) {
      for (const NodeId node : nodes_of(instruction)) {
        by_name.emplace(context_.record().text(context_.record().nodes[node.value].name), node);
      }
    }
    const auto at = by_name.find(name);
    if (at == by_name.end()) continue;
    placements[i] = place_on_dominating(context_, std::span(&at->second, 1), true);
    placements[i].confidence = Confidence::Aligned;
  }
}

std::vector<NodePlacement> DelegatePlacer::place_by_backend(const Backend& backend,
                                                            Instruction instruction,
                                                            std::span<const EventKey> events) {
  std::unique_ptr<CallPlacer>& placer = placers_[instruction];
  if (placer == nullptr) {
    DelegateCall call = describe_call(context_, instruction, nodes_of(instruction), payloads_);
    call.memory = &memories_[&backend];
    placer = backend.open_placer(std::move(call), report_);
  }
  std::vector<std::string> numbers;  // as texts; the ids that are texts already are not copied
  std::vector<std::string_view> ids;
  numbers.reserve(events.size());
  ids.reserve(events.size());
  for (const EventKey& event : events) {
    go_on();
    if (event.delegate_id_int == -1) ids.push_back(log_.text(event.delegate_id_str));
    else ids.push_back(numbers.emplace_back(delegate_id_of(log_, event)));
  }
  std::vector<NodePlacement> placements = placer->place(ids);
  ETLENS_ASSERT(placements.size() == events.size());
  return placements;
}

}  // namespace etlens
