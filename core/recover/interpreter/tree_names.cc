// SPDX-License-Identifier: Apache-2.0

#include "core/recover/interpreter/tree_names.h"

#include <algorithm>

namespace etlens::recover {
namespace {

using K = PythonKind;

}  // namespace

bool is_assigned(const PythonTree& tree, uint32_t target, std::string_view name) {
  for (uint32_t t = target; target != kNone && t < tree[target].end_child; ++t) {
    if (tree[t].kind == K::Attribute || tree[t].kind == K::Subscript) {
      t = tree[t].end_child - 1;  // of an object: not the name
    } else if (tree[t].kind == K::Identifier && tree.text(t) == name) {
      return true;
    }
  }
  return false;
}

std::string_view imported_name(const PythonTree& tree, uint32_t item) {
  const uint32_t alias = tree.child(item, PythonField::Alias);
  const std::string_view name = tree.text(alias == kNone ? item : alias);
  return name.substr(0, name.find('.'));
}

uint32_t filled_by(const PythonTree& tree, uint32_t call) {
  static constexpr std::string_view kFills[] = {
      "add", "append",  "appendleft", "clear",  "discard",    "extend", "insert",
      "pop", "popleft", "popitem",    "remove", "setdefault", "sort",   "update"};
  const uint32_t function = tree.child(call, PythonField::Function);
  if (function == kNone || tree[function].kind != PythonKind::Attribute) return kNone;
  const uint32_t name = tree.child(function, PythonField::Attribute);
  if (name == kNone || std::ranges::find(kFills, tree.text(name)) == std::end(kFills)) return kNone;
  return tree.child(function, PythonField::Object);
}

}  // namespace etlens::recover
