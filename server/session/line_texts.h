// SPDX-License-Identifier: Apache-2.0
// LineTexts: what is shown of each recorded line, kept as long as nothing that it says changes.
// Every hint carries its hover, so a viewport asks for dozens at once, and again after every
// keystroke.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/session/line_words.h"
#include "server/session/sources.h"

namespace etlens {

struct LineText {
  bool names_lines = false;
  uint64_t changes = 0;                            // of the sources, for lines that name others
  bool edited = false;                             // as the hint says
  std::optional<std::string> cost;                 // the hover without the note on its source
  std::vector<std::pair<LineId, uint32_t>> named;  // lines that it names, and where they were
  std::optional<std::optional<WordedHint>> hint;
  std::optional<std::optional<Interval>> interval;
};

class LineTexts {
 public:
  explicit LineTexts(Sources& sources) : sources_(sources) {}

  // Another study, measure, fleet or setting is shown. Null: nothing is.
  void forget_all(const Facts* facts) {
    facts_ = facts;
    lines_.clear();
    if (facts != nullptr) lines_.resize(facts->line_count());
  }
  // What is known of a line, to be added to. Forgotten before if a line that it names is elsewhere.
  LineText& of(LineId line) {
    std::unique_ptr<LineText>& text = lines_[line.value];
    if (!text || !is_current(*text)) {
      const LineFacts facts = facts_->line(line);
      text = std::make_unique<LineText>();
      // Another code's lines are found by where they are now.
      text->names_lines = !facts.fused_into.empty() || !facts.fused_from.empty() ||
                          !facts_->study().more_sources.empty();
      text->changes = sources_.changes();
    }
    return *text;
  }

 private:
  bool is_current(LineText& text) {
    if (text.changes == sources_.changes()) return true;
    const bool is_there =
        !text.names_lines && std::ranges::all_of(text.named, [&](const auto& row) {
          return sources_.current_line(row.first) == row.second;
        });
    if (is_there) text.changes = sources_.changes();
    return is_there;
  }

  Sources& sources_;
  const Facts* facts_ = nullptr;
  std::vector<std::unique_ptr<LineText>> lines_;  // one per Code::lines
};

}  // namespace etlens
