// SPDX-License-Identifier: Apache-2.0
#include "core/delegation/delegation.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/base/budget.h"
#include "core/base/text.h"
#include "core/code/operator_name.h"
#include "core/delegation/handle_places.h"
#include "core/delegation/left_out.h"

namespace etlens {
namespace {

constexpr std::string_view kGetItem = "getitem";

bool is_getitem(const EtRecord& record, const Node& node) {
  return base_operator_of_target(record.text(node.target)) == kGetItem;
}

// What a person calls a backend.
std::string label_of(std::string_view backend, const BackendRules* rules) {
  if (rules != nullptr) return std::string(rules->label);
  if (backend.ends_with("Backend")) backend.remove_suffix(std::string_view("Backend").size());
  return backend.empty() ? "the backend" : std::string(backend);
}

bool makes_no_tensor(const RuleNode& node) {
  const std::string_view base = base_operator_of_target(node.target());
  return base.starts_with("sym_") || base.starts_with("_assert") || base == "_local_scalar_dense";
}

// What Arm's delegates were compiled for.
std::string_view profile_of(const ProgramMethod* program) {
  if (program == nullptr) return {};
  for (const ProgramDelegate& delegate : program->delegates)
    if (const std::string_view profile = delegate.spec("tosa_spec"); !profile.empty())
      return profile;
  return {};
}

std::optional<DelegationReason> reason_of_form(const RuleNode& node, std::string_view label) {
  if (node.target().starts_with("higher_order.")) {
    return DelegationReason{
        "control_flow",
        fmt::format("{} takes no control flow: the branches run on the CPU.", label),
        "Export without data-dependent control flow."};
  }
  if (!node.is_operator() || makes_no_tensor(node)) {
    return DelegationReason{"no_tensor",
                            "This computes a number, not a tensor: delegates take tensors only.",
                            "Export with static shapes, where sizes are numbers."};
  }
  return std::nullopt;
}

class Finder {
 public:
  explicit Finder(const DelegationRequest& request)
      : request_(request),
        record_(*request.record),
        map_(record_.map_of(request.method.name)),
        graph_(record_, request.method.edge, request.arguments),
        facts_{releases_of(record_), profile_of(request.program)} {
    found_.record = request.record;
    found_.method = request.method;
    found_.rows.assign(record_.nodes.size(), kNone);
  }

  Delegation find() {
    if (!request_.method.edge.valid()) return std::move(found_);
    const std::vector<NodeId>& nodes = record_.graphs[request_.method.edge.value].nodes;
    list_calls(nodes);
    found_.lowering = lowering();
    if (has_call_nodes_) place_around_calls(nodes);
    else place_by_handles(nodes);
    choose_backend();
    for (NodeDelegation& row : found_.nodes)
      if (!row.is_delegated()) row.reason = reason_of(row.node);
    return std::move(found_);
  }

 private:
  void list_calls(const std::vector<NodeId>& nodes) {
    std::vector<NodeId> call_nodes;
    for (const NodeId id : nodes)
      if (record_.nodes[id.value].lowered.valid()) call_nodes.push_back(id);
    has_call_nodes_ = !call_nodes.empty();
    if (map_ != nullptr) {
      for (const DelegateEntry& entry : map_->delegates)
        found_.calls.push_back({entry.instruction, entry.backend});
    }
    if (found_.calls.size() == call_nodes.size() || !has_call_nodes_) return;
    // The map is of another program, or there is none: the graph itself has the calls.
    found_.calls.clear();
    for (const NodeId id : call_nodes)
      found_.calls.push_back(
          {kNoInstruction, record_.lowered[record_.nodes[id.value].lowered.value].backend});
  }

  Lowering lowering() const {
    if (!found_.calls.empty()) return Lowering::Delegated;
    const bool has_map = map_ != nullptr && !map_->instructions.empty();
    return has_map ? Lowering::NoDelegate : Lowering::NotLowered;
  }

  void add(NodeId node, uint32_t call) {
    if (is_getitem(record_, record_.nodes[node.value])) return;
    found_.rows[node.value] = static_cast<uint32_t>(found_.nodes.size());
    found_.nodes.push_back({node, call, {}});
  }

  void place_around_calls(const std::vector<NodeId>& nodes) {
    uint32_t call = 0;
    for (const NodeId id : nodes) {
      go_on();
      const Node& node = record_.nodes[id.value];
      if (!node.lowered.valid()) {
        add(id, kNone);
        continue;
      }
      const LoweredModule& lowered = record_.lowered[node.lowered.value];
      if (call < found_.calls.size()) found_.calls[call].has_nodes = lowered.graph.valid();
      if (lowered.graph.valid())
        for (const NodeId inside : record_.graphs[lowered.graph.value].nodes) add(inside, call);
      ++call;
    }
  }

