// SPDX-License-Identifier: Apache-2.0
#include "bench/anchoring/baselines.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>

#include "core/base/text.h"

namespace etlens::bench {

std::vector<RecordedLine> views_of(const std::vector<Recorded>& lines, bool with_classes) {
  std::vector<RecordedLine> views;
  for (const Recorded& line : lines) {
    RecordedLine view{line.line, line.function, line.text};
    if (with_classes) view.classes.assign(line.classes.begin(), line.classes.end());
    views.push_back(std::move(view));
  }
  return views;
}

Lines same_line(const std::vector<Recorded>& lines, const std::string& after) {
  const Document document{std::string(after)};
  Lines found;
  for (const Recorded& line : lines)
    found.push_back(line.line <= document.line_count() ? line.line : 0);
  return found;
}

Lines common_subsequence(const std::vector<Recorded>& lines, const std::string& after) {
  const auto document = std::make_shared<Document>(after);
  const auto syntax = PythonSyntax::parse(document);
  std::map<std::string, std::vector<size_t>> by_function;
  for (size_t r = 0; r < lines.size(); ++r) by_function[lines[r].qualified].push_back(r);
  Lines found(lines.size(), 0);
  for (uint32_t row = 0; row < syntax->scopes().size(); ++row) {
    const auto at = by_function.find(syntax->qualified_name(row));
    if (at == by_function.end()) continue;
    const std::vector<size_t>& rows = at->second;
    const PythonScope& scope = syntax->scopes()[row];
    const size_t count = scope.last_line - scope.header_line + 1;
    std::vector<std::vector<uint32_t>> length(rows.size() + 1, std::vector<uint32_t>(count + 1, 0));
    const auto is_equal = [&](size_t i, size_t j) {
      return lines[rows[i]].text == trim(document->line(scope.header_line + j));
    };
    for (size_t i = rows.size(); i-- > 0;) {
      for (size_t j = count; j-- > 0;) {
        length[i][j] = is_equal(i, j) ? length[i + 1][j + 1] + 1
                                      : std::max(length[i + 1][j], length[i][j + 1]);
      }
    }
    for (size_t i = 0, j = 0; i < rows.size() && j < count;) {
      if (is_equal(i, j)) found[rows[i++]] = static_cast<uint32_t>(scope.header_line + j++ + 1);
      else if (length[i + 1][j] >= length[i][j + 1]) ++i;
      else ++j;
    }
  }
  return found;
}

std::string output_of(const std::string& command) {
  std::string output;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return output;
  char buffer[1 << 16];
  for (size_t n; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;) output.append(buffer, n);
  pclose(pipe);
  return output;
}

GitDiff git_diff(const std::string& before, const std::string& after, std::string_view algorithm) {
  namespace fs = std::filesystem;
  const fs::path folder =
      fs::temp_directory_path() / ("etlens_anchor_bench_" + std::to_string(getpid()));
  fs::create_directories(folder);
  // Without an end of line the last line would differ from one that has it.
  std::ofstream(folder / "before.py") << before << "\n";
  std::ofstream(folder / "after.py") << after << "\n";
  const std::string out =
      output_of("git diff --no-index " + std::string(algorithm) + " -w -U0 --no-color " +
                (folder / "before.py").string() + " " + (folder / "after.py").string() +
                " 2>/dev/null; echo status=$?");
  GitDiff diff;
  diff.is_known = out.ends_with("status=0\n") || out.ends_with("status=1\n");
  const size_t count = Document(std::string(before)).line_count();
  diff.new_line.assign(count + 1, 0);
  uint32_t old_at = 1, new_at = 1;
  const auto equal_until = [&](uint32_t old_end) {
    for (; old_at < old_end && old_at <= count; ++old_at, ++new_at) diff.new_line[old_at] = new_at;
  };
  for (const std::string_view line : split_lines(out)) {
    if (!line.starts_with("@@ ")) continue;
    uint32_t a = 0, a_count = 1, b = 0, b_count = 1;
    const std::string head(line);
    const size_t plus = head.find(" +");
    if (std::sscanf(head.c_str(), "@@ -%u,%u", &a, &a_count) < 1) continue;
    if (std::sscanf(head.c_str() + plus, " +%u,%u", &b, &b_count) < 1) continue;
    equal_until(a_count == 0 ? a + 1 : a);
    old_at += a_count;
    new_at += b_count;
  }
  equal_until(UINT32_MAX);
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  return diff;
}

}  // namespace etlens::bench
