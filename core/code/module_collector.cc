// SPDX-License-Identifier: Apache-2.0
#include "core/code/module_collector.h"

#include <algorithm>
#include <iterator>
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

// Numbers stand before names and compare as numbers, so that layers.10 stands behind layers.9.
bool sibling_less(std::string_view a, std::string_view b) {
  const bool is_a_number = is_number(a);
  if (is_a_number != is_number(b)) return is_a_number;
  if (is_a_number && a.size() != b.size()) return a.size() < b.size();
  return a < b;
}

std::string_view last_part(std::string_view path) { return path.substr(path.rfind('.') + 1); }

}  // namespace

ModuleCollector::ModuleCollector(const EtRecord& record) : record_(record) { row_of(""); }

// Rows of the parents that are missing above the path are made first.
uint32_t ModuleCollector::row_of(std::string_view path) {
  if (const auto known = row_of_path_.find(path); known != row_of_path_.end()) return known->second;
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

// Parents before children, siblings as they compare.
std::vector<uint32_t> ModuleCollector::sorted_rows() const {
  std::vector<uint32_t> by_parent(rows_.size() - 1);
  std::iota(by_parent.begin(), by_parent.end(), kRoot + 1);
  std::stable_sort(by_parent.begin(), by_parent.end(), [&](uint32_t a, uint32_t b) {
    if (rows_[a].parent != rows_[b].parent) return rows_[a].parent < rows_[b].parent;
    return sibling_less(last_part(rows_[a].path), last_part(rows_[b].path));
  });
  std::vector<uint32_t> order;
  order.reserve(rows_.size());
  std::vector<uint32_t> open{kRoot};  // the next one is the last
  while (!open.empty()) {
    go_on();
    order.push_back(open.back());
    open.pop_back();
    const auto first =
        std::lower_bound(by_parent.begin(), by_parent.end(), order.back(),
                         [&](uint32_t row, uint32_t parent) { return rows_[row].parent < parent; });
    const auto end = std::find_if(first, by_parent.end(),
                                  [&](uint32_t row) { return rows_[row].parent != order.back(); });
    open.insert(open.end(), std::make_reverse_iterator(end), std::make_reverse_iterator(first));
  }
  return order;
}

void ModuleCollector::store(Code& code) {
  for (const uint32_t r : sorted_rows()) {
    Collected& row = rows_[r];
    row.id = ModuleId(code.modules.size());
    const ModuleId parent = row.parent == kNone ? ModuleId() : rows_[row.parent].id;
    std::sort(row.keys.begin(), row.keys.end());
    const auto calls =
        static_cast<uint32_t>(std::unique(row.keys.begin(), row.keys.end()) - row.keys.begin());
    code.modules.push_back({std::string(row.path), row.type, parent, row.depth,
                            r == kRoot ? std::max(calls, 1u) : calls});
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