  void place_by_handles(const std::vector<NodeId>& all) {
    std::vector<NodeId> nodes;
    for (const NodeId id : all)
      if (!is_getitem(record_, record_.nodes[id.value])) nodes.push_back(id);
    if (found_.calls.empty()) {
      for (const NodeId id : nodes) add(id, kNone);
      return;
    }
    const HandlePlaces places(record_, *map_, request_.program);
    // Before it is known which backend has most nodes: that of the first call.
    const std::string_view backend = record_.text(found_.calls.front().backend);
    const std::vector<uint32_t> calls =
        calls_of_nodes(graph_, nodes, places, find_rules(backend), facts_);
    for (size_t i = 0; i < nodes.size(); ++i) add(nodes[i], calls[i]);
  }

  void choose_backend() {
    std::map<StringId, size_t> counts;
    for (const NodeDelegation& row : found_.nodes)
      if (row.is_delegated()) ++counts[found_.calls[row.call].backend];
    size_t most = 0;
    if (!found_.calls.empty()) found_.backend = found_.calls.front().backend;
    for (const auto& [backend, count] : counts) {
      if (count <= most) continue;
      most = count;
      found_.backend = backend;
    }
  }

  DelegationReason reason_of(NodeId id) const {
    switch (found_.lowering) {
      case Lowering::NotLowered:
        return {"not_lowered", "The record was written before the model was lowered.",
                "Record after to_executorch: "
                "executorch_program.get_etrecord().save(\"model.etrecord\")."};
      case Lowering::NoDelegate:
        return {"no_delegate",
                "The program calls no delegate: it was exported without a partitioner.",
                "Give to_edge_transform_and_lower a partitioner, such as XnnpackPartitioner()."};
      case Lowering::Delegated:
        break;
    }
    const std::string_view backend = record_.text(found_.backend);
    const BackendRules* rules = find_rules(backend);
    const std::string label = label_of(backend, rules);
    const RuleNode node(graph_, id);
    if (std::optional<DelegationReason> reason = reason_of_form(node, label))
      return *std::move(reason);
    if (rules == nullptr) {
      return {"not_decidable",
              fmt::format("{} did not take this {}: etlens has no rules for its partitioner.",
                          label, operator_of(node)),
              "Read the partitioner's log at export."};
    }
    RuleVerdict verdict = judge_left_out(*rules, node, facts_);
    if (verdict.answer != RuleAnswer::Taken) return std::move(verdict.reason);
    if (!node.has_arguments()) {
      return {"not_decidable",
              fmt::format("{} has {}; what decides whether it takes this one is not in the "
                          "program.",
                          label, operator_of(node)),
              "Give the ETRecord of the export."};
    }
    return {"partitioner_option",
            fmt::format("{} could have taken this {}: an option of the partitioner or another "
                        "partitioner left it out, and the record does not show which.",
                        label, operator_of(node)),
            "Check the partitioner's options and the order of partitioners."};
  }

  const DelegationRequest& request_;
  const EtRecord& record_;
  const MethodMap* map_;
  RuleGraph graph_;
  ExportFacts facts_;
  bool has_call_nodes_ = false;
  Delegation found_;
};

}  // namespace

size_t Delegation::delegated() const {
  return static_cast<size_t>(
      std::ranges::count_if(nodes, [](const NodeDelegation& row) { return row.is_delegated(); }));
}

const NodeDelegation* Delegation::find(NodeId node) const {
  const uint32_t row = node.value < rows.size() ? rows[node.value] : kNone;
  return row == kNone ? nullptr : &nodes[row];
}

Delegation find_delegation(const DelegationRequest& request) { return Finder(request).find(); }

namespace {

// As FX names a node of this operator: aten_sum_dim_int_list of aten.sum.dim_IntList.
std::string node_name_of(std::string_view target) {
  std::string name;
  for (const char c : target) {
    const bool is_upper = c >= 'A' && c <= 'Z';
    if (is_upper && !name.empty() && name.back() >= 'a' && name.back() <= 'z') name += '_';
    if (is_upper) name += static_cast<char>(c - 'A' + 'a');
    else name += c == '.' ? '_' : c;
  }
  return name;
}

}  // namespace

std::string counted_operator(const EtRecord& record, const Node& node) {
  std::string name(record.text(node.name));
  // Of a program alone; nodes of operators outside of the edge dialect are called after their base.
  if (name.empty() && node.target_kind != TargetKind::EdgeOperator)
    return std::string(base_operator_of_target(record.text(node.target)));
  // A node with several outputs that the record does not name is called after one of them.
  const bool is_named =
      !name.empty() && (name.find('_') != std::string::npos || record.outputs_of(node).size() < 2);
  if (!is_named || name.starts_with("getitem")) {
    return node_name_of(record.text(node.target));
  }
  const size_t bar = name.rfind('_');
  if (bar == std::string::npos || bar + 1 == name.size()) return name;
  const bool is_number = std::all_of(name.begin() + static_cast<std::ptrdiff_t>(bar) + 1,
                                     name.end(), [](char c) { return c >= '0' && c <= '9'; });
  return is_number ? name.substr(0, bar) : name;
}

}  // namespace etlens
