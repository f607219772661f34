// SPDX-License-Identifier: Apache-2.0
// Every argument of a method's nodes, and the strides of its tensors: what the tables of an
// EtRecord leave out because costs need none of it. Read when somebody asks why a node was not
// delegated.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/bytes.h"
#include "core/base/file_system.h"
#include "core/base/result.h"

namespace etlens {

enum class ArgumentKind : uint8_t {
  None,
  Bool,    // numbers[0] is 0 or 1
  Int,     // integers[0]
  Ints,    // integers
  Float,   // numbers[0]
  Floats,  // numbers
  Dtype,   // integers[0], in the numbering of this JSON
  Text,    // text
  Value,   // names[0]: a tensor
  Values,  // names: tensors; "" for one that is missing
  Symbol,  // names: sizes that are known at run time; integers beside them
  Other,
};

struct NodeArgument {
  std::string name;  // of the operator's schema
  ArgumentKind kind = ArgumentKind::Other;
  std::vector<int64_t> integers;
  std::vector<double> numbers;
  std::vector<std::string> names;
  std::string text;
};

struct NodeArguments {
  // By the name of the node's first output, or the node's own where it has none.
  std::unordered_map<std::string, std::vector<NodeArgument>> nodes;
  // By the tensor's name; of tensors whose strides are all known.
  std::unordered_map<std::string, std::vector<int64_t>> strides;

  // Null if nothing is known of the node.
  const std::vector<NodeArgument>* find(std::string_view key) const;
};

// Of the JSON of an exported program. Errors: Corrupt.
Result<NodeArguments> parse_node_arguments(const Bytes& json);

// Of the graph that the partitioner saw (EdgeGraphs). Empty if the record has none of the method. Errors: of ZipArchive; Corrupt if the graph is no
// JSON.
Result<NodeArguments> read_node_arguments(const FileSystem& files, std::string_view path,
                                          std::string_view method);

}  // namespace etlens
