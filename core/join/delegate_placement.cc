// SPDX-License-Identifier: Apache-2.0
#include "core/join/delegate_placement.h"

#include <algorithm>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "core/backend/xnnpack/entries.h"

namespace etlens {
namespace {

// An event that could be of more operators than this could be anything.
constexpr size_t kMaxCandidates = 64;

// Where an event's time may go: every node that is possible, the likeliest first.
struct Possible {
  std::vector<NodeId> nodes;
  bool is_certain = false;  // there is one
  bool is_sound = false;    // the right one is among them, and none of them is a guess
};

// Distinct lines of the nodes; a node without a line is one of its own.
size_t count_lines(const MethodContext& context, const std::vector<NodeId>& nodes) {
  std::set<std::pair<StringId, uint32_t>> lines;
  size_t without = 0;
  for (const NodeId node : nodes) {
    const FrameId frame = context.line_of(node);
    if (!frame.valid()) {
      ++without;
      continue;
    }
    const Frame& row = context.record().frames[frame.value];
    lines.emplace(row.file, row.line);
  }
  return lines.size() + without;
}

EventPlacement placement_of(const MethodContext& context, const Possible& possible) {
  EventPlacement placement;
  if (possible.nodes.empty()) return placement;
  placement.node = possible.nodes.front();
  placement.frame = context.line_of(placement.node);
  const size_t lines = count_lines(context, possible.nodes);
  const bool is_aligned = possible.is_certain || (possible.is_sound && lines == 1);
  placement.confidence = is_aligned ? Confidence::Aligned : Confidence::Inferred;
  placement.candidates = is_aligned ? 1 : static_cast<uint32_t>(lines);
  return placement;
}

// Without a payload, what moves or converts data and is no listed operator works for a neighbour:
// most often for the next.
void add_layout(std::span<const std::string_view> names, std::vector<EventPlacement>& placements) {
  constexpr uint32_t kNeighbours = 2;
  const std::vector<EventPlacement> placed = placements;
  for (size_t i = 0; i < placements.size(); ++i) {
    if (placed[i].node.valid() || !is_xnnpack_layout_name(names[i])) continue;
    const auto is_placed = [](const EventPlacement& p) { return p.node.valid(); };
    auto near = std::find_if(placed.begin() + static_cast<ptrdiff_t>(i), placed.end(), is_placed);
    if (near == placed.end()) {
      const auto back = std::find_if(placed.rbegin() + static_cast<ptrdiff_t>(placed.size() - i),
                                     placed.rend(), is_placed);
      if (back == placed.rend()) continue;
      near = std::prev(back.base());
    }
    placements[i] = {near->node, near->frame, Confidence::Inferred, kNeighbours, {}, true};
  }
}

// Turns one call's alignment into placements.
class PayloadPlacement {
 public:
  PayloadPlacement(const MethodContext& context, const OperatorNodes& nodes,
                   const XnnpackAlignment& alignment)
      : context_(context), nodes_(nodes) {
    for (const XnnpackMatch& match : alignment.events) {
      if (match.origin.part == XnnpackPart::Activation)
        has_activation_event_.insert(match.origin.op);
    }
    for (const XnnpackAbsorption& row : alignment.absorbed)
      absorbed_by_[row.by].push_back(row.folded);
  }

  EventPlacement place(const XnnpackMatch& match) const {
    if (match.origin.op == kNone) return {};
    const OperatorNode& row = nodes_.of(match.origin.op);
    Possible possible = possible_of(match);
    EventPlacement placement = placement_of(context_, possible);
    if (!placement.node.valid()) return placement;
    const XnnpackPart part = match.origin.part;
    placement.is_layout =
        row.is_layout || part == XnnpackPart::Inserted || part == XnnpackPart::Conversion;
    // Alternatives are no further work, and what is only probable takes nothing over.
    const bool has_own_node = part == XnnpackPart::Own && !row.is_layout;
    if (has_own_node && (placement.confidence == Confidence::Aligned || row.is_guess)) {
      placement.fused = fused_of(match.origin.op, placement.node);
    }
    return placement;
  }

 private:
  Possible possible_of(const XnnpackMatch& match) const {
    Possible possible;
    possible.is_sound = match.is_sound;
    possible.is_certain = match.is_certain;
    add(match.origin, possible);
    const size_t count = std::min(match.candidates.size(), kMaxCandidates);
    possible.is_sound &= count == match.candidates.size();
    for (const XnnpackOrigin& origin : std::span(match.candidates).first(count)) {
      if (origin == match.origin) continue;
      add(origin, possible);
      // What the exporter inserted is on no line of its own, so it is on no line with others.
      possible.is_sound &= !nodes_.of(origin.op).is_layout && !nodes_.of(match.origin.op).is_layout;
    }
    possible.is_certain &= possible.is_sound && possible.nodes.size() == 1;
    return possible;
  }

