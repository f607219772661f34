// SPDX-License-Identifier: Apache-2.0
// SourceView: one file of the study as of one text, with every recorded line in its place, and what
// one measure says of its classes, functions and attributes. A value that is made once.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/facts/scopes.h"
#include "core/source/anchor/line_shift.h"
#include "core/source/python/python_syntax.h"
#include "core/workspace/anchored_source.h"
#include "protocol/types.h"
#include "server/config.h"

namespace etlens {

// What stands above a class or function. Lines are 0-based.
struct ScopeLens {
  uint32_t line = 0;  // of the header
  uint32_t last_line = 0;
  std::string title;
  bool tells_total = true;  // of what stands there; not only what changed in it or is gone
};

struct SourceView {
  FileId file;
  lsp::DocumentUri uri;
  std::shared_ptr<const Document> document;
  std::shared_ptr<const PythonSyntax> syntax;  // null where all was carried by arithmetic
  AnchoredSource anchored;
  std::vector<std::pair<uint32_t, LineId>>
      by_line;                             // 0-based line of now -> recorded line; ascending
  std::vector<AttributeFacts> attributes;  // ascending by line; also those too cold for a hint
  std::vector<const ClassRow*> classes;    // one per scope of the syntax; null where none is known
  std::vector<ScopeLens> lenses;           // in the order of their headers

  const Anchor& anchor_of(const Code& code, LineId line) const { return anchored.of(code, line); }
  // The recorded lines that are at a 0-based line now.
  std::vector<LineId> lines_at(uint32_t line) const;
  // What stands behind the attribute that is made on a 0-based line; null if there is nothing.
  const AttributeFacts* attribute_at(uint32_t line) const;
  // Classes and functions; none while the syntax is not known.
  std::span<const PythonScope> scopes() const {
    return syntax ? syntax->scopes() : std::span<const PythonScope>();
  }
};

// Fills in what follows from text, syntax and anchors.
void complete_view(SourceView& view, const Facts& facts, const ShowSettings& show);
// Only by_line.
void list_lines(SourceView& view, const Code& code);
// What of `base` is still there after the edits: attributes and lenses, each on its line.
void carry_scopes(const SourceView& base, const LineShift& shift, SourceView& view);
// Whether a person sees no difference.
bool shows_same(const SourceView& a, const SourceView& b);

}  // namespace etlens
