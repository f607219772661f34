// SPDX-License-Identifier: Apache-2.0
// Planned memory: lifetimes and bytes in use of small plans, of damaged ones, and of real ones
// against what ExecuTorch's own planner says.
#include <filesystem>

#include "core/formats/pte/pte_reader.h"
#include "core/join/program_code.h"
#include "core/measure/covered_bytes.h"
#include "core/measure/memory.h"
#include "test_paths.h"
#include "tests/support/corpus.h"
#include "tests/support/memory_file_system.h"
#include "tests/support/program_builder.h"

namespace etlens::memory_test {

using namespace etlens::test;
using nlohmann::json;

namespace {

namespace fs = std::filesystem;

ProgramMethod method_of(std::vector<ProgramStep> steps, ProgramPlan plan) {
  ProgramBuilder builder;
  builder.method("forward", std::move(steps), std::move(plan));
  MemoryFileSystem files;
  files.put("/m.pte", builder.build());
  Result<EtProgram> program = read_program(files, "/m.pte");
  if (!program) FAIL(program.error().message);
  return std::move(program->methods.front());
}

ProgramStep kernel(std::string op, std::vector<int32_t> arguments) {
  return {'k', std::move(op), 0, "", std::move(arguments)};
}

// A tensor of so many bytes.
ProgramPlanValue at(uint64_t offset, int32_t bytes, uint32_t memory_id = 1) {
  return {'t', {bytes / 4}, memory_id, offset, 0};
}

using Span = std::pair<uint32_t, uint32_t>;
Span span_of(const MemoryPlan& plan, size_t row) {
  return {plan.tensors[row].life.first, plan.tensors[row].life.last};
}

}  // namespace

TEST_CASE("memory: bytes that ranges cover, whatever overlaps", "[memory]") {
  CoveredBytes covered({0, 8, 4, 12, 20, 24});
  covered.add(0, 8);
  covered.add(4, 12);
  CHECK(covered.total() == 12);
  covered.add(20, 24);
  covered.add(0, 24);
  CHECK(covered.total() == 24);
  covered.remove(0, 24);
  covered.remove(0, 8);
  CHECK(covered.total() == 12);
  covered.remove(4, 12);
  covered.remove(20, 24);
  CHECK(covered.total() == 0);
}

TEST_CASE("memory: what lives when", "[memory]") {
  // x -> a -> b -> y, with x read again at the end
  const ProgramMethod method =
      method_of({kernel("aten::neg.out", {0, 1, 1}), kernel("aten::exp.out", {1, 2, 2}),
                 kernel("aten::sin.out", {2, 3, 3}), kernel("aten::add.out", {3, 0, 4, 4})},
                {.values = {at(0, 16), at(16, 32), at(48, 16), at(16, 16), at(32, 16), {'t', {4}}},
                 .inputs = {0},
                 .outputs = {4},
                 .buffer_sizes = {0, 64}});
  const MemoryPlan plan = plan_memory(method);
  REQUIRE(plan.tensors.size() == 5);
  CHECK(span_of(plan, 0) == Span{0, 3});
  CHECK(span_of(plan, 1) == Span{0, 1});
  CHECK(span_of(plan, 2) == Span{1, 2});
  CHECK(span_of(plan, 3) == Span{2, 3});
  CHECK(span_of(plan, 4) == Span{3, 3});
  CHECK(plan.tensors[0].life.is_input);
  CHECK(plan.tensors[4].life.is_output);
  CHECK(plan.tensors[1].life.maker == 0);
  const PlannedBuffer& buffer = plan.buffers.front();
  CHECK(buffer.live == std::vector<uint64_t>{48, 64, 48, 48});
  CHECK(buffer.peak == 64);
  CHECK(buffer.peak_instruction == 1);
  CHECK(buffer.without_reuse == 96);
  CHECK(plan.unplanned == std::vector<uint32_t>{5});
  CHECK(plan.report.rows().empty());
}

TEST_CASE("memory: views share their base's bytes and its life", "[memory]") {
  const ProgramMethod method = method_of(
      {kernel("aten::neg.out", {0, 1, 1}), kernel("executorch_prim::et_view.default", {1, 5, 2, 2}),
       kernel("aten::exp.out", {2, 3, 3}), kernel("aten::sin.out", {4, 6, 6})},
      {.values = {at(0, 16), at(16, 16), at(16, 16), at(32, 16), at(32, 16), {'i'}, at(0, 16)},
       .inputs = {0},
       .outputs = {6},
       .buffer_sizes = {0, 48}});
  const MemoryPlan plan = plan_memory(method);
  CHECK(plan.tensors[2].life.view_of == 1);  // by its operator
  CHECK(span_of(plan, 1) == Span{0, 2});
  CHECK(span_of(plan, 2) == Span{0, 2});
  CHECK(plan.tensors[4].life.view_of == 3);  // planned away: nothing writes it
  CHECK(span_of(plan, 3) == Span{2, 3});
  CHECK(plan.buffers[0].live == std::vector<uint64_t>{32, 16, 32, 32});
  CHECK(plan.report.rows().empty());
}

TEST_CASE("memory: state lives all the time", "[memory]") {
  const ProgramMethod method =
      method_of({kernel("aten::add.out", {0, 1, 2, 2}), kernel("aten::copy_", {0, 2, 3, 0}),
                 kernel("aten::neg.out", {1, 4, 4})},
                {.values = {at(0, 16), at(16, 16), at(32, 16), {'i'}, at(48, 16)},
                 .inputs = {1},
                 .outputs = {4},
                 .buffer_sizes = {0, 64}});
  const MemoryPlan plan = plan_memory(method);
  CHECK(plan.tensors[0].life.is_mutable);
  CHECK(span_of(plan, 0) == Span{0, 2});
  CHECK(plan.tensors[0].life.maker == kNone);
}

TEST_CASE("memory: scratch of a kernel or a delegate lives at its instruction alone", "[memory]") {
  // x -> conv(scratch) -> a -> conv(scratch) -> b -> call(scratch) -> y; values of scratch come
  // after the inputs, one of them has no bytes.
  const ProgramMethod method = method_of(
      {kernel("my::conv.out", {0, 1, 4, 2, 2}),
       kernel("my::conv.out", {2, 1, 5, 3, 3}),
       {'d', "OtherBackend", 0, "payload", {6, 3, 7}}},
      {.values =
           {{'i'}, at(0, 16), at(16, 16), at(32, 16), at(48, 32), at(0, 0), at(48, 16), at(64, 16)},
       .inputs = {1},
       .outputs = {7},
       .buffer_sizes = {0, 80}});
  const MemoryPlan plan = plan_memory(method);
  REQUIRE(plan.tensors.size() == 7);
  CHECK(plan.tensors[3].life.is_scratch);
  CHECK_FALSE(plan.tensors[3].life.is_mutable);
  CHECK(span_of(plan, 3) == Span{0, 0});
  CHECK(plan.tensors[3].life.maker == 0);
  CHECK(span_of(plan, 4) == Span{1, 1});
  CHECK(plan.tensors[4].life.is_scratch);
  CHECK(plan.tensors[5].life.is_scratch);
  CHECK(span_of(plan, 5) == Span{2, 2});
  CHECK(plan.buffers[0].live == std::vector<uint64_t>{64, 48, 48});
  CHECK(plan.report.rows().empty());
}

TEST_CASE("memory: what is read undefined by two instructions, or in front of inputs, is state",
          "[memory]") {
  const ProgramMethod twice =
      method_of({kernel("aten::add.out", {0, 1, 2, 2}), kernel("aten::mul.out", {2, 1, 3, 3})},
                {.values = {at(0, 16), at(16, 16), at(32, 16), at(48, 16)},
                 .inputs = {0},
                 .outputs = {3},
                 .buffer_sizes = {0, 64}});
  CHECK(plan_memory(twice).tensors[1].life.is_mutable);
  const ProgramMethod once = method_of({kernel("aten::add.out", {0, 1, 2, 2})},
                                       {.values = {at(0, 16), at(16, 16), at(32, 16)},
                                        .inputs = {1},
                                        .outputs = {2},
                                        .buffer_sizes = {0, 48}});
  CHECK(plan_memory(once).tensors[0].life.is_mutable);
  CHECK_FALSE(plan_memory(once).tensors[0].life.is_scratch);
}

TEST_CASE("memory: a real program with scratch for its kernels", "[memory]") {
  const Result<EtProgram> program =
      read_program(real_file_system(), ETLENS_TEST_DATA "/memory-scratch/keyword-spotting.pte");
  if (!program) FAIL(program.error().message);
  const MemoryPlan plan = plan_memory(program->methods.front());
  CHECK(plan.report.rows().empty());
  CHECK(plan.buffers.front().live.front() == 2450);
  const auto scratch = std::count_if(plan.tensors.begin(), plan.tensors.end(),
                                     [](const auto& row) { return row.life.is_scratch; });
  CHECK(scratch > 0);
  for (const PlannedTensor& row : plan.tensors) {
    CHECK_FALSE(row.life.is_mutable);
    if (row.life.is_scratch) CHECK(row.life.first == row.life.last);
  }
}

TEST_CASE("memory: branches and loops", "[memory]") {
  // 0 makes a, 1 makes b; the loop 2..4 reads a; 5 reads b
  const ProgramMethod method = method_of(
      {kernel("aten::neg.out", {0, 1, 1}),
       kernel("aten::exp.out", {0, 2, 2}),
       kernel("aten::sin.out", {1, 3, 3}),
       {'m', "", 0, "", {3, 4}},
       {'j', "", 2, "", {5}},
       kernel("aten::add.out", {2, 4, 6, 6})},
      {.values = {at(0, 16), at(16, 16), at(32, 16), at(48, 16), at(64, 16), {'i'}, at(80, 16)},
       .inputs = {0},
       .outputs = {6},
       .buffer_sizes = {0, 96}});
  const MemoryPlan plan = plan_memory(method);
  CHECK(span_of(plan, 1) == Span{0, 4});  // the loop may read it again
  CHECK(span_of(plan, 2) == Span{1, 5});
  CHECK(span_of(plan, 4) == Span{3, 5});
  CHECK(plan.tensors[4].life.maker == 3);
}

TEST_CASE("memory: damaged plans are said and stay within their buffers", "[memory]") {
  const std::vector<ProgramStep> steps{kernel("aten::add.out", {0, 1, 2, 2})};
  const auto plan_of = [&](std::vector<ProgramPlanValue> values) {
    return plan_memory(method_of(
        steps,
        {.values = std::move(values), .inputs = {0, 1}, .outputs = {2}, .buffer_sizes = {0, 64}}));
  };
  const MemoryPlan overlap = plan_of({at(0, 32), at(16, 32), at(48, 16)});
  REQUIRE(overlap.report.find(Oddity::ProgramOverlap) != nullptr);
  CHECK(overlap.buffers[0].peak == 64);
  CHECK(overlap.tensors[0].at_peak + overlap.tensors[1].at_peak + overlap.tensors[2].at_peak == 64);

  const MemoryPlan outside = plan_of({at(0, 16), at(56, 16), at(UINT64_MAX - 8, 16)});
  REQUIRE(outside.report.find(Oddity::ProgramOutsideBuffer) != nullptr);
  CHECK(outside.report.find(Oddity::ProgramOutsideBuffer)->count == 2);
  CHECK(outside.buffers[0].peak == 24);

  const MemoryPlan unknown = plan_of({at(0, 16), at(0, 16, 7), at(16, 16)});
  CHECK(unknown.report.find(Oddity::ProgramOutsideBuffer) != nullptr);
}

TEST_CASE("memory: a flipped byte of a plan leaves one that holds together", "[memory]") {
  ProgramBuilder builder;
  builder.method("forward",
                 {kernel("aten::neg.out", {0, 1, 1}),
                  {'d', "OtherBackend", 0, "payload", {1, 2}},
                  {'j', "", 1, "", {3}},
                  kernel("aten::add.out", {2, 4, 5, 5})},
                 {.values = {at(0, 16), at(16, 16), at(32, 16), {'i'}, at(32, 16), at(48, 16, 2)},
                  .inputs = {0},
                  .outputs = {5},
                  .buffer_sizes = {0, 48, 64}});
  const std::string bytes = builder.build();
  size_t readable = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    for (const char flip : {'\x01', '\x80', '\xFF'}) {
      std::string broken = bytes;
      broken[i] = static_cast<char>(broken[i] ^ flip);
      MemoryFileSystem files;
      files.put("/m.pte", broken);
      const Result<EtProgram> program = read_program(files, "/m.pte");
      if (!program) continue;
      for (const ProgramMethod& method : program->methods) {
        const MemoryMeasure memory = measure_memory(code_of_program(nullptr, method, {}), method);
        for (const PlannedBuffer& buffer : memory.plan.buffers) REQUIRE(buffer.peak <= buffer.size);
        REQUIRE(memory.at_peak.total.typical().value == static_cast<int64_t>(memory.plan.peak));
        ++readable;
      }
    }
  }
  CHECK(readable > 0);
}

