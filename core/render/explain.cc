// SPDX-License-Identifier: Apache-2.0
// Terms looked up, and as text.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "core/base/text.h"
#include "core/render/display_width.h"
#include "core/render/table.h"
#include "core/render/terms.h"

namespace etlens {
namespace {

constexpr size_t kTextWidth = 100;  // of a terminal, for sentences

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

bool is_similar(std::string_view term, std::string_view word) {
  return term.find(word) != std::string_view::npos || word.find(term) != std::string_view::npos;
}

}  // namespace

std::string_view heading_of(TermKind kind) {
  switch (kind) {
    case TermKind::Sign:
      return "Signs";
    case TermKind::Confidence:
      return "How sure a line is";
    case TermKind::Part:
      return "Parts of the whole";
    case TermKind::Verdict:
      return "Verdicts of a comparison";
    case TermKind::Word:
      return "Words";
    case TermKind::Column:
    case TermKind::kCount:
      break;
  }
  return "Columns";
}

std::vector<std::string_view> Term::all_names() const { return split(names, '|'); }

bool Term::is_called(std::string_view word) const {
  const std::string wanted = lower(word);
  const auto all = all_names();
  return std::any_of(all.begin(), all.end(), [&](auto name) { return lower(name) == wanted; });
}

std::vector<const Term*> find_terms(std::string_view word) {
  std::vector<const Term*> found;
  for (const Term& term : terms()) {
    if (term.is_called(word)) found.push_back(&term);
  }
  return found;
}

const Term* find_term(TermKind kind, std::string_view name) {
  for (const Term& term : terms()) {
    const auto all = term.all_names();
    if (term.kind == kind && std::find(all.begin(), all.end(), name) != all.end()) return &term;
  }
  return nullptr;
}

std::vector<std::string_view> similar_terms(std::string_view word) {
  std::vector<std::string_view> similar;
  const std::string wanted = lower(word);
  for (const Term& term : terms()) {
    for (const std::string_view name : term.all_names()) {
      const bool is_known = std::find(similar.begin(), similar.end(), term.name()) != similar.end();
      if (name.size() > 1 && !is_known && !wanted.empty() && is_similar(lower(name), wanted))
        similar.push_back(term.name());
    }
  }
  return similar;
}

std::string explained(const Term& term, size_t indent) {
  std::string out(term.name());
  size_t at = display_width(term.name());
  const auto move_to = [&](size_t column) {
    out.append(column - at, ' ');
    at = column;
  };
  if (at + 2 > indent) {
    out += '\n';
    at = 0;
  }
  move_to(indent);
  bool is_first = true;
  for (const std::string_view word : split(term.text, ' ')) {
    const size_t width = display_width(word);
    if (!is_first && at + 1 + width > kTextWidth) {
      out += '\n';
      at = 0;
      move_to(indent);
    } else if (!is_first) {
      out += ' ';
      ++at;
    }
    out += word;
    at += width;
    is_first = false;
  }
  return out + "\n";
}

std::string terms_text() {
  constexpr size_t kIndent = 20;
  std::string out;
  for (size_t k = 0; k < static_cast<size_t>(TermKind::kCount); ++k) {
    const auto kind = static_cast<TermKind>(k);
    out += fmt::format("{}{}\n", out.empty() ? "" : "\n", heading_of(kind));
    for (const Term& term : terms()) {
      if (term.kind == kind) out += explained(term, kIndent);
    }
  }
  return out;
}

std::string terms_markdown() {
  std::string out =
      "# Words and signs\n\n"
      "The words and signs of the command line, hints and hovers. `etlens explain TERM` explains "
      "one of them.\n`--explain` explains below a table the words and signs that it uses.\n";
  for (size_t k = 0; k < static_cast<size_t>(TermKind::kCount); ++k) {
    const auto kind = static_cast<TermKind>(k);
    Table table;
    table.columns = {{kind == TermKind::Sign ? "sign" : "word"}, {"means"}};
    for (const Term& term : terms()) {
      if (term.kind != kind) continue;
      std::vector<std::string> names;
      for (const std::string_view name : term.all_names()) names.emplace_back(name);
      table.rows.push_back({join(names, " · "), std::string(term.text)});
    }
    out += fmt::format("\n## {}\n\n{}", heading_of(kind), to_markdown(table));
  }
  return out;
}

}  // namespace etlens
