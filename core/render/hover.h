// SPDX-License-Identifier: Apache-2.0
// Hovers: what a line, a class or an attribute costs, as facts; then as Markdown or plain text.
//
// The answer comes first: what, where, how sure, and what one could do. The Markdown is plain
// enough for every client: a bold time, one table, short lines; no HTML, no commands, and every
// string of an artifact as code or escaped. Lines that it names are links for clients that follow
// them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/time_scale.h"
#include "core/facts/advice.h"
#include "core/facts/facts.h"
#include "core/facts/headline.h"
#include "core/render/table.h"
#include "core/source/anchor/anchor.h"

namespace etlens {

struct HoverOptions {
  std::optional<TimeScale> unit;  // nullopt: chosen for each value
  // Where a recorded line is now (1-based), for references to it; 0 if it is nowhere. Without it,
  // and for lines that are nowhere, the recorded number is shown.
  std::function<uint32_t(LineId)> current_line;
  bool pictures = false;  // the client shows pictures in data URIs
  // Of the facts of the hover, for as long as the options; without it, it is computed each time.
  const Headline* headline = nullptr;
  // What there is to do about the facts (core/facts/advice.h).
  std::span<const Advice> advice = {};
  // Leads to a line (1-based) of a file (absolute), in characters that Markdown needs no escapes
  // for. Without it nothing is a link.
  std::function<std::string(std::string_view path, uint32_t line)> address = {};
};

// Words of ours, a name from an artifact, which may hold anything, or words with such names in them.
enum class SpanKind : uint8_t { Words, Name, Sentence };
struct HoverSpan {
  std::string text;
  SpanKind kind = SpanKind::Words;
  std::string address = {};  // where it leads, as HoverOptions has it; "" for nowhere
};
using HoverText = std::vector<HoverSpan>;

struct HoverInfo {
  std::string time;               // what the reader came for; "" if there is none
  std::vector<HoverText> facts;   // the rest of the headline
  std::vector<HoverText> advice;  // what one could do about it: a paragraph each
  std::vector<HoverText> spread;  // how much it varies: a line of its own
  std::string picture;            // a data URI; "" if there is none
  std::string picture_words;      // the same in words
  Table groups;                   // a column for each group of executions; without rows for none
  size_t more_groups = 0;         // columns that were left out
  Table operators;                // without rows if there is nothing to list
  size_t name_columns = 0;        // the first columns, which hold names of operators and events
  size_t more_operators = 0;      // rows that were left out
  size_t linked_column = 0;       // of `operators`: leads to where the row's address does
  std::vector<std::string> row_addresses;  // one per row, "" for nowhere; empty for none at all
  std::vector<HoverText> notes;            // a line each
};

// A line as a further measure has it, in that measure's own code.
struct MeasuredLine {
  const Facts* facts = nullptr;
  LineId line;
};

// What a recorded line costs, wherever it is now; and in a short row each what the further measures
// say of it.
HoverInfo line_hover(const Facts& facts, LineId line, const HoverOptions& options,
                     std::span<const MeasuredLine> further = {});
// The further measures alone, of a line about which the chosen one says nothing.
HoverInfo further_hover(std::span<const MeasuredLine> further, const HoverOptions& options);
// Where it is now, against where it was recorded.
HoverText source_note(const Facts& facts, LineId line, const Anchor& anchor);

// Of all instances of a class, or of one attribute in all instances.
HoverInfo modules_hover(const Facts& facts, std::string_view name, const Total& inclusive,
                        const std::vector<ModuleId>& instances, const HoverOptions& options);

std::string to_markdown(const HoverInfo& hover);
std::string to_plain_text(const HoverInfo& hover);
// Adds a paragraph to what these wrote.
void append_markdown_note(std::string& text, const HoverText& note);
void append_plain_note(std::string& text, const HoverText& note);

}  // namespace etlens
