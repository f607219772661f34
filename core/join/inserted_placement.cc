// SPDX-License-Identifier: Apache-2.0
#include "core/join/inserted_placement.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <unordered_map>

#include "core/base/budget.h"
#include "core/base/text.h"
#include "core/code/call_nodes.h"
#include "core/code/operator_name.h"
#include "core/join/functionalized.h"
#include "core/join/graph_index.h"
#include "core/join/inserted_operators.h"
#include "core/join/program_code.h"

namespace etlens {
namespace {

// Views that were planned away between two values; more of them say nothing sure.
constexpr int kMaxHiddenViews = 4;
// Views of one value that are looked at for one instruction.
constexpr size_t kMaxViews = 64;
// Nodes of a call and their views that are looked at for one.
constexpr size_t kMaxInCall = 1024;

// What made a value, and what the record's graph calls it.
struct Source {
  NodeId node;             // for the line; invalid for inputs
  GraphId graph;           // that has `name`
  StringId name;           // invalid if only the node is known
  bool is_hidden = false;  // the value is a view of that one, which was planned away
};

NodePlacement inferred(const MethodContext& context, NodeId node) {
  NodePlacement placement = place_on_dominating(context, std::span(&node, 1), true);
  placement.confidence = Confidence::Inferred;
  return placement;
}

std::string write_back_title(const EtRecord& record, const GraphMutation& mutation) {
  return "write-back of " + std::string(record.text(mutation.target));
}

// Follows the values of a program from instruction to instruction.
class ProgramFlow {
 public:
  ProgramFlow(const MethodContext& context, const RecordMethod& method,
              const ProgramMethod& program, std::span<const ExecutedInstruction> unmapped)
      : context_(context),
        record_(context.record()),
        program_(program),
        index_(context),
        nodes_(find_nodes(context.record(), method, program)),
        sources_(program.tensors.size()),
        is_unknown_(program.tensors.size()) {
    for (const ExecutedInstruction& row : unmapped) unmapped_.insert(row.instruction);
    const GraphId edge = context.edge_graph();
    if (edge.valid()) mutations_ = record_.graphs[edge.value].mutations;
    is_written_.resize(mutations_.size());
    for (size_t m = 0; m < mutations_.size(); ++m) mutations_of_.emplace(mutations_[m].value, m);
    for (const ProgramInstruction& row : program.instructions) {
      if (row.kind == InstructionKind::Kernel && is_write_back(base_of(row))) ++write_backs_;
    }
  }

  std::map<Instruction, InsertedPlacement> run() {
    name_inputs();
    for (uint32_t i = 0; i < program_.instructions.size(); ++i) {
      go_on();
      const ProgramInstruction& row = program_.instructions[i];
      if (row.kind == InstructionKind::Delegate) follow_call(i);
      else if (row.kind == InstructionKind::Kernel) follow_kernel(i);
    }
    place_lost_views();
    return std::move(placed_);
  }

 private:
  using Place = std::tuple<uint32_t, uint64_t, uint64_t>;  // memory id, offset, bytes

  std::string_view base_of(const ProgramInstruction& row) const {
    return base_operator_of_kernel(program_.operator_of(row));
  }

  std::vector<uint32_t> tensors_of(std::span<const uint32_t> values) const {
    std::vector<uint32_t> tensors;
    for (const uint32_t value : values) program_.append_tensors_of(value, tensors);
    go_on(1 + tensors.size() / 16);
    return tensors;
  }

  Place place_of(uint32_t tensor) const {
    const ProgramTensor& row = program_.tensors[tensor];
    return {row.memory_id, row.offset, row.bytes};
  }

  // Inputs of the method, in their order.
  void name_inputs() {
    const GraphId edge = context_.edge_graph();
    if (!edge.valid()) return;
    std::vector<StringId> names;
    for (const GraphInput& input : record_.graphs[edge.value].inputs) {
      if (input.kind == GraphInputKind::User) names.push_back(input.name);
    }
    if (names.size() != program_.inputs.size()) return;
    for (size_t k = 0; k < names.size(); ++k) {
      const std::vector<uint32_t> tensors = tensors_of(std::span(&program_.inputs[k], 1));
      if (tensors.size() == 1) set(tensors.front(), {{}, edge, names[k]});
    }
  }

  void set(uint32_t tensor, const Source& source) {
    const ProgramTensor& row = program_.tensors[tensor];
    if (row.is_constant()) return;
    sources_[tensor] = source;
    if (row.is_planned) latest_[place_of(tensor)] = tensor;
  }

  // Written by something that nothing is known of: neither it nor what lay in its place before.
  void forget(const std::vector<uint32_t>& tensors) {
    for (const uint32_t tensor : tensors) {
      const Source& source = sources_[tensor];
      const bool is_known = source.node.valid() || source.name.valid();
      if (is_known || program_.tensors[tensor].is_constant()) continue;
      is_unknown_[tensor] = true;
      if (program_.tensors[tensor].is_planned) latest_.erase(place_of(tensor));
    }
  }

