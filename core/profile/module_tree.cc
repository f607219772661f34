// SPDX-License-Identifier: Apache-2.0
#include "core/profile/module_tree.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "core/artifact/module_stack.h"

namespace etlens {
namespace {

// Every dotted prefix of `path`: "a.b.c" -> "", "a", "a.b", "a.b.c".
std::vector<std::string_view> ancestors_and_self(std::string_view path) {
  std::vector<std::string_view> paths{std::string_view()};
  if (path.empty()) return paths;
  for (size_t at = path.find('.'); at != std::string_view::npos; at = path.find('.', at + 1)) {
    paths.push_back(path.substr(0, at));
  }
  paths.push_back(path);
  return paths;
}

// Numeric components compare as numbers, so that layers.10 stands behind layers.9.
bool path_less(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    const std::string_view x = a.substr(0, a.find('.'));
    const std::string_view y = b.substr(0, b.find('.'));
    if (x != y) {
      const auto is_number = [](std::string_view part) {
        return part.find_first_not_of("0123456789") == std::string_view::npos;
      };
      if (is_number(x) && is_number(y) && x.size() != y.size()) return x.size() < y.size();
      return x < y;
    }
    a.remove_prefix(std::min(x.size() + 1, a.size()));
    b.remove_prefix(std::min(y.size() + 1, b.size()));
  }
  return a.empty() && !b.empty();
}

struct PathLess {
  bool operator()(const std::string& a, const std::string& b) const { return path_less(a, b); }
};

class ModuleBuilder {
 public:
  ModuleBuilder(Profile& profile, const MethodContext* context) : profile_(profile), context_(context) {}

  void run() {
    collect();
    number();
    assign();
  }

 private:
  struct Collected {
    StringId type;
    std::set<StringId> keys;  // calls
    ModuleId id;
  };

  // What one distinct module stack amounts to.
  struct StackModules {
    std::vector<std::string> owners;  // every path that owns the leaf, the root included
    std::string deepest;
  };

  static bool is_leaf(const EventRow& row) {
    return row.part == TimePart::Line || row.part == TimePart::OpaquePartition ||
           row.part == TimePart::Unattributed;
  }

  const StackModules& modules_of(NodeId node) {
    const ModuleStackId stack = node.valid() && context_ ? context_->modules_of(node) : ModuleStackId();
    const auto [at, is_new] = stacks_.try_emplace(stack);
    if (!is_new) return at->second;
    StackModules& modules = at->second;
    std::set<std::string> owners{std::string()};
    if (stack.valid()) {
      const EtRecord& record = context_->record();
      for (const Module& module : record.modules_of(stack)) {
        if (is_wrapper_type(record.text(module.type))) continue;
        const std::string path(record.text(module.path));
        for (const std::string_view own : ancestors_and_self(path)) owners.emplace(own);
        modules.deepest = path;
        Collected& row = rows_[path];
        row.type = module.type;
        row.keys.insert(module.key);
      }
    }
    modules.owners.assign(owners.begin(), owners.end());
    for (const std::string& path : modules.owners) rows_[path];
    return modules;
  }

  void collect() {
    rows_[""];
    for (const EventRow& event : profile_.events) {
      if (is_leaf(event) && event.node.valid()) modules_of(event.node);
    }
    for (const PartitionRow& partition : profile_.partitions) {
      for (const NodeId node : partition.nodes) modules_of(node);
    }
  }

  // Parents before children, siblings by number or name.
  void number() {
    for (auto& [path, row] : rows_) {
      row.id = ModuleId(profile_.modules.size());
      ModuleRow module;
      module.path = path;
      module.type = row.type;
      module.calls = static_cast<uint32_t>(row.keys.size());  // a filled-in parent is never called
      if (path.empty()) module.calls = std::max(module.calls, 1u);
      if (!path.empty()) {
        const size_t dot = path.rfind('.');
        const std::string parent = dot == std::string::npos ? "" : path.substr(0, dot);
        module.parent = rows_.at(parent).id;
        module.depth = profile_.modules[module.parent.value].depth + 1;
      }
      profile_.modules.push_back(std::move(module));
    }
  }

  void assign() {
    for (PartitionRow& partition : profile_.partitions) {
      partition.module = rows_.at(common_module(partition.nodes)).id;
    }
    for (EventRow& event : profile_.events) {
      if (!is_leaf(event)) continue;
      if (event.part == TimePart::OpaquePartition) {
        event.module = event.partition.valid() ? profile_.partitions[event.partition.value].module
                                               : rows_.at("").id;
        for (ModuleId at = event.module; at.valid(); at = profile_.modules[at.value].parent) {
          profile_.modules[at.value].inclusive_ticks += event.self_ticks;
        }
      } else {
        const StackModules& modules = modules_of(event.node);
        event.module = rows_.at(modules.deepest).id;
        for (const std::string& path : modules.owners) {
          profile_.modules[rows_.at(path).id.value].inclusive_ticks += event.self_ticks;
        }
      }
      profile_.modules[event.module.value].self_ticks += event.self_ticks;
      if (event.module.value != 0 || has_modules(event.node)) profile_.in_modules_ticks += event.self_ticks;
    }
  }

  bool has_modules(NodeId node) const {
    return node.valid() && context_ != nullptr && context_->modules_of(node).valid();
  }

  // The deepest path that owns all nodes. Nodes whose stack is only the root (inserted quantize nodes)
  // are left out of the question while others know more.
  std::string common_module(const std::vector<NodeId>& nodes) {
    std::vector<std::string> common;
    bool is_first = true;
    for (const NodeId node : nodes) {
      const std::vector<std::string>& owners = modules_of(node).owners;  // sorted
      if (owners.size() == 1) continue;
      if (is_first) {
        common = owners;
      } else {
        std::vector<std::string> both;
        std::set_intersection(common.begin(), common.end(), owners.begin(), owners.end(),
                              std::back_inserter(both));
        common = std::move(both);
      }
      is_first = false;
    }
    const auto depth = [](const std::string& path) { return std::count(path.begin(), path.end(), '.'); };
    std::string deepest;
    for (const std::string& path : common) {
      if (path.empty()) continue;
      if (deepest.empty() || depth(path) > depth(deepest)) deepest = path;
    }
    return deepest;
  }

  Profile& profile_;
  const MethodContext* context_;
  std::map<std::string, Collected, PathLess> rows_;
  std::unordered_map<ModuleStackId, StackModules> stacks_;
};

}  // namespace

void build_modules(Profile& profile, const MethodContext* context) { ModuleBuilder(profile, context).run(); }

}  // namespace etlens
