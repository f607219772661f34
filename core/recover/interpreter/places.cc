// SPDX-License-Identifier: Apache-2.0
#include "core/recover/interpreter/places.h"

#include <algorithm>
#include <optional>

#include "core/recover/interpreter/operator_names.h"

namespace etlens::recover {
namespace {

constexpr size_t kMaxPlaceSteps = 16;  // nodes that find one part

// A bound of a slice, or an index, as the source or as a node has it.
struct Bound {
  std::optional<int64_t> number;
  std::string_view symbol;  // that the record names a size by; "" if that is unknown
  bool is_symbol = false;   // no number before the program runs
};

enum class Role : uint8_t { Index, Start, End, Step };

// One of the nodes that find a part: x[…] is found step by step.
struct Step {
  const Node* node = nullptr;
  std::string_view name;
  std::span<const int64_t> sizes;  // of what it takes a part of
  bool has_sizes = false;
};

std::string_view name_of(const GraphUnits& graph, const Node& node) {
  return operator_of_target(graph.record().text(node.target));
}

bool is_slice(std::string_view name) { return name == "slice" || name == "slice_scatter"; }
bool is_select(std::string_view name) { return name == "select" || name == "select_scatter"; }

// The symbol of a size in the text of a shape: "s0" of "[s0, 16] float32".
std::string_view symbol_in(std::string_view shape, size_t dim) {
  const size_t close = shape.find(']');
  if (shape.empty() || shape.front() != '[' || close == std::string_view::npos) return {};
  shape = shape.substr(1, close - 1);
  for (; dim > 0; --dim) {
    const size_t comma = shape.find(", ");
    if (comma == std::string_view::npos) return {};
    shape.remove_prefix(comma + 2);
  }
  shape = shape.substr(0, shape.find(", "));
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  // Of a computed one the same size may have several texts.
  return std::ranges::all_of(shape, is_letter) ? shape : std::string_view();
}

Bound size_symbol(const GraphUnits& graph, uint32_t value, size_t dim) {
  const StringId shape = graph.shape_text(value);
  return {
      {}, shape.valid() ? symbol_in(graph.record().text(shape), dim) : std::string_view(), true};
}

// A value of the graph that is no tensor.
Bound bound_of(const GraphUnits& graph, StringId value) {
  const NodeId producer = graph.producer(value);
  Bound bound{{}, {}, true};
  if (!producer.valid()) return bound;
  const EtRecord& record = graph.record();
  const Node& node = record.nodes[producer.value];
  const std::span<const int64_t> dim = numbers_of(record, node, "dim");
  if (name_of(graph, node) != "sym_size" || record.inputs_of(node).empty() || dim.size() != 1 ||
      dim[0] < 0) {
    return bound;
  }
  return size_symbol(graph, graph.number_of(record.inputs_of(node)[0]),
                     static_cast<size_t>(dim[0]));
}

// One of a node's bounds. Those that are values of the graph have no names there: which is which is
// known if none of them is left to its default.
Bound bound_of(const GraphUnits& graph, const Step& step, std::string_view key, int64_t otherwise) {
  const EtRecord& record = graph.record();
  const std::span<const int64_t> row = numbers_of(record, *step.node, key);
  if (!row.empty()) return {row[0], {}, false};
  std::span<const StringId> symbols = record.inputs_of(*step.node);
  const size_t tensors = step.name.ends_with("_scatter") ? 2 : 1;
  symbols = symbols.subspan(std::min(symbols.size(), tensors));
  if (symbols.empty() || key == "step") return {otherwise, {}, false};
  if (key == "index") return bound_of(graph, symbols[0]);
  const bool has_start = !numbers_of(record, *step.node, "start").empty();
  const bool has_end = !numbers_of(record, *step.node, "end").empty();
  if (symbols.size() != size_t{!has_start} + size_t{!has_end}) return {};
  return bound_of(graph, key == "end" ? symbols.back() : symbols.front());
}

Bound bound_of(const GraphUnits& graph, Value value, int64_t otherwise) {
  if (value->is(ValueKind::None)) return {otherwise, {}, false};
  if (value->is(ValueKind::Int)) return {value->integer(), {}, false};
  const auto* const size = origin_of<payload::SizeOf>(value);
  return size == nullptr ? Bound() : size_symbol(graph, size->value, size->dim);
}

// `size`: of the dimension; -1 if it is unknown.
int64_t counted_from_begin(int64_t bound, int64_t size) {
  return bound < 0 && size >= 0 ? bound + size : bound;
}

bool is_same(const Bound& given, const Bound& found, int64_t size, Role role) {
  if (given.is_symbol && found.is_symbol)
    return given.symbol.empty() || found.symbol.empty() || given.symbol == found.symbol;
  if (found.is_symbol) return !given.number || *given.number >= kToTheEnd;
  if (given.is_symbol) return !found.number || *found.number >= kToTheEnd;
  if (!given.number || !found.number) return true;
  int64_t a = counted_from_begin(*given.number, size);
  int64_t b = counted_from_begin(*found.number, size);
  if (size < 0) {
    // A bound behind the end is cut, and one may be counted from the end.
    return (a < 0) != (b < 0) || a == b || b >= kToTheEnd || (role == Role::End && a > b && b >= 0);
  }
  if (role == Role::Start || role == Role::End) {
    a = std::clamp<int64_t>(a, 0, size);
    b = std::clamp<int64_t>(b, 0, size);
  }
  return a == b;
}

// The size of a dimension of what a step takes a part of; -1 if it is unknown.
int64_t size_of(const Step& step, int64_t dim) {
  const bool has_dim = step.has_sizes && dim >= 0 && static_cast<size_t>(dim) < step.sizes.size();
  return has_dim ? step.sizes[static_cast<size_t>(dim)] : -1;
}

// Of the dimension that a step is of; -1 if that is unknown.
int64_t dim_of(const GraphUnits& graph, const Step& step) {
  const std::span<const int64_t> row = numbers_of(graph.record(), *step.node, "dim");
  if (row.size() != 1) return row.empty() ? 0 : -1;
  if (row[0] >= 0) return row[0];
  const int64_t rank = static_cast<int64_t>(step.sizes.size()) + (step.name == "unsqueeze" ? 1 : 0);
  return step.has_sizes ? row[0] + rank : -1;
}

// One index, of that dimension if it is not negative, against the node that it may be.
bool index_fits(const GraphUnits& graph, Value index, const Step& step, int64_t dim) {
  const int64_t found = dim_of(graph, step);
  if (dim >= 0 && found >= 0 && dim != found) return false;
  const int64_t size = size_of(step, found);
  if (index->is(ValueKind::None)) return step.name == "unsqueeze";
  const auto fits = [&](Value given, Role role, std::string_view key, int64_t otherwise) {
    return is_same(bound_of(graph, given, otherwise), bound_of(graph, step, key, otherwise),
                   role == Role::Step ? -1 : size, role);
  };
  if (index->is(ValueKind::Int)) {
    // select may have become slice and squeeze
    return is_select(step.name) ? fits(index, Role::Index, "index", 0)
                                : step.name == "slice" && fits(index, Role::Index, "start", 0);
  }
  if (!index->is(ValueKind::Slice)) return true;
  if (!is_slice(step.name)) return false;
  const auto& [start, stop, by] = index->slice();
  return fits(start, Role::Start, "start", 0) && fits(stop, Role::End, "end", INT64_MAX) &&
         fits(by, Role::Step, "step", 1);
}

// A slice of everything, which may leave no node, and which the record may have all the same.
bool may_be_whole(Value index, int64_t size) {
  if (!index->is(ValueKind::Slice)) return false;
  const auto& [start, stop, by] = index->slice();
  const auto may_be = [](Value value, const auto& is_right) {
    return value->is(ValueKind::None) || !value->is(ValueKind::Int) || is_right(value->integer());
  };
  return may_be(by, [](int64_t n) { return n == 1; }) &&
         may_be(start,
                [&](int64_t n) { return n == 0 || (n < 0 && (size < 0 || n + size <= 0)); }) &&
         may_be(stop, [&](int64_t n) { return n > 0 && (size < 0 || n >= size); });
}

bool is_whole(const GraphUnits& graph, const Step& step) {
  if (!is_slice(step.name)) return false;
  const Bound start = bound_of(graph, step, "start", 0);
  const Bound end = bound_of(graph, step, "end", INT64_MAX);
  const Bound by = bound_of(graph, step, "step", 1);
  return start.number == 0 && by.number == 1 && end.number && *end.number >= kToTheEnd;
}

// The dimension of what the steps make that an index is of, and the one of the whole tensor.
struct Dimensions {
  int64_t made = 0;  // -1: unknown
  int64_t whole = 0;
};

std::vector<Dimensions> dimensions_of(const std::vector<Value>& indices, int64_t rank) {
  const auto takes = [](Value index) {
    return index->is(ValueKind::Int) || index->is(ValueKind::Slice);
  };
  std::vector<Dimensions> all;
  Dimensions now;
  for (size_t i = 0; i < indices.size(); ++i) {
    const Value index = indices[i];
    all.push_back(now);
    if (index->is(ValueKind::Ellipsis)) {
      const int64_t rest =
          std::count_if(indices.begin() + static_cast<std::ptrdiff_t>(i), indices.end(), takes);
      const int64_t skipped = rank < 0 ? -1 : std::max<int64_t>(rank - rest - now.whole, 0);
      now = skipped < 0 ? Dimensions{-1, -1} : Dimensions{now.made + skipped, now.whole + skipped};
      continue;
    }
    if (now.made >= 0 && !index->is(ValueKind::Int)) ++now.made;
    if (now.whole >= 0 && takes(index)) ++now.whole;
  }
  return all;
}

// Whether these steps, all of them, are these indices, which are numbers, slices, None and `...`.
bool are_indices(const GraphUnits& graph, std::span<const Step> steps,
                 const std::vector<Value>& indices, const TensorSizes* whole) {
  Step first;
  if (!steps.empty()) first = steps[0];
  if (steps.empty() && whole != nullptr) {
    first.sizes = whole->sizes;
    first.has_sizes = whole->is_known;
  }
  const int64_t rank = first.has_sizes ? static_cast<int64_t>(first.sizes.size()) : -1;
  const std::vector<Dimensions> dims = dimensions_of(indices, rank);
  // Which numbers of steps the indices so far may have left.
  std::vector<bool> left(steps.size() + 1, false);
  left[0] = true;
  const auto pass_whole_steps = [&] {
    for (size_t s = 0; s < steps.size(); ++s) {
      if (left[s] && is_whole(graph, steps[s])) left[s + 1] = true;
    }
  };
  pass_whole_steps();
  for (size_t i = 0; i < indices.size(); ++i) {
    const Value index = indices[i];
    const bool leaves_none =
        index->is(ValueKind::Ellipsis) || may_be_whole(index, size_of(first, dims[i].whole));
    std::vector<bool> next(steps.size() + 1, false);
    for (size_t s = 0; s <= steps.size(); ++s) {
      if (!left[s]) continue;
      if (leaves_none) next[s] = true;
      if (s < steps.size() && !index->is(ValueKind::Ellipsis) &&
          index_fits(graph, index, steps[s], dims[i].made)) {
        next[s + 1] = true;
      }
    }
    left = std::move(next);
    pass_whole_steps();
  }
  return left[steps.size()];
}

bool are_simple(const std::vector<Value>& indices) {
  return std::ranges::all_of(indices, [](Value index) {
    return index->is(ValueKind::Slice) || index->is(ValueKind::Int) || index->is(ValueKind::None) ||
           index->is(ValueKind::Ellipsis);
  });
}

Step step_of(const GraphUnits& graph, const Node& node) {
  Step step{&node, name_of(graph, node), {}, false};
  const std::span<const StringId> inputs = graph.record().inputs_of(node);
  if (inputs.empty()) return step;
  const TensorSizes& sizes = graph.sizes_of(graph.number_of(inputs[0]));
  step.sizes = sizes.sizes;
  step.has_sizes = sizes.is_known;
  return step;
}

bool finds_part(std::string_view name) {
  return name == "slice" || name == "select" || name == "unsqueeze";
}

// What nodes write to or compute with: a part of `whole`, found in these steps.
struct Part {
  StringId whole;
  std::vector<Step> steps;  // outermost first
};

class Parts {
 public:
  Parts(const GraphUnits& graph, std::span<const NodeId> nodes) : graph_(graph), nodes_(nodes) {}

