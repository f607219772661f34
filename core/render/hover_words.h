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
  // Words that may have strings of an artifact in them.
  HoverWords& sentence(std::string text) &;
  HoverWords& append(const HoverWords& other) &;
  // What was said so far leads there; nowhere if it is "".
  HoverWords& lead_to(const std::string& address) &;
  // "a, b, c, … 4 more".
  HoverWords& list(const std::vector<HoverWords>& items, size_t limit) &;

  bool empty() const { return spans_.empty(); }
  HoverText take() { return std::move(spans_); }

 private:
  HoverText spans_;
};

// Adds a line below the tables.
void add_note(HoverInfo& info, HoverWords words);
// A cost with its unit; of an export that has not run, how many operators it is.
std::string cost_text(const Facts& facts, const Cost& cost, const HoverOptions& options);
// A backend that we have a label for needs no quotes.
HoverWords backend_words(std::string_view label);
enum class CallEnd { First, Last };
// "XNNPACK #2", a link to the line of the first or the last node of the call that has one.
HoverWords partition_words(const Facts& facts, const PartitionFacts& partition, CallEnd end,
                           const HoverOptions& options);
// The kernel as the runtime calls it, without what all kernels are called.
std::string short_kernel(std::string_view name);
// The path of a module; "(model)" for the whole.
std::string shown_module(std::string_view path);
// "aligned"; "inferred, one of 3".
std::string confidence_words(Confidence confidence, uint32_t candidates);
// The number of a recorded line today, or where that is not known, as recorded.
uint32_t current_number(const Facts& facts, LineId id, const HoverOptions& options);
// Where it is today, as HoverOptions has it; "" where that is not known.
std::string address_of(const Facts& facts, LineId id, const HoverOptions& options);
// "L42", or "blocks.py:42" as a name where it is not in the file `from`; a link to it.
HoverWords line_words(const Facts& facts, LineId line, FileId from, const HoverOptions& options);

}  // namespace etlens
