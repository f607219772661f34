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
// `with_git`: git is a process for each edit, which takes longer than all the rest.
MethodLines place_with_all(const std::vector<Recorded>& recorded, const std::string& before,
                           const std::string& after, bool with_git);

struct Score {
  size_t right = 0, placed = 0, surviving = 0;
  size_t gone = 0;                  // recorded lines that the edit deleted …
  size_t placed_although_gone = 0;  // … and that were placed on some other line
  // `wanted` is 0 for a line that is gone.
  void add(uint32_t found, uint32_t wanted);
  double precision() const {
    return placed == 0 ? 1 : static_cast<double>(right) / static_cast<double>(placed);
  }
  double recall() const {
    return surviving == 0 ? 1 : static_cast<double>(right) / static_cast<double>(surviving);
  }
};

inline constexpr std::array<std::string_view, 6> kMethods{"etlens",    "bare", "etlens+file",
                                                          "same line", "LCS",  "git -w"};

struct Scores {
  std::array<Score, kMethods.size()> of;
  size_t trials = 0;
  bool has_git = true;
  // By 1-based line before: the line after; 0 or missing for lines that are gone.
  void add(const std::vector<Recorded>& recorded, const std::map<uint32_t, uint32_t>& truth,
           const MethodLines& found);
};

// What etlens must reach in every row.
struct Bounds {
  double precision = 0.995;
  double recall = 0.97;
  bool allows_gone = false;  // otherwise a deleted line must never be placed
};

class Table {
 public:
  void row(std::string_view name, const Scores& scores, const Bounds& bounds = {});
  // Prints what falls short; true if nothing does.
  bool check() const;
  void print() const;

 private:
  struct Row {
    std::string name;
    Scores scores;
    Bounds bounds;
  };
  std::vector<Row> rows_;
};

}  // namespace etlens::bench
