// SPDX-License-Identifier: Apache-2.0
// Whole comparisons of real processes: the same, slower, rewritten, and what cannot be compared.
#include "core/compare/compare.h"

#include <map>
#include <set>

#include "core/compare/dump_amounts.h"
#include "tests/core/compare/sides.h"
#include "tests/support/dump_builder.h"
#include "tests/support/memory_file_system.h"
#include "tests/support/record_builder.h"

namespace etlens::compare_test {

using namespace etlens::test;

namespace {

const LineChange* line_at(const Comparison& comparison, uint32_t number_after) {
  for (const LineChange& line : comparison.lines) {
    for (const LineId id : line.after) {
      if (comparison.after->code->lines[id.value].number == number_after) return &line;
    }
  }
  return nullptr;
}

const ModuleChange* module_at(const Comparison& comparison, std::string_view path_after) {
  return comparison.of_module(comparison.after->code->find_module(path_after));
}

// A program of three operators on lines 10, 11 and 12, which take so many ticks each.
struct Tiny {
  std::string module = "net";
  std::string op = "add";
  std::vector<uint64_t> ticks{1000, 2000, 3000};
  int executions = 5;

  void put(MemoryFileSystem& files, const std::string& dump, const std::string& record) const {
    RecordBuilder builder;
    DumpBuilder log;
    for (uint32_t i = 0; i < ticks.size(); ++i) {
      RecordNode node;
      node.name = op + "_" + std::to_string(i);
      node.target = "aten." + op + ".Tensor";
      node.debug_handle = i + 1;
      node.stack_trace = stack_trace({{"/src/" + module + ".py", 10 + i, "forward",
                                       module + " = " + module + "_" + std::to_string(i)}});
      builder.node(node).map(static_cast<int32_t>(i), {i + 1});
    }
    for (int run = 0; run < executions; ++run) {
      log.block("Execute");
      uint64_t now = 0;
      for (uint32_t i = 0; i < ticks.size(); ++i) {
        log.operator_call(op + ".out", static_cast<int32_t>(i), now, now + ticks[i]);
        now += ticks[i];
      }
      log.framework("Method::execute", 0, now);
    }
    files.put(dump, log.build());
    files.put(record, builder.build());
  }
};

Result<Comparison> compare_tiny(const Tiny& before, const Tiny& after,
                                TimeScale scale_after = TimeScale::Nanoseconds) {
  MemoryFileSystem files;
  before.put(files, "/a.etdp", "/a.etrecord");
  after.put(files, "/b.etdp", "/b.etrecord");
  SideRequest a;
  a.dumps = {"/a.etdp"};
  a.load.etrecord = "/a.etrecord";
  SideRequest b;
  b.dumps = {"/b.etdp"};
  b.load.etrecord = "/b.etrecord";
  b.load.time_scale = scale_after;
  Result<Side> side_a = load_side(files, a);
  REQUIRE(side_a);
  Result<Side> side_b = load_side(files, b);
  REQUIRE(side_b);
  return compare(std::make_shared<Side>(std::move(*side_a)),
                 std::make_shared<Side>(std::move(*side_b)));
}

}  // namespace

TEST_CASE("The same program against itself: nobody is accused, and everything adds up") {
  const auto base = side_of_data("base");
  const Comparison halves = compared(part_of(*base, {0, 2, 4}), part_of(*base, {1, 3, 5}));
  CHECK(halves.match.is_identical);
  CHECK(halves.score == 1);
  CHECK(reconciles(halves));
  CHECK_FALSE(is_accused(halves.total));
  for (const LineChange& line : halves.lines) CHECK_FALSE(is_accused(line.change));
  for (const ModuleChange& module : halves.modules) CHECK_FALSE(is_accused(module.change));
}

TEST_CASE("A module twice as wide is found: on its line, in its modules, nowhere else") {
  const Comparison comparison = compared(side_of_data("base"), side_of_data("wider"));
  CHECK(reconciles(comparison));
  const LineChange* line = line_at(comparison, 16);
  REQUIRE(line != nullptr);
  CHECK(line->change.judged.verdict == Verdict::Slower);
  CHECK_FALSE(line->change.judged.is_likely);
  CHECK(line->change.judged.low > 0.2);
  CHECK(&comparison.lines.front() == line);
  for (const LineChange& other : comparison.lines) {
    if (&other != line) CHECK_FALSE(is_accused(other.change));
  }
  std::set<std::string> accused;
  for (const ModuleChange& module : comparison.modules) {
    if (is_accused(module.change))
      accused.insert(comparison.after->code->modules[module.after.value].path);
  }
  CHECK(accused == std::set<std::string>{"", "second", "second.up", "second.down"});
  CHECK(comparison.total.judged.verdict == Verdict::Slower);
  CHECK(comparison.total.judged.change > 0.2);
}

TEST_CASE("What was only renamed corresponds, and nobody is accused") {
  const Comparison comparison = compared(side_of_data("base"), side_of_data("renamed"));
  CHECK(reconciles(comparison));
  CHECK_FALSE(is_accused(comparison.total));
  for (const LineChange& line : comparison.lines) {
    CHECK_FALSE(is_accused(line.change));
    // Lines that only call others may be alone: no time is on them.
    CHECK((!line.before.empty() || line.change.after.ticks == Amount()));
    CHECK((!line.after.empty() || line.change.before.ticks == Amount()));
  }
  // Statements that were joined are compared with both of them.
  const LineChange* joined = line_at(comparison, 45);
  REQUIRE(joined != nullptr);
  CHECK(joined->before.size() == 2);
  const ModuleChange* renamed = module_at(comparison, "mixer_b.expand");
  REQUIRE(renamed != nullptr);
  REQUIRE(renamed->before.valid());
  CHECK(comparison.before->code->modules[renamed->before.value].path == "second.up");
}

TEST_CASE("A line that was made slower is found, and the machine is not blamed") {
  const auto base = side_of_data("base");
  const auto first = part_of(*base, {0, 2, 4});
  size_t found = 0;
  for (size_t l = 0; l < base->code->lines.size(); ++l) {
    const LineId line(l);
    const auto slower = scaled(*part_of(*base, {1, 3, 5}), line, 2);
    const Comparison comparison = compared(first, slower);
    const LineChange* row = comparison.of_line(line);
    if (row == nullptr || row->change.before.share < 0.05) continue;
    CAPTURE(base->code->lines[l].number);
    CHECK(row->change.judged.verdict == Verdict::Slower);
    CHECK(row->change.judged.is_likely);  // three dumps a side
    CHECK(comparison.machine.factor == Approx(1).margin(0.15));
    ++found;
  }
  CHECK(found >= 2);
}

TEST_CASE("A line of the new side is asked for its row") {
  const Comparison comparison = compared(side_of_data("base"), side_of_data("wider"));
  for (const LineChange& line : comparison.lines) {
    for (const LineId id : line.after) CHECK(comparison.of_line(id) == &line);
  }
  CHECK(comparison.of_line(LineId()) == nullptr);
  CHECK(comparison.of_module(ModuleId(100000)) == nullptr);
}

TEST_CASE("One dump a side: its executions tell what happens inside, and nothing is certain") {
  const auto wide = compare_tiny({}, {"net", "add", {1000, 2000, 30000}});
  REQUIRE(wide);
  CHECK(reconciles(*wide));
  const LineChange* line = line_at(*wide, 12);
  REQUIRE(line != nullptr);
  CHECK(line->change.judged.verdict == Verdict::Slower);
  CHECK(line->change.judged.is_likely);
  REQUIRE(line->change.inside);
  CHECK(line->change.inside->low == Approx(9));
  CHECK(line->change.judged.low < line->change.inside->low);
}

TEST_CASE("One execution can be compared, for what it is worth") {
  Tiny once;
  once.executions = 1;
  const auto comparison = compare_tiny(once, once);
  REQUIRE(comparison);
  CHECK(reconciles(*comparison));
  CHECK(comparison->total.judged.verdict == Verdict::CannotTell);
  CHECK(comparison->total.judged.reason == Reason::OneProcess);
  CHECK(comparison->total.judged.needs_dumps);
}

TEST_CASE("Different models are refused in a sentence with the score") {
  const auto comparison = compare_tiny({}, {"other", "mul"});
  REQUIRE_FALSE(comparison);
  CHECK(comparison.error().code == ErrorCode::Unsupported);
  CHECK(comparison.error().message.find("different models: 0%") != std::string::npos);
}

TEST_CASE("Cycles and time are not compared") {
  const auto comparison = compare_tiny({}, {}, TimeScale::Cycles);
  REQUIRE_FALSE(comparison);
  CHECK(comparison.error().message.find("cycles") != std::string::npos);
}

TEST_CASE("Dumps of another program are an error, or left out where they were only found") {
  MemoryFileSystem files;
  Tiny().put(files, "/a.etdp", "/a.etrecord");
  Tiny other;
  other.ticks = {1, 2, 3, 4, 5, 6};
  other.put(files, "/b.etdp", "/b.etrecord");
  SideRequest request;
  request.dumps = {"/a.etdp", "/b.etdp"};
  request.load.etrecord = "/a.etrecord";
  CHECK_FALSE(load_side(files, request));
  request.leaves_out_others = true;
  const Result<Side> side = load_side(files, request);
  REQUIRE(side);
  CHECK(side->left_out == std::vector<std::string>{"/b.etdp"});
  CHECK(side->dumps.size() == 1);
  CHECK_FALSE(side->influences.empty());
  request.dumps.clear();
  CHECK_FALSE(load_side(files, request));
}

TEST_CASE("Without a record the total and its parts are compared") {
  MemoryFileSystem files;
  Tiny().put(files, "/a.etdp", "/a.etrecord");
  SideRequest request;
  request.dumps = {"/a.etdp"};
  Result<Side> bare = load_side(files, request);
  REQUIRE(bare);
  request.load.etrecord = "/a.etrecord";
  Result<Side> full = load_side(files, request);
  REQUIRE(full);
  const auto comparison =
      compare(std::make_shared<Side>(std::move(*full)), std::make_shared<Side>(std::move(*bare)));
  REQUIRE(comparison);
  CHECK(comparison->lines.empty());
  CHECK(comparison->modules.empty());
  CHECK(reconciles(*comparison));
  CHECK(comparison->total.before.ticks == comparison->total.after.ticks);
}

TEST_CASE("Kernels lose what only tells them apart in one program") {
  CHECK(kernel_name("Convolution (NHWC, F32) IGEMM #12") == "Convolution (NHWC, F32) IGEMM");
  CHECK(kernel_name("native_call_addmm.out") == "addmm.out");
  CHECK(kernel_name("conv2d_0") == "conv2d_0");
  CHECK(kernel_name(" #1") == " #1");
}

}  // namespace etlens::compare_test
