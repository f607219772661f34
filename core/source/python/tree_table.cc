// SPDX-License-Identifier: Apache-2.0
#include "core/source/python/tree_table.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "core/base/budget.h"
#include "core/source/python/grammar.h"

namespace etlens {
namespace {

constexpr size_t kMaxTreeDepth = 300;

// The grammar's numbers of kinds and fields, as ours.
struct TreeNumbers {
  TreeNumbers() {
    const TSLanguage* language = tree_sitter_python();
    kinds.assign(ts_language_symbol_count(language), PythonKind::Other);
    std::unordered_map<std::string_view, PythonKind> known;
#define ETLENS_ADD(name, text) known.emplace(text, PythonKind::name);
    ETLENS_PYTHON_KINDS(ETLENS_ADD)
#undef ETLENS_ADD
    for (size_t s = 0; s < kinds.size(); ++s) {
      const auto symbol = static_cast<TSSymbol>(s);
      if (ts_language_symbol_type(language, symbol) != TSSymbolTypeRegular) continue;
      const auto at = known.find(ts_language_symbol_name(language, symbol));
      if (at != known.end()) kinds[s] = at->second;
    }
    fields.assign(ts_language_field_count(language) + 1, PythonField::None);
    uint8_t number = 1;
    for (const std::string_view name : {
#define ETLENS_TEXT(name, text) std::string_view(text),
             ETLENS_PYTHON_FIELDS(ETLENS_TEXT)
#undef ETLENS_TEXT
         }) {
      const TSFieldId id =
          ts_language_field_id_for_name(language, name.data(), static_cast<uint32_t>(name.size()));
      if (id < fields.size()) fields[id] = static_cast<PythonField>(number);
      ++number;
    }
    fields[0] = PythonField::None;
  }

  std::vector<PythonKind> kinds;
  std::vector<PythonField> fields;
};

// Of what is below these, the table keeps what is to be evaluated.
bool is_kept_below(PythonKind parent, PythonKind kind) {
  if (parent == PythonKind::Type) return false;
  return kind != PythonKind::Other ||
         (parent != PythonKind::String && parent != PythonKind::Interpolation);
}

// Tokens that are kept: which operator it is, and where a slice has its colons.
bool may_hold_tokens(PythonKind parent) {
  return parent == PythonKind::BinaryOperator || parent == PythonKind::UnaryOperator ||
         parent == PythonKind::BooleanOperator || parent == PythonKind::ComparisonOperator ||
         parent == PythonKind::AugmentedAssignment || parent == PythonKind::Slice;
}

bool is_kept_token(PythonKind parent, PythonField field) {
  return field == PythonField::Operator || field == PythonField::Operators ||
         parent == PythonKind::ComparisonOperator || parent == PythonKind::Slice;
}

}  // namespace

bool table_of_tree(TSNode root, const Document& document, std::vector<PythonNode>& nodes) {
  static const TreeNumbers kNumbers;
  TreeCursor at(root);
  struct Open {
    uint32_t node;
    uint32_t last_child;
  };
  std::vector<Open> open;
  size_t line = 0;  // of the node: they ascend
  while (true) {
    go_on();
    const TSNode node = at.node();
    const TSSymbol symbol = ts_node_symbol(node);
    PythonKind kind = symbol < kNumbers.kinds.size() ? kNumbers.kinds[symbol] : PythonKind::Other;
    const PythonKind parent = open.empty() ? kind : nodes[open.back().node].kind;
    const bool is_token = !ts_node_is_named(node);
    if (is_token) kind = PythonKind::Token;
    PythonField field = PythonField::None;
    bool is_kept =
        is_token ? may_hold_tokens(parent)
                 : symbol != grammar_symbols().comment && symbol != grammar_symbols().continuation;
    if (is_kept) {
      field = kNumbers.fields[std::min<size_t>(at.field(), kNumbers.fields.size() - 1)];
      if (is_token) is_kept = is_kept_token(parent, field);
      if (!open.empty()) is_kept = is_kept && is_kept_below(parent, kind);
    }
    bool enters = false;
    if (is_kept) {
      PythonNode row;
      row.kind = kind;
      row.field = field;
      row.begin = ts_node_start_byte(node);
      row.end = ts_node_end_byte(node);
      while (line + 1 < document.line_count() && document.line_start(line + 1) <= row.begin) ++line;
      row.line = static_cast<uint32_t>(line);
      const auto id = static_cast<uint32_t>(nodes.size());
      row.end_child = id + 1;
      if (!open.empty()) {
        Open& outer = open.back();
        (outer.last_child == kNone ? nodes[outer.node].first_child : nodes[outer.last_child].next) =
            id;
        outer.last_child = id;
      }
      nodes.push_back(row);
      if (at.down()) {
        open.push_back({id, kNone});
        if (open.size() > kMaxTreeDepth) return false;
        enters = true;
      }
    }
    while (!enters && !at.right()) {
      if (open.empty() || !at.up()) return true;
      nodes[open.back().node].end_child = static_cast<uint32_t>(nodes.size());
      open.pop_back();
      if (open.empty()) return true;
    }
  }
}

}  // namespace etlens
