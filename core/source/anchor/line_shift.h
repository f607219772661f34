// SPDX-License-Identifier: Apache-2.0
// LineShift: where the lines of a text are after edits of it, by arithmetic alone.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/id.h"
#include "core/source/document.h"

namespace etlens {

class LineShift {
 public:
  // `after` is `before` after the edits, one by one. If there are very many of them, all that lies
  // between the first and the last changed byte counts as one edit.
  // `Replaced::Matched`: where an edit replaced many lines by many, those that both texts have in
  // the same order are the same, which is a guess; else nothing is known of them.
  enum class Replaced : uint8_t { Unknown, Matched };
  LineShift(const Document& before, std::span<const TextEdit> edits, const Document& after,
            Replaced replaced = Replaced::Unknown);

  // Where a 0-based line of the text before is now. kNone if that is a question of its contents: it
  // was deleted, split, joined or replaced together with others.
  uint32_t line_after(uint32_t line) const;
  struct Range {  // 0-based lines of the text after, both inclusive
    uint32_t first = 0;
    uint32_t last = 0;
  };
  // The lines that a line which has none of its own any more was broken into; nullopt if it was
  // not.
  std::optional<Range> pieces_after(uint32_t line) const;
  // Whether an edit touched the 0-based line of the text after.
  bool is_touched(uint32_t line) const;
  // Whether lines were matched.
  bool is_guess() const { return is_guess_; }

  const std::vector<Range>& touched() const { return touched_; }

 private:
  struct Step {  // lines [first, last] became lines [first, new_last]
    uint32_t first = 0;
    uint32_t last = 0;
    uint32_t new_last = 0;
    bool keeps_first = false;  // the line is still there but for its indent, on the first or …
    bool keeps_last = false;   // … on the last of the new lines
  };
  bool add_all(const Document& before, std::span<const TextEdit> edits, const Document& after);
  void add(const Document& before, size_t begin, size_t end, size_t added, const Document& after);
  void add_matched(const Document& before, const Document& after, const Step& whole);
  void push(const Step& step);
  static uint32_t through(const Step& step, uint32_t line);

  Replaced replaced_;
  bool is_guess_ = false;
  std::vector<Step> steps_;
  std::vector<Range> touched_;
};

}  // namespace etlens
