// SPDX-License-Identifier: Apache-2.0
// Totals on classes, functions and attributes: which rows belong to which part of a Python source,
// as values; core/render/scope_text.h words them.
#pragma once

#include <vector>

#include "core/facts/facts.h"
#include "core/source/python/python_syntax.h"
#include "core/workspace/anchored_source.h"

namespace etlens {

// What stands above a class or function.
struct ScopeFacts {
  uint32_t scope = kNone;  // of PythonSyntax::scopes
  uint32_t line = 0;       // 0-based, of the header
  Cost total;
  Amount delegated;       // of the total: inside delegate calls
  bool has_total = true;  // false for the forward of a class whose total is told
  size_t instances = 0;   // of a class
  Cost stale;             // of a function: on lines of which only the function is still known
  size_t stale_lines = 0;
  LineId hottest;  // of a function; invalid where no line of it has a cost of its own
};

// What was recorded in a file and is not in its text any more, not even its function.
struct GoneFacts {
  Cost total;                               // of the lines' own cost
  std::vector<std::string_view> owners;     // the class, for forward; "" for other functions
  std::vector<std::string_view> functions;  // the most costly first, each once
};

// What stands behind `self.name = …` in an __init__.
struct AttributeFacts {
  const AttributeRow* row = nullptr;
  uint32_t line = 0;  // 0-based, where the statement ends
  Cost total;
};

// Whether the file, by its path here or as recorded, can be what Python imports under that name.
bool is_python_module(const Facts& facts, FileId file, std::string_view python_module);

// Per scope of the source the class of modules that it defines; null for other scopes. It has the
// same qualified name, and a Python module that fits the file's path here or as recorded.
std::vector<const ClassRow*> classes_of_scopes(const Facts& facts, FileId file,
                                               const PythonSyntax& syntax);

// Classes with a cost, functions called forward with a cost where no class tells it, and functions
// with lines that were edited so much that only the function is still known: their cost has no
// other place to be. `threshold`: share of everything below which they are left out.
std::vector<ScopeFacts> scope_facts(const Facts& facts, const AnchoredSource& source,
                                    const PythonSyntax& syntax, double threshold);

GoneFacts gone_facts(const Facts& facts, const AnchoredSource& source);

std::vector<AttributeFacts> attribute_facts(const Facts& facts, FileId file,
                                            const PythonSyntax& syntax, double threshold);

}  // namespace etlens
