// SPDX-License-Identifier: Apache-2.0
// Sizes, dimensions and bounds of a call against the nodes that it may be.
#include <algorithm>

#include "core/recover/interpreter/interpreter.h"
#include "core/recover/interpreter/operator_names.h"

namespace etlens::recover {
namespace {

int64_t normal_dim(int64_t dim, size_t rank) {
  return dim < 0 ? dim + static_cast<int64_t>(rank) : dim;
}

}  // namespace

Value argument(const Arguments& arguments, size_t position, std::string_view name) {
  if (position < arguments.positional.size()) return arguments.positional[position];
  for (const auto& [key, value] : arguments.named) {
    if (key == name) return value;
  }
  return nullptr;
}

Value Interpreter::size_of(Value tensor, Value dim) {
  const auto open = [&](std::string_view key) -> Value {
    return tensor->is(ValueKind::Tensor) || tensor->is(ValueKind::Unknown)
               ? unknown_attribute(tensor, key)
               : arena_.unknown();
  };
  if (!tensor->is(ValueKind::Tensor) || tensor->tensor().state != TensorState::Known ||
      tensor->tensor().names.size() != 1 || problem_ == nullptr) {
    return open(dim == nullptr ? "shape" : "size");
  }
  const TensorSizes& sizes = problem_->graph->sizes_of(tensor->tensor().names[0]);
  if (!sizes.is_known) return open("shape");
  std::vector<Value> items;
  for (size_t i = 0; i < sizes.sizes.size(); ++i) {
    items.push_back(sizes.sizes[i] >= 0 ? arena_.integer(sizes.sizes[i])
                                        : open("#" + std::to_string(i)));
  }
  if (dim == nullptr) return arena_.tuple(std::move(items));
  if (!dim->is(ValueKind::Int)) return arena_.unknown();
  const int64_t i = normal_dim(dim->integer(), items.size());
  if (i < 0 || i >= static_cast<int64_t>(items.size())) {
    stop();
    return arena_.unknown();
  }
  return items[static_cast<size_t>(i)];
}

// Whether sizes, dimensions and bounds of a call contradict its nodes.
bool Interpreter::arguments_fit(const Unit& unit, std::string_view name,
                                const Arguments& arguments) {
  const GraphUnits& graph = *problem_->graph;
  const EtRecord& record = graph.record();
  if (unit.outputs.empty()) return true;
  const TensorSizes& result = graph.sizes_of(unit.outputs[0]);
  const auto constant = [&](const Node& node, std::string_view key) -> std::span<const int64_t> {
    for (const ConstantArgument& row : record.constants_of(node)) {
      if (record.text(row.name) == key) return record.values_of(row);
    }
    return {};
  };
  const auto sizes_given = [&](size_t from, std::string_view key) {
    std::vector<Value> given;
    const Value first = argument(arguments, from, key);
    if (first != nullptr && is_sequence(first)) return first->items();
    for (size_t i = from; i < arguments.positional.size(); ++i)
      given.push_back(arguments.positional[i]);
    return given;
  };
  if (name == "getitem") {
    return indices_fit(unit, {arguments.positional.begin() + 1, arguments.positional.end()});
  }
  if (arguments.has_more) return true;
  if (name == "view" || name == "reshape" || name == "expand") {
    const std::vector<Value> given = sizes_given(1, name == "expand" ? "size" : "shape");
    if (given.empty() || !result.is_known || result.sizes.empty()) return true;
    if (given.size() == 1 && given[0]->is(ValueKind::Unknown)) return true;
    if (given.size() == 1 && given[0]->is(ValueKind::External)) return true;  // view(dtype)
    if (given.size() != result.sizes.size()) return false;
    for (size_t i = 0; i < given.size(); ++i) {
      if (!given[i]->is(ValueKind::Int) || given[i]->integer() < 0 || result.sizes[i] < 0) continue;
      if (given[i]->integer() != result.sizes[i]) return false;
    }
    return true;
  }
  const Node& main = record.nodes[unit.nodes.back().value];
  const Value self = arguments.positional.empty() ? nullptr : arguments.positional[0];
  size_t rank = result.sizes.size();
  if (self != nullptr && self->is(ValueKind::Tensor) && self->tensor().names.size() == 1) {
    const TensorSizes& own = graph.sizes_of(self->tensor().names[0]);
    if (own.is_known) rank = own.sizes.size();
  } else if (self != nullptr && self->is(ValueKind::Unknown) && unit.inputs.size() == 1) {
    const TensorSizes& read = graph.sizes_of(unit.inputs[0]);
    if (read.is_known) rank = read.sizes.size();
  }
  if (name == "permute") {
    const std::vector<Value> given = sizes_given(1, "dims");
    const std::span<const int64_t> dims = constant(main, "dims");
    if (given.empty() || dims.empty()) return true;
    if (given.size() != dims.size()) return given.size() == 1 && given[0]->is(ValueKind::Unknown);
    for (size_t i = 0; i < dims.size(); ++i) {
      if (given[i]->is(ValueKind::Int) &&
          normal_dim(given[i]->integer(), dims.size()) != normal_dim(dims[i], dims.size())) {
        return false;
      }
    }
    return true;
  }
  if (name == "transpose") {
    const Value a = argument(arguments, 1, "dim0");
    const Value b = argument(arguments, 2, "dim1");
    const std::span<const int64_t> dims = constant(main, "dims");
    if (a == nullptr || b == nullptr || dims.empty() || !a->is(ValueKind::Int) ||
        !b->is(ValueKind::Int)) {
      return true;
    }
    const auto x = static_cast<size_t>(normal_dim(a->integer(), dims.size()));
    const auto y = static_cast<size_t>(normal_dim(b->integer(), dims.size()));
    if (x >= dims.size() || y >= dims.size()) return false;
    return normal_dim(dims[x], dims.size()) == static_cast<int64_t>(y) &&
           normal_dim(dims[y], dims.size()) == static_cast<int64_t>(x);
  }
  const bool is_reduction = name == "mean" || name == "sum" || name == "amax" || name == "amin" ||
                            name == "softmax" || name == "log_softmax" || name == "cat" ||
                            name == "unsqueeze" || name == "cumsum" || name == "topk" ||
                            name == "argmax" || name == "argmin";
  if (is_reduction && (unit.nodes.size() == 1 || name == "cat")) {
    const Value dim = argument(arguments, name == "topk" ? 2 : 1, "dim");
    const std::span<const int64_t> dims = constant(main, "dim");
    if (dim == nullptr || dims.empty()) return true;
    if (name == "unsqueeze") rank = result.sizes.size();
    if (name == "cat") rank = result.sizes.size();
    if (rank == 0) return true;
    std::vector<Value> given{dim};
    if (is_sequence(dim)) given = dim->items();
    if (given.size() != dims.size()) return dim->is(ValueKind::Unknown) || dim->is(ValueKind::None);
    for (size_t i = 0; i < dims.size(); ++i) {
      if (given[i]->is(ValueKind::Int) &&
          normal_dim(given[i]->integer(), rank) != normal_dim(dims[i], rank)) {
        return false;
      }
    }
    return true;
  }
  if (name == "narrow" && unit.nodes.size() == 1) {
    const Value dim = argument(arguments, 1, "dim");
    const Value start = argument(arguments, 2, "start");
    const Value length = argument(arguments, 3, "length");
    const auto differs = [](Value value, std::span<const int64_t> row, int64_t add) {
      return value != nullptr && value->is(ValueKind::Int) && !row.empty() && row[0] >= 0 &&
             value->integer() >= 0 && value->integer() + add != row[0];
    };
    if (differs(dim, constant(main, "dim"), 0)) return false;
    if (differs(start, constant(main, "start"), 0)) return false;
    if (start != nullptr && start->is(ValueKind::Int) && start->integer() >= 0 &&
        start->integer() < (1LL << 40) &&
        differs(length, constant(main, "end"), start->integer())) {
      return false;
    }
  }
  return true;
}

// Slices and indices of one subscript against the nodes that it became.
bool Interpreter::indices_fit(const Unit& unit, const std::vector<Value>& indices) {
  const EtRecord& record = problem_->graph->record();
  size_t expected = 0;  // nodes that move data
  bool is_known = true;
  for (const Value index : indices) {
    if (index->is(ValueKind::Slice)) {
      if (!is_full_slice(index)) ++expected;
    } else if (index->is(ValueKind::Int) || index->is(ValueKind::None)) {
      ++expected;
    } else if (!index->is(ValueKind::Ellipsis)) {
      is_known = false;
    }
  }
  if (!is_known) return true;
  size_t found = 0;
  std::vector<const Node*> moved;
  for (const NodeId id : unit.nodes) {
    const Node& node = record.nodes[id.value];
    const std::string_view name = operator_of_target(record.text(node.target));
    if (name == "slice" || name == "select" || name == "unsqueeze") {
      ++found;
      moved.push_back(&node);
    } else if (name != "squeeze" && name != "clone" && name != "to_dim_order") {
      return true;  // index, copies: no simple picture
    }
  }
  // A slice over everything leaves no node; every node has an index.
  if (found > expected) return false;
  size_t next = 0;
  for (const Value index : indices) {
    if (index->is(ValueKind::Ellipsis) || next >= moved.size()) continue;
    if (found != expected) break;
    if (is_full_slice(index)) continue;
    const Node& node = *moved[next++];
    const std::string_view name = operator_of_target(record.text(node.target));
    const auto constant = [&](std::string_view key) -> std::span<const int64_t> {
      for (const ConstantArgument& row : record.constants_of(node)) {
        if (record.text(row.name) == key) return record.values_of(row);
      }
      return {};
    };
    if (index->is(ValueKind::None)) {
      if (name != "unsqueeze") return false;
    } else if (index->is(ValueKind::Int)) {
      // select may have become slice and squeeze
      if (name == "unsqueeze") return false;
      const std::span<const int64_t> row = constant(name == "select" ? "index" : "start");
      if (!row.empty() && (row[0] < 0) == (index->integer() < 0) && row[0] != index->integer())
        return false;
    } else if (index->is(ValueKind::Slice)) {
      if (name != "slice") return false;
      static constexpr std::string_view kKeys[] = {"start", "end", "step"};
      const auto& [start, stop, step] = index->slice();
      const Value bounds[] = {start, stop, step};
      for (size_t i = 0; i < 3; ++i) {
        const std::span<const int64_t> row = constant(kKeys[i]);
        if (row.empty() || !bounds[i]->is(ValueKind::Int)) continue;
        const int64_t given = bounds[i]->integer();
        if ((row[0] < 0) == (given < 0) && row[0] != given && row[0] < (1LL << 40)) {
          // Bounds behind the end are cut.
          if (i == 1 && given > row[0] && row[0] >= 0) continue;
          return false;
        }
      }
    }
  }
  return true;
}

// No node is what the call must leave: dropout of a model in use, a conversion to the type that the
// tensor has.
bool Interpreter::changes_nothing(std::string_view name, std::string_view raw,
                                  const Arguments& arguments) {
  // What makes a copy contiguous leaves its node, and that one has to be explained.
  if (name.find("dropout") != std::string_view::npos || name == "detach" || name == "contiguous")
    return true;
  if (name != "to" || arguments.positional.empty()) return false;
  const Value self = arguments.positional[0];
  if (!self->is(ValueKind::Tensor) || self->tensor().names.size() != 1) return false;
  const std::string_view dtype = problem_->graph->sizes_of(self->tensor().names[0]).dtype;
  if (raw == "float") return dtype == "float32";
  if (raw == "long") return dtype == "int64";
  const Value wanted = argument(arguments, 1, "dtype");
  return wanted != nullptr && wanted->is(ValueKind::External) && !dtype.empty() &&
         wanted->name() == "torch." + std::string(dtype);
}

}  // namespace etlens::recover
