// SPDX-License-Identifier: Apache-2.0
// What can be left out fails alone: measures beside time, the program, sources. Times stay, and the
// report says what is missing.
#include "core/base/optional_part.h"

#include "core/workspace/load.h"
#include "tests/support/dump_builder.h"
#include "tests/support/memory_file_system.h"
#include "tests/support/record_builder.h"

namespace etlens::optional_parts_test {

using namespace etlens::test;

namespace {

constexpr const char* kFirst = "/work/first.py";
constexpr const char* kSecond = "/work/second.py";

MemoryFileSystem pair_of_sources() {
  RecordBuilder record;
  record.node({"a", "aten.mm.default", 1, stack_trace({{kFirst, 2, "forward", "x = x @ x"}})});
  record.node({"b", "aten.relu.default", 2, stack_trace({{kSecond, 2, "forward", "x = x + 1"}})});
  record.map(0, {1}).map(1, {2});
  DumpBuilder dump;
  dump.block("Execute").operator_call("mm.out", 0, 10, 20).operator_call("relu.out", 1, 20, 40);
  dump.framework("Method::execute", 0, 50);
  MemoryFileSystem files;
  files.put("/work/d.etdp", dump.build());
  files.put("/work/r.etrecord", record.build());
  files.put(kFirst, "def forward(self, x):\n  x = x @ x\n");
  files.put(kSecond, "def forward(self, x):\n  x = x + 1\n");
  return files;
}

LoadRequest pair_request() {
  LoadRequest request;
  request.etdump = "/work/d.etdp";
  request.etrecord = "/work/r.etrecord";
  request.roots = {"/work"};
  return request;
}

// Ways to cost too much.
std::optional<Measure> takes_memory(const MeasureInput&) {
  std::vector<std::string> all;
  while (true) all.emplace_back(1 << 20, 'x');
}
std::optional<Measure> takes_one_block(const MeasureInput&) {
  const std::string block(size_t{1} << 40, 'x');
  return block.empty() ? std::optional<Measure>(Measure()) : std::nullopt;
}
std::optional<Measure> takes_time(const MeasureInput&) {
  while (true) go_on();
}
std::optional<Measure> says_nothing(const MeasureInput&) { return std::nullopt; }

}  // namespace

TEST_CASE("a measure that costs too much costs only itself", "[optional]") {
  set_base_budget(Ledger::kBaseBytes, 400'000'000);
  const MemoryFileSystem files = pair_of_sources();
  LoadRequest request = pair_request();
  request.measures = {{"sound", "sound", says_nothing},
                      {"greedy", "greedy", takes_memory},
                      {"huge", "huge", takes_one_block},
                      {"slow", "slow", takes_time},
                      {"last", "last", says_nothing}};
  const auto study = load_study(files, request);
  set_base_budget(Ledger::kBaseBytes, Ledger::kBaseNs);
  REQUIRE(study);
  CHECK((*study)->measures.size() == 1);
  CHECK((*study)->measures[0].total.total.value > 0);
  const ReportRow* row = (*study)->report.find(Oddity::MeasureExpensive);
  REQUIRE(row != nullptr);
  CHECK(row->count == 3);
  CHECK(row->first.find("greedy") != std::string::npos);
  CHECK((*study)->sources[0].path == kFirst);
}

TEST_CASE("whichever allocation of reading sources fails, what is missing is in the report",
          "[optional]") {
  const MemoryFileSystem files = pair_of_sources();
  const auto study = load_study(files, pair_request());
  REQUIRE(study);
  const auto read = [&](LoadReport& report) {
    return read_and_anchor(files, (*study)->code(), (*study)->sources, &report);
  };
  LoadReport none;
  REQUIRE(read(none)[1].document != nullptr);
  CHECK(none.rows().empty());
  const int64_t count = counted_allocations();
  REQUIRE(count > 20);
  size_t failed = 0;
  for (int64_t n = 1; n <= count; ++n) {
    fail_allocation(n);
    LoadReport report;
    const std::vector<AnchoredSource> sources = read(report);
    fail_allocation(0);
    REQUIRE(sources.size() == 2);
    size_t missing = 0;
    for (const AnchoredSource& source : sources) {
      missing += source.document == nullptr;
      CHECK(source.anchors.size() == 1);
      CHECK(source.anchors[0].line == (source.document == nullptr ? 0 : 2));
    }
    CHECK((missing > 0) == (report.find(Oddity::SourceExpensive) != nullptr));
    failed += missing;
  }
  CHECK(failed > 10);
}

TEST_CASE("a part says why it is missing, and work that was given up says nothing", "[optional]") {
  set_base_budget(Ledger::kBaseBytes, 50'000'000);
  LoadReport report;
  const auto slow = [] {
    set_error_subject("x.py");
    while (true) go_on();
    return 1;
  };
  const auto outcome = within_budget({}, [&]() -> Result<int> {
    CHECK_FALSE(optional_part(&report, Oddity::SourceExpensive, {}, slow));
    return optional_part(&report, Oddity::SourceExpensive, {}, [] { return 2; }).value_or(0);
  });
  REQUIRE(outcome);
  CHECK(*outcome == 2);  // what is left of the time is for the others
  const ReportRow* row = report.find(Oddity::SourceExpensive);
  REQUIRE(row != nullptr);
  CHECK(row->count == 1);
  CHECK(row->first.starts_with("x.py takes more than"));
  CancelToken cancel;
  cancel.cancel();
  CHECK_FALSE(optional_part(&report, Oddity::SourceExpensive, cancel, slow));
  CHECK_FALSE(optional_part(nullptr, Oddity::SourceExpensive, {}, slow));
  CHECK(row->count == 1);
  set_base_budget(Ledger::kBaseBytes, Ledger::kBaseNs);
}

}  // namespace etlens::optional_parts_test
