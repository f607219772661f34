// SPDX-License-Identifier: Apache-2.0
#include "bench/anchoring/score.h"

#include <fmt/format.h>

namespace etlens::bench {
namespace {

Lines anchored(const std::vector<Recorded>& recorded, const std::string& after, bool with_classes,
               std::shared_ptr<const Document> before) {
  AnchorEvidence evidence;
  evidence.recorded = std::move(before);
  Lines lines;
  const auto document = std::make_shared<Document>(after);
  for (const Anchor& anchor : anchor_lines(document, views_of(recorded, with_classes), evidence)) {
    lines.push_back(anchor.line);
  }
  return lines;
}

}  // namespace

MethodLines place_with_all(const std::vector<Recorded>& recorded, const std::string& before,
                           const std::string& after, bool with_git) {
  MethodLines found;
  found.etlens = anchored(recorded, after, true, nullptr);
  found.bare = anchored(recorded, after, false, nullptr);
  found.with_file = anchored(recorded, after, true, std::make_shared<Document>(before));
  found.same_line = same_line(recorded, after);
  found.subsequence = common_subsequence(recorded, after);
  const GitDiff diff = with_git ? git_diff(before, after) : GitDiff();
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
  gone += wanted == 0;
  placed_although_gone += wanted == 0 && found != 0;
}

void Scores::add(const std::vector<Recorded>& recorded, const std::map<uint32_t, uint32_t>& truth,
                 const MethodLines& found) {
  ++trials;
  has_git &= found.has_git;
  const std::array<const Lines*, kMethods.size()> lines{&found.etlens,      &found.bare,
                                                        &found.with_file,   &found.same_line,
                                                        &found.subsequence, &found.git};
  for (size_t r = 0; r < recorded.size(); ++r) {
    const auto at = truth.find(recorded[r].line);
    for (size_t m = 0; m < lines.size(); ++m)
      of[m].add((*lines[m])[r], at == truth.end() ? 0 : at->second);
  }
}

void Table::row(std::string_view name, const Scores& scores, const Bounds& bounds) {
  rows_.push_back({std::string(name), scores, bounds});
}

bool Table::check() const {
  bool is_good = !rows_.empty();
  for (const auto& [name, scores, bounds] : rows_) {
    const Score& score = scores.of[0];
    const bool is_wrong = score.placed_although_gone > 0 && !bounds.allows_gone;
    const bool is_short = score.precision() < bounds.precision || score.recall() < bounds.recall;
    if (score.surviving > 0 && !is_short && !is_wrong) continue;
    fmt::print(
        "{}: precision {:.2f}, recall {:.2f}, {} deleted lines placed; wanted {:.2f}, {:.2f}, {}\n",
        name, 100 * score.precision(), 100 * score.recall(), score.placed_although_gone,
        100 * bounds.precision, 100 * bounds.recall, bounds.allows_gone ? "any" : "0");
    is_good = false;
  }
  return is_good;
}

void Table::print() const {
  fmt::print("{:<12}{:>7}{:>8}{:>7}{:>8}", "edit", "trials", "lines", "gone", "placed");
  for (const std::string_view method : kMethods) fmt::print("{:>16}", method);
  fmt::print("\n{:<42}", "");
  for (size_t m = 0; m < kMethods.size(); ++m) fmt::print("{:>16}", "prec   rec");
  fmt::print("\n");
  for (const auto& [name, scores, bounds] : rows_) {
    const Score& own = scores.of[0];
    fmt::print("{:<12}{:>7}{:>8}{:>7}{:>8}", name, scores.trials, own.surviving, own.gone,
               own.placed_although_gone);
    for (size_t m = 0; m < kMethods.size(); ++m) {
      const Score& score = scores.of[m];
      if (m + 1 == kMethods.size() && !scores.has_git) fmt::print("{:>16}", "-");
      else fmt::print("{:>10.2f}{:>6.1f}", 100 * score.precision(), 100 * score.recall());
    }
    fmt::print("\n");
  }
}

}  // namespace etlens::bench
