// SPDX-License-Identifier: Apache-2.0
#include "core/recover/units.h"

#include <algorithm>
#include <charconv>

#include "core/base/budget.h"
#include "core/recover/operator_names.h"

namespace etlens::recover {
namespace {

bool is_quantize(std::string_view target) { return target.starts_with("quantized_decomposed."); }

std::string_view parent_path(std::string_view path) {
  const size_t dot = path.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : path.substr(0, dot);
}

std::string_view last_part(std::string_view path) {
  const size_t dot = path.rfind('.');
  return dot == std::string_view::npos ? path : path.substr(dot + 1);
}

}  // namespace

GraphUnits::GraphUnits(const EtRecord& record, GraphId graph,
                       const std::vector<bool>& is_project_file)
    : record_(record), graph_(graph), is_project_file_(is_project_file) {
  read_values();
  read_modules();
  for (const NodeId id : this->graph().nodes) {
    go_on();
    add(id);
  }
  for (ModuleCall& call : calls_) settle(call);
}

void GraphUnits::read_values() {
  const Graph& graph = this->graph();
  const size_t count = record_.strings.size();
  canonical_.resize(count);
  for (uint32_t v = 0; v < count; ++v) canonical_[v] = v;
  shapes_.resize(count);
  producers_.resize(count);
  unit_of_value_.resize(count);
  reader_of_value_.resize(count);
  unit_of_node_.resize(record_.nodes.size());
  for (const TensorShape& tensor : graph.tensors) shapes_[tensor.name.value] = tensor.shape;
  for (const GraphInput& input : graph.inputs) {
    if (input.kind == GraphInputKind::User) {
      user_inputs_.push_back(input.name.value);
    } else {
      held_values_.insert(input.name.value);
      const std::string_view target = record_.text(input.target);
      held_.emplace(target, input.name.value);
      held_children_[parent_path(target)].push_back(last_part(target));
      // Numbers and tensors in the text of the source: their names are made up.
      if (input.kind == GraphInputKind::Constant ||
          target.find("lifted_tensor") != std::string_view::npos ||
          target.starts_with("_tensor_constant")) {
        lifted_.insert(input.name.value);
      }
    }
  }
  for (const NodeId id : graph.nodes) {
    go_on();
    const Node& node = record_.nodes[id.value];
    const bool looks_through = is_quantize(record_.text(node.target));
    const std::span<const StringId> inputs = record_.inputs_of(node);
    for (const StringId output : record_.outputs_of(node)) {
      if (looks_through && !inputs.empty()) canonical_[output.value] = canonical(inputs.front());
      if (!producers_[output.value].valid()) producers_[output.value] = id;
    }
    if (looks_through) {
      quantize_nodes_.push_back(id);
      continue;
    }
  }
  read_consumers();
  for (const StringId output : graph.outputs) returned_.insert(canonical(output));
}

void GraphUnits::read_consumers() {
  const auto each_input = [&](const auto& see) {
    for (const NodeId id : graph().nodes) {
      go_on();
      const Node& node = record_.nodes[id.value];
      if (is_quantize(record_.text(node.target))) continue;
      for (const StringId input : record_.inputs_of(node)) see(canonical(input), id);
    }
  };
  first_consumer_.assign(canonical_.size() + 1, 0);
  each_input([&](uint32_t value, NodeId) { ++first_consumer_[value + 1]; });
  for (size_t v = 1; v < first_consumer_.size(); ++v) first_consumer_[v] += first_consumer_[v - 1];
  consumers_.resize(first_consumer_.back());
  std::vector<uint32_t> next(first_consumer_.begin(), first_consumer_.end() - 1);
  each_input([&](uint32_t value, NodeId id) { consumers_[next[value]++] = id; });
}

void GraphUnits::read_modules() {
  std::unordered_set<std::string_view> seen;
  for (const StringId id : graph().module_paths) {
    const std::string_view path = record_.text(id);
    if (!seen.insert(path).second) continue;
    for (std::string_view at = path; module_paths_.insert(at).second && !at.empty();) {
      children_[parent_path(at)].push_back(last_part(at));
      at = parent_path(at);
    }
  }
}

uint32_t GraphUnits::canonical(StringId value) const { return canonical_[value.value]; }

StringId GraphUnits::shape_text(uint32_t value) const {
  return is_tensor(value) ? shapes_[value] : kEmptyString;
}

TensorSizes GraphUnits::sizes_of(uint32_t value) const {
  TensorSizes result;
  if (!is_tensor(value)) return result;
  std::string_view text = record_.text(shapes_[value]);
  const size_t close = text.find(']');
  if (text.empty() || text.front() != '[' || close == std::string_view::npos) return result;
  result.is_known = true;
  if (close + 2 <= text.size()) result.dtype = text.substr(close + 2);
  text = text.substr(1, close - 1);
  while (!text.empty()) {
    const size_t comma = text.find(", ");
    const std::string_view part = text.substr(0, comma);
    int64_t size = -1;
    const auto parsed = std::from_chars(part.data(), part.data() + part.size(), size);
    if (parsed.ec != std::errc() || parsed.ptr != part.data() + part.size()) size = -1;
    result.sizes.push_back(size);
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 2);
  }
  return result;
}

uint32_t GraphUnits::held(std::string_view path) const {
  const auto at = held_.find(path);
  return at == held_.end() ? kNone : at->second;
}

