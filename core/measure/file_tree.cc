// SPDX-License-Identifier: Apache-2.0
#include "core/measure/file_tree.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "core/base/budget.h"

namespace etlens {
namespace {

// Deeper modules are part of the one at this depth.
constexpr size_t kMaxModuleDepth = 64;

// Builds the tree in the order of parts, then writes it again in the order of bytes.
class TreeBuilder {
 public:
  TreeBuilder(const FileBytes& bytes, const std::vector<std::shared_ptr<const Code>>& codes)
      : bytes_(bytes), codes_(codes) {}

  std::vector<FileNode> build() {
    for (size_t p = 0; p < bytes_.parts.size(); ++p) {
      if (bytes_.parts[p].kind != FilePartKind::External) add(p);
    }
    return ordered();
  }

 private:
  struct Row {
    FileNode node;
    std::vector<uint32_t> children;
  };

  void add(size_t p) {
    go_on();
    const FilePart& part = bytes_.parts[p];
    const uint32_t parent = owner_of(part);
    FileNode node;
    node.level = FileNodeLevel::Part;
    node.kind = part.kind;
    node.part = p;
    append(std::move(node), parent);
    rows_.back().node.bytes = part.bytes;
    for (uint32_t at = parent; at != kNone; at = rows_[at].node.parent)
      rows_[at].node.bytes += part.bytes;
  }

  // The row of the part's module below its kind; of the kind if it has none but the root.
  uint32_t owner_of(const FilePart& part) {
    const auto [kind, is_new] = known_.try_emplace({part.kind, ""}, next());
    if (is_new) {
      FileNode node;
      node.kind = part.kind;
      append(std::move(node), kNone);
    }
    uint32_t parent = kind->second;
    const Code& code = *codes_[part.method];
    std::vector<ModuleId> chain;
    for (ModuleId at = part.module; at.valid() && at != ModuleId(0);
         at = code.modules[at.value].parent) {
      go_on();
      chain.push_back(at);
    }
    if (chain.size() > kMaxModuleDepth)
      chain.erase(chain.begin(), chain.end() - static_cast<ptrdiff_t>(kMaxModuleDepth));
    for (auto at = chain.rbegin(); at != chain.rend(); ++at) {
      const std::string& path = code.modules[at->value].path;
      const auto [module, is_first] = known_.try_emplace({part.kind, path}, next());
      if (is_first) {
        FileNode node;
        node.level = FileNodeLevel::Module;
        node.kind = part.kind;
        node.module = path;
        append(std::move(node), parent);
      }
      parent = module->second;
    }
    return parent;
  }

  uint32_t next() const { return static_cast<uint32_t>(rows_.size()); }

  void append(FileNode node, uint32_t parent) {
    (parent == kNone ? kinds_ : rows_[parent].children).push_back(next());
    node.parent = parent;
    rows_.push_back({std::move(node), {}});
  }

  // The module itself, or the one below it that says as much.
  uint32_t shortened(uint32_t row) const {
    while (rows_[row].node.level == FileNodeLevel::Module && rows_[row].children.size() == 1 &&
           rows_[rows_[row].children.front()].node.level == FileNodeLevel::Module)
      row = rows_[row].children.front();
    return row;
  }

  std::vector<FileNode> ordered() {
    std::vector<FileNode> tree;
    std::vector<std::pair<uint32_t, uint32_t>> open;  // row, and its parent in the tree
    const auto push = [&](std::vector<uint32_t>& rows, uint32_t parent) {
      for (uint32_t& row : rows) row = shortened(row);
      std::stable_sort(rows.begin(), rows.end(), [&](uint32_t a, uint32_t b) {
        return rows_[a].node.bytes > rows_[b].node.bytes;
      });
      for (auto row = rows.rbegin(); row != rows.rend(); ++row) open.emplace_back(*row, parent);
    };
    push(kinds_, kNone);
    while (!open.empty()) {
      const auto [row, parent] = open.back();
      open.pop_back();
      const auto at = static_cast<uint32_t>(tree.size());
      tree.push_back(std::move(rows_[row].node));
      tree.back().parent = parent;
      push(rows_[row].children, at);
    }
    return tree;
  }

  const FileBytes& bytes_;
  const std::vector<std::shared_ptr<const Code>>& codes_;
  std::map<std::pair<FilePartKind, std::string_view>, uint32_t> known_;  // rows of kinds, modules
  std::vector<Row> rows_;
  std::vector<uint32_t> kinds_;
};

}  // namespace

std::vector<FileNode> file_tree(const FileBytes& bytes,
                                const std::vector<std::shared_ptr<const Code>>& codes) {
  return TreeBuilder(bytes, codes).build();
}

}  // namespace etlens
