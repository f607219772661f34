// SPDX-License-Identifier: Apache-2.0
// PythonSyntax: what is where in a Python document. Parsed with tree-sitter, again after an edit
// only where the text changed. While the text is no valid Python (someone is typing), classes,
// functions and statements come from indentation instead: error recovery may join what is not one.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/source/document.h"
#include "core/source/python/python_outline.h"

namespace etlens {

struct PythonTree;

// `self.name = …` in a class's __init__.
struct AttributeAssignment {
  std::string_view name;
  uint32_t line = 0;   // 0-based, of the assignment's first token
  uint32_t begin = 0;  // bytes of the document: the statement
  uint32_t end = 0;
};

class PythonSyntax {
 public:
  static std::shared_ptr<const PythonSyntax> parse(std::shared_ptr<const Document> document);
  // The syntax of `after`, which is document() after the edits.
  std::shared_ptr<const PythonSyntax> edited(std::span<const TextEdit> edits,
                                             std::shared_ptr<const Document> after) const;
  ~PythonSyntax();

  const Document& document() const { return *document_; }
  // True if the whole text is valid Python, as far as the grammar tells.
  bool is_valid() const { return is_valid_; }

  // Classes and functions in the order of their headers; enclosing ones first.
  std::span<const PythonScope> scopes() const { return outline_.scopes; }
  // Simple statements, headers of compound ones and decorators, ascending.
  std::span<const PythonStatement> statements() const { return outline_.statements; }
  // Dotted, as __qualname__ but without <locals>: "Outer.Inner.forward".
  std::string qualified_name(uint32_t scope) const;
  // The statement that covers a 0-based line (the first one if several do); null between
  // statements.
  const PythonStatement* statement_at(size_t line) const;

  // The whole text as a table, also expressions; null if it is not valid or nests too deep.
  std::shared_ptr<const PythonTree> tree() const;
  // In the __init__ of the class; in text order.
  std::vector<AttributeAssignment> attribute_assignments(uint32_t class_scope) const;

 private:
  struct Tree;
  PythonSyntax(std::shared_ptr<const Document> document, std::unique_ptr<Tree> tree);

  std::shared_ptr<const Document> document_;
  std::unique_ptr<Tree> tree_;  // null if the text was too long or took too long
  bool is_valid_ = false;
  PythonOutline outline_;
};

}  // namespace etlens
