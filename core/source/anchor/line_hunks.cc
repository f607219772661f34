// SPDX-License-Identifier: Apache-2.0
#include "core/source/anchor/line_hunks.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/base/budget.h"
#include "core/base/text.h"

namespace etlens {
namespace {

constexpr int kMaxSplits = 8;  // of a hunk that lies between lines which both texts have once
constexpr uint32_t kMaxAligned = 24;  // lines of a hunk that are compared with each other
constexpr double kAlike = 0.6;

// How much of two lines is the same at their beginning and their end, blanks aside; 0 to 1.
double ends_alike(std::string_view a, std::string_view b) {
  const auto without_blanks = [](std::string_view line) {
    std::string text(line);
    std::erase_if(text, [](char c) { return c == ' ' || c == '\t'; });
    return text;
  };
  const std::string x = without_blanks(a);
  const std::string y = without_blanks(b);
  const size_t shorter = std::min(x.size(), y.size());
  size_t front = 0;
  while (front < shorter && x[front] == y[front]) ++front;
  size_t back = 0;
  while (back < shorter - front && x[x.size() - 1 - back] == y[y.size() - 1 - back]) ++back;
  const size_t longer = std::max(x.size(), y.size());
  return longer == 0 ? 0 : static_cast<double>(front + back) / static_cast<double>(longer);
}

using LinePair =
    std::pair<uint32_t, uint32_t>;  // a line of the text before and one of the text after

class HunkFinder {
 public:
  HunkFinder(const Document& before, const Document& after) : before_(before), after_(after) {}

  std::vector<LineHunk> run(const LineHunk& whole) {
    split(whole, 0);
    return std::move(hunks_);
  }

 private:
  std::string_view old_line(uint32_t line) const { return trim(before_.line(line)); }
  std::string_view new_line(uint32_t line) const { return trim(after_.line(line)); }

  void split(LineHunk hunk, int depth) {
    const auto is_open = [&] { return hunk.begin < hunk.end && hunk.new_begin < hunk.new_end; };
    while (is_open() && old_line(hunk.begin) == new_line(hunk.new_begin)) {
      go_on();
      ++hunk.begin;
      ++hunk.new_begin;
    }
    while (is_open() && old_line(hunk.end - 1) == new_line(hunk.new_end - 1)) {
      go_on();
      --hunk.end;
      --hunk.new_end;
    }
    if (hunk.begin == hunk.end && hunk.new_begin == hunk.new_end) return;
    const std::vector<LinePair> common =
        is_open() && depth < kMaxSplits ? common_lines(hunk) : std::vector<LinePair>();
    if (common.empty()) {
      add(hunk);
      return;
    }
    LinePair from{hunk.begin, hunk.new_begin};
    for (const auto& [old_at, new_at] : common) {
      split({from.first, old_at, from.second, new_at}, depth + 1);
      from = {old_at + 1, new_at + 1};
    }
    split({from.first, hunk.end, from.second, hunk.new_end}, depth + 1);
  }

  void add(const LineHunk& hunk) {
    const uint32_t lines = hunk.end - hunk.begin;
    const uint32_t new_lines = hunk.new_end - hunk.new_begin;
    const bool is_small = std::max(lines, new_lines) <= kMaxAligned;
    if (lines == 0 || new_lines == 0 || (lines != new_lines && !is_small)) {
      hunks_.push_back(hunk);
      return;
    }
    if (lines != new_lines) {
      align(hunk);
      return;
    }
    for (uint32_t i = 0; i < lines; ++i) {
      go_on();
      const uint32_t line = hunk.begin + i;
      const uint32_t now = hunk.new_begin + i;
      if (old_line(line) != new_line(now)) hunks_.push_back({line, line + 1, now, now + 1});
    }
  }

