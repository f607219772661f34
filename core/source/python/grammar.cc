// SPDX-License-Identifier: Apache-2.0
#include "core/source/python/grammar.h"

#include <algorithm>
#include <array>

namespace etlens {

GrammarSymbols::GrammarSymbols() {
  const TSLanguage* language = tree_sitter_python();
  const auto named = [&](std::string_view name) {
    return ts_language_symbol_for_name(language, name.data(), static_cast<uint32_t>(name.size()),
                                       true);
  };
  block = named("block");
  function = named("function_definition");
  class_ = named("class_definition");
  decorated = named("decorated_definition");
  comment = named("comment");
  continuation = named("line_continuation");
  expression = named("expression_statement");
  string = named("string");
  attribute = named("attribute");
  assignment = named("assignment");
  colon = ts_language_symbol_for_name(language, ":", 1, false);
  constexpr auto kCompoundNodes = std::to_array<std::string_view>(
      {"if_statement", "elif_clause", "else_clause", "for_statement", "while_statement",
       "try_statement", "except_clause", "except_group_clause", "finally_clause", "with_statement",
       "match_statement", "case_clause", "function_definition", "class_definition"});
  compound.reserve(kCompoundNodes.size());
  for (const std::string_view name : kCompoundNodes) compound.push_back(named(name));
}

bool GrammarSymbols::is_compound(TSSymbol symbol) const {
  return std::find(compound.begin(), compound.end(), symbol) != compound.end();
}

const GrammarSymbols& grammar_symbols() {
  static const GrammarSymbols kSymbols;
  return kSymbols;
}

TSNode child_in_field(TSNode node, std::string_view name) {
  return ts_node_child_by_field_name(node, name.data(), static_cast<uint32_t>(name.size()));
}

std::string_view text_of(const Document& document, TSNode node) {
  if (ts_node_is_null(node)) return {};
  const uint32_t begin = ts_node_start_byte(node);
  return std::string_view(document.text()).substr(begin, ts_node_end_byte(node) - begin);
}

}  // namespace etlens
