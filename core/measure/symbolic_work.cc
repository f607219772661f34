// SPDX-License-Identifier: Apache-2.0
#include "core/measure/symbolic_work.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include "core/base/budget.h"
#include "core/base/text.h"
#include "core/code/operator_name.h"

namespace etlens {

namespace {

// In one execution: more is no count that a model was run with.
constexpr int64_t kMostTokens = int64_t{1} << 40;

// They copy what they make, however large the value is that it is a part of.
bool takes_part(std::string_view base) {
  constexpr std::array<std::string_view, 10> kParts{
      "embedding",   "gather", "index",       "index_select", "narrow",
      "narrow_copy", "select", "select_copy", "slice",        "slice_copy"};
  return std::ranges::find(kParts, base) != kParts.end();
}

bool changes_buffers(const Graph& graph) {
  std::unordered_set<StringId> targets;
  for (const GraphMutation& row : graph.mutations) targets.insert(row.target);
  return std::any_of(graph.inputs.begin(), graph.inputs.end(), [&](const GraphInput& input) {
    return input.kind == GraphInputKind::Buffer && targets.contains(input.target);
  });
}

}  // namespace

std::map<std::string, int> symbols_of_shape(std::string_view shape) {
  std::map<std::string, int> symbols;
  const std::string_view sizes = shape.substr(0, shape.rfind(']'));
  const auto is_letter = [](char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  const auto is_in_name = [&](char c) {
    return is_letter(c) || std::isdigit(static_cast<unsigned char>(c)) != 0;
  };
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (!is_letter(sizes[i])) continue;
    size_t end = i;
    while (end < sizes.size() && is_in_name(sizes[end])) ++end;
    // Functions of symbols (Max, FloorDiv) are no symbols.
    if (end == sizes.size() || sizes[end] != '(') ++symbols[std::string(sizes.substr(i, end - i))];
    i = end;
  }
  return symbols;
}

SymbolicWork::SymbolicWork(const Code& code) : record_(code.record.get()) {
  if (record_ == nullptr || !code.method || !code.method->edge.valid()) return;
  const Graph& graph = record_->graphs[code.method->edge.value];
  // Most methods have no symbols: of these only the inputs are looked at.
  const bool has_tokens = find_symbols(graph);
  if (symbols_.empty()) return;
  is_language_model_ = has_tokens && changes_buffers(graph);
  for (const TensorShape& tensor : graph.tensors) {
    go_on();
    shape_of_value_[tensor.name] = tensor.shape;
  }
  if (symbols_.size() != 1) return;
  for (const NodeId id : graph.nodes) {
    go_on();
    const Node& node = record_->nodes[id.value];
    if (node.shape.valid() && record_->is_set(node.debug_handle))
      shapes_.emplace(node.debug_handle, node.shape);
  }
}

// Returns whether an input of whole numbers has one.
bool SymbolicWork::find_symbols(const Graph& graph) {
  std::unordered_set<StringId> inputs;
  for (const GraphInput& input : graph.inputs)
    if (input.kind == GraphInputKind::User) inputs.insert(input.name);
  bool has_tokens = false;
  for (const TensorShape& tensor : graph.tensors) {
    go_on();
    if (!inputs.contains(tensor.name)) continue;
    const std::string_view text = record_->text(tensor.shape);
    const std::map<std::string, int> found = symbols_of_shape(text);
    for (const auto& [symbol, times] : found) symbols_.insert(symbol);
    if (found.empty() || !(text.ends_with("] int64") || text.ends_with("] int32"))) continue;
    has_tokens = true;
    note_tokens(text);
  }
  return has_tokens;
}

// Positions and masks have the symbol as well, but no batch: tokens are what has the most.
void SymbolicWork::note_tokens(std::string_view shape) {
  int64_t others = 1;
  size_t symbols = 0;
  for (const std::string_view part : split(shape.substr(1, shape.rfind(']') - 1), ',')) {
    const std::string_view dimension = trim(part);
    int64_t size = 0;
    const auto [end, error] =
        std::from_chars(dimension.data(), dimension.data() + dimension.size(), size);
    const bool is_number = error == std::errc() && end == dimension.data() + dimension.size();
    if (is_number && (size < 0 || size > kMostTokens / others)) return;
    if (is_number) others *= size;
    else if (symbols_.contains(std::string(dimension))) ++symbols;
    else return;
  }
  if (symbols == 1) tokens_per_size_ = std::max(tokens_per_size_.value_or(0), others);
}

std::optional<int64_t> SymbolicWork::tokens_at(int64_t size) const {
  if (!is_language_model_ || symbols_.size() != 1 || !tokens_per_size_) return std::nullopt;
  if (size <= 0 || *tokens_per_size_ <= 0 || size > kMostTokens / *tokens_per_size_)
    return std::nullopt;
  return size * *tokens_per_size_;
}

std::optional<int64_t> SymbolicWork::size_in(DebugHandle handle,
                                             std::span<const int64_t> sizes) const {
  std::optional<int64_t> found;
  const auto [first, last] = shapes_.equal_range(handle);
  for (auto at = first; at != last; ++at) {
    const std::string_view shape = record_->text(at->second);
    if (!shape.starts_with('[')) continue;
    const std::string_view inside = shape.substr(1, shape.rfind(']') - 1);
    const std::vector<std::string_view> dimensions = split(inside, ',');
    if (dimensions.size() != sizes.size()) continue;
    std::optional<int64_t> size;
    bool fits = true;
    for (size_t d = 0; d < sizes.size(); ++d) {
      const std::string_view dimension = trim(dimensions[d]);
      if (symbols_.contains(std::string(dimension))) {
        fits = fits && (!size || *size == sizes[d]);
        size = sizes[d];
      } else if (std::all_of(dimension.begin(), dimension.end(), [](char c) {
                   return std::isdigit(static_cast<unsigned char>(c)) != 0;
                 })) {
        fits = fits && dimension == std::to_string(sizes[d]);
      }
    }
    if (!fits || !size) continue;
    if (found && *found != *size) return std::nullopt;
    found = size;
  }
  return found;
}

int SymbolicWork::degree(const std::map<std::string, int>& symbols, bool& is_known) const {
  int degree = 0;
  for (const auto& [symbol, times] : symbols) {
    if (symbols_.contains(symbol)) degree += times;
    else is_known = false;
  }
  return degree;
}

int SymbolicWork::growth_of_copy(NodeId id) const {
  if (!id.valid()) return -1;
  const Node& node = record_->nodes[id.value];
  if (!node.shape.valid()) return -1;
  bool is_known = true;
  const int made = degree(symbols_of_shape(record_->text(node.shape)), is_known);
  return is_known ? made : -1;
}

int SymbolicWork::growth(NodeId id) const {
  const int made = growth_of_copy(id);
  if (made < 0) return -1;
  const Node& node = record_->nodes[id.value];
  const std::string_view base = base_operator_of_target(record_->text(node.target));
  if (takes_part(base)) return made;
  bool is_known = true;
  int read = 0;
  int sum = 0;  // of all inputs
  for (const StringId input : record_->inputs_of(node)) {
    const auto shape = shape_of_value_.find(input);
    if (shape == shape_of_value_.end()) continue;
    const int one = degree(symbols_of_shape(record_->text(shape->second)), is_known);
    read = std::max(read, one);
    sum += one;
  }
  if (!is_known) return -1;
  const bool is_product = base == "bmm" || base == "mm" || base == "matmul" || base == "addmm";
  // Symbols of both factors that the result does not have are added up over.
  if (is_product && sum > made) return made + (sum - made) / 2;
  return std::max(made, read);
}

}  // namespace etlens
