// SPDX-License-Identifier: Apache-2.0
#include "core/render/hover_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "core/base/path.h"
#include "core/base/text.h"
#include "core/render/format.h"

namespace etlens {
namespace {

LineId line_of_call(const Code& code, const PartitionFacts& partition, CallEnd end) {
  LineId found;
  for (const NodeId node : partition.nodes) {
    const Place* place = code.place_of(node);
    if (place == nullptr || !place->line.valid()) continue;
    found = place->line;
    if (end == CallEnd::First) break;
  }
  return found;
}

}  // namespace

HoverWords& HoverWords::say(std::string text) & {
  const bool goes_on =
      !spans_.empty() && spans_.back().kind == SpanKind::Words && spans_.back().address.empty();
  if (goes_on) spans_.back().text += text;
  else spans_.push_back({std::move(text)});
  return *this;
}

HoverWords& HoverWords::name(std::string_view text) & {
  spans_.push_back({std::string(text), SpanKind::Name});
  return *this;
}

HoverWords& HoverWords::sentence(std::string text) & {
  spans_.push_back({std::move(text), SpanKind::Sentence});
  return *this;
}

HoverWords& HoverWords::append(const HoverWords& other) & {
  for (const HoverSpan& span : other.spans_) {
    if (span.kind != SpanKind::Words || !span.address.empty()) spans_.push_back(span);
    else say(span.text);
  }
  return *this;
}

HoverWords& HoverWords::lead_to(const std::string& address) & {
  for (HoverSpan& span : spans_) span.address = address;
  return *this;
}

HoverWords& HoverWords::list(const std::vector<HoverWords>& items, size_t limit) & {
  for (size_t i = 0; i < std::min(items.size(), limit); ++i) {
    if (i > 0) say(", ");
    append(items[i]);
  }
  if (items.size() > limit) say(fmt::format(", … {} more", items.size() - limit));
  return *this;
}

void add_note(HoverInfo& info, HoverWords words) { info.notes.push_back(words.take()); }

std::string cost_text(const Facts& facts, const Cost& cost, const HoverOptions& options) {
  if (facts.has_operators()) return counted(static_cast<size_t>(cost.amount.value), "operator");
  return format_cost(facts, cost, options.unit);
}

HoverWords backend_words(std::string_view label) {
  const bool is_word = std::all_of(label.begin(), label.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == ' ' || c == '-' || c == '+';
  });
  HoverWords words;
  if (is_word) words.say(std::string(label));
  else words.name(label);
  return words;
}

HoverWords partition_words(const Facts& facts, const PartitionFacts& partition, CallEnd end,
                           const HoverOptions& options) {
  HoverWords words =
      partition.backend.empty() ? HoverWords("delegate call") : backend_words(partition.label);
  words.say(fmt::format(" #{}", partition.number));
  if (!options.address) return words;
  const LineId line = line_of_call(facts.code(), partition, end);
  if (line.valid()) words.lead_to(address_of(facts, line, options));
  return words;
}

std::string short_kernel(std::string_view name) {
  constexpr std::string_view kPrefix = "native_call_";
  if (name.starts_with(kPrefix)) name.remove_prefix(kPrefix.size());
  return std::string(name);
}

std::string shown_module(std::string_view path) {
  return path.empty() ? "(model)" : std::string(path);
}

std::string confidence_words(Confidence confidence, uint32_t candidates) {
  std::string words(name_of(confidence));
  if (confidence == Confidence::Inferred && candidates > 1)
    words += fmt::format(", one of {}", candidates);
  return words;
}

uint32_t current_number(const Facts& facts, LineId id, const HoverOptions& options) {
  const uint32_t current = options.current_line ? options.current_line(id) : 0;
  return current == 0 ? facts.code().lines[id.value].number : current;
}

std::string address_of(const Facts& facts, LineId id, const HoverOptions& options) {
  if (!options.address || !options.current_line) return "";
  const std::string& path = facts.sources()[facts.code().lines[id.value].file.value].path;
  const uint32_t current = path.empty() ? 0 : options.current_line(id);
  return current == 0 ? "" : options.address(path, current);
}

HoverWords line_words(const Facts& facts, LineId id, FileId from, const HoverOptions& options) {
  const CodeLine& line = facts.code().lines[id.value];
  const uint32_t number = current_number(facts, id, options);
  HoverWords words;
  if (line.file == from) words.say(fmt::format("L{}", number));
  else words.name(fmt::format("{}:{}", base_name(facts.code().recorded_path(line.file)), number));
  return words.lead_to(address_of(facts, id, options));
}

}  // namespace etlens
