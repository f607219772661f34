// SPDX-License-Identifier: Apache-2.0
#include "core/code/module_collector.h"

#include <algorithm>
#include <numeric>

#include "core/base/budget.h"
#include "core/formats/etrecord/module_stack.h"

namespace etlens {
namespace {

constexpr uint32_t kRoot = 0;
constexpr size_t kMaxPathBytes = 4096;  // of a module: each of its parents gets a row

bool is_number(std::string_view part) {
  return part.find_first_not_of("0123456789") == std::string_view::npos;
}

// Numeric components compare as numbers, so that layers.10 stands behind layers.9.
bool path_less(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    const std::string_view x = a.substr(0, a.find('.'));
    const std::string_view y = b.substr(0, b.find('.'));
    if (x != y) {
      if (is_number(x) && is_number(y) && x.size() != y.size()) return x.size() < y.size();
      return x < y;
    }
    a.remove_prefix(std::min(x.size() + 1, a.size()));
    b.remove_prefix(std::min(y.size() + 1, b.size()));
  }
  return a.empty() && !b.empty();
}

}  // namespace

ModuleCollector::ModuleCollector(const EtRecord& record) : record_(record) { row_of(""); }

// Rows of the parents that are missing above the path are made first.
uint32_t ModuleCollector::row_of(std::string_view path) {
  if (const auto known = row_of_path_.find(std::string(path)); known != row_of_path_.end())
    return known->second;
  Collected row;
  row.path = path;
  if (!path.empty()) {
    const size_t dot = path.rfind('.');
    row.parent = row_of(dot == std::string_view::npos ? std::string_view() : path.substr(0, dot));
    row.depth = rows_[row.parent].depth + 1;
  }
  const auto number = static_cast<uint32_t>(rows_.size());
  row_of_path_.emplace(row.path, number);
  rows_.push_back(std::move(row));
  return number;
}

void ModuleCollector::add(ModuleStackId stack) {
  if (!stack.valid()) return;
  const auto [at, is_new] = stacks_.try_emplace(stack);
  if (!is_new) return;
  StackModules modules{{kRoot}, kRoot};
  for (const Module& module : record_.modules_of(stack)) {
    if (is_wrapper_type(record_.text(module.type))) continue;
    const uint32_t row = row_of(record_.text(module.path).substr(0, kMaxPathBytes));
    rows_[row].type = module.type;
    std::vector<StringId>& keys = rows_[row].keys;
    if (keys.empty() || keys.back() != module.key) keys.push_back(module.key);
    modules.deepest = row;
    for (uint32_t own = row; own != kNone; own = rows_[own].parent) modules.owners.push_back(own);
  }
  std::sort(modules.owners.begin(), modules.owners.end());
  modules.owners.erase(std::unique(modules.owners.begin(), modules.owners.end()),
                       modules.owners.end());
  at->second = std::move(modules);
}

void ModuleCollector::store(Code& code) {
  std::vector<uint32_t> order(rows_.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(),
            [&](uint32_t a, uint32_t b) { return path_less(rows_[a].path, rows_[b].path); });
  for (const uint32_t r : order) {
    Collected& row = rows_[r];
    row.id = ModuleId(code.modules.size());
    const ModuleId parent = row.parent == kNone ? ModuleId() : rows_[row.parent].id;
    std::sort(row.keys.begin(), row.keys.end());
    const auto calls =
        static_cast<uint32_t>(std::unique(row.keys.begin(), row.keys.end()) - row.keys.begin());
    code.modules.push_back(
        {row.path, row.type, parent, row.depth, r == kRoot ? std::max(calls, 1u) : calls});
  }
  root_ = {rows_[kRoot].id};
  for (auto& [stack, modules] : stacks_) {
    std::vector<ModuleId> ids;
    ids.reserve(modules.owners.size());
    for (const uint32_t row : modules.owners) ids.push_back(rows_[row].id);
    std::sort(ids.begin(), ids.end());
    modules.ids = SharedList(std::move(ids));
  }
}

ModuleId ModuleCollector::deepest_of(ModuleStackId stack) const {
  const auto at = stacks_.find(stack);
  return rows_[at == stacks_.end() ? kRoot : at->second.deepest].id;
}

const SharedList<ModuleId>& ModuleCollector::owners_of(ModuleStackId stack) const {
  const auto at = stacks_.find(stack);
  return at == stacks_.end() ? root_ : at->second.ids;
}

}  // namespace etlens
