// SPDX-License-Identifier: Apache-2.0
#include "core/facts/other_methods.h"

#include <algorithm>
#include <set>

#include "core/base/path.h"

namespace etlens {
namespace {

bool is_named_alike(std::string_view a, std::string_view b) {
  return base_name(a) == base_name(b) && base_name(parent_path(a)) == base_name(parent_path(b));
}

// The Edge graph that a graph is part of.
GraphId root_of(const EtRecord& record, GraphId graph) {
  size_t steps = 0;
  while (record.graphs[graph.value].parent.valid() && steps++ < record.graphs.size())
    graph = record.graphs[graph.value].parent;
  return graph;
}

}  // namespace

std::vector<std::string> other_methods_in(const Facts& facts, std::string_view path) {
  std::vector<std::string> names;
  if (!facts.join().record) return names;
  const EtRecord& record = *facts.join().record;
  std::set<FrameId> frames;
  for (size_t f = 0; f < record.frames.size(); ++f) {
    if (is_named_alike(record.text(record.frames[f].file), path)) frames.insert(FrameId(f));
  }
  std::set<StackId> stacks;
  for (size_t s = 0; s < record.stacks.size(); ++s) {
    const std::span<const FrameId> of_stack = record.frames_of(StackId(s));
    if (std::any_of(of_stack.begin(), of_stack.end(),
                    [&](FrameId frame) { return frames.contains(frame); }))
      stacks.insert(StackId(s));
  }
  std::set<GraphId> graphs;
  for (const Node& node : record.nodes) {
    if (stacks.contains(node.stack)) graphs.insert(root_of(record, node.graph));
  }
  for (const RecordMethod& method : record.methods) {
    const std::string name(record.text(method.name));
    if (graphs.contains(method.edge) && name != facts.code().method_name()) names.push_back(name);
  }
  return names;
}

}  // namespace etlens