TEST_CASE("memory: the parts of the measure add up to the peak", "[memory]") {
  for (const char* name : {"gate", "state", "delegates"}) {
    CAPTURE(name);
    const std::string path = std::string(ETLENS_TEST_DATA "/memory/") + name + "/greedy.pte";
    const Result<EtProgram> program = read_program(real_file_system(), path);
    if (!program) FAIL(program.error().message);
    const ProgramMethod& method = program->methods.front();
    const MemoryMeasure memory = measure_memory(code_of_program(nullptr, method, {}), method);
    CHECK(memory.at_peak.total.typical().value == static_cast<int64_t>(memory.plan.peak));
    CHECK(memory.at_peak.total.disturbance == Amount());
  }
}

namespace {

// The spans in which our lifetimes may differ from the planner's, because it counts nodes of a
// graph: a control-flow node is one, however many instructions it has.
struct Difference {
  size_t specs = 0;
  size_t control_flow = 0;
};

void compare_specs(const json& graph, const ProgramMethod& method, const MemoryPlan& plan,
                   bool has_jumps, Difference& difference) {
  std::map<uint32_t, const PlannedTensor*> by_value;
  for (const PlannedTensor& row : plan.tensors) by_value[method.tensors[row.tensor].value] = &row;
  const json& specs = graph["specs"];
  for (const json& spec : specs) {
    if (spec["value"].is_null() || spec["mem_id"].is_null()) continue;
    const uint32_t value = spec["value"];
    CAPTURE(value);
    REQUIRE(by_value.contains(value));
    const PlannedTensor& row = *by_value[value];
    const ProgramTensor& tensor = method.tensors[row.tensor];
    CHECK(tensor.memory_id == spec["mem_id"].get<uint32_t>());
    CHECK(tensor.offset == spec["mem_offset"].get<uint64_t>());
    CHECK(tensor.bytes == spec["nbytes"].get<uint64_t>());
    const json base = spec.value("view_of", json());
    const bool is_view = row.life.view_of != kNone;
    CHECK(is_view == !base.is_null());
    if (is_view && !base.is_null())
      CHECK(method.tensors[row.life.view_of].value == specs[base.get<size_t>()]["value"]);
    const json& nodes = graph["nodes"];
    const json& first = nodes[spec["lifetime"][0].get<size_t>()]["instructions"];
    const json& last = nodes[spec["lifetime"][1].get<size_t>()]["instructions"];
    const uint32_t begin = first[0];
    const uint32_t end = std::max<uint32_t>(last[1].get<uint32_t>(), begin + 1) - 1;
    ++difference.specs;
    if (row.life.first == begin && row.life.last == end) continue;
    CHECK(has_jumps);
    CHECK(row.life.first >= begin);
    CHECK(row.life.last <= end);
    ++difference.control_flow;
  }
  const json submodules = graph.value("submodules", json::object());
  for (const auto& [name, inner] : submodules.items())
    compare_specs(inner, method, plan, has_jumps, difference);
}

std::vector<std::string> planned_folders() {
  std::vector<std::string> folders{ETLENS_TEST_DATA "/memory"};
  if (const char* corpus = std::getenv("ETLENS_CORPUS"); corpus != nullptr && *corpus != '\0')
    folders.push_back(std::string(corpus) + "/measures/memory");
  std::vector<std::string> found;
  for (const std::string& folder : folders) {
    if (!fs::exists(folder)) continue;
    for (const auto& entry : fs::directory_iterator(folder)) {
      if (entry.is_directory()) found.push_back(entry.path().string());
    }
  }
  return found;
}

}  // namespace

