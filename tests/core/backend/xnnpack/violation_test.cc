// SPDX-License-Identifier: Apache-2.0
// Real calls with something done to them that no library does: an event dropped, added, renamed or
// moved, an operator taken out of the payload, folding that is otherwise than predicted. Whatever
// comes out, nothing certain may be wrong.
#include <map>
#include <random>
#include <set>

#include "core/backend/xnnpack/alignment.h"
#include "core/backend/xnnpack/names.h"
#include "tests/support/truth.h"

namespace etlens::violation_test {

using namespace etlens::test;

namespace {

constexpr uint32_t kFake = 0xFFFFFFFEu;  // an event that is no operator's
constexpr size_t kMaxOperators = 120;    // of calls that are mutated in every place

struct Event {
  std::string name;  // without its number
  uint32_t op = kFake;
};
using Events = std::vector<Event>;

std::vector<std::string> numbered(const Events& events) {
  std::map<std::string, int> counts;
  std::vector<std::string> names;
  for (const Event& event : events)
    names.push_back(event.name + " #" + std::to_string(++counts[event.name]));
  return names;
}

Events events_of(const TruthCall& call) {
  Events events;
  for (const TruthEvent& event : call.events) {
    events.push_back({event.name.substr(0, event.name.rfind(" #")), event.op.value_or(kFake)});
  }
  return events;
}

struct Count {
  size_t events = 0;
  size_t certain = 0;
  size_t wrong = 0;
};

class Violations {
 public:
  // `absorbs`: operators whose work another's event has, by that other.
  void check(const std::string& what, const XnnpackPayload& payload, const Events& events,
             const std::vector<std::string>& names, const std::vector<uint32_t>& back = {}) {
    const std::vector<std::string_view> views(names.begin(), names.end());
    const XnnpackAlignment alignment = align_xnnpack(payload, views);
    Count& count = counts_[what];
    for (size_t e = 0; e < events.size(); ++e) {
      const XnnpackMatch& match = alignment.events[e];
      ++count.events;
      if (!match.is_certain || match.origin.part == XnnpackPart::Inserted) continue;
      ++count.certain;
      const uint32_t op = back.empty() ? match.origin.op : back[match.origin.op];
      if (op == events[e].op || allowed_.contains({op, events[e].op})) continue;
      ++count.wrong;
      UNSCOPED_INFO(what << ": " << names[e] << " is certainly operator " << op << ", truth "
                         << events[e].op);
    }
  }
  void check(const std::string& what, const XnnpackPayload& payload, const Events& events) {
    check(what, payload, events, numbered(events));
  }

  void allow(std::set<std::pair<uint32_t, uint32_t>> pairs) { allowed_ = std::move(pairs); }
  const std::map<std::string, Count>& counts() const { return counts_; }