  // nullopt: the nodes give no simple picture.
  std::optional<Part> find() const {
    for (const NodeId id : nodes_) {
      const std::string_view name = name_of(graph_, node(id));
      if ((name == "copy" || name == "fill") && !inputs(node(id)).empty())
        return found_from(inputs(node(id))[0]);
    }
    if (std::optional<Part> put_back = put_back_from(node(nodes_.back()))) return put_back;
    return first_found();
  }

 private:
  const Node& node(NodeId id) const { return graph_.record().nodes[id.value]; }
  std::span<const StringId> inputs(const Node& one) const { return graph_.record().inputs_of(one); }
  // Null if none of the nodes makes it.
  const Node* producer(StringId value) const {
    const NodeId id = graph_.producer(value);
    return id.valid() && std::ranges::find(nodes_, id) != nodes_.end() ? &node(id) : nullptr;
  }

  Part found_from(StringId value) const {
    Part part{value, {}};
    for (const Node* at = producer(value); at != nullptr && part.steps.size() < kMaxPlaceSteps;
         at = producer(part.whole)) {
      if (!finds_part(name_of(graph_, *at)) || inputs(*at).empty()) break;
      part.steps.insert(part.steps.begin(), step_of(graph_, *at));
      part.whole = inputs(*at)[0];
    }
    return part;
  }

