// SPDX-License-Identifier: Apache-2.0
#include "core/render/hover_notes.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"
#include "core/facts/output_shape.h"
#include "core/facts/reasons.h"
#include "core/render/advice_text.h"
#include "core/render/control_text.h"
#include "core/render/format.h"
#include "core/render/hover_words.h"
#include "core/render/summary.h"

namespace etlens {
namespace {

constexpr size_t kMaxCalls = 8;
constexpr size_t kMaxHandles = 12;
constexpr size_t kMaxMetadata = 3;  // events
constexpr size_t kMaxFields = 8;
constexpr size_t kMaxBodies = 4;
constexpr size_t kMaxWrites = 3;
constexpr size_t kMaxReasons = 3;

void add_call(const Facts& facts, std::string_view of, std::string_view verb,
              const std::vector<CallFacts>& calls, const HoverOptions& options, HoverInfo& info) {
  if (calls.empty()) return;
  std::vector<HoverWords> items;
  for (const CallFacts& call : calls) {
    HoverWords item;
    const ContributionFacts other = facts.contribution(call.other);
    item.name(other.name);
    if (other.line.valid()) item.lead_to(address_of(facts, other.line, options));
    item.say(" " + cost_text(facts, call.inclusive, options));
    if (call.times > 1) item.say(fmt::format(" ×{:g}", call.times));
    items.push_back(std::move(item));
  }
  HoverWords words;
  if (!of.empty()) words.name(of).say(" ");
  add_note(info, words.say(std::string(verb)).list(items, kMaxCalls));
}

}  // namespace

void add_calls(const Facts& facts, const LineFacts& line, const HoverOptions& options,
               HoverInfo& info) {
  if (!facts.has_calls()) return;
  for (const ContributionId id : line.own) {
    const std::string of = line.own.size() > 1 ? facts.contribution(id).name : "";
    add_call(facts, of, "called by ", facts.callers_of(id), options, info);
    add_call(facts, of, "calls ", facts.callees_of(id), options, info);
  }
}

void add_advice(const Facts& facts, const Headline& head, LineId id, const HoverOptions& options,
                HoverInfo& info) {
  for (const Advice& row : options.advice) {
    if (std::find(row.lines.begin(), row.lines.end(), id) == row.lines.end()) continue;
    const AdviceWords of = words_of(facts, head, row, options.unit);
    HoverWords words("To do: ");
    // What they are about, and then the backend: names of artifacts.
    std::string_view rest = of.title;
    HoverWords subject;
    subject.name(row.subject);
    for (const auto& [name, said] :
         {std::pair(std::string_view(row.subject), subject),
          std::pair(std::string_view(of.backend), backend_words(of.backend))}) {
      const size_t at = rest.find(name);
      if (name.empty() || at == std::string_view::npos) continue;
      words.say(std::string(rest.substr(0, at))).append(said);
      rest.remove_prefix(at + name.size());
    }
    words.say(std::string(rest));
    if (!of.won.empty()) words.say(fmt::format(" ({} in all)", of.won));
    words.say(". ");
    if (row.reason.empty()) words.say(of.action + ".");
    else words.sentence(of.action + ".");
    info.advice.push_back(words.take());
  }
}

void add_reasons(const Facts& facts, const LineFacts& line, const HoverOptions& options,
                 HoverInfo& info) {
  if (!facts.has_events()) return;
  std::vector<OperatorReason> found = reasons_of(facts, line.own);
  std::erase_if(found, [&](const OperatorReason& row) {
    return std::ranges::any_of(options.advice, [&](const Advice& told) {
      return told.reason == row.reason->text && std::ranges::count(told.lines, line.id) > 0;
    });
  });
  for (size_t i = 0; i < std::min(found.size(), kMaxReasons); ++i) {
    HoverWords words("On the CPU: ");
    add_note(info, words.name(found[i].op).say(": ").sentence(sentences_of(*found[i].reason)));
  }
  if (found.size() > kMaxReasons)
    add_note(info,
             HoverWords(fmt::format("and {}", counted(found.size() - kMaxReasons, "more reason"))));
}

void add_control(const Facts& facts, LineId id, HoverInfo& info) {
  const std::vector<const BodyRuns*> bodies = facts.bodies_of(id);
  for (size_t i = 0; i < std::min(bodies.size(), kMaxBodies); ++i)
    add_note(info, HoverWords(body_text(facts, *bodies[i])));
  if (bodies.size() > kMaxBodies)
    add_note(info, HoverWords(fmt::format("… and {} more branches and loops",
                                          bodies.size() - kMaxBodies)));
  const std::span<const StateWrite> writes = facts.writes_of(id);
  if (writes.empty()) return;
  uint64_t bytes = 0;
  std::vector<HoverWords> items;
  for (const StateWrite& write : writes) {
    bytes += write.bytes;
    items.emplace_back().name(write.buffer);
  }
  HoverWords words("writes ");
  words.list(items, kMaxWrites).say(", " + format_bytes(static_cast<double>(bytes)));
  add_note(info, words.say(writes.size() > 1 ? " in all" : ""));
}

void add_metadata(const Facts& facts, const LineFacts& line, HoverInfo& info) {
  size_t shown = 0;
  for (const ContributionId id : line.own) {
    const std::string_view bytes = facts.metadata(id);
    if (bytes.empty()) continue;
    const EventFacts event = facts.event(id);
    std::vector<HoverWords> items;
    for (const auto& [name, value] : facts.join().backends->read_metadata(event.backend, bytes)) {
      HoverWords item;
      item.name(name).say(" ").name(value);
      items.push_back(std::move(item));
    }
    if (items.empty()) continue;
    if (++shown > kMaxMetadata) return;
    HoverWords words;
    add_note(info, words.name(event.name).say(": ").list(items, kMaxFields));
  }
}

void add_shape_and_handles(const Facts& facts, const LineFacts& line, HoverInfo& info) {
  if (line.own.empty()) return;
  HoverWords words;
  if (const std::string_view shape = output_shape(facts, line); !shape.empty())
    words.say("shape ").name(shape);
  std::vector<HoverWords> names;
  for (const DebugHandle handle : facts.handles_of(line))
    names.emplace_back(std::to_string(handle.value));
  if (!names.empty())
    words.say(words.empty() ? "debug handles " : " · debug handles ").list(names, kMaxHandles);
  if (!words.empty()) add_note(info, std::move(words));
}

void add_executions(const Facts& facts, const Headline& head, FileId from,
                    const HoverOptions& options, HoverInfo& info) {
  if (head.odd.empty()) return;
  const OddSample& odd = head.odd.front();
  HoverWords words("executions ");
  words.name(strip_text(head));
  words.say(fmt::format(" · execution {} took {}", odd.sample + 1,
                        format_value(facts, odd.total, options.unit)));
  if (odd.is_one_event && odd.excess.line.valid()) {
    words.say(
        fmt::format(": 1 event took {}, ", format_value(facts, odd.excess.took, options.unit)));
    words.append(line_words(facts, odd.excess.line, from, options));
  } else if (const std::string reason = odd_reason(odd, facts, options.unit); !reason.empty()) {
    words.say(": ").say(reason);
  }
  if (head.odd.size() > 1) words.say(fmt::format(" ({} more like it)", head.odd.size() - 1));
  add_note(info, std::move(words));
}

}  // namespace etlens
