// SPDX-License-Identifier: Apache-2.0
// A line of a hover in the making.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/render/hover.h"

namespace etlens {

class HoverWords {
 public:
  HoverWords() = default;
  explicit HoverWords(std::string text) { say(std::move(text)); }

  HoverWords& say(std::string text) &;
  // A string of an artifact.
  HoverWords& name(std::string_view text) &;
  HoverWords& append(const HoverWords& other) &;
  // "a, b, c, … 4 more".
  HoverWords& list(const std::vector<HoverWords>& items, size_t limit) &;

  bool empty() const { return spans_.empty(); }
  HoverText take() { return std::move(spans_); }

 private:
  HoverText spans_;
};

// A backend that we have a label for needs no quotes.
HoverWords backend_words(std::string_view label);
// "XNNPACK #2".
HoverWords partition_words(const PartitionFacts& partition);
// The path of a module; "(model)" for the whole.
std::string shown_module(std::string_view path);
// "aligned"; "inferred, one of 3".
std::string confidence_words(Confidence confidence, uint32_t candidates);
// The number of a recorded line today, or where that is not known, as recorded.
uint32_t current_number(const Facts& facts, LineId id, const HoverOptions& options);
// "L42", or "blocks.py:42" as a name where it is not in the file `from`.
HoverWords line_words(const Facts& facts, LineId line, FileId from, const HoverOptions& options);

}  // namespace etlens
