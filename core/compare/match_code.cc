// SPDX-License-Identifier: Apache-2.0
#include "core/compare/match_code.h"

#include "core/compare/match_lines.h"
#include "core/compare/match_nodes.h"

namespace etlens {
namespace {

bool has_same_lines(const Code& a, const Code& b) {
  if (a.files.size() != b.files.size() || a.lines.size() != b.lines.size()) return false;
  for (size_t f = 0; f < a.files.size(); ++f) {
    if (a.recorded_path(FileId(f)) != b.recorded_path(FileId(f)) ||
        a.files[f].line_count != b.files[f].line_count) {
      return false;
    }
  }
  for (size_t l = 0; l < a.lines.size(); ++l) {
    const CodeLine& x = a.lines[l];
    const CodeLine& y = b.lines[l];
    if (x.number != y.number || a.text(x.text) != b.text(y.text) ||
        a.text(x.function) != b.text(y.function)) {
      return false;
    }
  }
  return true;
}

// Node for node the same operators on the same shapes at the same places.
bool has_same_nodes(const Code& a, const Code& b) {
  if (a.place_of_node.size() != b.place_of_node.size()) return false;
  for (size_t n = 0; n < a.place_of_node.size(); ++n) {
    const Place* x = a.place_of(NodeId(n));
    const Place* y = b.place_of(NodeId(n));
    if ((x == nullptr) != (y == nullptr)) return false;
    if (x == nullptr) continue;
    const Node& p = a.record->nodes[n];
    const Node& q = b.record->nodes[n];
    if (x->line != y->line || x->module != y->module || a.text(p.target) != b.text(q.target) ||
        a.text(p.shape) != b.text(q.shape) || a.text(p.name) != b.text(q.name)) {
      return false;
    }
  }
  return true;
}

bool has_same_modules(const Code& a, const Code& b) {
  if (a.modules.size() != b.modules.size()) return false;
  for (size_t m = 0; m < a.modules.size(); ++m) {
    if (a.modules[m].path != b.modules[m].path) return false;
  }
  return true;
}

CodeMatch identity(const Code& code) {
  CodeMatch match;
  match.is_identical = true;
  for (size_t l = 0; l < code.lines.size(); ++l) match.lines.push_back({{LineId(l)}, {LineId(l)}});
  for (size_t m = 0; m < code.modules.size(); ++m)
    match.modules.push_back({ModuleId(m), ModuleId(m)});
  for (size_t n = 0; n < code.place_of_node.size(); ++n) {
    if (code.place_of(NodeId(n)) != nullptr) match.nodes.push_back({NodeId(n), NodeId(n), true});
  }
  return match;
}

}  // namespace

CodeMatch match_code(const Code& before, const SourceTexts& texts_before, const Code& after,
                     const SourceTexts& texts_after) {
  const bool is_same = before.record == after.record ||
                       (has_same_lines(before, after) && has_same_modules(before, after) &&
                        has_same_nodes(before, after));
  if (is_same && before.method_name() == after.method_name()) return identity(before);
  CodeMatch match;
  match.nodes = match_nodes(before, after);
  match.modules = match_modules(before, after, match.nodes);
  match.lines = match_lines(before, texts_before, after, texts_after, match.nodes);
  return match;
}

}  // namespace etlens
