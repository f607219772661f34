// SPDX-License-Identifier: Apache-2.0
#include "core/source/anchor/line_candidates.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/base/budget.h"

namespace etlens {
namespace {

constexpr size_t kMaxCandidates = 12;
constexpr size_t kMaxEqual = 64;   // of lines with the same text, those near the expected place
constexpr size_t kMaxNaming = 64;  // a name in more statements than this tells nothing
constexpr size_t kMaxSimilar = 6;
constexpr double kMinSimilarity = 0.35;
constexpr uint32_t kNearby = 3;  // lines around the expected one that are always looked at
constexpr float kMinContainedWeight = 2.0f;
constexpr size_t kMaxRunTokens = 256;
constexpr uint32_t kMaxStatementLines = 64;

// In an edited file the number of lines changed at one of so many recorded lines; this is believed
// as firmly as if it had been seen at that many lines.
constexpr double kUsualChanges = 0.02;
constexpr double kUsualLines = 25;
constexpr double kMinShiftPrice = 0.2;

constexpr float kReformattedCost = 0.03f;
constexpr float kContainedCost = 0.12f;

// Short lines come back by chance.
float reward_of(const TokenForm& form) { return std::min(0.7f, 0.12f * form.weight); }

}  // namespace

float similar_cost(double similarity) { return static_cast<float>(0.15 + 1.2 * (1 - similarity)); }

LineCandidates::LineCandidates(const SourceIndex& index, const OwnerFit& owners,
                               const std::vector<RecordedLine>& lines,
                               std::span<const uint32_t> known)
    : index_(index), owners_(owners) {
  prepare(lines);
  for (size_t r = 0; r < recorded_.size(); ++r) {
    go_on();
    const uint32_t line = r < known.size() ? known[r] : 0;
    if (line == 0 || line > index_.lines().size()) {
      add_equal(r);
    } else {
      candidates_[r].push_back(
          {line - 1, line - 1, index_.scope_of(line - 1), 0, -2.0f, TextMatch::Known});
    }
  }
  estimate_shifts();
  for (size_t r = 0; r < recorded_.size(); ++r) {
    go_on();
    if (!candidates_[r].empty() && candidates_[r].front().match == TextMatch::Known) continue;
    if (recorded_[r].form.token_count == 0) continue;
    if (candidates_[r].empty()) add_contained(r);
    add_similar(r);
    keep_best(r);
    set_enter_costs(r);
  }
}

void LineCandidates::set_enter_costs(size_t r) {
  const uint32_t owner = recorded_[r].owner;
  std::vector<uint32_t> expected;  // functions of the right name at the line's place
  if (owners_.only_scope(owner) == kNone) {
    for (const int64_t line : expected_lines(r)) {
      if (line < 0 || line >= static_cast<int64_t>(index_.lines().size())) continue;
      const uint32_t scope = index_.scope_of(static_cast<uint32_t>(line));
      if (scope != kNone && owners_.cost(owner, scope) <= 0) expected.push_back(scope);
    }
  }
  for (Candidate& candidate : candidates_[r]) {
    const bool is_expected = expected.empty() || std::find(expected.begin(), expected.end(),
                                                           candidate.scope) != expected.end();
    candidate.is_elsewhere = !is_expected;
    candidate.enter = owners_.cost(owner, candidate.scope);
  }
}

void LineCandidates::prepare(const std::vector<RecordedLine>& lines) {
  recorded_.reserve(lines.size());
  candidates_.resize(lines.size());
  for (size_t r = 0; r < lines.size(); ++r) {
    RecordedForm recorded;
    recorded.form = token_form(python_tokens(lines[r].text));
    recorded.line = lines[r].line - 1;
    recorded.owner = owners_.owner_of(r);
    recorded.reward = reward_of(recorded.form);
    if (recorded.form.token_count > 0) {
      ++recorded_keys_[recorded.form.key];
      ++recorded_loose_keys_[recorded.form.loose_key];
    }
    recorded_.push_back(std::move(recorded));
  }
  for (RecordedForm& recorded : recorded_) {
    // Where the text is more often in the document than among the recorded lines, the one found may
    // be a line that was never recorded.
    const size_t here = index_.lines_with(recorded.form.key).size();
    if (here > recorded_count(recorded.form.key)) recorded.reward /= 2;
  }
}

size_t LineCandidates::recorded_count(uint64_t key) const {
  const auto at = recorded_keys_.find(key);
  return at == recorded_keys_.end() ? 0 : at->second;
}

void LineCandidates::add(size_t r, Candidate candidate) {
  if (owners_.cost(recorded_[r].owner, candidate.scope) >= kForbidden) return;
  for (Candidate& known : candidates_[r]) {
    if (known.line != candidate.line) continue;
    if (candidate.cost < known.cost) known = candidate;
    return;
  }
  candidates_[r].push_back(candidate);
}

void LineCandidates::add_equal(size_t r) {
  const RecordedForm& recorded = recorded_[r];
  if (recorded.form.token_count == 0) return;
  for (const uint32_t line : lines_equal_to(r)) {
    add(r, {line, line, index_.scope_of(line), 0, -recorded.reward, TextMatch::Same});
  }
  const std::span<const uint32_t> statements = index_.statements_with(recorded.form.loose_key);
  for (const uint32_t row : statements.first(std::min(statements.size(), kMaxEqual))) {
    const IndexedStatement& found = index_.statements()[row];
    if (index_.line_key(found.first_line) == recorded.form.key) continue;
    if (!is_reformatted(recorded.form, statement_form(row))) continue;
    add(r, {found.first_line, found.last_line, found.scope, 0, kReformattedCost - recorded.reward,
            TextMatch::Reformatted});
  }
}

// In the only function that it can be if it is there, else everywhere, or near if there are very
// many.
std::span<const uint32_t> LineCandidates::lines_equal_to(size_t r) const {
  const std::span<const uint32_t> lines = index_.lines_with(recorded_[r].form.key);
  const auto from = [&](uint32_t line) {
    return static_cast<size_t>(std::lower_bound(lines.begin(), lines.end(), line) - lines.begin());
  };
  if (const uint32_t only = owners_.only_scope(recorded_[r].owner); only != kNone) {
    const PythonScope& scope = index_.syntax().scopes()[only];
    const size_t first = from(scope.header_line);
    const size_t count = from(scope.last_line + 1) - first;
    if (count > 0) return lines.subspan(first, std::min(count, kMaxEqual));
  }
  if (lines.size() <= kMaxEqual) return lines;
  const size_t near = std::min(from(recorded_[r].line), lines.size() - kMaxEqual / 2);
  return lines.subspan(near - std::min(near, kMaxEqual / 2), kMaxEqual);
}

void LineCandidates::estimate_shifts() {
  const auto obvious = [&](size_t r) -> std::optional<int64_t> {
    const std::vector<Candidate>& found = candidates_[r];
    if (found.size() != 1 || owners_.cost(recorded_[r].owner, found[0].scope) > 0)
      return std::nullopt;
    return static_cast<int64_t>(found[0].line) - recorded_[r].line;
  };
  shift_before_.resize(recorded_.size());
  shift_after_.resize(recorded_.size());
  int64_t shift = 0;
  size_t count = 0, changes = 0;
  for (size_t r = 0; r < recorded_.size(); ++r) {
    shift_before_[r] = shift;
    const std::optional<int64_t> here = obvious(r);
    if (!here) continue;
    ++count;
    if (*here != shift) ++changes;
    shift = *here;
  }
  // As unlikely as it is here, compared with a file that was hardly edited.
  const double likely = (static_cast<double>(changes) + kUsualChanges * kUsualLines) /
                        (static_cast<double>(count) + kUsualLines);
  shift_price_ = std::clamp(std::log(likely) / std::log(kUsualChanges), kMinShiftPrice, 1.0);
  for (size_t r = recorded_.size(); r-- > 0;) {
    shift_after_[r] = shift;
    shift = obvious(r).value_or(shift);
  }
}

std::vector<int64_t> LineCandidates::expected_lines(size_t r) const {
  std::vector<int64_t> lines{recorded_[r].line + shift_before_[r]};
  if (shift_after_[r] != shift_before_[r]) lines.push_back(recorded_[r].line + shift_after_[r]);
  return lines;
}

// A recorded line may be the first of several that are one now, or hold what is now in a longer
// one.
void LineCandidates::add_contained(size_t r) {
  const RecordedForm& recorded = recorded_[r];
  if (recorded.form.weight < kMinContainedWeight || recorded.form.loose.size() > kMaxRunTokens)
    return;
  std::span<const uint32_t> fewest;
  for (const uint64_t name : recorded.form.names) {
    const std::span<const uint32_t> rows = index_.statements_naming(name, kMaxNaming);
    if (!rows.empty() && (fewest.empty() || rows.size() < fewest.size())) fewest = rows;
  }
  for (const uint32_t row : fewest) {
    go_on(1 + statement_form(row).loose.size() / 16);
    const size_t position = find_run(recorded.form, statement_form(row));
    if (position == SIZE_MAX) continue;
    // A whole statement with more behind it was edited, not laid out anew: see add_similar.
    const bool has_more = recorded.form.loose.size() < statement_form(row).loose.size();
    if (position == 0 && has_more && recorded.form.is_balanced) continue;
    const uint32_t line = index_.line_of_loose(row, position);
    if (is_owned(r, line)) continue;
    const uint32_t end = index_.line_of_loose(row, position + recorded.form.loose.size() - 1);
    add(r, {line, end, index_.statements()[row].scope, static_cast<uint32_t>(position),
            kContainedCost - 0.7f * recorded.reward, TextMatch::Contained});
  }
}

void LineCandidates::add_similar(size_t r) {
  for (const int64_t expected : expected_lines(r)) {
    const bool is_found = std::any_of(candidates_[r].begin(), candidates_[r].end(),
                                      [&](const Candidate& c) { return c.line == expected; });
    if (is_found) continue;
    const int64_t around = candidates_[r].empty() ? kNearby : 0;
    for (int64_t line = expected - around; line <= expected + around; ++line) {
      if (line < 0 || line >= static_cast<int64_t>(index_.lines().size())) continue;
      if (const auto found = similar_at(r, static_cast<uint32_t>(line))) add(r, *found);
    }
  }
  const bool is_found =
      std::any_of(candidates_[r].begin(), candidates_[r].end(),
                  [](const Candidate& c) { return c.match != TextMatch::Similar; });
  if (is_found) return;
  for (const uint32_t row : statements_like(r)) {
    const IndexedStatement& statement = index_.statements()[row];
    const uint32_t last = std::min(statement.last_line, statement.first_line + kMaxStatementLines);
    for (uint32_t line = statement.first_line; line <= last; ++line) {
      if (const auto found = similar_at(r, line)) add(r, *found);
    }
  }
}

// The statements that share the most telling names with the line.
std::vector<uint32_t> LineCandidates::statements_like(size_t r) const {
  std::unordered_map<uint32_t, float> votes;
  std::vector<uint64_t> names = recorded_[r].form.names;
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  for (const uint64_t name : names) {
    const std::span<const uint32_t> rows = index_.statements_naming(name, kMaxNaming);
    for (const uint32_t row : rows) votes[row] += 1.0f / std::sqrt(static_cast<float>(rows.size()));
  }
  std::vector<std::pair<float, uint32_t>> ranked;
  for (const auto& [row, vote] : votes) {
    if (owners_.cost(recorded_[r].owner, index_.statements()[row].scope) < kForbidden) {
      ranked.emplace_back(-vote, row);
    }
  }
  std::sort(ranked.begin(), ranked.end());
  std::vector<uint32_t> best;
  for (size_t i = 0; i < std::min(ranked.size(), kMaxSimilar); ++i)
    best.push_back(ranked[i].second);
  return best;
}

// The text of another recorded line, and not there more often than it was recorded: that line's
// place.
bool LineCandidates::is_owned(size_t r, uint32_t line) const {
  const uint64_t key = index_.line_key(line);
  if (key != recorded_[r].form.key && recorded_count(key) >= index_.lines_with(key).size())
    return true;
  const uint64_t loose = index_.statements()[index_.lines()[line].statement].loose_key;
  if (loose == recorded_[r].form.loose_key) return false;
  const auto at = recorded_loose_keys_.find(loose);
  return at != recorded_loose_keys_.end() && at->second >= index_.statements_with(loose).size();
}

std::optional<Candidate> LineCandidates::similar_at(size_t r, uint32_t line) {
  if (!index_.has_code(line) || is_owned(r, line)) return std::nullopt;
  const uint32_t scope = index_.scope_of(line);
  if (owners_.cost(recorded_[r].owner, scope) >= kForbidden) return std::nullopt;
  const auto [alike, end] = similarity_at(r, line);
  if (alike < kMinSimilarity) return std::nullopt;
  return Candidate{line, end, scope, 0, similar_cost(alike), TextMatch::Similar};
}

std::pair<double, uint32_t> LineCandidates::similarity_at(size_t r, uint32_t line) {
  const TokenForm& form = recorded_[r].form;
  go_on(1 + (form.bag.size() + line_form(line).bag.size()) / 16);
  const uint32_t row = index_.lines()[line].statement;
  const IndexedStatement& statement = index_.statements()[row];
  // What starts a statement starts one still. (`for` and `if` also stand inside comprehensions.)
  if (form.starts_statement && line != statement.first_line) return {0, line};
  double best = similarity(form, line_form(line));
  uint32_t end = line;
  if (form.is_balanced && line == statement.first_line && statement.last_line > line) {
    // A whole statement that was on one line and is now on several.
    go_on(1 + statement_form(row).bag.size() / 16);
    const double whole = similarity(form, statement_form(row));
    if (whole > best) {
      best = whole;
      end = statement.last_line;
    }
  }
  if (!form.is_balanced && statement.first_line == statement.last_line) {
    best = std::max(best, 0.9 * overlap(form, line_form(line)));
  }
  return {best, end};
}

void LineCandidates::keep_best(size_t r) {
  const std::vector<int64_t> expected = expected_lines(r);
  const auto rank = [&](const Candidate& candidate) {
    int64_t distance = INT64_MAX;
    for (const int64_t line : expected)
      distance = std::min(distance, std::abs(line - candidate.line));
    const float bonus = distance == 0 ? -1.0f : 0.0f;
    return candidate.cost + bonus + 0.05f * std::log2(1.0f + static_cast<float>(distance));
  };
  std::vector<Candidate>& all = candidates_[r];
  std::stable_sort(all.begin(), all.end(),
                   [&](const Candidate& a, const Candidate& b) { return rank(a) < rank(b); });
  if (all.size() > kMaxCandidates) all.resize(kMaxCandidates);
}

const TokenForm& LineCandidates::line_form(uint32_t line) {
  const auto [at, is_new] = line_forms_.try_emplace(line);
  if (is_new) at->second = index_.form_of_line(line);
  return at->second;
}

const TokenForm& LineCandidates::statement_form(uint32_t statement) {
  const auto [at, is_new] = statement_forms_.try_emplace(statement);
  if (is_new) at->second = index_.form_of_statement(statement);
  return at->second;
}

}  // namespace etlens
