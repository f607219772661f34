// SPDX-License-Identifier: Apache-2.0
// Precision and recall of all methods side by side.
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bench/anchoring/baselines.h"

namespace etlens::bench {

// What each method says, one line per recorded line.
struct MethodLines {
  Lines etlens, bare, with_file, same_line, subsequence, git;
  bool has_git = false;
};
MethodLines place_with_all(const std::vector<Recorded>& recorded, const std::string& before,
                           const std::string& after);

struct Score {
  size_t right = 0, placed = 0, surviving = 0;
  // `wanted` is 0 for a line that is gone.
  void add(uint32_t found, uint32_t wanted);
  double precision() const { return placed == 0 ? 1 : static_cast<double>(right) / static_cast<double>(placed); }
  double recall() const {
    return surviving == 0 ? 1 : static_cast<double>(right) / static_cast<double>(surviving);
  }
};

inline constexpr std::array<std::string_view, 6> kMethods{"etlens", "bare",  "etlens+file",
                                                          "same line", "LCS", "git -w"};

struct Scores {
  std::array<Score, kMethods.size()> of;
  size_t trials = 0;
  bool has_git = true;
  // By 1-based line before: the line after; missing for lines that are gone. With `only_known` lines
  // that are in neither map are not counted.
  void add(const std::vector<Recorded>& recorded, const std::map<uint32_t, uint32_t>& truth,
           const MethodLines& found);
};

class Table {
 public:
  void row(std::string_view name, const Scores& scores);
  void print() const;

 private:
  std::vector<std::pair<std::string, Scores>> rows_;
};

}  // namespace etlens::bench
