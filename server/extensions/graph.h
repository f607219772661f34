// SPDX-License-Identifier: Apache-2.0
// etlens/graph: a method as a graph. Of the same program as etlens/memory; of the record of the
// study where that has no program.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/view/graph_view.h"
#include "server/extensions/place.h"

namespace etlens::extensions {

struct GraphParams {
  std::optional<std::string> method;  // absent: the one that is shown, or the first of some size
};
FIELDS(GraphParams, method)

struct GraphMethod {
  std::string_view name;
  bool current = false;
};
FIELDS(GraphMethod, name, current)

struct GraphResult {
  uint64_t generation = 0;
  std::string why;  // why there is nothing, in one sentence, or ""
  std::string headline;
  std::vector<GraphMethod> methods;
  std::optional<GraphView> graph;
  std::vector<std::string> titles;  // of its nodes: "aten::mul.out", "XNNPACK #2"
  std::vector<SourceLine> places;   // where the lines of its nodes are now, each once
};
FIELDS(GraphResult, generation, why, headline, methods, graph, titles, places)

}  // namespace etlens::extensions
