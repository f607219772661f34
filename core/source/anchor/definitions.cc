// SPDX-License-Identifier: Apache-2.0
#include "core/source/anchor/definitions.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

#include "core/base/text.h"

namespace etlens {
namespace {

// <lambda>, <listcomp>, <module>: code without a def.
bool is_nameless(std::string_view function) { return function.starts_with('<'); }

// What a line of such code has to hold.
std::string_view word_of(std::string_view function) {
  if (function == "<lambda>") return "lambda";
  return function == "<module>" ? "" : "for";
}

class Definitions {
 public:
  Definitions(const PythonSyntax& syntax, std::span<const RecordedLine> lines)
      : syntax_(syntax), lines_(lines), found_(lines.size()), order_(lines.size()) {
    std::iota(order_.begin(), order_.end(), size_t{0});
    std::stable_sort(order_.begin(), order_.end(),
                     [&](size_t a, size_t b) { return lines[a].line < lines[b].line; });
    const std::span<const PythonScope> scopes = syntax.scopes();
    for (uint32_t s = 0; s < scopes.size(); ++s) {
      if (scopes[s].is_class) continue;
      by_name_[scopes[s].name].push_back(s);
      by_line_.try_emplace(scopes[s].first_line + int64_t{1}, s);
      by_line_.try_emplace(scopes[s].header_line + int64_t{1}, s);
    }
    for (const size_t r : order_) {
      if (is_nameless(lines[r].function)) continue;
      recorded_[lines[r].function].push_back(r);
      with_name_.push_back(r);
    }
  }

  std::vector<Anchor> run() {
    if (!find_in_place()) {
      find_by_name();
      find_by_neighbours();
    }
    std::vector<Anchor> anchors(lines_.size());
    for (size_t r = 0; r < lines_.size(); ++r)
      anchors[r] = is_nameless(lines_[r].function) ? nameless_anchor(r) : anchor(r);
    return anchors;
  }

 private:
  const PythonScope& scope(uint32_t s) const { return syntax_.scopes()[s]; }

  std::span<const uint32_t> named(std::string_view name) const {
    const auto at = by_name_.find(name);
    return at == by_name_.end() ? std::span<const uint32_t>() : at->second;
  }

  // The function of that name that starts on the 1-based line; kNone if none does.
  uint32_t at_line(std::string_view name, int64_t line) const {
    const auto at = by_line_.find(line);
    return at != by_line_.end() && scope(at->second).name == name ? at->second : kNone;
  }

  // True if every function is where it was recorded.
  bool find_in_place() {
    for (const auto& [name, rows] : recorded_) {
      for (const size_t r : rows) {
        const uint32_t s = at_line(name, lines_[r].line);
        if (s == kNone) {
          found_.assign(lines_.size(), std::nullopt);
          return false;
        }
        found_[r] = s;
      }
    }
    return true;
  }

  // One of a name then, one now.
  void find_by_name() {
    for (const auto& [name, rows] : recorded_) {
      const std::span<const uint32_t> now = named(name);
      if (rows.size() == 1 && now.size() == 1) found_[rows.front()] = now.front();
    }
    drop_crossing();
  }

  // Functions that changed places prove nothing about what is between them, but are certain
  // themselves; they are only no neighbours.
  void drop_crossing() {
    int64_t highest = -1;
    for (const size_t r : order_) {
      if (!found_[r]) continue;
      const int64_t line = scope(*found_[r]).first_line;
      if (line > highest) neighbours_.push_back(r);
      highest = std::max(highest, line);
    }
  }

  // Lines by which a found function moved.
  int64_t shift_of(size_t r) const {
    const PythonScope& s = scope(*found_[r]);
    const int64_t by_first = s.first_line + int64_t{1} - lines_[r].line;
    const int64_t by_header = s.header_line + int64_t{1} - lines_[r].line;
    return std::abs(by_first) <= std::abs(by_header) ? by_first : by_header;
  }

  // The found functions before and behind a recorded line; SIZE_MAX where there are none.
  std::pair<size_t, size_t> around(size_t r) const { return nearest(neighbours_, r); }

