// SPDX-License-Identifier: Apache-2.0
// PythonOutline: the classes, functions and statements of a text as flat tables.
// outline_by_indentation makes one without a parser, for text that is being typed.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/id.h"
#include "core/source/document.h"

namespace etlens {

// A class or a function. Lines are 0-based, bytes are of the document.
struct PythonScope {
  bool is_class = false;
  std::string_view name;     // of the document's text
  std::string_view bases;    // between the parentheses of a class header; "" without
  uint32_t parent = kNone;   // the enclosing scope
  uint32_t header_line = 0;  // of the word def or class
  uint32_t first_line = 0;   // of the first decorator, if there are any
  uint32_t last_line = 0;
  uint32_t begin = 0;  // of the header, without decorators
  uint32_t end = 0;    // of the body
};

struct PythonStatement {
  uint32_t begin = 0;
  uint32_t end = 0;
  uint32_t scope = kNone;  // the innermost class or function around it; of a def, the enclosing one
  bool is_header = false;  // of a compound statement; its body is not part of it
  bool is_docstring = false;  // nothing but a string
};

struct PythonOutline {
  std::vector<PythonScope> scopes;
  std::vector<PythonStatement> statements;  // ascending
};

PythonOutline outline_by_indentation(const Document& document);

}  // namespace etlens
