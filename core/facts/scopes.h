// SPDX-License-Identifier: Apache-2.0
// Totals on classes, functions and attributes: which rows of a profile belong to which part of a
// Python source, and what stands there.
//
//   class Block(nn.Module):         12.4 ms · 61% of forward · 24 instances
//       self.attn = Attention(dim)  Σ 5.10 ms 25% ×24
//   def forward(self, x):           12.4 ms · 61% of forward
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/workspace/anchored_source.h"
#include "core/render/inlay_hint.h"
#include "core/facts/prepared.h"
#include "core/source/python/python_syntax.h"

namespace etlens {

// What stands above a class or function.
struct ScopeLens {
  uint32_t scope = kNone;  // of PythonSyntax::scopes
  uint32_t line = 0;       // 0-based, of the header
  std::string title;
  double share = 0;
  LineId hottest;  // of a function; invalid where no line of it has a time of its own
};

// What stands behind `self.name = …` in an __init__.
struct AttributeHint {
  const AttributeRow* row = nullptr;
  uint32_t line = 0;  // 0-based, where the statement ends
  std::string text;
  double share = 0;
};

struct ScopeOptions {
  double threshold = 0.005;
  std::optional<TimeScale> unit;
};

// The class of modules that the scope defines, if the profile has one: the same qualified name, and
// a Python module that fits the file's path here or as recorded.
const ClassRow* find_class(const PreparedProfile& prepared, FileId file, const PythonSyntax& syntax,
                           uint32_t scope);

// Classes with time, functions called forward with time, and functions with lines that were edited
// so much that only the function is still known: their time has no other place to be.
std::vector<ScopeLens> scope_lenses(const PreparedProfile& prepared, const AnchoredSource& source,
                                    const PythonSyntax& syntax, const ScopeOptions& options);

std::vector<AttributeHint> attribute_hints(const PreparedProfile& prepared, FileId file,
                                           const PythonSyntax& syntax, const ScopeOptions& options);

}  // namespace etlens
