// SPDX-License-Identifier: Apache-2.0
// What a line of the first text became, as each method tells: etlens, and simpler ones to compare
// with.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/source/anchor/anchor.h"

namespace etlens::bench {

// A recorded line that owns its texts.
struct Recorded {
  uint32_t line = 0;
  std::string function;
  std::string qualified;  // of the function; etlens is not told
  std::string text;
  std::vector<std::string> classes;
};

std::vector<RecordedLine> views_of(const std::vector<Recorded>& lines, bool with_classes);

// 1-based lines of the new text, 0 for lines that are given up; one per recorded line.
using Lines = std::vector<uint32_t>;

Lines same_line(const std::vector<Recorded>& lines, const std::string& after);
// The longest common subsequence of the recorded texts and the lines of the function of that
// qualified name. Does not know the old file.
Lines common_subsequence(const std::vector<Recorded>& lines, const std::string& after);

// `git diff -w` of two texts, --histogram unless told otherwise.
struct GitDiff {
  std::vector<uint32_t> new_line;  // by old line, 1-based; 0 where the line was deleted or changed
  bool is_known = false;           // false if git could not be run
};
GitDiff git_diff(const std::string& before, const std::string& after,
                 std::string_view algorithm = "--histogram");

// The output of a command; empty if it fails.
std::string output_of(const std::string& command);

}  // namespace etlens::bench