 private:
  std::map<std::string, Count> counts_;
  std::set<std::pair<uint32_t, uint32_t>> allowed_;
};

// The payload without one operator; `back` leads from its rows to those of the whole.
XnnpackPayload without(const XnnpackPayload& whole, uint32_t dropped, std::vector<uint32_t>& back) {
  XnnpackPayload part;
  part.values = whole.values;
  std::vector<std::vector<uint32_t>> readers(part.values.size());
  for (XnnpackValue& value : part.values) value.producer = kNone;
  for (uint32_t o = 0; o < whole.operators.size(); ++o) {
    if (o == dropped) continue;
    XnnpackOperator op = whole.operators[o];
    const auto row = static_cast<uint32_t>(part.operators.size());
    op.first_operand = static_cast<uint32_t>(part.operands.size());
    for (const uint32_t v : whole.inputs_of(whole.operators[o])) {
      part.operands.push_back(v);
      if (readers[v].empty() || readers[v].back() != row) readers[v].push_back(row);
    }
    for (const uint32_t v : whole.outputs_of(whole.operators[o])) {
      part.operands.push_back(v);
      part.values[v].producer = row;
    }
    part.operators.push_back(op);
    back.push_back(o);
  }
  for (uint32_t v = 0; v < part.values.size(); ++v) {
    part.values[v].first_reader = static_cast<uint32_t>(part.readers.size());
    part.values[v].reader_count = static_cast<uint32_t>(readers[v].size());
    part.readers.insert(part.readers.end(), readers[v].begin(), readers[v].end());
  }
  return part;
}

// What a library that does not fold the operator would call it.
std::string own_name(const XnnpackPayload& payload, uint32_t o) {
  const XnnpackOperator& op = payload.operators[o];
  if (op.kind == XnnpackKind::StaticTranspose) return "Transpose (ND, X32)";
  const bool is_dynamic = op.kind == XnnpackKind::Convert &&
                          payload.values[payload.outputs_of(op)[0]].type == XnnpackType::Qdint8;
  if (is_dynamic) return "Convert (NC, F32, QD8)";
  return std::string(names_of(op.kind, XnnpackNameSet::OfKind).front().name) + " (NC)";
}

Events with_event(Events events, const XnnpackPayload& payload, uint32_t o) {
  size_t at = 0;
  while (at < events.size() && (events[at].op == kFake || events[at].op < o)) ++at;
  events.insert(events.begin() + static_cast<ptrdiff_t>(at), {own_name(payload, o), o});
  return events;
}

void violate_events(Violations& violations, const XnnpackPayload& payload, const Events& events,
                    std::mt19937& random) {
  const std::vector<std::string> foreign{"Add (ND)",
                                         "Convert (NC)",
                                         "Clamp (NC)",
                                         "Transpose (ND, X32)",
                                         "Static Reshape (NC)",
                                         "Softmax (NC, F32)",
                                         "Wobble (NC, F32)",
                                         "Fully Connected (NC, F32) GEMM"};
  const auto any = [&](size_t n) { return static_cast<ptrdiff_t>(random() % n); };
  const std::vector<std::string> kept = numbered(events);
  for (size_t i = 0; i < events.size(); ++i) {
    const auto at = static_cast<ptrdiff_t>(i);
    Events fewer = events;
    fewer.erase(fewer.begin() + at);
    violations.check("dropped", payload, fewer);
    std::vector<std::string> gap = kept;
    gap.erase(gap.begin() + at);
    violations.check("dropped, numbers kept", payload, fewer, gap);

    Events more = events;
    more.insert(more.begin() + at, {events[i].name, kFake});
    violations.check("doubled", payload, more);
    more = events;
    more.insert(more.begin() + any(events.size() + 1),
                {events[static_cast<size_t>(any(events.size()))].name, kFake});
    violations.check("added", payload, more);
    more = events;
    more.insert(more.begin() + any(events.size() + 1),
                {foreign[static_cast<size_t>(any(foreign.size()))], kFake});
    violations.check("added", payload, more);

    for (const std::string& name : {foreign[static_cast<size_t>(any(foreign.size()))],
                                    events[static_cast<size_t>(any(events.size()))].name}) {
      if (name == events[i].name) continue;
      Events renamed = events;
      renamed[i].name = name;
      violations.check("renamed", payload, renamed);
    }
    for (const size_t j : {i + 1, static_cast<size_t>(any(events.size()))}) {
      if (j >= events.size() || j == i) continue;
      Events swapped = events;
      std::swap(swapped[i], swapped[j]);
      if (events[i].name != events[j].name) {
        violations.check("swapped", payload, swapped);
      } else {
        std::vector<std::string> crossed = kept;
        std::swap(crossed[i], crossed[j]);
        violations.check("swapped, numbers kept", payload, swapped, crossed);
      }
    }
  }
}

void violate_folding(Violations& violations, const XnnpackPayload& payload, const Events& events,
                     const TruthCall& call) {
  std::map<XnnpackKind, Events> of_kind;
  for (const TruthCall::Absorbed& row : call.absorbed) {
    violations.check("one not folded", payload, with_event(events, payload, row.op));
    Events& all = of_kind.try_emplace(payload.operators[row.op].kind, events).first->second;
    all = with_event(all, payload, row.op);
  }
  for (const auto& [kind, all] : of_kind) violations.check("a kind not folded", payload, all);

  using K = XnnpackKind;
  for (const K kind :
       {K::StaticReshape, K::Square, K::Clamp, K::StaticTranspose, K::Convert, K::Copy}) {
    const auto is_of_kind = [&](const Event& e) {
      return e.op != kFake && payload.operators[e.op].kind == kind;
    };
    Events none = events;
    std::erase_if(none, is_of_kind);
    if (none.size() == events.size()) continue;
    violations.check("a kind folded", payload, none);
    for (size_t i = 0; i < events.size(); ++i) {
      if (!is_of_kind(events[i])) continue;
      Events fewer = events;
      fewer.erase(fewer.begin() + static_cast<ptrdiff_t>(i));
      violations.check("one folded", payload, fewer);
    }
  }
}

void violate_payload(Violations& violations, const XnnpackPayload& payload, const Events& events,
                     const TruthCall& call) {
  for (uint32_t o = 0; o < payload.operators.size(); ++o) {
    std::vector<uint32_t> back;
    const XnnpackPayload part = without(payload, o, back);
    Events orphaned = events;
    std::set<std::pair<uint32_t, uint32_t>> heirs;
    for (Event& event : orphaned) {
      if (event.op != o) continue;
      event.op = kFake;
      // The event also did the work of what was folded into it.
      for (const TruthCall::Absorbed& row : call.absorbed) {
        if (std::find(row.by.begin(), row.by.end(), o) != row.by.end())
          heirs.emplace(row.op, kFake);
      }
    }
    violations.allow(std::move(heirs));
    violations.check("operator removed", part, orphaned, numbered(orphaned), back);
    violations.allow({});
  }
}

}  // namespace

TEST_CASE("xnnpack violations: nothing certain is wrong", "[xnnpack]") {
  std::mt19937 random(1);
  Violations violations;
  for (const TruthCase& truth : truth_cases()) {
    for (const std::vector<TruthCall>* calls : {&truth.calls, &truth.old_calls}) {
      for (const TruthCall& call : *calls) {
        const XnnpackPayload payload = payload_of(truth.pte, call.method, call.instruction);
        const Events events = events_of(call);
        if (payload.operators.size() > kMaxOperators) continue;
        violate_events(violations, payload, events, random);
        if (calls == &truth.calls) violate_folding(violations, payload, events, call);
        violate_payload(violations, payload, events, call);
      }
    }
  }
  for (const auto& [what, count] : violations.counts()) {
    CAPTURE(what, count.events, count.certain);
    CHECK(count.wrong == 0);
  }
  // Strict, but not silent: much of what a single change leaves alone stays certain.
  for (const char* what : {"dropped", "added", "renamed", "one not folded"}) {
    const Count& count = violations.counts().at(what);
    CAPTURE(what, count.events, count.certain);
    CHECK(5 * count.certain > 2 * count.events);
  }
}

}  // namespace etlens::violation_test
