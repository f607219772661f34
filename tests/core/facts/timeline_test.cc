// SPDX-License-Identifier: Apache-2.0
// The timeline: nested slices as they were logged, on every real artifact and on broken ones.
#include "core/facts/timeline.h"

#include "core/facts/headline.h"
#include "core/workspace/load.h"
#include "tests/support/corpus.h"
#include "tests/support/each.h"
#include "tests/support/studies.h"

namespace etlens::timeline_test {

using namespace etlens::test;

namespace {

std::string text_of(const Facts& facts, const std::vector<Slice>& slices) {
  std::string text;
  for (const Slice& slice : slices) {
    text += std::string(2 * slice.depth, ' ') + facts.join().readable_name(slice.event) + " " +
            std::to_string(slice.start) + "+" + std::to_string(slice.length.value) +
            (slice.is_in_order ? " in order\n" : "\n");
  }
  return text;
}

RecordBuilder record_with_call(const std::string& backend) {
  RecordBuilder record;
  record.node({"a", "aten.mm.default", 1, stack_trace({{"/m.py", 7, "forward", "a"}})});
  record.node({"b", "aten.relu.default", 2, stack_trace({{"/m.py", 8, "forward", "b"}})});
  record.map(0, {1}).map(1, {2}).delegate(1, backend);
  return record;
}

// What is inside lies in what is around it and behind what comes before it.
void check_nesting(const std::vector<Slice>& slices, uint64_t begin) {
  std::vector<uint64_t> ends;     // of the slices around
  std::vector<uint64_t> cursors;  // where the next slice of each depth may begin
  for (const Slice& slice : slices) {
    REQUIRE_OF_EACH(slice.depth <= ends.size());
    ends.resize(slice.depth);
    cursors.resize(slice.depth + 1, ends.empty() ? begin : slice.start);
    REQUIRE_OF_EACH(slice.start >= cursors.back());
    REQUIRE_OF_EACH(ends.empty() || slice.end() <= ends.back());
    cursors.back() = slice.end();
    ends.push_back(slice.end());
  }
  CHECK_FALSE(slices.empty());
}

}  // namespace

TEST_CASE("timeline: slices are nested as they were logged", "[timeline]") {
  DumpBuilder dump;
  for (const uint64_t at : {1000u, 5000u}) {
    dump.block("Execute").operator_call("mm.out", 0, at + 10, at + 110, 5);
    dump.delegate("Clamp (NC) #1", 1, at + 130, at + 150);
    dump.event("DELEGATE_CALL", 1, at + 120, at + 200).framework("Method::execute", at, at + 300);
  }
  const Facts facts(study_of(dump, record_with_call("SomeBackend"), mean_raw_request()));
  Timeline timeline(facts);
  REQUIRE(timeline.size() == 2);
  CHECK(text_of(facts, timeline.read(0)) ==
        "Method::execute 0+300\n"
        "  OPERATOR_CALL 5+110\n"
        "    native_call_mm.out 10+100\n"
        "  DELEGATE_CALL 120+80\n"
        "    Clamp (NC) #1 130+20\n");
  CHECK(timeline.read(1).front().start == 4000);
  CHECK(timeline.number(1) == 1);
}

TEST_CASE("timeline: what has no start of its own stands in order, and is marked", "[timeline]") {
  DumpBuilder dump;
  dump.block("Execute").operator_call("mm.out", 0, 10, 110);
  // Lengths alone, as backends with a clock of their own log them.
  dump.delegate("first", 1, 0, 30).delegate("second", 1, 0, 20);
  dump.event("DELEGATE_CALL", 1, 120, 200).framework("Method::execute", 0, 300);
  const Facts facts(study_of(dump, record_with_call("SomeBackend"), mean_raw_request()));
  Timeline timeline(facts);
  const std::string text = text_of(facts, timeline.read(0));
  CHECK(text.find("    first 120+30 in order\n    second 150+20 in order\n") != std::string::npos);
}

TEST_CASE("timeline: steps of a coarse clock are drawn as logged and marked", "[timeline]") {
  DumpBuilder dump;
  dump.block("Execute").operator_call("mm.out", 0, 10, 110);
  dump.delegate("Clamp (NC) #1", 1, 125, 3125).delegate("Clamp (NC) #2", 1, 3125, 3125);
  dump.event("DELEGATE_CALL", 1, 120, 9000).framework("Method::execute", 0, 9100);
  const Facts facts(study_of(dump, record_with_call("XnnpackBackend")));
  Timeline timeline(facts);
  const std::vector<Slice>& slices = timeline.read(0);
  const std::string text = text_of(facts, slices);
  CHECK(text.find("#1 125+3000 in order\n") != std::string::npos);
  CHECK(text.find("#2 3125+0 in order\n") != std::string::npos);
  CHECK(timeline.step_of(slices.back().event) == 1000);
}

TEST_CASE("timeline: broken clocks are drawn in order", "[timeline]") {
  DumpBuilder dump;
  // The second execution begins before the first one's end; the third event of each is outside.
  for (const uint64_t at : {uint64_t{1000}, uint64_t{1100}, UINT64_MAX - 400}) {
    dump.block("Execute").operator_call("mm.out", 0, at + 250, at + 290);
    dump.event("DELEGATE_CALL", 1, at + 10, at + 60).framework("Method::execute", at, at + 300);
  }
  const Facts facts(study_of(dump, record_with_call("SomeBackend"), mean_raw_request()));
  Timeline timeline(facts);
  uint64_t end = 0;
  for (size_t i = 0; i < timeline.size(); ++i) {
    const std::vector<Slice> slices = timeline.read(i);
    check_nesting(slices, end);
    end = slices.front().end();
  }
}

TEST_CASE("timeline: on real artifacts the executions add up to the total", "[timeline][corpus]") {
  size_t executions = 0;
  for (const std::string& folder : case_folders()) {
    for (const Pair& pair : pairs_of(folder)) {
      CAPTURE(pair.etdump, pair.etrecord);
      LoadRequest load;
      load.etdump = unpacked(pair.etdump);
      load.etrecord = pair.etrecord;
      const auto study = load_study(real_file_system(), load);
      if (!study) continue;
      const Facts facts(*study);
      const Headline head = headline(facts);
      Timeline timeline(facts);
      REQUIRE(timeline.size() == head.used.size());
      uint64_t end = 0;
      for (size_t i = 0; i < timeline.size(); ++i) {
        const std::vector<Slice> slices = timeline.read(i);
        check_nesting(slices, end);
        double total = 0;
        for (const Slice& slice : slices) {
          end = std::max(end, slice.end());
          if (facts.join().event(slice.event).role == EventRole::Execute)
            total += static_cast<double>(slice.length.value);
        }
        CHECK(total == head.totals[timeline.number(i)]);
        ++executions;
      }
    }
  }
  CHECK(executions > 20);
}

}  // namespace etlens::timeline_test
