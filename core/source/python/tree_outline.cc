// SPDX-License-Identifier: Apache-2.0
#include "core/source/python/tree_outline.h"

#include <vector>

#include "core/source/python/grammar.h"

namespace etlens {
namespace {

// One walk over the statements of a tree; expressions are not entered.
class TreeOutliner {
 public:
  explicit TreeOutliner(const Document& document) : document_(document) {}

  PythonOutline run(TSNode root) {
    TreeCursor cursor(root);
    enter(root);
    if (!cursor.down()) return std::move(outline_);
    while (true) {
      if (visit(cursor.node()) && cursor.down()) continue;
      leave();
      while (!cursor.right()) {
        if (!cursor.up() || open_.empty()) return std::move(outline_);
        leave();
        if (open_.empty()) return std::move(outline_);
      }
    }
  }

 private:
  struct Open {
    uint32_t scope;                 // innermost scope inside the node
    uint32_t header_begin = kNone;  // of a compound statement whose colon is still to come
    uint32_t outer_scope = kNone;   // of that header
    uint32_t decorated_line = kNone;
  };

  void enter(TSNode) { open_.push_back({kNone}); }
  void leave() { open_.pop_back(); }

  // Pushes the node's state; true if its children are to be visited.
  bool visit(TSNode node) {
    const GrammarSymbols& s = grammar_symbols();
    const TSSymbol symbol = ts_node_symbol(node);
    Open state{open_.back().scope};
    bool enters = false;
    if (symbol == s.colon) {
      if (open_.back().header_begin != kNone) header(ts_node_end_byte(node));
    } else if (symbol == s.block) {
      enters = true;
    } else if (symbol == s.decorated) {
      state.decorated_line = line_at(ts_node_start_byte(node));
      enters = true;
    } else if (s.is_compound(symbol)) {
      state.header_begin = ts_node_start_byte(node);
      state.outer_scope = open_.back().scope;
      if (symbol == s.function || symbol == s.class_)
        state.scope = add_scope(node, symbol == s.class_);
      enters = true;
    } else if (ts_node_is_named(node) && symbol != s.comment && is_statement_place()) {
      statement(node, symbol);
    }
    open_.push_back(state);
    return enters;
  }

  // Children of module, block and decorated definitions are statements; those of headers are not.
  bool is_statement_place() const { return open_.back().header_begin == kNone; }

  void header(uint32_t end) {
    Open& open = open_.back();
    outline_.statements.push_back({open.header_begin, end, open.outer_scope, true, false});
    open.header_begin = kNone;
  }

  void statement(TSNode node, TSSymbol symbol) {
    PythonStatement statement;
    statement.begin = ts_node_start_byte(node);
    statement.end = ts_node_end_byte(node);
    statement.scope = open_.back().scope;
    if (symbol == grammar_symbols().expression && ts_node_named_child_count(node) == 1) {
      statement.is_docstring =
          ts_node_symbol(ts_node_named_child(node, 0)) == grammar_symbols().string;
    }
    if (statement.begin < statement.end) outline_.statements.push_back(statement);
  }

  uint32_t add_scope(TSNode node, bool is_class) {
    PythonScope scope;
    scope.is_class = is_class;
    scope.name = text_of(document_, child_in_field(node, "name"));
    if (is_class) {
      scope.bases = text_of(document_, child_in_field(node, "superclasses"));
      if (scope.bases.size() >= 2) scope.bases = scope.bases.substr(1, scope.bases.size() - 2);
    }
    scope.parent = open_.back().scope;
    scope.begin = ts_node_start_byte(node);
    scope.end = ts_node_end_byte(node);
    scope.header_line = line_at(scope.begin);
    scope.first_line =
        open_.back().decorated_line == kNone ? scope.header_line : open_.back().decorated_line;
    scope.last_line = line_at(scope.end > scope.begin ? scope.end - 1 : scope.end);
    outline_.scopes.push_back(scope);
    return static_cast<uint32_t>(outline_.scopes.size() - 1);
  }

  uint32_t line_at(uint32_t byte) const { return static_cast<uint32_t>(document_.line_at(byte)); }

  const Document& document_;
  PythonOutline outline_;
  std::vector<Open> open_;
};

}  // namespace

PythonOutline outline_of_tree(const Document& document, TSNode root) {
  return TreeOutliner(document).run(root);
}

}  // namespace etlens
