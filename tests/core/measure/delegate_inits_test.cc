// SPDX-License-Identifier: Apache-2.0
// What delegates log while they are set up stands on their calls, as far as the order proves it.
#include "core/measure/delegate_inits.h"

#include "core/formats/pte/pte_reader.h"
#include "tests/support/joins.h"
#include "tests/support/memory_file_system.h"
#include "tests/support/program_builder.h"

namespace etlens::delegate_inits_test {

using namespace etlens::test;

namespace {

constexpr const char* kVgf = "VgfBackend";
constexpr const char* kEthos = "EthosUBackend";

struct Step {
  std::string name;
  uint64_t start = 0;
  uint64_t end = 0;
  bool is_named = false;  // else it has a delegate id
};

// Calls of the backends, one an instruction.
RecordBuilder record_of(const std::vector<std::string>& backends) {
  RecordBuilder record;
  for (size_t i = 0; i < backends.size(); ++i) {
    const auto handle = static_cast<uint32_t>(i + 1);
    record.map(static_cast<int32_t>(i), {handle}).delegate(static_cast<int32_t>(i), backends[i]);
    record.lowered(
        "call" + std::to_string(i), backends[i],
        {{"n" + std::to_string(i), "aten.relu.default", handle, trace_at(3), "", {"x"}}});
  }
  return record;
}

void load(DumpBuilder& dump, const std::vector<Step>& steps, const std::string& init,
          uint64_t end = 1000) {
  dump.block("Default");
  for (const Step& step : steps) {
    if (step.is_named) dump.framework(step.name, step.start, step.end);
    else dump.add({"", -1, 0, step.start, step.end, -1, step.name, ""});
  }
  dump.framework(init, 0, end).framework("Program::load_method", 0, end + 10);
}

void run(DumpBuilder& dump, size_t calls) {
  dump.block("Execute");
  for (size_t i = 0; i < calls; ++i)
    dump.event("DELEGATE_CALL", static_cast<int32_t>(i), 2000 + 10 * i, 2008 + 10 * i);
  dump.framework("Method::execute", 1990, 3000);
}

DumpBuilder dump_of(const std::vector<Step>& steps, size_t calls,
                    const std::string& init = "Method::init") {
  DumpBuilder dump;
  load(dump, steps, init);
  run(dump, calls);
  return dump;
}

ProgramMethod program_of(const std::vector<ProgramStep>& steps) {
  MemoryFileSystem files;
  files.put("/m.pte", ProgramBuilder().method("forward", steps).build());
  const Result<EtProgram> program = read_program(files, "/m.pte", {});
  REQUIRE(program);
  return program->methods.front();
}

// "12,-,7": of each call; "" if nothing is said of any.
std::string calls_of(const DelegateInits& inits) {
  std::string text;
  for (const std::optional<Amount>& call : inits.of_call)
    text += (text.empty() ? "" : ",") + (call ? std::to_string(call->value) : "-");
  return text;
}

std::string calls_of(const std::vector<Step>& steps, const std::vector<std::string>& backends,
                     const ProgramMethod* program = nullptr) {
  return calls_of(
      delegate_inits(join_of(dump_of(steps, backends.size()), record_of(backends)), program));
}

// VGF_INIT_TOTAL and two steps in it.
std::vector<Step> vgf(uint64_t start, uint64_t end) {
  return {{"VGF_INIT_ALLOCATE_REPR", start + 1, start + 2},
          {"VGF_INIT_PROCESS_VGF", start + 2, end - 1},
          {"VGF_INIT_TOTAL", start, end}};
}

std::vector<Step> operator+(std::vector<Step> a, const std::vector<Step>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace

TEST_CASE("delegate inits: one after the other, in the order of the calls", "[cold]") {
  const auto steps = vgf(10, 110) + vgf(120, 420);
  const DelegateInits inits =
      delegate_inits(join_of(dump_of(steps, 2), record_of({kVgf, kVgf})), nullptr);
  CHECK(inits.total == Amount(400));
  CHECK(calls_of(inits) == "100,300");
  // A total that was logged in front of its steps.
  const std::vector<Step> early{{"VGF_INIT_TOTAL", 10, 110}, {"VGF_INIT_PROCESS_VGF", 20, 90}};
  CHECK(calls_of(early, {kVgf}) == "100");
  // Names that are no ids, several of one delegate.
  const std::vector<Step> ethos{{"+EthosUBackend::init()processed_data", 10, 20, true},
                                {"+EthosUBackend::init()vela_bin_read()", 20, 50, true},
                                {"+EthosUBackend::init()processed_data", 60, 70, true},
                                {"+EthosUBackend::init()vela_bin_read()", 70, 75, true}};
  CHECK(calls_of(ethos, {kEthos, kEthos}) == "40,15");
  // Ids that nobody knows, of one backend.
  const std::vector<Step> other{
      {"compile", 10, 20}, {"upload", 20, 25}, {"compile", 30, 90}, {"upload", 90, 91}};
  CHECK(calls_of(other, {"OtherBackend", "OtherBackend"}) == "15,61");
}

TEST_CASE("delegate inits: other backends log nothing, or what is theirs", "[cold]") {
  CHECK(calls_of(vgf(10, 110) + vgf(200, 220), {kVgf, "XnnpackBackend", kVgf}) == "100,-,20");
  const std::vector<Step> ethos{{"+EthosUBackend::init()processed_data", 300, 350, true}};
  CHECK(calls_of(vgf(10, 110) + ethos, {kVgf, kEthos}) == "100,50");
  // Whose are ids that nobody knows?
  CHECK(calls_of({{"compile", 10, 20}}, {kVgf, "OtherBackend"}).empty());
}

TEST_CASE("delegate inits: what the order does not prove is said of no call", "[cold]") {
  const auto two = vgf(10, 110) + vgf(120, 420);
  for (const std::vector<std::string>& backends :
       {std::vector<std::string>{kVgf}, {kVgf, kVgf, kVgf}}) {
    const DelegateInits inits =
        delegate_inits(join_of(dump_of(two, backends.size()), record_of(backends)), nullptr);
    CAPTURE(backends.size());
    CHECK(inits.total == Amount(400));
    CHECK(calls_of(inits) == (backends.size() == 1 ? "400" : ""));
  }
  const std::vector<Step> uneven{{"VGF_A", 10, 20}, {"VGF_B", 30, 40}, {"VGF_B", 50, 60}};
  CHECK(calls_of(uneven + std::vector<Step>{{"VGF_A", 70, 80}}, {kVgf, kVgf}).empty());
  // Of another clock, outside of Method::init, or no time.
  for (const std::vector<Step>& steps : {std::vector<Step>{{"VGF_INIT_TOTAL", 900'000, 900'100}},
                                         {{"Accelerator (init) time (us)", 10, 20}}}) {
    const DelegateInits inits =
        delegate_inits(join_of(dump_of(steps, 1), record_of({kVgf})), nullptr);
    CHECK(inits.total == Amount());
    CHECK(inits.of_call.empty());
  }
  // Without a record and a program the calls that ran may not be all.
  const DelegateInits alone = delegate_inits(join_of(dump_of(two, 2)), nullptr);
  CHECK(alone.total == Amount(400));
  CHECK(alone.of_call.empty());
}

TEST_CASE("delegate inits: of several loads the one that is named, or none", "[cold]") {
  DumpBuilder dump;
  load(dump, vgf(10, 110), "Method::init");
  load(dump, vgf(10, 60), "Method::init");
  run(dump, 1);
  const DelegateInits two = delegate_inits(join_of(dump, record_of({kVgf})), nullptr);
  CHECK(two.total == Amount(150));
  CHECK(two.of_call.empty());
  for (const std::string form : {"Method::init::", "Method::init/", "Method::init ("}) {
    DumpBuilder named;
    const std::string end = form.ends_with('(') ? ")" : "";
    load(named, vgf(10, 110), form + "encode" + end);
    load(named, vgf(10, 60), form + "forward" + end);
    run(named, 1);
    CAPTURE(form);
    CHECK(calls_of(delegate_inits(join_of(named, record_of({kVgf})), nullptr)) == "50");
  }
  // Another method, whose loading was not logged, or is all that was.
  DumpBuilder other;
  load(other, vgf(10, 110), "Method::init");
  run(other, 1);
  run(other, 1);
  other.block("Execute").event("DELEGATE_CALL", 7, 5000, 5100);
  other.framework("Method::execute", 4990, 5110);
  CHECK(delegate_inits(join_of(other, record_of({kVgf})), nullptr).of_call.empty());
}

TEST_CASE("delegate inits: the program says the order, and who shares a delegate", "[cold]") {
  const ProgramMethod program =
      program_of({{'d', kVgf, 0, "one"}, {'k', "aten::add.out"}, {'d', kVgf, 0, "two"}});
  REQUIRE(program.delegates.size() == 2);
  RecordBuilder record;
  record.map(0, {1}).delegate(0, kVgf).map(1, {2}).map(2, {3}).delegate(2, kVgf);
  record.node({"k", "aten.add.Tensor", 2, trace_at(5), "", {"x"}});
  record.lowered("a", kVgf, {{"n", "aten.relu.default", 1, trace_at(3), "", {"x"}}});
  record.lowered("b", kVgf, {{"m", "aten.relu.default", 3, trace_at(4), "", {"x"}}});
  const auto join_with = [&](const std::vector<Step>& steps) {
    DumpBuilder dump;
    load(dump, steps, "Method::init");
    dump.block("Execute").event("DELEGATE_CALL", 0, 2000, 2010);
    dump.operator_call("add.out", 1, 2010, 2020).event("DELEGATE_CALL", 2, 2020, 2030);
    return join_of(dump.framework("Method::execute", 1990, 2040), record);
  };
  const Join join = join_with(vgf(10, 110) + vgf(120, 420));
  CHECK(calls_of(delegate_inits(join, &program)) == "100,300");
  ProgramMethod swapped = program;
  std::swap(swapped.instructions[0].target, swapped.instructions[2].target);
  CHECK(calls_of(delegate_inits(join, &swapped)) == "300,100");
  // Two calls of one delegate.
  ProgramMethod one = program;
  one.delegates.pop_back();
  one.instructions[2].target = 0;
  const Join shared = join_with(vgf(10, 110));
  CHECK(calls_of(delegate_inits(shared, &one)) == "100,100");
  // The record alone takes them for two.
  CHECK(delegate_inits(shared, nullptr).of_call.empty());
}

}  // namespace etlens::delegate_inits_test
