// SPDX-License-Identifier: Apache-2.0
#include "core/facts/event_filter.h"

#include <algorithm>

#include "core/facts/event_groups.h"
#include "core/facts/symbols.h"

namespace etlens {
namespace {

constexpr EventGrouping kAllGroupings[] = {EventGrouping::Line, EventGrouping::Module,
                                           EventGrouping::Operator, EventGrouping::Delegate,
                                           EventGrouping::Partition};

// As a part of one of its texts: characters that are scattered in them would find almost anything.
bool has_word(const Facts& facts, const ContributionFacts& event, std::string_view word) {
  const auto has = [&](std::string_view text) { return name_contains(text, word); };
  return has(event.name) || has(event.op) || (event.module_path && has(*event.module_path)) ||
         has(group_name(facts, event, EventGrouping::Line)) ||
         has(group_name(facts, event, EventGrouping::Delegate));
}

bool is_called(const Facts& facts, const ContributionFacts& event, const std::string& name) {
  if (event.name == name) return true;
  return std::any_of(
      std::begin(kAllGroupings), std::end(kAllGroupings),
      [&](EventGrouping grouping) { return group_name(facts, event, grouping) == name; });
}

// The end of a quoted text that begins behind `at`, its inside unescaped in `text`.
size_t read_quoted(std::string_view line, size_t at, std::string& text) {
  while (at < line.size()) {
    if (line[at] != '"') {
      text += line[at++];
    } else if (line.substr(at, 2) == "\"\"") {
      text += '"';
      at += 2;
    } else {
      return at + 1;
    }
  }
  return at;
}

}  // namespace

EventFilter::EventFilter(std::string_view text) {
  text = text.substr(0, kMaxBytes);
  for (size_t at = 0; at < text.size();) {
    if (text[at] == ' ') {
      ++at;
      continue;
    }
    Term term;
    if (text[at] == '-' && at + 1 < text.size() && text[at + 1] != ' ') {
      term.is_excluded = true;
      ++at;
    }
    if (text[at] == '"') {
      term.is_whole = true;
      at = read_quoted(text, at + 1, term.text);
    } else {
      const size_t end = std::min(text.find(' ', at), text.size());
      term.text = text.substr(at, end - at);
      at = end;
    }
    if (!term.text.empty()) terms_.push_back(std::move(term));
  }
}

bool EventFilter::matches(const Facts& facts, ContributionId id) const {
  if (terms_.empty()) return true;
  const ContributionFacts event = facts.contribution(id);
  return std::all_of(terms_.begin(), terms_.end(), [&](const Term& term) {
    const bool is_there =
        term.is_whole ? is_called(facts, event, term.text) : has_word(facts, event, term.text);
    return is_there != term.is_excluded;
  });
}

std::string excluding(std::string_view name) {
  std::string term = "-\"";
  for (const char c : name) {
    if (c == '"') term += '"';
    term += c;
  }
  return term + '"';
}

}  // namespace etlens