  // Where the copy left no node, what puts the value into the whole.
  std::optional<Part> put_back_from(const Node& last) const {
    std::vector<Step> steps;
    for (const Node* at = &last; at != nullptr && steps.size() < kMaxPlaceSteps;
         at = producer(inputs(*at)[1])) {
      const std::string_view name = name_of(graph_, *at);
      if (!name.ends_with("_scatter") || inputs(*at).size() < 2) break;
      steps.push_back(step_of(graph_, *at));
    }
    if (steps.empty()) return std::nullopt;
    return Part{inputs(last)[0], std::move(steps)};
  }

  // What the first node finds that finds a part.
  std::optional<Part> first_found() const {
    std::optional<Part> part;
    StringId value;
    for (const NodeId id : nodes_) {
      const Node& one = node(id);
      if (!finds_part(name_of(graph_, one)) || inputs(one).empty()) continue;
      const StringId input = inputs(one)[0];
      if (!part && producer(input) == nullptr) part = Part{input, {}};
      else if (!part || input != value) continue;
      if (part->steps.size() >= kMaxPlaceSteps) return std::nullopt;
      part->steps.push_back(step_of(graph_, one));
      const std::span<const StringId> outputs = graph_.record().outputs_of(one);
      value = outputs.empty() ? StringId() : outputs[0];
    }
    return part;
  }

