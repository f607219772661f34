// SPDX-License-Identifier: Apache-2.0
// Program: a Python file under edit that remembers where each of its lines came from, so that the
// truth about an edit is known by construction.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "core/source/python/python_syntax.h"

namespace etlens::bench {

using Random = std::mt19937_64;

inline size_t below(Random& random, size_t limit) { return limit == 0 ? 0 : random() % limit; }
inline bool chance(Random& random, double p) {
  return std::uniform_real_distribution<double>(0, 1)(random) < p;
}

struct ProgramLine {
  std::string text;
  std::vector<uint32_t> origins;  // 1-based lines of the first text that this one continues
};

// Consecutive one-line statements of one function and one indentation.
struct Block {
  size_t first = 0;  // 0-based lines
  size_t count = 0;
  std::string indent;
  uint32_t scope = kNone;
};

class Program {
 public:
  explicit Program(std::string_view text);

  std::string text() const;
  // Parsed anew if lines changed since the last call of refresh().
  const PythonSyntax& syntax() const { return *syntax_; }
  void refresh();

  std::vector<ProgramLine>& lines() { return lines_; }
  const std::vector<ProgramLine>& lines() const { return lines_; }
  std::vector<Block> blocks() const;
  // Rows of syntax().scopes().
  std::vector<uint32_t> functions() const;
  std::vector<uint32_t> classes() const;
  const PythonScope& scope(uint32_t row) const { return syntax_->scopes()[row]; }

  void insert(size_t at, const std::vector<std::string>& texts);
  // Takes lines [first, first + count) out and puts them before the line that is now `to`.
  void move(size_t first, size_t count, size_t to);
  void erase(size_t first, size_t count);
  std::vector<std::string> texts(size_t first, size_t count) const;

  // From first lines to lines now, 1-based.
  std::map<uint32_t, uint32_t> truth() const;

 private:
  std::vector<ProgramLine> lines_;
  std::shared_ptr<const PythonSyntax> syntax_;
};

std::string indent_of(std::string_view line);

// Replaces whole words; with `before` only where the text in front ends with it.
std::string replace_word(std::string_view text, std::string_view word, std::string_view with,
                         std::string_view before = {});

}  // namespace etlens::bench
