// SPDX-License-Identifier: Apache-2.0
#include "core/export/definitions.h"

#include <algorithm>
#include <map>

#include "core/source/python/python_syntax.h"

namespace etlens {
namespace {

// The innermost function around each line of a document.
class FunctionLines {
 public:
  explicit FunctionLines(const std::shared_ptr<const Document>& document) {
    if (document == nullptr) return;
    const std::shared_ptr<const PythonSyntax> syntax = PythonSyntax::parse(document);
    defs_.assign(document->line_count(), 0);
    for (const PythonScope& scope : syntax->scopes()) {  // inner ones stand later
      if (scope.is_class) continue;
      const size_t end = std::min<size_t>(defs_.size(), scope.last_line + size_t{1});
      for (size_t line = scope.first_line; line < end; ++line) defs_[line] = scope.header_line + 1;
    }
  }

  // 1-based line of the def around a 1-based line; 0 outside of functions.
  uint32_t def_around(uint32_t line) const {
    return line == 0 || line > defs_.size() ? 0 : defs_[line - 1];
  }

 private:
  std::vector<uint32_t> defs_;
};

}  // namespace

std::vector<uint32_t> definition_lines(const ExportInput& input) {
  std::vector<uint32_t> definitions;
  const Code& code = input.facts.code();
  for (size_t f = 0; f < code.files.size(); ++f) {
    const AnchoredSource& source = input.sources[f];
    const FunctionLines functions(source.document);
    std::map<std::pair<StringId, std::vector<StringId>>, uint32_t> first;
    for (uint32_t i = 0; i < code.files[f].line_count; ++i) {
      const CodeLine& line = code.lines[code.files[f].first_line + i];
      const Anchor& anchor = source.anchors[i];
      std::vector<StringId> types = line.owner_types;
      std::sort(types.begin(), types.end());
      const uint32_t recorded =
          first.try_emplace({line.function, std::move(types)}, line.number).first->second;
      const bool is_named = !code.text(line.function).starts_with('<');  // a lambda has no def
      uint32_t def = anchor.function_line;
      if (def == 0 && is_named) def = functions.def_around(anchor.line);
      definitions.push_back(def != 0 && is_named ? def : recorded);
    }
  }
  return definitions;
}

}  // namespace etlens
