// SPDX-License-Identifier: Apache-2.0
// Terms: every word and sign that a surface uses, explained once. `etlens explain`, the legends
// below tables and docs/terms.md say what stands here; a new word is a row of the table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace etlens {

enum class TermKind : uint8_t {
  Sign,        // in hints, tables and hovers; may stand anywhere in a cell
  Confidence,  // how sure it is that time belongs to a line
  Part,        // of the whole
  Verdict,     // of a comparison
  Word,        // anything else that cells and sentences say
  Column,      // of tables; by what one types for it
  kCount,
};
// "Signs", "How sure a line is", …: the heading of a kind.
std::string_view heading_of(TermKind kind);

struct Term {
  TermKind kind;
  std::string_view names;  // the one that is shown, then others for the same: "occurrences|n"
  std::string_view text;   // what it means: sentences in plain text

  // The names one by one.
  std::vector<std::string_view> all_names() const;
  std::string_view name() const { return names.substr(0, names.find('|')); }
  bool is_called(std::string_view word) const;
};

// All of them, a kind behind the other.
std::span<const Term> terms();
// Whatever is called so; upper and lower case are one. Empty for what nobody explains.
std::vector<const Term*> find_terms(std::string_view word);
// Of one kind, case and all; null if there is none.
const Term* find_term(TermKind kind, std::string_view name);
// The terms that are nearest to a word that is none, for a question back; may be empty.
std::vector<std::string_view> similar_terms(std::string_view word);

// A term for a terminal: its name, and in column `indent` what it means, broken at 100 columns.
std::string explained(const Term& term, size_t indent);
// All terms, below their headings: for a terminal, and as docs/terms.md.
std::string terms_text();
std::string terms_markdown();

}  // namespace etlens
