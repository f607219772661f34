// SPDX-License-Identifier: Apache-2.0
// The memory chart: what it draws at the peak is the peak, every tensor is on it, and names stay
// text.
#include "core/export/memory_chart.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "core/base/text.h"
#include "core/join/program_code.h"
#include "core/workspace/load_program.h"
#include "test_paths.h"

namespace etlens::memory_chart_test {

namespace {

// Of the first method of a program, with or without a record ("").
MemoryFacts facts_of(const std::string& pte, const std::string& etrecord,
                     const std::function<void(ProgramMethod&)>& change = nullptr) {
  const Result<LoadedProgram> loaded = load_program(real_file_system(), pte, etrecord);
  REQUIRE(loaded);
  auto program = std::make_shared<EtProgram>(*loaded->program);
  if (change) change(program->methods.front());
  return {program, 0, code_of_program(loaded->record, program->methods.front(), {})};
}

std::string drawn(const MemoryFacts& facts, PictureKind kind = PictureKind::File) {
  std::string bytes;
  Sink sink([&](std::string_view piece) {
    bytes += piece;
    return true;
  });
  write_memory_chart(facts, kind, sink);
  REQUIRE(sink.finish());
  return bytes;
}

std::vector<double> numbers(std::string_view svg, std::string_view attribute) {
  std::vector<double> found;
  const std::string key = " " + std::string(attribute) + "=\"";
  for (size_t at = 0; (at = svg.find(key, at)) != std::string_view::npos;) {
    at += key.size();
    found.push_back(std::stod(std::string(svg.substr(at, svg.find('"', at) - at))));
  }
  return found;
}

struct Example {
  const char* pte;
  const char* etrecord;
};

constexpr Example kPrograms[] = {
    {ETLENS_EXAMPLES "/storyteller/model.pte", ETLENS_EXAMPLES "/storyteller/model.etrecord"},
    {ETLENS_EXAMPLES "/leafnet/int8/model.pte", ETLENS_EXAMPLES "/leafnet/int8/model.etrecord"},
    {ETLENS_EXAMPLES "/pricer/model.pte", ""},
    {ETLENS_TEST_DATA "/memory/state/greedy.pte", ""}};

}  // namespace

TEST_CASE("memory chart: every tensor, and at the peak the peak", "[export]") {
  for (const Example& example : kPrograms) {
    CAPTURE(example.pte);
    const MemoryFacts facts = facts_of(example.pte, example.etrecord);
    const std::string svg = drawn(facts);
    const std::vector<double> at_peak = numbers(svg, "data-at-peak");
    double sum = 0;
    for (const double bytes : at_peak) sum += bytes;
    CHECK(sum == static_cast<double>(facts.peak()));
    size_t tensors = 0;
    for (size_t row = 0; row < facts.tensor_count(); ++row) {
      const TensorFacts tensor = facts.tensor(row);
      tensors += !tensor.view_of && tensor.bytes > 0 ? 1 : 0;
    }
    CHECK(tensors > 0);
    CHECK(at_peak.size() == tensors);
    CHECK(svg.find(" in use at the peak, instruction " +
                   std::to_string(facts.peak_instruction())) != std::string::npos);
    CHECK(numbers(svg, "x").size() >= at_peak.size());
    for (const double number : numbers(svg, "width")) CHECK((number > 0 && number <= 1200));
  }
}

TEST_CASE("memory chart: tensors that live at one time have addresses of their own", "[export]") {
  // One buffer: boxes, in the order of the file, neither above nor beside each other.
  const std::string svg = drawn(facts_of(kPrograms[0].pte, kPrograms[0].etrecord));
  struct Box {
    double x, y, right, bottom;
  };
  std::vector<Box> boxes;
  for (size_t at = 0; (at = svg.find("data-at-peak", at)) != std::string::npos; ++at) {
    const std::string_view box = std::string_view(svg).substr(svg.find("<rect", at), 120);
    const double x = numbers(box, "x").at(0);
    const double y = numbers(box, "y").at(0);
    boxes.push_back({x, y, x + numbers(box, "width").at(0), y + numbers(box, "height").at(0)});
  }
  REQUIRE(boxes.size() > 10);
  // The least that a box is drawn with may reach into the next.
  constexpr double kSlack = 0.7;
  size_t beside = 0;
  for (size_t a = 0; a < boxes.size(); ++a) {
    for (size_t b = 0; b < a; ++b) {
      const bool same_time =
          boxes[a].x + kSlack < boxes[b].right && boxes[b].x + kSlack < boxes[a].right;
      const bool same_bytes =
          boxes[a].y + kSlack < boxes[b].bottom && boxes[b].y + kSlack < boxes[a].bottom;
      CHECK(!(same_time && same_bytes));
      beside += same_time ? 1 : 0;
    }
  }
  CHECK(beside > 0);
}

TEST_CASE("memory chart: lines where a record is there, in a page without a style", "[export]") {
  const std::string with = drawn(facts_of(kPrograms[0].pte, kPrograms[0].etrecord));
  CHECK(with.find("layers.py:43") != std::string::npos);
  CHECK(with.find("<style>") != std::string::npos);
  const std::string without = drawn(facts_of(kPrograms[0].pte, ""), PictureKind::Element);
  CHECK(without.find("layers.py") == std::string::npos);
  CHECK(without.find("<style>") == std::string::npos);
  CHECK(without.find("aten::expand_copy.out") != std::string::npos);
}

TEST_CASE("memory chart: hostile names stay text", "[export]") {
  const std::string evil = "\"'><script>alert(1)</script>\x1b[31m\xE2\x80\xAE\xFF\n";
  const std::string svg = drawn(facts_of(kPrograms[2].pte, "", [&](ProgramMethod& method) {
    method.name = evil;
    for (std::string& op : method.operators) op = evil;
  }));
  CHECK(svg.find("<script") == std::string::npos);
  CHECK(svg.find('\x1b') == std::string::npos);
  CHECK(svg.find("\xE2\x80\xAE") == std::string::npos);
  CHECK(is_valid_utf8(svg));
  CHECK(svg.find("&lt;script&gt;alert(1)") != std::string::npos);
}

TEST_CASE("memory chart: nothing planned is said", "[export]") {
  const std::string svg = drawn(facts_of(kPrograms[2].pte, "", [](ProgramMethod& method) {
    for (ProgramTensor& tensor : method.tensors) tensor.is_planned = false;
    method.buffer_sizes = {0};
  }));
  CHECK(svg.find("forward: no planned memory") != std::string::npos);
  CHECK(svg.find("data-bytes") == std::string::npos);
}

TEST_CASE("memory chart: of very many tensors the largest are drawn", "[export]") {
  constexpr uint32_t kMany = 5000;
  const MemoryFacts facts = facts_of(kPrograms[2].pte, "", [&](ProgramMethod& method) {
    size_t planned = 0;
    while (!method.tensors[planned].is_planned) ++planned;
    ProgramTensor copy = method.tensors[planned];
    method.buffer_sizes[copy.memory_id] += kMany * copy.bytes;
    const uint64_t end = method.buffer_sizes[copy.memory_id];
    for (uint32_t i = 0; i < kMany; ++i) {
      copy.value = static_cast<uint32_t>(method.values.size());
      copy.offset = end - (i + 1) * copy.bytes;
      method.values.push_back({ValueKind::Tensor, static_cast<uint32_t>(method.tensors.size()), 0});
      method.tensors.push_back(copy);
      method.inputs.push_back(copy.value);
    }
  });
  const std::string svg = drawn(facts);
  CHECK(numbers(svg, "data-bytes").size() == 3000);
  CHECK(svg.find("small tensors are not drawn") != std::string::npos);
}

}  // namespace etlens::memory_chart_test
