// SPDX-License-Identifier: Apache-2.0
#include "core/recover/units.h"

#include <algorithm>
#include <charconv>
#include <numeric>

#include "core/base/budget.h"
#include "core/recover/interpreter/operator_names.h"

namespace etlens::recover {
namespace {

bool is_quantize(std::string_view target) {
  return !target.empty() && target.front() == 'q' && target.starts_with("quantized_decomposed.");
}

std::string_view parent_path(std::string_view path) {
  const size_t dot = path.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : path.substr(0, dot);
}

// "[1, 4, s0] float32": where a size is symbolic it is -1.
TensorSizes read_sizes(std::string_view text) {
  TensorSizes result;
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

uint64_t pair_of(uint32_t call, uint32_t other) { return uint64_t{call} << 32 | other; }

}  // namespace

std::string_view last_part(std::string_view path) {
  const size_t dot = path.rfind('.');
  return dot == std::string_view::npos ? path : path.substr(dot + 1);
}

std::span<const int64_t> numbers_of(const EtRecord& record, const Node& node,
                                    std::string_view argument) {
  for (const ConstantArgument& row : record.constants_of(node)) {
    if (record.text(row.name) == argument) return record.values_of(row);
  }
  return {};
}

GraphUnits::GraphUnits(const EtRecord& record, GraphId graph,
                       const std::vector<bool>& is_project_file)
    : record_(record),
      graph_(graph),
      is_project_file_(is_project_file),
      traces_(record, record.graphs[graph.value], is_project_file) {
  number_values();
  read_modules();
  read_inputs();
  read_values();
  find_frozen_numbers();
  read_consumers();
  read_frames();
  stack_calls_.resize(record_.module_stacks.size());
  unit_of_group_.assign(record_.strings.size(), kNone);
  units_.reserve(this->graph().nodes.size());
  members_.reserve(this->graph().nodes.size() * 4);
  for (const NodeId id : this->graph().nodes) {
    go_on();
    add(id);
  }
  sort_by_call();
  compute_inputs_and_outputs();
}

void GraphUnits::number_values() {
  numbers_.resize(record_.strings.size());
  uint32_t count = 0;
  const auto meet = [&](StringId value) {
    if (value.valid() && number_of(value) == kNone) numbers_[value.value] = ++count;
  };
  for (const GraphInput& input : graph().inputs) meet(input.name);
  for (const TensorShape& tensor : graph().tensors) meet(tensor.name);
  for (const NodeId id : graph().nodes) {
    go_on();
    for (const StringId value : record_.inputs_of(record_.nodes[id.value])) meet(value);
    for (const StringId value : record_.outputs_of(record_.nodes[id.value])) meet(value);
  }
  for (const StringId output : graph().outputs) meet(output);
  canonical_.resize(count);
  std::iota(canonical_.begin(), canonical_.end(), 0u);
  roles_.resize(count);
  shapes_.resize(count);
  producers_.resize(count);
  settled_value_.resize(count);
  settled_reader_.resize(count);
}

void GraphUnits::read_inputs() {
  std::vector<Member> held;
  for (const GraphInput& input : graph().inputs) {
    if (input.kind == GraphInputKind::User) {
      user_inputs_.push_back(input.name.valid() ? number_of(input.name) : kNone);
      continue;
    }
    if (!input.name.valid()) continue;  // no node reads it
    const uint32_t value = number_of(input.name);
    roles_[value] |= kHeld;
    const std::string_view target = record_.text(input.target);
    const uint32_t first = held_.try_emplace(target, value).first->second;
    held.push_back({module_row(parent_path(target)), first, last_part(target)});
    // Numbers and tensors in the text of the source: their names are made up.
    if (input.kind == GraphInputKind::Constant ||
        target.find("lifted_tensor") != std::string_view::npos ||
        target.starts_with("_tensor_constant")) {
      roles_[value] |= kLifted;
    }
  }
  arrange_members(held, held_members_, &ModelModule::held, &ModelModule::held_values);
  // With one that has no name it cannot be told which argument is which.
  if (std::find(user_inputs_.begin(), user_inputs_.end(), kNone) != user_inputs_.end())
    user_inputs_.clear();
}

// Numbers in the text of the source that quantization made tensors of: they have no name there
// either.
void GraphUnits::find_frozen_numbers() {
  for (const GraphInput& input : graph().inputs) {
    go_on();
    if (!input.name.valid() || !is_held(number_of(input.name))) continue;
    const TensorSizes& sizes = sizes_of(number_of(input.name));
    if (sizes.is_known && sizes.sizes.empty() &&
        record_.text(input.name).find("_frozen_param") != std::string_view::npos)
      roles_[number_of(input.name)] |= kLifted;
  }
}

void GraphUnits::read_values() {
  settled_node_.resize(record_.nodes.size());
  is_quantize_.resize(record_.nodes.size());
  for (const TensorShape& tensor : graph().tensors) {
    shapes_[number_of(tensor.name)] = tensor.shape;
    const auto [at, is_new] = sizes_.try_emplace(tensor.shape);
    if (is_new) at->second = read_sizes(record_.text(tensor.shape));
  }
  for (const NodeId id : graph().nodes) {
    go_on();
    const Node& node = record_.nodes[id.value];
    const bool looks_through = is_quantize(record_.text(node.target));
    const std::span<const StringId> inputs = record_.inputs_of(node);
    for (const StringId output : record_.outputs_of(node)) {
      const uint32_t value = number_of(output);
      if (looks_through && !inputs.empty()) canonical_[value] = canonical(inputs.front());
      if (!producers_[value].valid()) producers_[value] = id;
    }
    if (!looks_through) continue;
    is_quantize_[id.value] = true;
    quantize_nodes_.push_back(id);
  }
  for (const StringId output : graph().outputs) roles_[canonical(output)] |= kReturned;
}

void GraphUnits::read_consumers() {
  const auto each_input = [&](const auto& see) {
    for (const NodeId id : graph().nodes) {
      go_on();
      if (is_quantize_[id.value]) continue;
      for (const StringId input : record_.inputs_of(record_.nodes[id.value]))
        see(canonical(input), id);
    }
  };
  first_consumer_.assign(canonical_.size() + 1, 0);
  each_input([&](uint32_t value, NodeId) { ++first_consumer_[value + 1]; });
  for (size_t v = 1; v < first_consumer_.size(); ++v) first_consumer_[v] += first_consumer_[v - 1];
  consumers_.resize(first_consumer_.back());
  std::vector<uint32_t> next(first_consumer_.begin(), first_consumer_.end() - 1);
  each_input([&](uint32_t value, NodeId id) { consumers_[next[value]++] = id; });
}

uint32_t GraphUnits::module_row(std::string_view path) {
  const auto [at, is_new] = module_rows_.try_emplace(path, static_cast<uint32_t>(modules_.size()));
  if (is_new) modules_.emplace_back().path = path;
  return at->second;
}

void GraphUnits::read_modules() {
  std::vector<Member> children;
  for (const StringId id : graph().module_paths) {
    std::string_view at = record_.text(id);
    for (uint32_t row = module_row(at); !modules_[row].is_listed;) {
      go_on();
      modules_[row].is_listed = true;
      if (at.empty()) break;
      const uint32_t above = module_row(parent_path(at));
      modules_[row].parent = above;
      children.push_back({above, row, last_part(at)});
      at = parent_path(at);
      row = above;
    }
  }
  arrange_members(children, children_, &ModelModule::children, &ModelModule::child_modules);
}

void GraphUnits::arrange_members(const std::vector<Member>& members, Members& arranged,
                                 std::span<const std::string_view> ModelModule::*names,
                                 std::span<const uint32_t> ModelModule::*things) {
  std::vector<uint32_t> first(modules_.size() + 1, 0);
  for (const Member& member : members) ++first[member.module + 1];
  for (size_t m = 1; m < first.size(); ++m) first[m] += first[m - 1];
  arranged.names.resize(members.size());
  arranged.things.resize(members.size());
  std::vector<uint32_t> next(first.begin(), first.end() - 1);
  for (const Member& member : members) {
    const uint32_t place = next[member.module]++;
    arranged.names[place] = member.name;
    arranged.things[place] = member.thing;
  }
  for (size_t m = 0; m < modules_.size(); ++m) {
    modules_[m].*names = std::span(arranged.names).subspan(first[m], first[m + 1] - first[m]);
    modules_[m].*things = std::span(arranged.things).subspan(first[m], first[m + 1] - first[m]);
  }
}

void GraphUnits::read_frames() {
  constexpr uint32_t kUnread = kNone;
  frames_of_stack_.assign(record_.stacks.size(), Range{0, kUnread});
  for (const NodeId id : graph().nodes) {
    const StackId stack = record_.nodes[id.value].stack;
    if (!stack.valid() || frames_of_stack_[stack.value].count != kUnread) continue;
    const auto first = static_cast<uint32_t>(kept_frames_.size());
    for (const FrameId frame_id : record_.frames_of(stack)) {
      go_on();
      const Frame& frame = record_.frames[frame_id.value];
      if (frame.file.value < is_project_file_.size() && is_project_file_[frame.file.value])
        kept_frames_.push_back({frame.file, frame.function, frame.line});
    }
    frames_of_stack_[stack.value] = {first, static_cast<uint32_t>(kept_frames_.size()) - first};
  }
}

std::span<const KeptFrame> GraphUnits::frames_of(const Node& node) const {
  if (!node.stack.valid()) return {};
  const Range& range = frames_of_stack_[node.stack.value];
  return std::span(kept_frames_).subspan(range.first, range.count);
}

StringId GraphUnits::shape_text(uint32_t value) const {
  return is_tensor(value) ? shapes_[value] : kEmptyString;
}

const TensorSizes& GraphUnits::sizes_of(uint32_t value) const {
  static const TensorSizes kUnknown;
  return is_tensor(value) ? sizes_.at(shapes_[value]) : kUnknown;
}

uint32_t GraphUnits::input_read_instead(uint32_t value) const {
  const auto is_used = [&](uint32_t one) {
    return first_consumer_[one] < first_consumer_[one + 1] || (roles_[one] & kReturned) != 0;
  };
  auto at = std::ranges::find(user_inputs_, value);
  if (at == user_inputs_.end() || !is_tensor(value) || is_used(value)) return kNone;
  uint32_t found = kNone;
  for (++at; at != user_inputs_.end(); ++at) {
    go_on();
    if (!is_tensor(*at) || shapes_[*at] != shapes_[value] || !is_used(*at)) continue;
    if (found != kNone) return kNone;
    found = *at;
  }
  return found;
}

uint32_t GraphUnits::held(std::string_view path) const {
  const auto at = held_.find(path);
  return at == held_.end() ? kNone : at->second;
}

const ModelModule* GraphUnits::find_module(std::string_view path) const {
  const auto at = module_rows_.find(path);
  return at == module_rows_.end() ? nullptr : &modules_[at->second];
}

bool GraphUnits::has_module(std::string_view path) const {
  const ModelModule* module = find_module(path);
  return module != nullptr && module->is_listed;
}

std::string_view GraphUnits::type_of(std::string_view path) const {
  const ModelModule* module = find_module(path);
  return module == nullptr ? std::string_view() : module->type;
}

uint32_t GraphUnits::last_unit(uint32_t call, std::string_view path) const {
  const auto module = module_rows_.find(path);
  if (module == module_rows_.end()) return kNone;
  const auto at = last_units_.find(pair_of(call, module->second));
  return at == last_units_.end() ? kNone : at->second;
}

uint32_t GraphUnits::call_of(const Module& module, uint32_t parent) {
  const auto [at, is_new] =
      call_of_key_.try_emplace(module.key, static_cast<uint32_t>(calls_.size()));
  if (is_new) {
    ModuleCall& call = calls_.emplace_back();
    call.key = module.key;
    call.path = record_.text(module.path);
    call.type = record_.text(module.type);
    call.parent = parent;
    call.module = module_row(call.path);
    if (modules_[call.module].type.empty()) modules_[call.module].type = call.type;
  }
  return at->second;
}

const GraphUnits::StackCalls& GraphUnits::calls_around(ModuleStackId stack) {
  StackCalls& around = stack_calls_[stack.value];
  if (around.is_known) return around;
  around.is_known = true;
  around.units.first = static_cast<uint32_t>(stack_units_.size());
  for (const Module& module : record_.modules_of(stack)) {
    go_on();
    const uint32_t parent = around.innermost;
    const uint32_t call = call_of(module, parent);
    around.innermost = call;
    if (parent == kNoCall) continue;
    const auto [at, is_new] =
        unit_of_child_.try_emplace(pair_of(parent, call), static_cast<uint32_t>(units_.size()));
    if (is_new) {
      SourceCall& unit = units_.emplace_back();
      unit.call = parent;
      unit.child = call;
    }
    stack_units_.push_back(at->second);
  }
  around.units.count = static_cast<uint32_t>(stack_units_.size()) - around.units.first;
  return around;
}

uint32_t GraphUnits::unit_of_group(uint32_t call, StringId group, const Node& node,
                                   std::string_view name) {
  uint32_t& last = unit_of_group_[group.value];
  if (last != kNone) {
    if (units_[last].call == call) return last;
    const auto [at, is_new] =
        older_units_.try_emplace(pair_of(units_[last].call, group.value), last);
    at->second = last;
    const auto older = older_units_.find(pair_of(call, group.value));
    if (older != older_units_.end()) return last = older->second;
  }
  last = static_cast<uint32_t>(units_.size());
  SourceCall& unit = units_.emplace_back();
  unit.call = call;
  unit.name = name;
  unit.is_layer = traces_.is_named_by_next(node);
  if (name.empty()) {
    const std::string_view origin =
        unit.is_layer ? std::string_view() : record_.origin_target(node);
    unit.origin = operator_of_target(origin.empty() ? record_.text(node.target) : origin);
  }
  return last;
}

// As operator_of_torch_fn: nodes that differ in the number of the call have one function.
std::string_view GraphUnits::operator_of(StringId torch_fn) {
  const std::string_view text = record_.text(torch_fn);
  const std::string_view function = text.substr(std::min(text.find(';'), text.size()));
  if (function.empty()) return {};
  const auto number = [&](size_t at) { return static_cast<uint8_t>(function[at]); };
  const size_t row =
      function.size() + number(function.size() / 2) * 5u + number(function.size() - 1);
  KnownFunction& last = last_functions_[row % last_functions_.size()];
  if (last.function == function) return last.name;
  const auto [at, is_new] = operators_.try_emplace(function);
  if (is_new) at->second = operator_of_torch_fn(text);
  last = {function, at->second};
  return at->second;
}

void GraphUnits::add(NodeId id) {
  if (is_quantize_[id.value]) return;
  const Node& node = record_.nodes[id.value];
  const std::span<const StringId> outputs = record_.outputs_of(node);
  const bool makes_tensor = std::any_of(outputs.begin(), outputs.end(), [&](StringId output) {
    return is_tensor(number_of(output));
  });
  if (!makes_tensor || !node.modules.valid()) return;
  const StackCalls around = calls_around(node.modules);
  for (uint32_t u = 0; u < around.units.count; ++u)
    members_.emplace_back(stack_units_[around.units.first + u], id);
  if (around.innermost == kNoCall) return;
  const bool is_misnamed = traces_.is_named_by_next(node);
  const std::string_view name = is_misnamed ? std::string_view() : operator_of(node.torch_fn);
  StringId group = node.name;
  if (!name.empty()) {
    group = node.torch_fn;
  } else if (node.origin.valid() && !is_misnamed) {
    group = node.origin;
  }
  members_.emplace_back(unit_of_group(around.innermost, group, node, name), id);
}

// Units of one call behind those of another, each with its nodes.
void GraphUnits::sort_by_call() {
  std::vector<uint32_t> first(calls_.size() + 1, 0);
  for (const SourceCall& unit : units_) ++first[unit.call + 1];
  for (size_t c = 1; c < first.size(); ++c) first[c] += first[c - 1];
  std::vector<uint32_t> place(units_.size());
  std::vector<uint32_t> next(first.begin(), first.end() - 1);
  std::vector<SourceCall> ordered(units_.size());
  for (size_t u = 0; u < units_.size(); ++u) {
    place[u] = next[units_[u].call]++;
    ordered[place[u]] = units_[u];
  }
  units_ = std::move(ordered);
  for (size_t c = 0; c < calls_.size(); ++c) {
    calls_[c].units = std::span(units_).subspan(first[c], first[c + 1] - first[c]);
    for (uint32_t u = 0; u < calls_[c].units.size(); ++u) {
      const uint32_t child = calls_[c].units[u].child;
      if (child == kNoCall) continue;
      calls_[child].unit = u;
      last_units_[pair_of(static_cast<uint32_t>(c), calls_[child].module)] = u;
    }
  }
  std::vector<uint32_t> begin(units_.size() + 1, 0);
  for (const auto& [unit, node] : members_) ++begin[place[unit] + 1];
  for (size_t u = 1; u < begin.size(); ++u) begin[u] += begin[u - 1];
  unit_nodes_.resize(members_.size());
  std::vector<uint32_t> at(begin.begin(), begin.end() - 1);
  for (const auto& [unit, node] : members_) unit_nodes_[at[place[unit]]++] = node;
  for (size_t u = 0; u < units_.size(); ++u)
    units_[u].nodes = std::span(unit_nodes_).subspan(begin[u], begin[u + 1] - begin[u]);
}

}  // namespace etlens::recover