  // What a kernel writes is its last argument, or a list of it.
  void write(std::span<const uint32_t> arguments, NodeId node) {
    if (arguments.empty()) return;
    const Node& row = record_.nodes[node.value];
    const std::vector<uint32_t> written = tensors_of(arguments.last(1));
    const std::span<const StringId> outputs = record_.outputs_of(row);
    for (size_t k = 0; k < written.size(); ++k)
      set(written[k], {node, row.graph, k < outputs.size() ? outputs[k] : StringId()});
  }

  // By a kernel of a loop itself: none of the values that the graph has names for.
  void write_of_loop(const ProgramInstruction& row, NodeId node) {
    const std::span<const uint32_t> arguments = program_.arguments_of(row);
    if (arguments.empty()) return;
    const bool is_result = base_of(row) == "et_copy_index";
    for (const uint32_t tensor : tensors_of(is_result ? arguments.first(1) : arguments.last(1)))
      set(tensor, {node, record_.nodes[node.value].graph, {}});
  }

  // Empty if unknown. A value that nothing writes has the bytes of the last value that was written
  // to its place.
  Source source_of(uint32_t tensor) const {
    const Source& own = sources_[tensor];
    if (own.node.valid() || own.name.valid()) return own;
    if (!program_.tensors[tensor].is_planned || is_unknown_[tensor]) return {};
    const auto base = latest_.find(place_of(tensor));
    if (base == latest_.end()) return {};
    Source source = sources_[base->second];
    source.is_hidden = true;
    return source;
  }

  void follow_call(uint32_t i) {
    const std::vector<ReturnedNode>& returned = nodes_.returned[i];
    const std::vector<uint32_t> all = tensors_of(program_.arguments_of(program_.instructions[i]));
    if (returned.empty() || returned.size() > all.size()) {
      for (const uint32_t tensor : all) call_of_.try_emplace(tensor, i);
      return forget(all);
    }
    const NodeId call = call_node(context_, Instruction(static_cast<int32_t>(i)));
    for (size_t k = 0; k < returned.size(); ++k) {
      const NodeId node = returned[k].node;
      // Outside of a lowered module its results have the names that the call gives them.
      const NodeId named = call.valid() ? call : node;
      const uint32_t tensor = all[all.size() - returned.size() + k];
      if (!named.valid()) {
        forget({tensor});
        continue;
      }
      const std::span<const StringId> outputs = record_.outputs_of(record_.nodes[named.value]);
      const size_t output = call.valid() ? k : 0;
      set(tensor, {node, record_.nodes[named.value].graph,
                   output < outputs.size() ? outputs[output] : StringId()});
    }
  }

  void follow_kernel(uint32_t i) {
    const ProgramInstruction& row = program_.instructions[i];
    const std::span<const uint32_t> arguments = program_.arguments_of(row);
    if (const NodeId node = nodes_.placements[i].node; node.valid()) {
      const std::string_view target = record_.text(record_.nodes[node.value].target);
      if (target.starts_with("higher_order.")) write_of_loop(row, node);
      else write(arguments, node);
      return;
    }
    const std::string_view base = base_of(row);
    const bool is_copy = is_write_back(base) || is_device_copy(base);
    if (arguments.size() < 2 || (!is_view_operator(base) && !is_copy)) {
      if (!arguments.empty()) forget(tensors_of(arguments.last(1)));
      return;
    }
    const std::vector<uint32_t> read =
        tensors_of(arguments.subspan(is_write_back(base) ? 1 : 0, 1));
    if (read.size() != 1) return;
    const Source source = source_of(read.front());
    if (is_write_back(base)) return place_write_back(i, source);
    if (is_view_operator(base)) return place_view(i, read.front(), source);
    pass_on(arguments, source);
    keep(i, source.node, {});
  }

  // Where the value is what another one is, in other bytes or another shape.
  void pass_on(std::span<const uint32_t> arguments, const Source& source) {
    const std::vector<uint32_t> written = tensors_of(arguments.last(1));
    if (!source.node.valid() && !source.name.valid()) return forget(written);
    for (const uint32_t tensor : written) set(tensor, source);
  }

  void keep(uint32_t i, NodeId node, std::string title) {
    const Instruction instruction(static_cast<int32_t>(i));
    if (!node.valid() || !unmapped_.contains(instruction)) return;
    placed_[instruction] = {inferred(context_, node), std::move(title)};
  }

