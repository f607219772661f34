// SPDX-License-Identifier: Apache-2.0
#include "core/source/edited_anchors.h"

#include <algorithm>
#include <unordered_set>

#include "core/base/text.h"
#include "core/source/line_shift.h"
#include "core/source/token_form.h"

namespace etlens {
namespace {

constexpr uint32_t kMaxTouchedLines = 400;  // more new text than this is a new file
// A line typed over within its place is the same statement if so much of it is left.
constexpr double kStillAlike = 0.35;

bool is_still_alike(std::string_view recorded, std::string_view now) {
  return similarity(token_form(python_tokens(recorded)), token_form(python_tokens(now))) >= kStillAlike;
}

class Carrier {
 public:
  Carrier(const Document& before, const std::vector<Anchor>& anchors, std::span<const TextEdit> edits,
          const Document& after, const std::vector<RecordedLine>& lines)
      : before_(before), after_(after), old_(anchors), lines_(lines), shift_(before, edits, after) {}

  // True if arithmetic says all; otherwise known() is what it does say.
  bool run() {
    anchors_ = old_;
    bool is_certain = !brings_back();
    for (size_t r = 0; r < anchors_.size(); ++r) is_certain &= carry(r);
    return is_certain;
  }

  std::vector<Anchor>& anchors() { return anchors_; }
  // Which anchors need a new description: their text is not the recorded one, or was typed in.
  std::vector<size_t> changed() const {
    std::vector<size_t> rows;
    for (size_t r = 0; r < anchors_.size(); ++r) {
      const uint32_t line = anchors_[r].line;
      if (line == 0) continue;
      if (shift_.is_touched(line - 1) || trim(after_.line(line - 1)) != lines_[r].text) rows.push_back(r);
    }
    return rows;
  }
  std::vector<uint32_t> known() const {
    std::vector<uint32_t> lines;
    lines.reserve(anchors_.size());
    for (const Anchor& anchor : anchors_) lines.push_back(anchor.line);
    return lines;
  }

 private:
  bool carry(size_t r) {
    Anchor& anchor = anchors_[r];
    bool is_certain = true;
    if (anchor.function_line > 0) {
      const uint32_t header = shift_.line_after(anchor.function_line - 1);
      // What was typed into a header may be a new name.
      is_certain = header != kNone && after_.line(header) == before_.line(anchor.function_line - 1);
      anchor.function_line = is_certain ? header + 1 : 0;
    }
    if (anchor.line == 0) return is_certain;
    const uint32_t line = shift_.line_after(anchor.line - 1);
    anchor.rung = line + 1 == anchor.line ? anchor.rung : AnchorRung::Edits;
    const bool is_kept = line != kNone && (!shift_.is_touched(line) || is_same_statement(r, line));
    anchor.line = is_kept ? line + 1 : 0;
    if (is_kept && anchor.verdict == AnchorVerdict::Exact && anchor.line != lines_[r].line) {
      anchor.verdict = AnchorVerdict::Moved;
    } else if (is_kept && anchor.line == lines_[r].line && trim(after_.line(line)) == lines_[r].text) {
      anchor.verdict = AnchorVerdict::Exact;
    }
    return is_certain && is_kept;
  }

  bool is_same_statement(size_t r, uint32_t line) const {
    const std::string_view now = trim(after_.line(line));
    return now == trim(before_.line(old_[r].line - 1)) || is_still_alike(lines_[r].text, now);
  }

  // Whether the new text holds that of a line that had no place.
  bool brings_back() const {
    std::unordered_set<std::string_view> lost;
    for (size_t r = 0; r < old_.size(); ++r) {
      if (old_[r].line == 0 && !lines_[r].text.empty()) lost.insert(lines_[r].text);
    }
    if (lost.empty()) return false;
    for (const LineShift::Range& range : shift_.touched()) {
      if (range.last - range.first > kMaxTouchedLines) return true;
      for (uint32_t line = range.first; line <= range.last; ++line) {
        if (lost.contains(trim(after_.line(line)))) return true;
      }
    }
    return false;
  }

  const Document& before_;
  const Document& after_;
  const std::vector<Anchor>& old_;
  const std::vector<RecordedLine>& lines_;
  LineShift shift_;
  std::vector<Anchor> anchors_;
};

}  // namespace

std::vector<Anchor> anchor_after_edits(const Document& before, const std::vector<Anchor>& anchors,
                                       std::span<const TextEdit> edits,
                                       const std::shared_ptr<const Document>& after,
                                       const std::vector<RecordedLine>& lines, const AnchorEvidence& evidence) {
  Carrier carrier(before, anchors, edits, *after, lines);
  if (!carrier.run()) {
    AnchorEvidence more = evidence;
    const std::vector<uint32_t> known = carrier.known();
    more.known = known;
    return anchor_lines(after, lines, more);
  }
  std::vector<Anchor>& carried = carrier.anchors();
  for (const size_t r : carrier.changed()) {
    describe_anchor(*after, evidence.syntax.get(), lines[r], carried[r]);
  }
  return std::move(carried);
}

}  // namespace etlens
