// SPDX-License-Identifier: Apache-2.0
#include "core/source/anchor.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "core/base/text.h"
#include "core/source/line_alignment.h"
#include "core/source/line_candidates.h"
#include "core/source/moved_lines.h"
#include "core/source/owner_fit.h"
#include "core/source/same_lines.h"
#include "core/source/source_index.h"

namespace etlens {
namespace {

// How much more, in edits, the best other explanation must cost.
constexpr float kEqualMargin = 0.15f;    // of a line with the recorded text
constexpr float kSimilarMargin = 0.25f;  // of one with another text
constexpr double kTwinMargin = 1.3;      // over a copy of its function
// An edited line whose surroundings changed as well must be at least this much like the recorded one.
const float kAlikeCost = similar_cost(0.75);

// Whether the text stands in another function of the same name as well: one may be a copy of the other.
bool has_twin(const PythonSyntax& syntax, const Candidate& place, const std::vector<Candidate>& candidates) {
  if (place.scope == kNone) return false;
  return std::any_of(candidates.begin(), candidates.end(), [&](const Candidate& other) {
    return other.match == TextMatch::Same && other.scope != kNone && other.scope != place.scope &&
           syntax.scopes()[other.scope].name == syntax.scopes()[place.scope].name;
  });
}

bool is_placed(const PythonSyntax& syntax, const Placement& placement, const LineCandidates& candidates,
               size_t line) {
  if (placement.candidate == Placement::kUnplaced) return false;
  const Candidate& place = candidates.of(line)[placement.candidate];
  const TextMatch match = place.match;
  if (match == TextMatch::Known) return true;
  const bool is_equal = match == TextMatch::Same || match == TextMatch::Reformatted;
  const bool is_ambiguous = placement.scope_margin < kTwinMargin * candidates.shift_price();
  if (is_ambiguous && has_twin(syntax, place, candidates.of(line))) return false;
  if (is_equal) return placement.margin >= kEqualMargin;
  const bool is_plausible = placement.is_supported || match == TextMatch::Contained ||
                            place.cost <= kAlikeCost;
  return is_plausible && placement.margin >= kSimilarMargin;
}

// A line has hardly become something else while its text still stands in the function, on a line that is
// no other's: not if it would be rather unlike it, and not if nothing is between the two.
void drop_contradicted(const LineCandidates& candidates, std::vector<std::optional<Candidate>>& placed) {
  std::set<uint32_t> taken;
  for (const std::optional<Candidate>& place : placed) {
    if (place) taken.insert(place->line);
  }
  for (size_t r = 0; r < placed.size(); ++r) {
    if (!placed[r] || placed[r]->match != TextMatch::Similar) continue;
    const std::vector<Candidate>& all = candidates.of(r);
    const bool is_still_there = std::any_of(all.begin(), all.end(), [&](const Candidate& other) {
      if (other.match == TextMatch::Similar || other.scope != placed[r]->scope) return false;
      if (taken.contains(other.line)) return false;
      const auto next = taken.upper_bound(std::min(other.line, placed[r]->line));
      const bool is_near = next == taken.end() || *next >= std::max(other.line, placed[r]->line);
      return is_near || placed[r]->cost > kAlikeCost;
    });
    if (is_still_there) placed[r].reset();
  }
}

// Everything below works on lines in ascending order of their recorded numbers.
std::vector<size_t> ascending(const std::vector<RecordedLine>& lines) {
  std::vector<size_t> order(lines.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return lines[a].line < lines[b].line; });
  return order;
}

// The rung of the whole file: alignment with what tree-sitter sees.
std::vector<Anchor> anchor_by_syntax(const PythonSyntax& syntax, const std::vector<RecordedLine>& lines,
                                     std::span<const uint32_t> known) {
  const SourceIndex index(syntax);
  const OwnerFit owners(index, lines);
  LineCandidates candidates(index, owners, lines, known);
  const std::vector<Placement> placements = align_lines(index, owners, candidates);
  std::vector<std::optional<Candidate>> placed(lines.size());
  for (size_t r = 0; r < lines.size(); ++r) {
    const std::vector<Candidate>& all = candidates.of(r);
    if (is_placed(syntax, placements[r], candidates, r)) placed[r] = all[placements[r].candidate];
  }
  drop_contradicted(candidates, placed);
  place_moved_lines(index, owners, candidates, placements, placed);

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

std::string_view name_of(AnchorRung rung) {
  switch (rung) {
    case AnchorRung::None:
      return "none";
    case AnchorRung::SameLine:
      return "same line";
    case AnchorRung::Edits:
      return "edits";
    case AnchorRung::GitBlob:
      return "git blob";
    case AnchorRung::Syntax:
      return "syntax";
  }
  return "none";
}

std::vector<Anchor> anchor_lines(const std::shared_ptr<const Document>& document,
                                 const std::vector<RecordedLine>& lines, const AnchorEvidence& evidence) {
  std::vector<Anchor> anchors(lines.size());
  std::shared_ptr<const PythonSyntax> syntax = evidence.syntax;
  if (all_lines_unchanged(*document, lines)) {
    for (size_t i = 0; i < lines.size(); ++i) {
      anchors[i] = {AnchorVerdict::Exact, lines[i].line, false, AnchorRung::SameLine};
    }
  } else {
    if (syntax == nullptr) syntax = PythonSyntax::parse(document);
    const std::vector<size_t> order = ascending(lines);
    std::vector<RecordedLine> sorted;
    for (const size_t i : order) sorted.push_back(lines[i]);
    const std::vector<Anchor> found = anchor_by_syntax(*syntax, sorted, {});
    for (size_t i = 0; i < order.size(); ++i) anchors[order[i]] = found[i];
  }
  describe_anchors(*document, syntax.get(), lines, anchors);
  return anchors;
}

namespace {

// The end of the call on the line whose callee has one of the names, the first name first; counted in
// bytes of the line. SIZE_MAX if there is none that also ends on the line.
size_t call_end(std::string_view line, const std::vector<std::string_view>& callees) {
  const std::vector<Token> tokens = python_tokens(line);
  for (const std::string_view callee : callees) {
    for (size_t t = 0; t + 1 < tokens.size(); ++t) {
      const std::string_view name = line.substr(tokens[t].begin, tokens[t].end - tokens[t].begin);
      if (name != callee || line[tokens[t + 1].begin] != '(') continue;
      int depth = 0;
      for (size_t end = t + 1; end < tokens.size(); ++end) {
        if (tokens[end].kind == TokenKind::Open) ++depth;
        if (tokens[end].kind == TokenKind::Close && --depth == 0) return tokens[end].end;
      }
    }
  }
  return SIZE_MAX;
}

uint32_t end_column(std::string_view line, const std::vector<std::string_view>& callees) {
  const size_t call = callees.empty() ? SIZE_MAX : call_end(line, callees);
  if (call != SIZE_MAX) return static_cast<uint32_t>(call);
  const size_t last = line.find_last_not_of(" \t\f");
  return last == std::string_view::npos ? 0 : static_cast<uint32_t>(last + 1);
}

// Whether more changed than a formatter changes.
bool is_edited(const Document& document, const PythonSyntax* syntax, size_t line, std::string_view text) {
  const TokenForm form = token_form(python_tokens(text));
  if (form.key == token_form(python_tokens(document.line(line))).key) return false;
  const PythonStatement* statement = syntax == nullptr ? nullptr : syntax->statement_at(line);
  if (statement == nullptr) return true;
  const TokenForm now = token_form(python_tokens(
      std::string_view(document.text()).substr(statement->begin, statement->end - statement->begin)));
  if (is_reformatted(form, now)) return false;
  // A piece of a statement is still the same piece in a longer one; a whole statement is not.
  const bool is_whole = form.is_balanced && form.starts_statement;
  return is_whole || find_run(form, now) == SIZE_MAX;
}

}  // namespace

void describe_anchors(const Document& document, const PythonSyntax* syntax,
                      const std::vector<RecordedLine>& lines, std::vector<Anchor>& anchors) {
  for (size_t i = 0; i < anchors.size(); ++i) {
    Anchor& anchor = anchors[i];
    if (anchor.line == 0) continue;
    const std::string_view text = document.line(anchor.line - 1);
    const bool is_same = trim(text) == lines[i].text;
    const bool is_exact = is_same && anchor.line == lines[i].line;
    anchor.verdict = is_exact ? AnchorVerdict::Exact : AnchorVerdict::Moved;
    anchor.edited = !is_same && is_edited(document, syntax, anchor.line - 1, lines[i].text);
    anchor.end_column = end_column(text, lines[i].callees);
  }
}

}  // namespace etlens
