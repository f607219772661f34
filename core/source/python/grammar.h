// SPDX-License-Identifier: Apache-2.0
// What is needed of tree-sitter and its grammar of Python to walk through trees.
#pragma once

#include <tree_sitter/api.h>

#include <string_view>
#include <vector>

#include "core/source/document.h"

extern "C" const TSLanguage* tree_sitter_python(void);

namespace etlens {

// The grammar's node types that matter here, as numbers.
struct GrammarSymbols {
  GrammarSymbols();
  bool is_compound(TSSymbol symbol) const;

  TSSymbol block, function, class_, decorated, comment, continuation, expression, string, attribute,
      assignment, colon;
  std::vector<TSSymbol> compound;
};
const GrammarSymbols& grammar_symbols();

class TreeCursor {
 public:
  explicit TreeCursor(TSNode node) : cursor_(ts_tree_cursor_new(node)) {}
  ~TreeCursor() { ts_tree_cursor_delete(&cursor_); }
  TreeCursor(const TreeCursor&) = delete;
  TreeCursor& operator=(const TreeCursor&) = delete;

  TSNode node() const { return ts_tree_cursor_current_node(&cursor_); }
  TSFieldId field() const { return ts_tree_cursor_current_field_id(&cursor_); }
  bool down() { return ts_tree_cursor_goto_first_child(&cursor_); }
  bool right() { return ts_tree_cursor_goto_next_sibling(&cursor_); }
  bool up() { return ts_tree_cursor_goto_parent(&cursor_); }

 private:
  TSTreeCursor cursor_;
};

// Null without.
TSNode child_in_field(TSNode node, std::string_view name);
std::string_view text_of(const Document& document, TSNode node);

}  // namespace etlens