  const GraphUnits& graph_;
  std::span<const NodeId> nodes_;
};

}  // namespace

bool reads_part(const GraphUnits& graph, std::span<const NodeId> nodes,
                const std::vector<Value>& indices) {
  if (!are_simple(indices)) return true;
  std::vector<Step> steps;
  bool has_squeeze = false;
  for (const NodeId id : nodes) {
    const Node& node = graph.record().nodes[id.value];
    const std::string_view name = name_of(graph, node);
    has_squeeze |= name == "squeeze";
    if (finds_part(name)) {
      steps.push_back(step_of(graph, node));
    } else if (name != "squeeze" && name != "clone" && name != "to_dim_order") {
      return true;  // index, copies: no simple picture
    }
  }
  // The only item of a dimension may be taken without a select.
  if (steps.empty() && has_squeeze) return true;
  return are_indices(graph, steps, indices, nullptr);
}

bool writes_part(const GraphUnits& graph, std::span<const NodeId> nodes, Value x,
                 const std::vector<Value>& indices) {
  if (nodes.empty()) return true;
  const bool is_simple = are_simple(indices);
  for (const NodeId id : nodes) {
    if (name_of(graph, graph.record().nodes[id.value]) == "index_put") return !is_simple;
  }
  if (!is_simple) return true;
  const std::optional<Part> part = Parts(graph, nodes).find();
  if (!part) return true;
  const TensorSizes& whole = graph.sizes_of(graph.number_of(part->whole));
  const std::span<const Step> steps = part->steps;
  if (are_indices(graph, steps, indices, &whole)) return true;
  const std::vector<uint32_t>& names = x->tensor().names;
  const bool is_all = x->tensor().base == nullptr &&
                      std::ranges::find(names, graph.canonical(part->whole)) != names.end();
  for (size_t first = 1; !is_all && first <= steps.size(); ++first) {
    if (are_indices(graph, steps.subspan(first), indices, nullptr)) return true;
  }
  return false;
}

bool is_empty_slice(Value slice, Value size) {
  const auto& [start, stop, step] = slice->slice();
  if (!size->is(ValueKind::Int) || !step->is(ValueKind::None)) return false;
  const auto bound = [&](Value given, int64_t otherwise) -> std::optional<int64_t> {
    if (given->is(ValueKind::None)) return otherwise;
    if (!given->is(ValueKind::Int)) return std::nullopt;
    return given->integer() < 0 ? std::max<int64_t>(given->integer() + size->integer(), 0)
                                : given->integer();
  };
  const std::optional<int64_t> first = bound(start, 0);
  const std::optional<int64_t> end = bound(stop, size->integer());
  return (first && *first >= size->integer()) || (first && end && *end <= *first);
}

}  // namespace etlens::recover
