// SPDX-License-Identifier: Apache-2.0
// How the work of a node depends on the symbolic sizes of the model's inputs.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "core/code/code.h"

namespace etlens {

// The symbols of a shape as the record writes it, and how often each occurs: "[1, s27, 2*s0] float32"
// has s27 once and s0 once.
std::map<std::string, int> symbols_of_shape(std::string_view shape);

// Of one method of a record. References must outlive the object.
class SymbolicWork {
 public:
  explicit SymbolicWork(const Code& code);

  // No input of the method has a symbolic dimension.
  bool empty() const { return symbols_.empty(); }
  // Its inputs are whole numbers and it writes to its own buffers: tokens and a cache.
  bool is_language_model() const { return is_language_model_; }
  // Tokens of one execution whose inputs' symbol has the value, in all sequences of its batch.
  // nullopt unless it is a language model with one symbol, and its tokens have no other unknown
  // dimension.
  std::optional<int64_t> tokens_at(int64_t size) const;

  // The power with which the node's work grows in the inputs' symbols together: elements that it
  // makes or reads, times the dimension that products of matrices add up over. Of a part of a value
  // (slice, select, gather) nothing else is read. 0 if it does not grow, -1 if it depends on sizes
  // that are known only at run time, or if nothing is known.
  int growth(NodeId node) const;
  // The same of a copy of what the node makes, whatever made it: a cache is written back as a whole.
  int growth_of_copy(NodeId node) const;

  // The value of the inputs' symbol in a tensor of these sizes that a node of the handle made:
  // where a dimension of its shape is the symbol alone, and all others fit. nullopt otherwise, and
  // where the inputs have several symbols.
  std::optional<int64_t> size_in(DebugHandle handle, std::span<const int64_t> sizes) const;

 private:
  bool find_symbols(const Graph& graph);
  void note_tokens(std::string_view shape);
  int degree(const std::map<std::string, int>& symbols, bool& is_known) const;

  const EtRecord* record_ = nullptr;
  std::unordered_set<std::string> symbols_;  // of the inputs
  std::unordered_map<StringId, StringId> shape_of_value_;
  std::unordered_multimap<DebugHandle, StringId> shapes_;  // of what the nodes of a handle make
  bool is_language_model_ = false;
  std::optional<int64_t> tokens_per_size_;
};

}  // namespace etlens
