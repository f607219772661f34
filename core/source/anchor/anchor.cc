// SPDX-License-Identifier: Apache-2.0
#include "core/source/anchor/anchor.h"

#include <algorithm>
#include <numeric>

#include "core/base/text.h"
#include "core/source/anchor/anchor_doubt.h"
#include "core/source/anchor/definitions.h"
#include "core/source/anchor/found_functions.h"
#include "core/source/anchor/gap_lines.h"
#include "core/source/anchor/line_alignment.h"
#include "core/source/anchor/line_candidates.h"
#include "core/source/anchor/moved_lines.h"
#include "core/source/anchor/owner_fit.h"
#include "core/source/anchor/recorded_file.h"
#include "core/source/anchor/same_lines.h"
#include "core/source/anchor/source_index.h"

namespace etlens {
namespace {

// What is aligned: ascending, the other lines of the recorded file among them.
struct Sorted {
  std::vector<RecordedLine> lines;
  std::vector<uint32_t> known;  // see AnchorEvidence
  std::vector<size_t> origin;   // row of the caller's lines; SIZE_MAX for others
};

Sorted sort_lines(const std::vector<RecordedLine>& lines, std::span<const uint32_t> known,
                  const RecordedFile& file) {
  std::vector<size_t> order(lines.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return lines[a].line < lines[b].line; });
  Sorted sorted;
  const std::vector<RecordedLine>& others = file.lines();
  size_t other = 0;
  const auto add_others = [&](uint32_t end) {
    for (; other < others.size() && others[other].line < end; ++other) {
      sorted.lines.push_back(others[other]);
      sorted.known.push_back(file.known_line(others[other].line));
      sorted.origin.push_back(SIZE_MAX);
    }
  };
  for (const size_t i : order) {
    add_others(lines[i].line);
    const uint32_t certain = i < known.size() ? known[i] : 0;
    sorted.lines.push_back(lines[i]);
    if (other < others.size() && others[other].line == lines[i].line) {
      // The class that the function is in says more than those that it ran for.
      const RecordedLine& seen = others[other++];
      if (seen.function == lines[i].function && !seen.classes.empty())
        sorted.lines.back().classes = seen.classes;
    }
    sorted.known.push_back(certain > 0 ? certain : file.known_line(lines[i].line));
    sorted.origin.push_back(i);
  }
  add_others(UINT32_MAX);
  return sorted;
}

// The rung of the whole file: alignment with what tree-sitter sees.
std::vector<Anchor> anchor_by_syntax(const PythonSyntax& syntax,
                                     const std::vector<RecordedLine>& lines,
                                     std::span<const uint32_t> known) {
  const SourceIndex index(syntax);
  const OwnerFit owners(index, lines);
  LineCandidates candidates(index, owners, lines, known);
  const std::vector<Placement> placements = align_lines(index, owners, candidates);
  std::vector<std::optional<Candidate>> placed =
      certain_places(syntax, owners, candidates, placements);
  place_moved_lines(index, owners, candidates, placements, placed);
  place_found_functions(index, owners, candidates, placed);
  place_in_gaps(index, owners, candidates, placed);
  drop_shared_lines(placed);

  const std::vector<uint32_t> home = home_scopes(owners, candidates, placed);
  std::vector<Anchor> anchors(lines.size());
  for (size_t r = 0; r < lines.size(); ++r) {
    Anchor& anchor = anchors[r];
    if (home[r] != kNone) anchor.function_line = syntax.scopes()[home[r]].header_line + 1;
    if (!placed[r]) {
      anchor.verdict = home[r] != kNone ? AnchorVerdict::Stale : AnchorVerdict::Lost;
      continue;
    }
    anchor.verdict = AnchorVerdict::Moved;
    anchor.line = placed[r]->line + 1;
    anchor.rung = AnchorRung::Syntax;
  }
  return anchors;
}

}  // namespace

std::string_view name_of(AnchorVerdict verdict) {
  switch (verdict) {
    case AnchorVerdict::Exact:
      return "exact";
    case AnchorVerdict::Moved:
      return "moved";
    case AnchorVerdict::Stale:
      return "stale";
    case AnchorVerdict::Lost:
      return "lost";
  }
  return "lost";
}

std::vector<Anchor> anchor_lines(const std::shared_ptr<const Document>& document,
                                 const std::vector<RecordedLine>& lines,
                                 const AnchorEvidence& evidence) {
  std::vector<Anchor> anchors(lines.size());
  std::shared_ptr<const PythonSyntax> syntax = evidence.syntax;
  if (!lines.empty() && lines.front().is_definition)
    return anchor_definitions(syntax ? *syntax : *PythonSyntax::parse(document), lines);
  if (all_lines_unchanged(*document, lines)) {
    for (size_t i = 0; i < lines.size(); ++i) {
      anchors[i] = {AnchorVerdict::Exact, lines[i].line, false, AnchorRung::SameLine};
    }
  } else {
    if (syntax == nullptr) syntax = PythonSyntax::parse(document);
    const bool has_file = evidence.recorded != nullptr && fits_all_lines(*evidence.recorded, lines);
    const RecordedFile file =
        has_file ? RecordedFile(*evidence.recorded, *document) : RecordedFile();
    const Sorted sorted = sort_lines(lines, evidence.known, file);
    const std::vector<Anchor> found = anchor_by_syntax(*syntax, sorted.lines, sorted.known);
    for (size_t i = 0; i < found.size(); ++i) {
      if (sorted.origin[i] == SIZE_MAX) continue;
      Anchor& anchor = anchors[sorted.origin[i]];
      anchor = found[i];
      if (anchor.rung == AnchorRung::Syntax && has_file) anchor.rung = AnchorRung::GitBlob;
      if (sorted.origin[i] < evidence.known.size() && evidence.known[sorted.origin[i]] > 0)
        anchor.rung = AnchorRung::Edits;
    }
  }
  for (size_t i = 0; i < lines.size(); ++i)
    describe_anchor(*document, syntax.get(), lines[i], anchors[i]);
  return anchors;
}

namespace {

// Whether more changed than a formatter changes.
bool is_edited(const Document& document, const PythonSyntax* syntax, size_t line,
               std::string_view text) {
  const TokenForm form = token_form(python_tokens(text));
  if (form.key == token_form(python_tokens(document.line(line))).key) return false;
  const PythonStatement* statement = syntax == nullptr ? nullptr : syntax->statement_at(line);
  if (statement == nullptr) return true;
  const TokenForm now =
      token_form(python_tokens(std::string_view(document.text())
                                   .substr(statement->begin, statement->end - statement->begin)));
  if (is_reformatted(form, now)) return false;
  // A piece of a statement is still the same piece in a longer one; a whole statement is not.
  const bool is_whole = form.is_balanced && form.starts_statement;
  return is_whole || find_run(form, now) == SIZE_MAX;
}

}  // namespace

void describe_anchor(const Document& document, const PythonSyntax* syntax, const RecordedLine& line,
                     Anchor& anchor) {
  if (anchor.line == 0 || line.is_definition) return;
  const std::string_view text = document.line(anchor.line - 1);
  const bool is_same = trim(text) == line.text;
  const bool is_exact = is_same && anchor.line == line.line;
  anchor.verdict = is_exact ? AnchorVerdict::Exact : AnchorVerdict::Moved;
  anchor.edited = !is_same && is_edited(document, syntax, anchor.line - 1, line.text);
}

}  // namespace etlens
