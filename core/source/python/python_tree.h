// SPDX-License-Identifier: Apache-2.0
// PythonTree: the syntax tree of a valid Python text as one flat table, for what reads expressions
// and not only statements. Names of kinds and fields are the grammar's.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "core/base/id.h"
#include "core/source/document.h"

namespace etlens {

#define ETLENS_PYTHON_KINDS(X)                           \
  X(Module, "module")                                    \
  X(ExpressionStatement, "expression_statement")         \
  X(Assignment, "assignment")                            \
  X(AugmentedAssignment, "augmented_assignment")         \
  X(ReturnStatement, "return_statement")                 \
  X(IfStatement, "if_statement")                         \
  X(ElifClause, "elif_clause")                           \
  X(ElseClause, "else_clause")                           \
  X(ForStatement, "for_statement")                       \
  X(WhileStatement, "while_statement")                   \
  X(TryStatement, "try_statement")                       \
  X(ExceptClause, "except_clause")                       \
  X(FinallyClause, "finally_clause")                     \
  X(WithStatement, "with_statement")                     \
  X(WithClause, "with_clause")                           \
  X(WithItem, "with_item")                               \
  X(AsPattern, "as_pattern")                             \
  X(AsPatternTarget, "as_pattern_target")                \
  X(MatchStatement, "match_statement")                   \
  X(CaseClause, "case_clause")                           \
  X(CasePattern, "case_pattern")                         \
  X(UnionPattern, "union_pattern")                       \
  X(FunctionDefinition, "function_definition")           \
  X(ClassDefinition, "class_definition")                 \
  X(DecoratedDefinition, "decorated_definition")         \
  X(Decorator, "decorator")                              \
  X(ImportStatement, "import_statement")                 \
  X(ImportFromStatement, "import_from_statement")        \
  X(FutureImportStatement, "future_import_statement")    \
  X(AliasedImport, "aliased_import")                     \
  X(DottedName, "dotted_name")                           \
  X(RelativeImport, "relative_import")                   \
  X(ImportPrefix, "import_prefix")                       \
  X(WildcardImport, "wildcard_import")                   \
  X(PassStatement, "pass_statement")                     \
  X(BreakStatement, "break_statement")                   \
  X(ContinueStatement, "continue_statement")             \
  X(RaiseStatement, "raise_statement")                   \
  X(AssertStatement, "assert_statement")                 \
  X(DeleteStatement, "delete_statement")                 \
  X(GlobalStatement, "global_statement")                 \
  X(NonlocalStatement, "nonlocal_statement")             \
  X(Block, "block")                                      \
  X(Parameters, "parameters")                            \
  X(LambdaParameters, "lambda_parameters")               \
  X(DefaultParameter, "default_parameter")               \
  X(TypedParameter, "typed_parameter")                   \
  X(TypedDefaultParameter, "typed_default_parameter")    \
  X(ListSplatPattern, "list_splat_pattern")              \
  X(DictionarySplatPattern, "dictionary_splat_pattern")  \
  X(KeywordSeparator, "keyword_separator")               \
  X(PositionalSeparator, "positional_separator")         \
  X(TuplePattern, "tuple_pattern")                       \
  X(ListPattern, "list_pattern")                         \
  X(PatternList, "pattern_list")                         \
  X(ExpressionList, "expression_list")                   \
  X(Identifier, "identifier")                            \
  X(Integer, "integer")                                  \
  X(Float, "float")                                      \
  X(String, "string")                                    \
  X(ConcatenatedString, "concatenated_string")           \
  X(Interpolation, "interpolation")                      \
  X(True, "true")                                        \
  X(False, "false")                                      \
  X(None, "none")                                        \
  X(Ellipsis, "ellipsis")                                \
  X(Tuple, "tuple")                                      \
  X(List, "list")                                        \
  X(Set, "set")                                          \
  X(Dictionary, "dictionary")                            \
  X(Pair, "pair")                                        \
  X(ListComprehension, "list_comprehension")             \
  X(SetComprehension, "set_comprehension")               \
  X(DictionaryComprehension, "dictionary_comprehension") \
  X(GeneratorExpression, "generator_expression")         \
  X(ForInClause, "for_in_clause")                        \
  X(IfClause, "if_clause")                               \
  X(ParenthesizedExpression, "parenthesized_expression") \
  X(BinaryOperator, "binary_operator")                   \
  X(UnaryOperator, "unary_operator")                     \
  X(BooleanOperator, "boolean_operator")                 \
  X(NotOperator, "not_operator")                         \
  X(ComparisonOperator, "comparison_operator")           \
  X(ConditionalExpression, "conditional_expression")     \
  X(NamedExpression, "named_expression")                 \
  X(Lambda, "lambda")                                    \
  X(Call, "call")                                        \
  X(ArgumentList, "argument_list")                       \
  X(KeywordArgument, "keyword_argument")                 \
  X(ListSplat, "list_splat")                             \
  X(DictionarySplat, "dictionary_splat")                 \
  X(Attribute, "attribute")                              \
  X(Subscript, "subscript")                              \
  X(Slice, "slice")                                      \
  X(Await, "await")                                      \
  X(Yield, "yield")                                      \
  X(Type, "type")

enum class PythonKind : uint8_t {
#define ETLENS_ENUMERATOR(name, text) name,
  ETLENS_PYTHON_KINDS(ETLENS_ENUMERATOR)
#undef ETLENS_ENUMERATOR
      Token,  // an operator, or a colon of a slice
  Other,
};

#define ETLENS_PYTHON_FIELDS(X)   \
  X(Left, "left")                 \
  X(Right, "right")               \
  X(Operator, "operator")         \
  X(Operators, "operators")       \
  X(Argument, "argument")         \
  X(Function, "function")         \
  X(Arguments, "arguments")       \
  X(Name, "name")                 \
  X(Value, "value")               \
  X(Key, "key")                   \
  X(Object, "object")             \
  X(Attribute, "attribute")       \
  X(Subscript, "subscript")       \
  X(Body, "body")                 \
  X(Parameters, "parameters")     \
  X(Condition, "condition")       \
  X(Consequence, "consequence")   \
  X(Alternative, "alternative")   \
  X(Superclasses, "superclasses") \
  X(Definition, "definition")     \
  X(ModuleName, "module_name")    \
  X(Alias, "alias")               \
  X(Subject, "subject")           \
  X(Pattern, "pattern")           \
  X(Guard, "guard")               \
  X(Type, "type")                 \
  X(ReturnType, "return_type")

enum class PythonField : uint8_t {
  None,
#define ETLENS_ENUMERATOR(name, text) name,
  ETLENS_PYTHON_FIELDS(ETLENS_ENUMERATOR)
#undef ETLENS_ENUMERATOR
};

struct PythonNode {
  PythonKind kind = PythonKind::Other;
  PythonField field = PythonField::None;  // in its parent
  uint32_t begin = 0;                     // bytes of the document
  uint32_t end = 0;
  uint32_t line = 0;  // 0-based, of `begin`
  uint32_t first_child = kNone;
  uint32_t next = kNone;   // sibling
  uint32_t end_child = 0;  // one behind the last node below this one; its own row + 1 for a leaf
};

struct PythonTree {
  std::shared_ptr<const Document> document;
  std::vector<PythonNode> nodes;  // parents before children; the root first. Comments are left out

  const PythonNode& operator[](uint32_t node) const { return nodes[node]; }
  std::string_view text(uint32_t node) const {
    if (node == kNone) return {};
    return std::string_view(document->text())
        .substr(nodes[node].begin, nodes[node].end - nodes[node].begin);
  }
  // The first child in a field; kNone without.
  uint32_t child(uint32_t node, PythonField field) const {
    for (uint32_t c = nodes[node].first_child; c != kNone; c = nodes[c].next) {
      if (nodes[c].field == field) return c;
    }
    return kNone;
  }
};

}  // namespace etlens
