// SPDX-License-Identifier: Apache-2.0
#include "core/code/module_tree.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <unordered_map>

#include "core/formats/etrecord/module_stack.h"

namespace etlens {
namespace {

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

class ModuleBuilder {
 public:
  ModuleBuilder(Profile& profile, const MethodContext* context)
      : profile_(profile), context_(context) {
    row_of("");
  }

  void run() {
    for (const EventRow& event : profile_.events) {
      if (is_leaf(event)) modules_of(event.node);
    }
    for (const PartitionRow& partition : profile_.partitions) {
      for (const NodeId node : partition.nodes) modules_of(node);
    }
    number();
    assign();
  }

 private:
  static constexpr uint32_t kRoot = 0;

  // A module path before the tree is sorted.
  struct Collected {
    std::string path;
    StringId type;
    std::set<StringId> keys;  // calls
    uint32_t parent = kNone;
    uint32_t depth = 0;
    ModuleId id;
  };

  // What one distinct module stack amounts to; rows of rows_.
  struct StackModules {
    std::vector<uint32_t> owners;  // every path that owns the leaf, ascending; the root included
    uint32_t deepest = kRoot;      // the last module of the stack
    bool is_known = false;         // the node has a module stack
  };

  static bool is_leaf(const EventRow& row) {
    return row.part == TimePart::Line || row.part == TimePart::OpaquePartition ||
           row.part == TimePart::Unattributed;
  }

  // The row of `path`; rows of the parents that are missing above it are made first.
  uint32_t row_of(std::string_view path) {
    if (const auto known = index_.find(std::string(path)); known != index_.end())
      return known->second;
    Collected row;
    row.path = path;
    if (!path.empty()) {
      const size_t dot = path.rfind('.');
      row.parent = row_of(dot == std::string_view::npos ? std::string_view() : path.substr(0, dot));
      row.depth = rows_[row.parent].depth + 1;
    }
    const auto number = static_cast<uint32_t>(rows_.size());
    index_.emplace(row.path, number);
    rows_.push_back(std::move(row));
    return number;
  }

  const StackModules& modules_of(NodeId node) {
    const ModuleStackId stack =
        node.valid() && context_ ? context_->modules_of(node) : ModuleStackId();
    const auto [at, is_new] = stacks_.try_emplace(stack);
    if (!is_new) return at->second;
    StackModules& modules = at->second;
    modules.owners.push_back(kRoot);
    modules.is_known = stack.valid();
    if (stack.valid()) {
      const EtRecord& record = context_->record();
      for (const Module& module : record.modules_of(stack)) {
        if (is_wrapper_type(record.text(module.type))) continue;
        const uint32_t row = row_of(record.text(module.path));
        rows_[row].type = module.type;
        rows_[row].keys.insert(module.key);
        modules.deepest = row;
        for (uint32_t own = row; own != kNone; own = rows_[own].parent)
          modules.owners.push_back(own);
      }
    }
    std::sort(modules.owners.begin(), modules.owners.end());
    modules.owners.erase(std::unique(modules.owners.begin(), modules.owners.end()),
                         modules.owners.end());
    return modules;
  }

  // Parents before children, siblings by number or name.
  void number() {
    std::vector<uint32_t> order(rows_.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(),
              [&](uint32_t a, uint32_t b) { return path_less(rows_[a].path, rows_[b].path); });
    for (const uint32_t r : order) {
      Collected& row = rows_[r];
      row.id = ModuleId(profile_.modules.size());
      ModuleRow module;
      module.path = row.path;
      module.type = row.type;
      module.depth = row.depth;
      if (row.parent != kNone) module.parent = rows_[row.parent].id;
      module.calls = static_cast<uint32_t>(row.keys.size());  // a filled-in parent is never called
      if (r == kRoot) module.calls = std::max(module.calls, 1u);
      profile_.modules.push_back(std::move(module));
    }
  }

  void assign() {
    for (PartitionRow& partition : profile_.partitions) {
      partition.module = rows_[common_module(partition.nodes)].id;
    }
    for (EventRow& event : profile_.events) {
      if (!is_leaf(event)) continue;
      if (event.part == TimePart::OpaquePartition) {
        event.module = event.partition.valid() ? profile_.partitions[event.partition.value].module
                                               : rows_[kRoot].id;
        for (ModuleId at = event.module; at.valid(); at = profile_.modules[at.value].parent) {
          profile_.modules[at.value].inclusive_ticks += event.self_ticks;
        }
        if (event.module != rows_[kRoot].id) profile_.in_modules_ticks += event.self_ticks;
      } else {
        const StackModules& modules = modules_of(event.node);
        event.module = rows_[modules.deepest].id;
        for (const uint32_t row : modules.owners) {
          profile_.modules[rows_[row].id.value].inclusive_ticks += event.self_ticks;
        }
        if (modules.is_known) profile_.in_modules_ticks += event.self_ticks;
      }
      profile_.modules[event.module.value].self_ticks += event.self_ticks;
    }
  }

  // The deepest module that owns all nodes. Nodes whose stack is only the root (inserted quantize
  // nodes) are left out of the question while others know more.
  uint32_t common_module(const std::vector<NodeId>& nodes) {
    std::vector<uint32_t> common;
    bool is_first = true;
    for (const NodeId node : nodes) {
      const std::vector<uint32_t>& owners = modules_of(node).owners;
      if (owners.size() == 1) continue;
      if (is_first) {
        common = owners;
      } else {
        std::vector<uint32_t> both;
        std::set_intersection(common.begin(), common.end(), owners.begin(), owners.end(),
                              std::back_inserter(both));
        common = std::move(both);
      }
      is_first = false;
    }
    uint32_t deepest = kRoot;
    for (const uint32_t row : common) {
      if (rows_[row].depth > rows_[deepest].depth) deepest = row;
    }
    return deepest;
  }

  Profile& profile_;
  const MethodContext* context_;
  std::vector<Collected> rows_;  // row 0 is the root
  std::unordered_map<std::string, uint32_t> index_;
  std::unordered_map<ModuleStackId, StackModules> stacks_;
};

}  // namespace

void build_modules(Profile& profile, const MethodContext* context) {
  ModuleBuilder(profile, context).run();
}

}  // namespace etlens