  // Lines that are alike, in the order of both texts; what is between them stays hunks of its own.
  void align(const LineHunk& hunk) {
    const uint32_t rows = hunk.end - hunk.begin;
    const uint32_t columns = hunk.new_end - hunk.new_begin;
    // The best sum of alikeness from each pair of lines on.
    std::vector<std::vector<double>> best(rows + 1, std::vector<double>(columns + 1));
    std::vector<std::vector<double>> alike(rows, std::vector<double>(columns));
    for (uint32_t i = rows; i-- > 0;) {
      for (uint32_t j = columns; j-- > 0;) {
        go_on();
        alike[i][j] = ends_alike(old_line(hunk.begin + i), new_line(hunk.new_begin + j));
        best[i][j] = std::max(best[i + 1][j], best[i][j + 1]);
        if (alike[i][j] >= kAlike)
          best[i][j] = std::max(best[i][j], best[i + 1][j + 1] + alike[i][j]);
      }
    }
    LinePair from{hunk.begin, hunk.new_begin};
    const auto close = [&](uint32_t line, uint32_t now) {
      if (from.first < line || from.second < now)
        hunks_.push_back({from.first, line, from.second, now});
      from = {line + 1, now + 1};
    };
    uint32_t i = 0;
    uint32_t j = 0;
    while (i < rows && j < columns) {
      const bool is_pair = alike[i][j] >= kAlike && best[i][j] == best[i + 1][j + 1] + alike[i][j];
      if (is_pair) {
        const uint32_t line = hunk.begin + i++;
        const uint32_t now = hunk.new_begin + j++;
        close(line, now);
        if (old_line(line) != new_line(now)) hunks_.push_back({line, line + 1, now, now + 1});
      } else if (best[i][j] == best[i + 1][j]) {
        ++i;
      } else {
        ++j;
      }
    }
    close(hunk.end, hunk.new_end);
  }

  // Lines that both have once, in the longest row of them that is in the same order in both.
  std::vector<LinePair> common_lines(const LineHunk& hunk) const {
    struct Seen {
      uint32_t old_count = 0, new_count = 0, old_at = 0;
    };
    std::unordered_map<std::string_view, Seen> seen;
    for (uint32_t line = hunk.begin; line < hunk.end; ++line) {
      go_on();
      Seen& row = seen[old_line(line)];
      ++row.old_count;
      row.old_at = line;
    }
    for (uint32_t line = hunk.new_begin; line < hunk.new_end; ++line) {
      go_on();
      if (const auto at = seen.find(new_line(line)); at != seen.end()) ++at->second.new_count;
    }
    std::vector<LinePair> pairs;
    for (uint32_t line = hunk.new_begin; line < hunk.new_end; ++line) {
      const auto at = seen.find(new_line(line));
      const bool is_once = at != seen.end() && !at->first.empty() && at->second.old_count == 1 &&
                           at->second.new_count == 1;
      if (is_once) pairs.emplace_back(at->second.old_at, line);
    }
    return longest_ascending(pairs);
  }

  // By the old line; the new ones ascend already.
  static std::vector<LinePair> longest_ascending(const std::vector<LinePair>& pairs) {
    constexpr size_t kFirst = SIZE_MAX;
    std::vector<size_t> last_of;  // per length the pair that ends such a row lowest
    std::vector<size_t> before(pairs.size(), kFirst);
    for (size_t i = 0; i < pairs.size(); ++i) {
      const auto at =
          std::lower_bound(last_of.begin(), last_of.end(), pairs[i].first,
                           [&](size_t row, uint32_t line) { return pairs[row].first < line; });
      if (at != last_of.begin()) before[i] = *std::prev(at);
      if (at == last_of.end()) last_of.push_back(i);
      else *at = i;
    }
    std::vector<LinePair> row;
    for (size_t i = last_of.empty() ? kFirst : last_of.back(); i != kFirst; i = before[i])
      row.push_back(pairs[i]);
    std::reverse(row.begin(), row.end());
    return row;
  }

  const Document& before_;
  const Document& after_;
  std::vector<LineHunk> hunks_;
};

}  // namespace

std::vector<LineHunk> line_hunks(const Document& before, const Document& after,
                                 const LineHunk& whole) {
  if (std::max(whole.end - whole.begin, whole.new_end - whole.new_begin) > kMaxHunkLines)
    return {whole};
  return HunkFinder(before, after).run(whole);
}

}  // namespace etlens
