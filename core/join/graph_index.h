// SPDX-License-Identifier: Apache-2.0
// The nodes of a record's graphs by the values that they make, and views by those that they read.
#pragma once

#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "core/code/method_context.h"

namespace etlens {

// Gives its first input another shape: as records (view_copy) and programs (et_view) call it.
bool is_view_operator(std::string_view base);

struct GraphIndex {
  using ValueKey = std::pair<GraphId, StringId>;
  struct Views {
    std::vector<NodeId> nodes;  // in graph order
    size_t first = 0;           // that may not be used yet
  };

  explicit GraphIndex(const MethodContext& context);

  std::map<ValueKey, NodeId> makers;
  std::map<ValueKey, Views> views;
};

}  // namespace etlens
