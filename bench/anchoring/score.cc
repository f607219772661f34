// SPDX-License-Identifier: Apache-2.0
#include "bench/anchoring/score.h"

#include <fmt/format.h>

namespace etlens::bench {
namespace {

Lines anchored(const std::vector<Recorded>& recorded, const std::string& after, bool with_classes,
               const Document* before) {
  AnchorEvidence evidence;
  evidence.recorded = before;
  Lines lines;
  const auto document = std::make_shared<Document>(after);
  for (const Anchor& anchor : anchor_lines(document, views_of(recorded, with_classes), evidence)) {
    lines.push_back(anchor.line);
  }
  return lines;
}

}  // namespace

MethodLines place_with_all(const std::vector<Recorded>& recorded, const std::string& before,
                           const std::string& after) {
  MethodLines found;
  found.etlens = anchored(recorded, after, true, nullptr);
  found.bare = anchored(recorded, after, false, nullptr);
  const Document old{std::string(before)};
  found.with_file = anchored(recorded, after, true, &old);
  found.same_line = same_line(recorded, after);
  found.subsequence = common_subsequence(recorded, after);
  const GitDiff diff = git_diff(before, after);
  found.has_git = diff.is_known;
  for (const Recorded& line : recorded) {
    found.git.push_back(line.line < diff.new_line.size() ? diff.new_line[line.line] : 0);
  }
  return found;
}

void Score::add(uint32_t found, uint32_t wanted) {
  surviving += wanted != 0;
  placed += found != 0;
  right += found != 0 && found == wanted;
}

void Scores::add(const std::vector<Recorded>& recorded, const std::map<uint32_t, uint32_t>& truth,
                 const MethodLines& found) {
  ++trials;
  has_git &= found.has_git;
  const std::array<const Lines*, kMethods.size()> lines{&found.etlens,    &found.bare,        &found.with_file,
                                                        &found.same_line, &found.subsequence, &found.git};
  for (size_t r = 0; r < recorded.size(); ++r) {
    const auto at = truth.find(recorded[r].line);
    for (size_t m = 0; m < lines.size(); ++m) of[m].add((*lines[m])[r], at == truth.end() ? 0 : at->second);
  }
}

void Table::row(std::string_view name, const Scores& scores) { rows_.emplace_back(name, scores); }

void Table::print() const {
  fmt::print("{:<12}{:>7}{:>8}", "edit", "trials", "lines");
  for (const std::string_view method : kMethods) fmt::print("{:>16}", method);
  fmt::print("\n{:<27}", "");
  for (size_t m = 0; m < kMethods.size(); ++m) fmt::print("{:>16}", "prec   rec");
  fmt::print("\n");
  for (const auto& [name, scores] : rows_) {
    fmt::print("{:<12}{:>7}{:>8}", name, scores.trials, scores.of[0].surviving);
    for (size_t m = 0; m < kMethods.size(); ++m) {
      const Score& score = scores.of[m];
      if (m + 1 == kMethods.size() && !scores.has_git) fmt::print("{:>16}", "no git");
      else fmt::print("{:>10.2f}{:>6.1f}", 100 * score.precision(), 100 * score.recall());
    }
    fmt::print("\n");
  }
}

}  // namespace etlens::bench