  void add(const XnnpackOrigin& origin, Possible& possible) const {
    const OperatorNode& row = nodes_.of(origin.op);
    if (!row.node.valid()) {
      possible.is_sound = false;
      return;
    }
    std::vector<NodeId> nodes{row.node};
    nodes.insert(nodes.end(), row.others.begin(), row.others.end());
    if (origin.part == XnnpackPart::Activation && row.activation.valid()) nodes = {row.activation};
    for (const NodeId node : nodes) {
      const bool is_known =
          std::find(possible.nodes.begin(), possible.nodes.end(), node) != possible.nodes.end();
      if (!is_known) possible.nodes.push_back(node);
    }
    const bool lacks_activation = origin.part == XnnpackPart::Activation && !row.activation.valid();
    if (row.is_guess || lacks_activation || origin.part == XnnpackPart::Inserted)
      possible.is_sound = false;
  }

  // The nodes without operator that `op` does the work of, and those of operators folded into it.
  std::vector<NodeId> fused_of(uint32_t op, NodeId self) const {
    std::vector<NodeId> fused = nodes_.of(op).fused;
    if (nodes_.of(op).activation.valid() && !has_activation_event_.contains(op)) {
      fused.push_back(nodes_.of(op).activation);
    }
    if (const auto absorbed = absorbed_by_.find(op); absorbed != absorbed_by_.end()) {
      for (const uint32_t folded : absorbed->second) {
        const OperatorNode& row = nodes_.of(folded);
        if (row.node.valid() && !row.is_layout) fused.push_back(row.node);
        fused.insert(fused.end(), row.fused.begin(), row.fused.end());
      }
    }
    std::sort(fused.begin(), fused.end());
    fused.erase(std::unique(fused.begin(), fused.end()), fused.end());
    std::erase(fused, self);
    return fused;
  }