  // By the value that is written; where several buffers get one value, in their order.
  void place_write_back(uint32_t i, const Source& source) {
    const size_t order = order_++;
    size_t m = mutations_.size();
    auto told = mutations_of_.lower_bound(source.name);
    while (told != mutations_of_.end() && told->first == source.name && is_written_[told->second])
      told = mutations_of_.erase(told);
    if (told != mutations_of_.end() && told->first == source.name) {
      m = told->second;
      mutations_of_.erase(told);
    } else if (write_backs_ == mutations_.size() && !is_written_[order]) {
      m = order;
    }
    if (m == mutations_.size()) return keep(i, source.node, "write-back of state");
    is_written_[m] = true;
    NodeId node = source.node;
    const auto maker = index_.makers.find({context_.edge_graph(), mutations_[m].value});
    if (!node.valid() && maker != index_.makers.end()) node = maker->second;
    keep(i, node, write_back_title(record_, mutations_[m]));
  }

  void place_view(uint32_t i, uint32_t read, const Source& source) {
    const std::span<const uint32_t> arguments = program_.arguments_of(program_.instructions[i]);
    const std::vector<uint32_t> written = tensors_of(arguments.last(1));
    std::vector<NodeId> views =
        written.size() == 1 ? views_of(source, written.front()) : std::vector<NodeId>();
    const auto call = call_of_.find(read);
    if (views.empty() && written.size() == 1 && is_unknown_[read] && call != call_of_.end())
      views = views_of_call(call->second, written.front());
    if (views.empty()) {
      if (written.size() == 1) lost_views_.emplace_back(i, written.front());
      pass_on(arguments, source);
      return keep(i, source.node, {});
    }
    is_view_used_.insert(views.front());
    view_of_[i] = views.front();
    write(arguments, views.front());
    keep_view(i, views);
  }

  void keep_view(uint32_t i, const std::vector<NodeId>& views, bool is_by_order = false) {
    const NodeId node = views.front();
    const Instruction instruction(static_cast<int32_t>(i));
    if (!unmapped_.contains(instruction)) return;
    NodePlacement placement = place_on_dominating(context_, std::span(&node, 1), true);
    std::set<std::pair<StringId, uint32_t>> lines;
    for (const NodeId view : views) {
      const FrameId frame = context_.line_of(view);
      if (frame.valid())
        lines.emplace(record_.frames[frame.value].file, record_.frames[frame.value].line);
    }
    const bool is_sure = lines.size() <= 1 && !is_by_order;
    placement.confidence = is_sure ? Confidence::Aligned : Confidence::Inferred;
    placement.candidates = static_cast<uint32_t>(std::max<size_t>(1, lines.size()));
    placed_[instruction] = {std::move(placement), {}};
  }

  bool may_be(NodeId view, uint32_t written) const {
    const Node& node = record_.nodes[view.value];
    return !is_view_used_.contains(view) &&
           (!node.shape.valid() ||
            fits_shape(record_.text(node.shape), shape_text(program_, program_.tensors[written])));
  }

  // For a delegate call whose outputs cannot be matched to nodes: the views of all their values.
  std::vector<NodeId> views_of_call(uint32_t call, uint32_t written) const {
    std::vector<NodeId> views;
    size_t left = kMaxInCall;
    for (const DebugHandle handle :
         handles_of_call(context_, Instruction(static_cast<int32_t>(call)))) {
      for (const NodeId maker : context_.nodes().nodes_of(handle)) {
        go_on();
        const Node& node = record_.nodes[maker.value];
        for (const StringId output : record_.outputs_of(node)) {
          if (left == 0) break;
          --left;
          const auto at = index_.views.find({node.graph, output});
          if (at == index_.views.end()) continue;
          for (const NodeId view :
               std::span(at->second.nodes).first(std::min(at->second.nodes.size(), left))) {
            --left;
            if (may_be(view, written)) views.push_back(view);
          }
        }
        if (left == 0) break;
      }
      if (left == 0) break;
    }
    std::sort(views.begin(), views.end());
    views.erase(std::unique(views.begin(), views.end()), views.end());
    return views;
  }

  // Views of values that nothing is known of, by their order: between the views that are placed
  // around them.
  void place_lost_views() {
    if (lost_views_.empty() || !context_.edge_graph().valid()) return;
    const std::vector<NodeId>& all = record_.graphs[context_.edge_graph().value].nodes;
    for (const auto& [i, written] : lost_views_) {
      const auto after = view_of_.upper_bound(i);
      if (after == view_of_.begin()) continue;
      const NodeId first = std::prev(after)->second;
      const NodeId last = after == view_of_.end() ? all.back() : after->second;
      std::vector<NodeId> views;
      auto at = std::upper_bound(all.begin(), all.end(), first);
      for (size_t n = 0; at != all.end() && *at < last && n < kMaxViews; ++at, ++n) {
        go_on();
        if (is_view_operator(context_.operator_of(*at)) && may_be(*at, written))
          views.push_back(*at);
      }
      if (views.empty()) continue;
      is_view_used_.insert(views.front());
      view_of_[i] = views.front();
      keep_view(i, views, true);
    }
  }