bool GraphUnits::has_module(std::string_view path) const { return module_paths_.contains(path); }

std::string_view GraphUnits::type_of(std::string_view path) const {
  const auto at = types_.find(std::string(path));
  return at == types_.end() ? std::string_view() : std::string_view(at->second);
}

std::vector<std::string_view> GraphUnits::children_of(std::string_view path) const {
  const auto at = children_.find(path);
  return at == children_.end() ? std::vector<std::string_view>() : at->second;
}

std::vector<std::string_view> GraphUnits::held_below(std::string_view path) const {
  const auto at = held_children_.find(path);
  return at == held_children_.end() ? std::vector<std::string_view>() : at->second;
}

std::vector<KeptFrame> GraphUnits::frames_of(const Node& node) const {
  std::vector<KeptFrame> kept;
  if (!node.stack.valid()) return kept;
  for (const FrameId id : record_.frames_of(node.stack)) {
    const Frame& frame = record_.frames[id.value];
    if (frame.file.value < is_project_file_.size() && is_project_file_[frame.file.value])
      kept.push_back({frame.file, frame.function, frame.line});
  }
  return kept;
}

NodeId GraphUnits::producer(uint32_t value) const { return producers_[value]; }

uint32_t GraphUnits::call_of(StringId key, std::string_view path, std::string_view type,
                             uint32_t parent) {
  const auto [at, is_new] = call_of_key_.try_emplace(key, static_cast<uint32_t>(calls_.size()));
  if (is_new) {
    ModuleCall call;
    call.key = key;
    call.path = path;
    call.type = type;
    call.parent = parent;
    calls_.push_back(std::move(call));
    types_.emplace(std::string(path), std::string(type));
  }
  return at->second;
}

void GraphUnits::add(NodeId id) {
  const Node& node = record_.nodes[id.value];
  if (is_quantize(record_.text(node.target))) return;
  const std::span<const StringId> outputs = record_.outputs_of(node);
  const bool makes_tensor = std::any_of(outputs.begin(), outputs.end(),
                                        [&](StringId output) { return is_tensor(output.value); });
  if (!makes_tensor || !node.modules.valid()) return;
  const std::span<const Module> modules = record_.modules_of(node.modules);
  uint32_t parent = kNoCall;
  for (size_t m = 0; m < modules.size(); ++m) {
    go_on();
    const uint32_t call = call_of(modules[m].key, record_.text(modules[m].path),
                                  record_.text(modules[m].type), parent);
    if (parent != kNoCall) {
      const auto [at, is_new] =
          unit_of_.try_emplace(uint64_t{parent} << 33 | 1ull << 32 | call,
                               static_cast<uint32_t>(calls_[parent].units.size()));
      if (is_new) {
        calls_[parent].units.emplace_back().child = call;
        calls_[call].unit = at->second;
      }
      calls_[parent].units[at->second].nodes.push_back(id);
    }
    parent = call;
  }
  if (parent == kNoCall) return;
  std::string name = operator_of_torch_fn(record_.text(node.torch_fn));
  StringId group = node.name;
  if (!name.empty()) {
    group = node.torch_fn;
  } else if (node.origin.valid()) {
    group = node.origin;
  }
  std::vector<Unit>& units = calls_[parent].units;
  const auto [at, is_new] = unit_of_.try_emplace(uint64_t{parent} << 33 | group.value,
                                                 static_cast<uint32_t>(units.size()));
  if (is_new) {
    Unit& unit = units.emplace_back();
    unit.name = std::move(name);
    const std::string_view origin = record_.origin_target(node);
    unit.origin = operator_of_target(origin.empty() ? record_.text(node.target) : origin);
  }
  units[at->second].nodes.push_back(id);
}

void GraphUnits::settle(ModuleCall& call) {
  for (uint32_t u = 0; u < call.units.size(); ++u) {
    Unit& unit = call.units[u];
    if (unit.child != kNoCall) call.last_unit[calls_[unit.child].path] = u;
    ++settled_;
    for (const NodeId id : unit.nodes) unit_of_node_[id.value] = settled_;
    for (const NodeId id : unit.nodes) {
      const Node& node = record_.nodes[id.value];
      go_on();
      for (const StringId input : record_.inputs_of(node)) {
        const uint32_t value = canonical(input);
        if (unit_of_value_[value] == settled_ || reader_of_value_[value] == settled_ ||
            !is_tensor(value)) {
          continue;
        }
        reader_of_value_[value] = settled_;
        unit.inputs.push_back(value);
      }
      for (const StringId output : record_.outputs_of(node))
        unit_of_value_[output.value] = settled_;
      if (unit.frames.empty()) unit.frames = frames_of(node);
    }
    for (const NodeId id : unit.nodes) {
      for (const StringId output : record_.outputs_of(record_.nodes[id.value])) {
        const uint32_t value = output.value;
        if (canonical(output) != value || !is_tensor(value)) continue;
        bool is_used = returned_.contains(value);
        bool is_used_up = false;
        for (uint32_t c = first_consumer_[value]; c < first_consumer_[value + 1]; ++c) {
          go_on();
          (unit_of_node_[consumers_[c].value] == settled_ ? is_used_up : is_used) = true;
        }
        if (is_used) unit.outputs.push_back(value);
        if (!is_used_up || is_used) unit.results.push_back(value);
      }
    }
    if (unit.outputs.empty()) unit.outputs = unit.results;
  }
}

}  // namespace etlens::recover
