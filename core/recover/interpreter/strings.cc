// SPDX-License-Identifier: Apache-2.0
// Texts, with parts that are only known in a run.

#include "core/recover/interpreter/evaluator.h"
#include "core/recover/interpreter/expressions.h"

namespace etlens::recover {
namespace {

using K = PythonKind;

}  // namespace

Value made_text(Evaluator& run, std::string_view text) {
  return text.size() > kMaxText ? run.arena.unknown() : run.arena.string(text);
}

Value text_beginning(Evaluator& run, std::string_view text) {
  return run.arena.unknown_from(payload::Beginning{std::string(text)});
}

Value eval_string(Evaluator& run, uint32_t node) {
  const PythonTree& tree = run.tree();
  std::string_view text = tree.text(node);
  bool is_format = false;
  bool is_raw = false;
  while (!text.empty() && text.front() != '"' && text.front() != '\'') {
    is_format |= (text.front() | 0x20) == 'f';
    is_raw |= (text.front() | 0x20) == 'r';
    if ((text.front() | 0x20) == 'b') return run.arena.unknown();  // no text
    text.remove_prefix(1);
  }
  const size_t quotes = text.starts_with("\"\"\"") || text.starts_with("'''") ? 3 : 1;
  if (text.size() < 2 * quotes) return run.arena.unknown();
  if (!is_raw && text.find('\\') != std::string_view::npos) return run.arena.unknown();
  if (is_format &&
      (text.find("{{") != std::string_view::npos || text.find("}}") != std::string_view::npos))
    return run.arena.unknown();
  if (!is_format) return run.arena.string(text.substr(quotes, text.size() - 2 * quotes));
  std::string made;
  uint32_t from = tree[node].end - static_cast<uint32_t>(text.size() - quotes);
  const uint32_t end = tree[node].end - static_cast<uint32_t>(quotes);
  const std::string_view all = tree.document->text();
  for (uint32_t c = tree[node].first_child; c != kNone; c = tree[c].next) {
    if (tree[c].kind != K::Interpolation) continue;
    if (tree[c].begin > from) made += all.substr(from, tree[c].begin - from);
    from = tree[c].end;
    if (tree[c].first_child == kNone) return run.arena.unknown();
    const Value part = run.model.settled(eval(run, tree[c].first_child));
    // {x!r}, {x:>3}, {x=}: not what x says.
    if (!tree.text(c).substr(tree[tree[c].first_child].end - tree[c].begin).starts_with('}'))
      return text_beginning(run, made);
    if (part->is(ValueKind::Text)) {
      made += part->text();
    } else if (part->is(ValueKind::Int)) {
      made += std::to_string(part->integer());
    } else {
      return text_beginning(run, made);
    }
    if (made.size() > kMaxText) return run.arena.unknown();
  }
  if (end > from) made += all.substr(from, end - from);
  return made_text(run, made);
}

}  // namespace etlens::recover
