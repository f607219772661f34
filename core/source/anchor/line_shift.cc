// SPDX-License-Identifier: Apache-2.0
#include "core/source/anchor/line_shift.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/source/anchor/line_hunks.h"

namespace etlens {
namespace {

// Each needs the whole text once more.
constexpr size_t kMaxEdits = 16;
constexpr size_t kMaxCopied = 16 << 20;  // bytes
constexpr size_t kMaxHunks = 512;        // every line that is asked for goes through all

// Whether `after` is `before` after the edit, which lies in it.
bool leads_to(std::string_view before, const TextEdit& edit, std::string_view after) {
  const size_t end = edit.begin + edit.text.size();
  return after.size() == before.size() - (edit.end - edit.begin) + edit.text.size() &&
         after.substr(0, edit.begin) == before.substr(0, edit.begin) &&
         after.substr(edit.begin, edit.text.size()) == edit.text &&
         after.substr(end) == before.substr(edit.end);
}

}  // namespace

LineShift::LineShift(const Document& before, std::span<const TextEdit> edits, const Document& after,
                     Replaced replaced)
    : replaced_(replaced) {
  const bool is_cheap = edits.size() <= kMaxEdits &&
                        (edits.size() <= 1 || edits.size() * before.text().size() <= kMaxCopied);
  if (is_cheap && add_all(before, edits, after)) return;
  steps_.clear();
  touched_.clear();
  is_guess_ = false;
  const std::string& a = before.text();
  const std::string& b = after.text();
  const size_t shorter = std::min(a.size(), b.size());
  const auto front =
      std::mismatch(a.begin(), a.begin() + static_cast<ptrdiff_t>(shorter), b.begin());
  const auto prefix = static_cast<size_t>(front.first - a.begin());
  size_t suffix = 0;
  while (suffix < shorter - prefix && a[a.size() - 1 - suffix] == b[b.size() - 1 - suffix])
    ++suffix;
  add(before, prefix, a.size() - suffix, b.size() - suffix - prefix, after);
}

// False if these edits do not lead there.
bool LineShift::add_all(const Document& before, std::span<const TextEdit> edits,
                        const Document& after) {
  const auto within = [](TextEdit edit, const Document& text) {
    edit.begin = std::min(edit.begin, text.text().size());
    edit.end = std::clamp(edit.end, edit.begin, text.text().size());
    return edit;
  };
  if (edits.size() == 1) {  // a keystroke: without another copy of the text
    const TextEdit edit = within(edits[0], before);
    if (!leads_to(before.text(), edit, after.text())) return false;
    add(before, edit.begin, edit.end, edit.text.size(), after);
    return true;
  }
  Document text = before;
  for (const TextEdit& each : edits) {
    const TextEdit edit = within(each, text);
    Document next = text.edited(edit);
    add(text, edit.begin, edit.end, edit.text.size(), next);
    text = std::move(next);
  }
  return text.text() == after.text();
}

void LineShift::add(const Document& before, size_t begin, size_t end, size_t added,
                    const Document& after) {
  Step step;
  step.first = static_cast<uint32_t>(before.line_at(begin));
  step.last = static_cast<uint32_t>(before.line_at(end));
  step.new_last = static_cast<uint32_t>(after.line_at(begin + added));
  if (replaced_ == Replaced::Matched && step.last > step.first && step.new_last > step.first) {
    add_matched(before, after, step);
    return;
  }
  step.keeps_last = trim(after.line(step.new_last)) == trim(before.line(step.last));
  step.keeps_first = trim(after.line(step.first)) == trim(before.line(step.first));
  const bool is_doubled = step.first == step.last && step.new_last != step.first;
  const bool is_halved = step.first != step.last && step.new_last == step.first;
  if (step.keeps_first && step.keeps_last && (is_doubled || is_halved)) {
    // Equal lines: what was typed or deleted in front of the other is the upper one.
    (begin == before.line_start(step.first) ? step.keeps_first : step.keeps_last) = false;
  }
  // Edited within the line.
  if (step.first == step.last && step.new_last == step.first) step.keeps_first = true;
  push(step);
}

// From below upwards, so that the lines of a hunk are where they were before when it is its turn. A
// hunk without lines on one side takes a neighbour, which is the same on both, into its step.
void LineShift::add_matched(const Document& before, const Document& after, const Step& whole) {
  is_guess_ = true;
  const std::vector<LineHunk> hunks =
      line_hunks(before, after, {whole.first, whole.last + 1, whole.first, whole.new_last + 1});
  if (hunks.size() > kMaxHunks) {
    push(whole);
    return;
  }
  for (auto hunk = hunks.rbegin(); hunk != hunks.rend(); ++hunk) {
    const uint32_t removed = hunk->end - hunk->begin;
    const uint32_t added = hunk->new_end - hunk->new_begin;
    Step step{hunk->begin, hunk->end - 1, hunk->begin + added - 1, removed == 1 && added == 1,
              false};
    if (removed == 0 || added == 0) {
      const bool is_last = hunk->end > whole.last;
      step.first = is_last ? hunk->begin - 1 : hunk->begin;
      step.last = step.first + removed;
      step.new_last = step.first + added;
      step.keeps_first = is_last;
      step.keeps_last = !is_last;
    }
    push(step);
  }
}

void LineShift::push(const Step& step) {
  std::vector<Range> touched;
  touched.reserve(touched_.size() + 1);
  for (const Range& range : touched_) {
    Range moved = range;
    if (range.first > step.last) moved.first += step.new_last - step.last;
    else moved.first = std::min(range.first, step.first);
    if (range.last > step.last) moved.last += step.new_last - step.last;
    else if (range.last >= step.first) moved.last = step.new_last;
    touched.push_back(moved);
  }
  touched.push_back({step.first, step.new_last});
  touched_ = std::move(touched);
  steps_.push_back(step);
}

uint32_t LineShift::through(const Step& step, uint32_t line) {
  if (line < step.first) return line;
  if (line > step.last) return line + step.new_last - step.last;
  if (line == step.first && step.keeps_first) return step.first;
  if (line == step.last && step.keeps_last) return step.new_last;
  return kNone;
}

uint32_t LineShift::line_after(uint32_t line) const {
  for (const Step& step : steps_) {
    if (line == kNone) return kNone;
    line = through(step, line);
  }
  return line;
}

std::optional<LineShift::Range> LineShift::pieces_after(uint32_t line) const {
  std::optional<Range> pieces;
  for (const Step& step : steps_) {
    if (pieces) {
      *pieces = {through(step, pieces->first), through(step, pieces->last)};
      if (pieces->first == kNone || pieces->last == kNone) return std::nullopt;
      continue;
    }
    const uint32_t next = through(step, line);
    if (next == kNone) {
      if (step.first != step.last || step.new_last == step.first) return std::nullopt;
      pieces = {step.first, step.new_last};
    }
    line = next;
  }
  return pieces;
}

bool LineShift::is_touched(uint32_t line) const {
  return std::any_of(touched_.begin(), touched_.end(),
                     [&](const Range& range) { return line >= range.first && line <= range.last; });
}

}  // namespace etlens
