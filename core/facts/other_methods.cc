// SPDX-License-Identifier: Apache-2.0
#include "core/facts/other_methods.h"

#include "core/base/budget.h"
#include "core/base/path.h"

namespace etlens {
namespace {

std::string file_key(std::string_view path) {
  return std::string(base_name(parent_path(path))) + '/' + std::string(base_name(path));
}

// The Edge graph that a graph is part of.
GraphId root_of(const EtRecord& record, GraphId graph) {
  size_t steps = 0;
  while (record.graphs[graph.value].parent.valid() && steps++ < record.graphs.size())
    graph = record.graphs[graph.value].parent;
  return graph;
}

}  // namespace

OtherMethods::OtherMethods(const Facts& facts) {
  if (!facts.join().record) return;
  const EtRecord& record = *facts.join().record;
  std::map<GraphId, size_t> method_of_edge;
  for (const RecordMethod& method : record.methods) {
    const std::string_view name = record.text(method.name);
    if (!method.edge.valid() || name == facts.code().method_name()) continue;
    method_of_edge.emplace(method.edge, names_.size());
    names_.emplace_back(name);
  }
  if (names_.empty()) return;
  std::vector<std::set<StackId>> stacks(names_.size());
  for (size_t g = 0; g < record.graphs.size(); ++g) {
    const auto method = method_of_edge.find(root_of(record, GraphId(g)));
    if (method == method_of_edge.end()) continue;
    for (const NodeId node : record.graphs[g].nodes) {
      go_on();
      if (const StackId stack = record.nodes[node.value].stack; stack.valid())
        stacks[method->second].insert(stack);
    }
  }
  for (size_t m = 0; m < names_.size(); ++m) add_files(record, stacks[m], m);
}

void OtherMethods::add_files(const EtRecord& record, const std::set<StackId>& stacks,
                             size_t method) {
  std::set<StringId> files;
  for (const StackId stack : stacks) {
    for (const FrameId frame : record.frames_of(stack)) {
      go_on();
      files.insert(record.frames[frame.value].file);
    }
  }
  for (const StringId file : files) {
    std::vector<size_t>& methods = by_file_[file_key(record.text(file))];
    if (methods.empty() || methods.back() != method) methods.push_back(method);
  }
}

std::vector<std::string> OtherMethods::in_file(std::string_view path) const {
  std::vector<std::string> names;
  const auto at = by_file_.find(file_key(path));
  if (at == by_file_.end()) return names;
  for (const size_t method : at->second) names.push_back(names_[method]);
  return names;
}

}  // namespace etlens
