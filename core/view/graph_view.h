// SPDX-License-Identifier: Apache-2.0
// A method as a graph: the document of `etlens graph`. Ids are rows of `nodes`. A value of the
// program has the number of its plan's table; those inside of delegate calls and those of a record
// have further ones.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/fields.h"
#include "core/workspace/load_graph.h"

namespace etlens {

struct GraphValueView {
  uint32_t value = 0;
  Nullable<std::string_view> name;
  Nullable<std::string_view> shape;  // "[1, 64]"; sizes of a record may be symbols
  Nullable<std::string_view> dtype;
};
FIELDS(GraphValueView, value, name, shape, dtype)

// A number that the program holds.
struct GraphLiteralView {
  uint32_t argument = 0;
  Nullable<uint32_t> element;
  std::string_view text;
};
FIELDS(GraphLiteralView, argument, element, text)

struct GraphNodeView {
  uint32_t id = 0;
  std::string_view kind;
  Nullable<std::string_view> op;  // of a delegate call the backend
  Nullable<std::string_view> name;
  Nullable<uint32_t> group;  // the node that contains it
  Nullable<uint32_t> instruction_id;
  Nullable<uint32_t> target;  // of a jump
  Nullable<uint32_t> call;    // of a delegate call its number
  std::vector<GraphValueView> makes;
  std::vector<GraphLiteralView> literals;
  Nullable<std::string_view> module;  // "" is the root
  Nullable<uint32_t> line;
  Nullable<std::string_view> recorded_path;
};
FIELDS(GraphNodeView, id, kind, op, name, group, instruction_id, target, call, makes, literals,
       module, line, recorded_path)

struct GraphEdgeView {
  uint32_t from = 0;
  uint32_t to = 0;
  uint32_t value = 0;
  uint32_t argument = 0;       // of the reader
  Nullable<uint32_t> element;  // of the list that the argument is
  Nullable<std::string_view> shape;
  Nullable<std::string_view> dtype;
};
FIELDS(GraphEdgeView, from, to, value, argument, element, shape, dtype)

// Runs of nodes that do the same, one behind the other.
struct GraphRepeatView {
  uint32_t count = 0;  // nodes of one run
  uint32_t times = 0;
  std::vector<uint32_t> nodes;  // of all runs
};
FIELDS(GraphRepeatView, count, times, nodes)

struct GraphView {
  Literal<"etlens/graph@1"> schema;
  std::string_view method;
  Nullable<std::string_view> pte;
  Nullable<std::string_view> etrecord;
  Rows<GraphNodeView> nodes;
  Rows<GraphEdgeView> edges;
  std::vector<GraphRepeatView> repeats;
};
FIELDS(GraphView, schema, method, pte, etrecord, nodes, edges, repeats)

// `loaded` must outlive the view.
GraphView graph_view(const LoadedGraph& loaded);

}  // namespace etlens