  // The views of the value that may be this one, in graph order; through others that were planned
  // away where the value has none left of its own.
  std::vector<NodeId> views_of(const Source& source, uint32_t written) {
    if (!source.name.valid()) return {};
    std::vector<std::vector<NodeId>> levels;
    std::vector<StringId> names{source.name};
    for (int depth = 0; depth < kMaxHiddenViews && !names.empty(); ++depth) {
      std::vector<StringId> next;
      std::vector<NodeId>& level = levels.emplace_back();
      for (const StringId name : names) {
        const auto at = index_.views.find({source.graph, name});
        if (at == index_.views.end()) continue;
        auto& [nodes, first] = at->second;
        while (first < nodes.size() && is_view_used_.contains(nodes[first])) ++first;
        for (size_t v = first; v < std::min(nodes.size(), first + kMaxViews); ++v) {
          go_on();
          const NodeId view = nodes[v];
          if (is_view_used_.contains(view)) continue;
          for (const StringId output : record_.outputs_of(record_.nodes[view.value]))
            next.push_back(output);
          if (may_be(view, written)) level.push_back(view);
        }
      }
      names = std::move(next);
      if (names.size() > kMaxViews) names.resize(kMaxViews);
    }
    // Of a view that was planned away its own views come first, not its siblings.
    if (source.is_hidden && levels.size() > 1)
      std::rotate(levels.begin(), levels.begin() + 1, levels.end());
    const auto found =
        std::find_if(levels.begin(), levels.end(),
                     [](const std::vector<NodeId>& level) { return !level.empty(); });
    if (found == levels.end()) return {};
    std::sort(found->begin(), found->end());
    return std::move(*found);
  }

  const MethodContext& context_;
  const EtRecord& record_;
  const ProgramMethod& program_;
  GraphIndex index_;
  InstructionNodes nodes_;
  std::set<Instruction> unmapped_;
  std::vector<GraphMutation> mutations_;
  std::multimap<StringId, size_t> mutations_of_;  // by value: those that no write-back is of yet
  std::vector<bool> is_written_;                  // by mutation
  size_t write_backs_ = 0;                        // of the program
  size_t order_ = 0;                              // of the next write-back
  std::vector<Source> sources_;                   // by tensor
  std::vector<bool> is_unknown_;                  // likewise: written, and nothing tells by what
  std::map<uint32_t, uint32_t> call_of_;          // by tensor: the call that is thought to write it
  std::map<Place, uint32_t> latest_;
  std::set<NodeId> is_view_used_;
  std::map<uint32_t, NodeId> view_of_;                     // by instruction
  std::vector<std::pair<uint32_t, uint32_t>> lost_views_;  // instruction, tensor
  std::map<Instruction, InsertedPlacement> placed_;
};

// Write-backs stand behind everything else, in the order of what the graph changes.
std::map<Instruction, InsertedPlacement> place_by_order(
    const MethodContext& context, std::span<const ExecutedInstruction> unmapped) {
  std::map<Instruction, InsertedPlacement> placed;
  const GraphId edge = context.edge_graph();
  if (!edge.valid()) return placed;
  const std::vector<GraphMutation>& mutations = context.record().graphs[edge.value].mutations;
  std::vector<Instruction> copies;
  for (const ExecutedInstruction& row : unmapped) {
    if (is_write_back(base_operator_of_kernel(row.kernel))) copies.push_back(row.instruction);
  }
  if (copies.empty() || copies.size() != mutations.size()) return placed;
  const GraphIndex index(context);
  for (size_t m = 0; m < mutations.size(); ++m) {
    const auto maker = index.makers.find({edge, mutations[m].value});
    if (maker == index.makers.end()) continue;
    placed[copies[m]] = {inferred(context, maker->second),
                         write_back_title(context.record(), mutations[m])};
  }
  return placed;
}

}  // namespace

std::map<Instruction, InsertedPlacement> place_inserted(
    const MethodContext& context, const RecordMethod& method, const ProgramMethod* program,
    std::span<const ExecutedInstruction> unmapped) {
  if (unmapped.empty()) return {};
  if (program == nullptr) return place_by_order(context, unmapped);
  std::map<Instruction, InsertedPlacement> placed =
      ProgramFlow(context, method, *program, unmapped).run();
  for (const auto& [instruction, node] : find_functionalized(context, *program, unmapped)) {
    NodePlacement placement = place_on_dominating(context, std::span(&node, 1), true);
    placement.confidence = Confidence::Aligned;
    placed.try_emplace(instruction, InsertedPlacement{std::move(placement), {}});
  }
  return placed;
}

}  // namespace etlens