  // Of `rows`, ascending by line, the last one before `r` and the first one behind it.
  std::pair<size_t, size_t> nearest(const std::vector<size_t>& rows, size_t r) const {
    const auto behind = std::partition_point(
        rows.begin(), rows.end(), [&](size_t n) { return lines_[n].line <= lines_[r].line; });
    return {behind == rows.begin() ? SIZE_MAX : *std::prev(behind),
            behind == rows.end() ? SIZE_MAX : *behind};
  }

  // Where both neighbours moved alike, what stands between them moved with them, if it is there. Of
  // functions of one name between the same neighbours, as many as there were are the same ones.
  void find_by_neighbours() {
    const std::vector<std::optional<uint32_t>> certain = found_;
    for (const auto& [name, rows] : recorded_) {
      std::map<std::pair<size_t, size_t>, std::vector<size_t>> between;
      for (const size_t r : rows) {
        if (!certain[r]) between[around(r)].push_back(r);
      }
      for (const auto& [neighbours, group] : between) place_group(name, neighbours, group);
    }
  }

  void place_group(std::string_view name, std::pair<size_t, size_t> neighbours,
                   const std::vector<size_t>& group) {
    const auto [before, behind] = neighbours;
    std::vector<uint32_t> now;
    for (const uint32_t s : named(name)) {
      const bool is_behind =
          before == SIZE_MAX || scope(s).first_line > scope(*found_[before]).first_line;
      const bool is_before =
          behind == SIZE_MAX || scope(s).first_line < scope(*found_[behind]).first_line;
      if (is_behind && is_before) now.push_back(s);
    }
    if (now.size() == group.size()) {
      for (size_t i = 0; i < group.size(); ++i) found_[group[i]] = now[i];
      return;
    }
    if (before == SIZE_MAX || behind == SIZE_MAX || shift_of(before) != shift_of(behind)) return;
    for (const size_t r : group) {
      const uint32_t s = at_line(name, lines_[r].line + shift_of(before));
      if (s != kNone) found_[r] = s;
    }
  }

  Anchor anchor(size_t r) const {
    Anchor anchor;
    if (!found_[r]) return anchor;
    const PythonScope& s = scope(*found_[r]);
    anchor.line = anchor.function_line = s.header_line + 1;
    const bool is_same = at_line(lines_[r].function, lines_[r].line) == *found_[r];
    anchor.verdict = is_same ? AnchorVerdict::Exact : AnchorVerdict::Moved;
    anchor.rung = is_same ? AnchorRung::SameLine : AnchorRung::Syntax;
    return anchor;
  }

  // Only as sure as the functions around it: those must all have moved alike.
  Anchor nameless_anchor(size_t r) const {
    std::optional<int64_t> shift;
    const auto [before, behind] = nearest(with_name_, r);
    for (const size_t n : {before, behind}) {
      if (n == SIZE_MAX) continue;
      if (!found_[n] || (shift && *shift != shift_of(n))) return {};
      shift = shift_of(n);
    }
    const int64_t line = lines_[r].line + shift.value_or(0);
    const Document& document = syntax_.document();
    if (line < 1 || line > static_cast<int64_t>(document.line_count())) return {};
    const std::string_view text = document.line(static_cast<size_t>(line - 1));
    if (text.find(word_of(lines_[r].function)) == std::string_view::npos) return {};
    Anchor anchor;
    anchor.line = static_cast<uint32_t>(line);
    anchor.verdict = line == lines_[r].line ? AnchorVerdict::Exact : AnchorVerdict::Moved;
    anchor.rung = line == lines_[r].line ? AnchorRung::SameLine : AnchorRung::Syntax;
    return anchor;
  }

  const PythonSyntax& syntax_;
  std::span<const RecordedLine> lines_;
  std::vector<std::optional<uint32_t>> found_;  // scopes
  std::vector<size_t> order_;                   // rows by line
  std::vector<size_t> with_name_;               // likewise: no lambdas and the like
  std::vector<size_t> neighbours_;              // likewise: found, in the order that they had
  std::map<int64_t, uint32_t> by_line_;         // scopes by the 1-based lines that they start on
  std::map<std::string_view, std::vector<uint32_t>> by_name_;
  std::map<std::string_view, std::vector<size_t>> recorded_;
};

}  // namespace

std::vector<Anchor> anchor_definitions(const PythonSyntax& syntax,
                                       std::span<const RecordedLine> lines) {
  return Definitions(syntax, lines).run();
}

}  // namespace etlens