TEST_CASE("memory: plans are what ExecuTorch's planner says", "[memory]") {
  constexpr std::string_view kSpecs = ".memory.json.gz";
  Difference difference;
  for (const std::string& folder : planned_folders()) {
    for (const auto& entry : fs::directory_iterator(folder)) {
      const std::string path = entry.path().string();
      if (!path.ends_with(kSpecs)) continue;
      CAPTURE(path);
      const json oracle = json::parse(read_file(path));
      const Result<EtProgram> program =
          read_program(real_file_system(), path.substr(0, path.size() - kSpecs.size()) + ".pte");
      if (!program) FAIL(program.error().message);
      for (const auto& [name, graph] : oracle["methods"].items()) {
        const ProgramMethod* method = program->find(name);
        REQUIRE(method != nullptr);
        const MemoryPlan plan = plan_memory(*method);
        CHECK(plan.report.rows().empty());
        CHECK(json(method->buffer_sizes) == graph["planned_buffer_sizes"]);
        if (!graph.contains("nodes")) continue;  // it only returns a constant
        const bool has_jumps = std::any_of(
            method->instructions.begin(), method->instructions.end(),
            [](const ProgramInstruction& i) { return i.kind == InstructionKind::JumpFalse; });
        compare_specs(graph, *method, plan, has_jumps, difference);
      }
    }
  }
  CHECK(difference.specs > 100);
  CHECK(difference.control_flow * 10 < difference.specs);
}

TEST_CASE("memory: what is in use never exceeds the buffer, in any real program", "[memory]") {
  size_t buffers = 0;
  for (const std::string& folder : case_folders()) {
    const std::string path = folder + "/model.pte";
    if (!real_file_system().stat(path)) continue;
    CAPTURE(path);
    const Result<EtProgram> program = read_program(real_file_system(), path);
    if (!program) FAIL(program.error().message);
    for (const ProgramMethod& method : program->methods) {
      const MemoryPlan plan = plan_memory(method);
      CHECK(plan.report.rows().empty());
      for (const PlannedBuffer& buffer : plan.buffers) {
        CHECK(buffer.peak <= buffer.size);
        CHECK(buffer.highest_end <= buffer.size);
        ++buffers;
      }
    }
  }
  CHECK(buffers > 0);
}

}  // namespace etlens::memory_test
