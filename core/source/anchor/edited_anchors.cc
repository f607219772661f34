// SPDX-License-Identifier: Apache-2.0
#include "core/source/anchor/edited_anchors.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "core/base/budget.h"
#include "core/base/text.h"
#include "core/source/python/token_form.h"

namespace etlens {
namespace {

constexpr uint32_t kMaxTouchedLines = 400;  // more new text than this is a new file
// A line typed over within its place is the same statement if so much of it is left.
constexpr double kStillAlike = 0.35;
// A line was typed broken: this is the piece that is still it.
constexpr double kMainPiece = 0.5;
constexpr uint32_t kMaxPieces = 8;

double alikeness(std::string_view recorded, std::string_view now) {
  return similarity(token_form(python_tokens(recorded)), token_form(python_tokens(now)));
}

class Carrier {
 public:
  Carrier(const Document& before, const std::vector<Anchor>& anchors, const LineShift& shift,
          const Document& after, const std::vector<RecordedLine>& lines)
      : before_(before), after_(after), old_(anchors), lines_(lines), shift_(shift) {}

  // True if arithmetic says all; otherwise known() is what it does say.
  bool run() {
    anchors_ = old_;
    bool is_certain = !brings_back();
    for (size_t r = 0; r < anchors_.size(); ++r) {
      go_on();
      is_certain &= carry(r);
    }
    return is_certain;
  }

  // Places what run() left without a place and a look at the touched lines is enough for.
  void guess() {
    for (size_t r = 0; r < anchors_.size(); ++r) {
      if (old_[r].line > 0 && anchors_[r].line == 0) place_main_piece(r);
    }
    place_typed_anew();
  }

  std::vector<Anchor>& anchors() { return anchors_; }
  bool is_touched(size_t r) const {
    return anchors_[r].line > 0 && shift_.is_touched(anchors_[r].line - 1);
  }
  // Which anchors need a new description: their text is not the recorded one, or was typed in.
  std::vector<size_t> changed() const {
    std::vector<size_t> rows;
    for (size_t r = 0; r < anchors_.size(); ++r) {
      const uint32_t line = anchors_[r].line;
      if (line == 0) continue;
      if (shift_.is_touched(line - 1) || trim(after_.line(line - 1)) != lines_[r].text)
        rows.push_back(r);
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
      is_certain =
          header != kNone && (!shift_.is_touched(header) ||
                              after_.line(header) == before_.line(anchor.function_line - 1));
      anchor.function_line = is_certain ? header + 1 : 0;
    }
    if (anchor.line == 0) return is_certain;
    const uint32_t line = shift_.line_after(anchor.line - 1);
    anchor.rung = line + 1 == anchor.line ? anchor.rung : AnchorRung::Edits;
    const bool is_kept = line != kNone && (!shift_.is_touched(line) || is_same_statement(r, line));
    anchor.line = is_kept ? line + 1 : 0;
    if (!is_kept) {
      anchor.verdict = anchor.function_line > 0 ? AnchorVerdict::Stale : AnchorVerdict::Lost;
      anchor.edited = false;
    } else if (lines_[r].is_definition ? anchor.line != old_[r].line
                                       : anchor.line != lines_[r].line) {
      anchor.verdict = AnchorVerdict::Moved;
    } else if (anchor.verdict != AnchorVerdict::Exact &&
               trim(after_.line(line)) == lines_[r].text) {
      anchor.verdict = AnchorVerdict::Exact;
    }
    return is_certain && is_kept;
  }

  bool is_same_statement(size_t r, uint32_t line) const {
    const std::string_view now = trim(after_.line(line));
    if (lines_[r].is_definition) return now.find(lines_[r].function) != std::string_view::npos;
    return now == trim(before_.line(old_[r].line - 1)) ||
           alikeness(lines_[r].text, now) >= kStillAlike;
  }

  bool is_free(uint32_t line) const {
    return std::none_of(anchors_.begin(), anchors_.end(),
                        [&](const Anchor& a) { return a.line == line + 1; });
  }

  void place(size_t r, uint32_t line) {
    anchors_[r].line = line + 1;
    anchors_[r].rung = AnchorRung::Edits;
  }

  void place_main_piece(size_t r) {
    const std::optional<LineShift::Range> pieces = shift_.pieces_after(old_[r].line - 1);
    if (!pieces || pieces->last - pieces->first >= kMaxPieces) return;
    double best = kMainPiece;
    uint32_t best_line = kNone;
    for (uint32_t line = pieces->first; line <= pieces->last; ++line) {
      const double alike = alikeness(lines_[r].text, trim(after_.line(line)));
      if (alike > best) std::tie(best, best_line) = std::pair(alike, line);
    }
    if (best_line != kNone && is_free(best_line)) place(r, best_line);
  }

  // Only where one line without a place has the text of one line that was touched.
  void place_typed_anew() {
    struct Typed {
      uint32_t line = 0;
      uint32_t count = 0;
      std::vector<size_t> rows;
    };
    std::unordered_map<std::string_view, Typed> typed;
    for (const LineShift::Range& range : shift_.touched()) {
      if (range.last - range.first > kMaxTouchedLines) return;
      for (uint32_t line = range.first; line <= range.last; ++line) {
        const std::string_view text = trim(after_.line(line));
        if (text.empty() || !is_free(line)) continue;
        Typed& entry = typed[text];
        if (entry.count > 0 && entry.line == line) continue;  // touched twice
        entry.line = line;
        ++entry.count;
      }
    }
    if (typed.empty()) return;
    for (size_t r = 0; r < anchors_.size(); ++r) {
      if (anchors_[r].line > 0) continue;
      if (const auto at = typed.find(lines_[r].text); at != typed.end())
        at->second.rows.push_back(r);
    }
    for (const auto& [text, entry] : typed) {
      if (entry.count == 1 && entry.rows.size() == 1) place(entry.rows.front(), entry.line);
    }
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
  const LineShift& shift_;
  std::vector<Anchor> anchors_;
};

}  // namespace

CarriedAnchors carry_anchors(const Document& before, const std::vector<Anchor>& anchors,
                             const LineShift& shift, const Document& after,
                             const std::vector<RecordedLine>& lines) {
  Carrier carrier(before, anchors, shift, after, lines);
  CarriedAnchors carried;
  carried.is_certain = carrier.run();
  if (!carried.is_certain) carrier.guess();
  for (size_t r = 0; r < lines.size(); ++r) {
    if (carrier.is_touched(r)) describe_anchor(after, nullptr, lines[r], carrier.anchors()[r]);
  }
  carried.anchors = std::move(carrier.anchors());
  return carried;
}

std::vector<Anchor> anchor_after_edits(const Document& before, const std::vector<Anchor>& anchors,
                                       std::span<const TextEdit> edits,
                                       const std::shared_ptr<const Document>& after,
                                       const std::vector<RecordedLine>& lines,
                                       const AnchorEvidence& evidence) {
  const LineShift shift(before, edits, *after);
  Carrier carrier(before, anchors, shift, *after, lines);
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