  const MethodContext& context_;
  const OperatorNodes& nodes_;
  std::unordered_set<uint32_t> has_activation_event_;
  std::unordered_map<uint32_t, std::vector<uint32_t>> absorbed_by_;
};

}  // namespace

struct DelegatePlacer::Call {
  std::vector<NodeId> nodes;    // in graph order
  std::vector<NodeId> ordered;  // in the payload's order
  bool is_lowered = false;
  std::optional<XnnpackPayload> payload;
  std::unique_ptr<OperatorNodes> operators;  // if there is a payload
};

DelegatePlacer::DelegatePlacer(const MethodContext& context, const OperatorPlacer& operators,
                               const EventLog& log, BackendEvents& backends, PayloadSource payloads,
                               LoadReport& report)
    : context_(context),
      operators_(operators),
      log_(log),
      backends_(backends),
      payloads_(std::move(payloads)),
      report_(report) {}

DelegatePlacer::~DelegatePlacer() = default;

std::span<const EventPlacement> DelegatePlacer::place(int32_t instruction,
                                                      std::span<const EventKey> events) {
  std::vector<uint64_t> key;
  key.reserve(events.size());
  for (const EventKey& event : events) {
    key.push_back(uint64_t{static_cast<uint32_t>(event.delegate_id_int)} << 32 |
                  event.delegate_id_str.value);
  }
  const auto at = placed_.find({instruction, key});
  if (at != placed_.end()) return at->second;
  std::vector<EventPlacement> placements = place_anew(instruction, events);
  return placed_.emplace(std::pair(instruction, std::move(key)), std::move(placements))
      .first->second;
}

std::vector<EventPlacement> DelegatePlacer::place_anew(int32_t instruction,
                                                       std::span<const EventKey> events) {
  std::vector<EventPlacement> placements(events.size());
  const DelegateEntry* entry = context_.map().find_delegate(instruction);
  if (entry == nullptr) return placements;
  if (!entry->ids.empty()) place_by_map(*entry, events, placements);
  if (!entry->ids.empty() || context_.record().text(entry->backend) != kXnnpackBackend) {
    place_by_node_name(instruction, events, placements);
    return placements;
  }
  std::vector<std::string_view> names;
  for (const EventKey& event : events) names.push_back(log_.text(event.delegate_id_str));
  const Call& call = call_of(instruction);
  if (call.operators) place_by_payload(call, names, placements);
  else place_by_handles(instruction, call, names, placements);
  return placements;
}

void DelegatePlacer::place_by_map(const DelegateEntry& entry, std::span<const EventKey> events,
                                  std::vector<EventPlacement>& placements) const {
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
void DelegatePlacer::place_by_node_name(int32_t instruction, std::span<const EventKey> events,
                                        std::vector<EventPlacement>& placements) {
  std::unordered_map<std::string_view, NodeId> by_name;
  for (size_t i = 0; i < events.size(); ++i) {
    const std::string& name = backends_.of(events[i]).node_name;
    if (name.empty() || placements[i].node.valid()) continue;
    if (by_name.empty()) {
      for (const NodeId node : call_of(instruction).nodes) {
        by_name.emplace(context_.record().text(context_.record().nodes[node.value].name), node);
      }
    }
    const auto at = by_name.find(name);
    if (at == by_name.end()) continue;
    placements[i] = place_on_dominating(context_, std::span(&at->second, 1), true);
    placements[i].confidence = Confidence::Aligned;
  }
}

void DelegatePlacer::place_by_payload(const Call& call, std::span<const std::string_view> names,
                                      std::vector<EventPlacement>& placements) const {
  const XnnpackAlignment alignment = align_xnnpack(*call.payload, names);
  const PayloadPlacement placer(context_, *call.operators, alignment);
  for (size_t i = 0; i < placements.size(); ++i) placements[i] = placer.place(alignment.events[i]);
}

// By the order of the handles alone: never more than a likely guess.
void DelegatePlacer::place_by_handles(int32_t instruction, const Call& call,
                                      std::span<const std::string_view> names,
                                      std::vector<EventPlacement>& placements) {
  std::unordered_map<DebugHandle, std::vector<NodeId>> of_handle;
  for (const NodeId node : call.nodes)
    of_handle[context_.record().nodes[node.value].debug_handle].push_back(node);
  std::vector<const std::vector<NodeId>*> nodes_of_entry;
  std::vector<std::vector<std::string_view>> entries;
  for (const DebugHandle handle : handles_of_call(context_, instruction)) {
    const auto at = of_handle.find(handle);
    if (at == of_handle.end()) continue;
    nodes_of_entry.push_back(&at->second);
    std::vector<std::string_view>& entry = entries.emplace_back();
    for (const NodeId node : at->second) entry.push_back(context_.operator_of(node));
  }
  const std::vector<XnnpackEntryMatch> matches = align_xnnpack_entries(entries, names);
  size_t placed = 0;
  for (size_t i = 0; i < placements.size(); ++i) {
    Possible possible;
    for (const uint32_t e : matches[i].entries) {
      for (const NodeId node : *nodes_of_entry[e]) {
        const bool is_known =
            std::find(possible.nodes.begin(), possible.nodes.end(), node) != possible.nodes.end();
        if (!is_known && may_report_as(context_.operator_of(node), names[i]))
          possible.nodes.push_back(node);
      }
    }
    placements[i] = placement_of(context_, possible);
    placed += placements[i].node.valid() ? 1 : 0;
  }
  add_layout(names, placements);
  if (placed > 0)
    report_.add(Oddity::DelegateInferred, "instruction " + std::to_string(instruction), placed);
}

DelegatePlacer::Call& DelegatePlacer::call_of(int32_t instruction) {
  std::unique_ptr<Call>& call = calls_[instruction];
  if (call == nullptr) call = open(instruction);
  return *call;
}

std::unique_ptr<DelegatePlacer::Call> DelegatePlacer::open(int32_t instruction) {
  auto call = std::make_unique<Call>();
  call->nodes = nodes_of_call(context_, operators_, instruction);
  call->ordered = in_payload_order(context_, instruction, call->nodes);
  const LoweredModule* lowered = lowered_module(context_, instruction);
  call->is_lowered = lowered != nullptr && lowered->graph.valid();
  read_payload(instruction, *call);
  if (call->payload) {
    call->operators = std::make_unique<OperatorNodes>(context_, *call->payload, call->nodes,
                                                      call->ordered, call->is_lowered);
  }
  return call;
}

std::vector<uint8_t> DelegatePlacer::payload_bytes(int32_t instruction) {
  const LoweredModule* lowered = lowered_module(context_, instruction);
  if (lowered != nullptr && !lowered->payload.empty()) return lowered->payload;
  return payloads_ ? payloads_(instruction) : std::vector<uint8_t>();
}

void DelegatePlacer::read_payload(int32_t instruction, Call& call) {
  const std::vector<uint8_t> bytes = payload_bytes(instruction);
  if (bytes.empty()) return;
  const std::string where = "instruction " + std::to_string(instruction);
  Result<XnnpackPayload> payload = read_xnnpack_payload(bytes);
  if (!payload) {
    report_.add(Oddity::DelegateUnaligned, where + " " + payload.error().message);
    return;
  }
  // A payload of another export names handles that this record does not list for the call.
  const std::span<const DebugHandle> listed = handles_of_call(context_, instruction);
  const std::unordered_set<DebugHandle> known(listed.begin(), listed.end());
  const bool is_foreign =
      !call.is_lowered &&
      std::any_of(payload->operators.begin(), payload->operators.end(), [&](const auto& op) {
        return op.debug_handle != kNone && !known.contains(op.debug_handle);
      });
  if (is_foreign)
    report_.add(Oddity::ProgramDiffers, where + ": its payload has other debug handles");
  else call.payload = std::move(*payload);
}

}  // namespace etlens
