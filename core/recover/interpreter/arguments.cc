// SPDX-License-Identifier: Apache-2.0
// Sizes, dimensions and bounds of a call against the nodes that it may be.

#include "core/recover/interpreter/attributes.h"
#include "core/recover/interpreter/evaluator.h"
#include "core/recover/interpreter/operator_names.h"
#include "core/recover/interpreter/places.h"

namespace etlens::recover {
namespace {

int64_t normal_dim(int64_t dim, size_t rank) {
  return dim < 0 ? dim + static_cast<int64_t>(rank) : dim;
}

// f(x, 1, 2) or f(x, (1, 2)).
std::vector<Value> sizes_given(const Arguments& arguments, std::string_view key) {
  const Value first = argument(arguments, 1, key);
  if (first != nullptr && is_sequence(first)) return first->items();
  if (arguments.positional.size() < 2) return {};
  return {arguments.positional.begin() + 1, arguments.positional.end()};
}

// Each integer among them is the dimension that the node has.
bool are_dims(const std::vector<Value>& given, std::span<const int64_t> dims, size_t rank) {
  for (size_t i = 0; i < dims.size(); ++i) {
    if (given[i]->is(ValueKind::Int) &&
        normal_dim(given[i]->integer(), rank) != normal_dim(dims[i], rank)) {
      return false;
    }
  }
  return true;
}

// view, reshape and expand.
bool sizes_fit(const std::vector<Value>& given, const TensorSizes& result) {
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

bool is_sized_by_arguments(std::string_view name) {
  static constexpr std::string_view kNames[] = {"empty",    "full",      "new_empty", "new_full",
                                                "new_ones", "new_zeros", "ones",      "rand",
                                                "randn",    "zeros"};
  return std::ranges::find(kNames, name) != std::end(kNames);
}

// zeros(2, 3), ones((2, 3)), new_full((2, 3), 1)
bool created_sizes_fit(std::string_view name, const Arguments& arguments,
                       const TensorSizes& result) {
  const bool is_of_tensor = name.starts_with("new_");
  const bool is_filled = name.ends_with("full");
  Value first = argument(arguments, is_of_tensor ? 1 : 0, "size");
  if (first == nullptr || (is_filled && !is_sequence(first))) return true;
  if (is_sequence(first)) return sizes_fit(first->items(), result);
  const auto begin = arguments.positional.begin() + (is_of_tensor ? 1 : 0);
  return sizes_fit({begin, arguments.positional.end()}, result);
}

// arange(end), arange(start, end), arange(start, end, step); of known bounds no length is symbolic.
bool range_fits(const Arguments& arguments, const TensorSizes& result) {
  if (!result.is_known || result.sizes.size() != 1) return true;
  const bool names_end =
      std::ranges::any_of(arguments.named, [](const auto& row) { return row.first == "end"; });
  const bool begins = arguments.positional.size() > 1 || names_end;
  const Value start = argument(arguments, begins ? 0 : SIZE_MAX, "start");
  const Value end = argument(arguments, begins ? 1 : 0, "end");
  const Value step = argument(arguments, 2, "step");
  const auto is_open = [](Value value) {
    return !value->is(ValueKind::Int) || value->integer() > kToTheEnd ||
           value->integer() < -kToTheEnd;
  };
  if (end == nullptr || is_open(end) || (start != nullptr && is_open(start)) ||
      (step != nullptr && (is_open(step) || step->integer() == 0))) {
    return true;
  }
  const int64_t length = end->integer() - (start == nullptr ? 0 : start->integer());
  const int64_t by = step == nullptr ? 1 : step->integer();
  const bool has_rest = length % by != 0 && (length > 0) == (by > 0);
  return result.sizes[0] == std::max<int64_t>(length / by + (has_rest ? 1 : 0), 0);
}

bool permutation_fits(const std::vector<Value>& given, std::span<const int64_t> dims) {
  if (given.empty() || dims.empty()) return true;
  if (given.size() != dims.size()) return given.size() == 1 && given[0]->is(ValueKind::Unknown);
  return are_dims(given, dims, dims.size());
}

bool transposition_fits(const Arguments& arguments, std::span<const int64_t> dims) {
  const Value a = argument(arguments, 1, "dim0");
  const Value b = argument(arguments, 2, "dim1");
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

bool has_dims(std::string_view name) {
  static constexpr std::string_view kNames[] = {"mean",    "sum",         "amax",   "amin",
                                                "softmax", "log_softmax", "cat",    "unsqueeze",
                                                "cumsum",  "topk",        "argmax", "argmin"};
  return std::ranges::find(kNames, name) != std::end(kNames);
}

bool dims_fit(Value dim, std::span<const int64_t> dims, size_t rank) {
  if (dim == nullptr || dims.empty() || rank == 0) return true;
  const std::vector<Value> given = is_sequence(dim) ? dim->items() : std::vector<Value>{dim};
  if (given.size() != dims.size()) return dim->is(ValueKind::Unknown) || dim->is(ValueKind::None);
  return are_dims(given, dims, rank);
}

bool narrowing_fits(const Arguments& arguments, const EtRecord& record, const Node& node) {
  const Value start = argument(arguments, 2, "start");
  const auto differs = [&](Value value, std::string_view key, int64_t add) {
    const std::span<const int64_t> row = numbers_of(record, node, key);
    return value != nullptr && value->is(ValueKind::Int) && !row.empty() && row[0] >= 0 &&
           value->integer() >= 0 && value->integer() + add != row[0];
  };
  if (differs(argument(arguments, 1, "dim"), "dim", 0) || differs(start, "start", 0)) return false;
  const bool is_start_known = start != nullptr && start->is(ValueKind::Int) &&
                              start->integer() >= 0 && start->integer() < kToTheEnd;
  return !is_start_known || !differs(argument(arguments, 3, "length"), "end", start->integer());
}

// x.to(y.device), x.to("cpu"): an export has one device.
bool moves_alone(const Arguments& arguments) {
  if (arguments.positional.size() > 2 || arguments.has_more) return false;
  const auto is_device = [](Value value) {
    const auto* const member = origin_of<payload::MemberOf>(value);
    return value->is(ValueKind::Text) || (member != nullptr && member->name == "device");
  };
  const bool has_position = arguments.positional.size() == 2;
  if (has_position && !is_device(arguments.positional[1])) return false;
  return (has_position && arguments.named.empty()) ||
         (!has_position && arguments.named.size() == 1 && arguments.named[0].first == "device");
}

}  // namespace

Value argument(const Arguments& arguments, size_t position, std::string_view name) {
  if (position < arguments.positional.size()) return arguments.positional[position];
  for (const auto& [key, value] : arguments.named) {
    if (key == name) return value;
  }
  return nullptr;
}

Value Matcher::size_of(Value tensor, Value dim) {
  const auto open = [&](std::string_view key) -> Value {
    return tensor->is(ValueKind::Tensor) || tensor->is(ValueKind::Unknown)
               ? unknown_attribute(run_, tensor, key)
               : run_.arena.unknown();
  };
  const std::optional<std::vector<int64_t>> sizes = sizes_of(tensor);
  if (!sizes) return open(dim == nullptr ? "shape" : "size");
  std::vector<Value> items;
  for (size_t i = 0; i < sizes->size(); ++i) {
    items.push_back((*sizes)[i] >= 0 ? run_.arena.integer((*sizes)[i])
                                     : open("#" + std::to_string(i)));
    const Value size = items.back();
    if (tensor->tensor().names.size() == 1 && run_.may_write(size) && size->is(ValueKind::Unknown))
      size->unknown().origin = payload::SizeOf{tensor->tensor().names[0], i};
  }
  if (dim == nullptr) return run_.arena.tuple(std::move(items));
  if (!dim->is(ValueKind::Int)) return run_.arena.unknown();
  const int64_t i = normal_dim(dim->integer(), items.size());
  if (i < 0 || i >= static_cast<int64_t>(items.size())) {
    run_.stop();
    return run_.arena.unknown();
  }
  return items[static_cast<size_t>(i)];
}

// The sizes of a tensor, -1 for an unknown one. Of one of several values those in which all agree;
// nullopt if they have not the same number of sizes.
std::optional<std::vector<int64_t>> Matcher::sizes_of(Value tensor) const {
  if (!tensor->is(ValueKind::Tensor) || tensor->tensor().state != TensorState::Known ||
      is_multiple(tensor) || tensor->tensor().has_open_sizes || run_.task == nullptr) {
    return std::nullopt;
  }
  std::optional<std::vector<int64_t>> common;
  for (const uint32_t name : tensor->tensor().names) {
    run_.step();
    const TensorSizes& sizes = run_.task->graph->sizes_of(name);
    if (!sizes.is_known) return std::nullopt;
    if (!common) common = sizes.sizes;
    if (common->size() != sizes.sizes.size()) return std::nullopt;
    for (size_t i = 0; i < common->size(); ++i) {
      if ((*common)[i] != sizes.sizes[i]) (*common)[i] = -1;
    }
  }
  return common;
}

// Whether sizes, dimensions and bounds of a call contradict its nodes.
bool Matcher::arguments_fit(const SourceCall& unit, std::string_view name,
                            const Arguments& arguments) {
  const GraphUnits& graph = *run_.task->graph;
  const EtRecord& record = graph.record();
  if (unit.outputs.empty()) return true;
  if (name == "getitem")
    return reads_part(graph, unit.nodes,
                      {arguments.positional.begin() + 1, arguments.positional.end()});
  if (arguments.has_more) return true;
  const TensorSizes& result = graph.sizes_of(unit.outputs[0]);
  if (name == "view" || name == "reshape" || name == "expand")
    return sizes_fit(sizes_given(arguments, name == "expand" ? "size" : "shape"), result);
  if (name == "arange") return range_fits(arguments, result);
  if (is_sized_by_arguments(name)) return created_sizes_fit(name, arguments, result);
  const Node& main = record.nodes[unit.nodes.back().value];
  if (name == "permute")
    return permutation_fits(sizes_given(arguments, "dims"), numbers_of(record, main, "dims"));
  if (name == "transpose") return transposition_fits(arguments, numbers_of(record, main, "dims"));
  if (has_dims(name) && (unit.nodes.size() == 1 || name == "cat")) {
    const bool is_of_result = name == "unsqueeze" || name == "cat";
    return dims_fit(argument(arguments, name == "topk" ? 2 : 1, "dim"),
                    numbers_of(record, main, "dim"),
                    is_of_result ? result.sizes.size() : rank_of(unit, arguments));
  }
  if (name == "narrow" && unit.nodes.size() == 1) return narrowing_fits(arguments, record, main);
  return true;
}

// How many dimensions the tensor has that a call is of.
size_t Matcher::rank_of(const SourceCall& unit, const Arguments& arguments) const {
  const GraphUnits& graph = *run_.task->graph;
  const Value self = arguments.positional.empty() ? nullptr : arguments.positional[0];
  const TensorSizes* known = nullptr;
  if (self != nullptr && self->is(ValueKind::Tensor) && self->tensor().names.size() == 1 &&
      !self->tensor().has_open_sizes) {
    known = &graph.sizes_of(self->tensor().names[0]);
  } else if (self != nullptr && self->is(ValueKind::Unknown) && unit.inputs.size() == 1) {
    known = &graph.sizes_of(unit.inputs[0]);
  }
  if (known == nullptr || !known->is_known) known = &graph.sizes_of(unit.outputs[0]);
  return known->sizes.size();
}

// x[..., 16:] of a tensor whose last size is 16: an export leaves out what is empty.
bool Matcher::takes_nothing(const Arguments& arguments) {
  if (arguments.positional.size() < 2) return false;
  const Value sizes = size_of(arguments.positional[0], nullptr);
  if (!sizes->is(ValueKind::Tuple)) return false;
  const std::span<const Value> indices = std::span(arguments.positional).subspan(1);
  const auto counts = [](Value index) {
    return index->is(ValueKind::Slice) || index->is(ValueKind::Int);
  };
  const auto taken = static_cast<size_t>(std::ranges::count_if(indices, counts));
  size_t dim = 0;
  for (const Value index : indices) {
    if (index->is(ValueKind::None)) continue;
    if (index->is(ValueKind::Ellipsis)) {
      dim = sizes->items().size() - std::min(taken, sizes->items().size());
      continue;
    }
    if (!counts(index) || dim >= sizes->items().size()) return false;
    if (index->is(ValueKind::Slice) && is_empty_slice(index, sizes->items()[dim])) return true;
    ++dim;
  }
  return false;
}

// x.contiguous() of a tensor that lies in memory in another order.
bool Matcher::must_copy(std::string_view name, const Arguments& arguments) {
  if (name != "contiguous" || arguments.has_more || !arguments.named.empty() ||
      arguments.positional.size() != 1) {
    return false;
  }
  const Value self = arguments.positional[0];
  return run_.task != nullptr && self->is(ValueKind::Tensor) &&
         self->tensor().state == TensorState::Known && self->tensor().names.size() == 1 &&
         !is_multiple(self) &&
         run_.caches.layouts.is_permuted(*run_.task->graph, self->tensor().names[0]);
}

// No node is what the call must leave: dropout of a model in use, a conversion to the type that the
// tensor has.
bool Matcher::changes_nothing(std::string_view name, std::string_view raw,
                              const Arguments& arguments) {
  // What makes a copy contiguous leaves its node, and that one has to be explained.
  if (name.find("dropout") != std::string_view::npos || name == "detach" || name == "contiguous")
    return true;
  if (name != "to" || arguments.positional.empty()) return false;
  const Value self = arguments.positional[0];
  if (!self->is(ValueKind::Tensor) || self->tensor().names.size() != 1) return false;
  if (moves_alone(arguments)) return true;
  const std::string_view dtype = run_.task->graph->sizes_of(self->tensor().names[0]).dtype;
  if (raw == "float") return dtype == "float32";
  if (raw == "long") return dtype == "int64";
  const Value wanted = argument(arguments, 1, "dtype");
  return wanted != nullptr && wanted->is(ValueKind::External) && !dtype.empty() &&
         wanted->name() == "torch." + std::string(dtype);
}

}  // namespace etlens::recover
