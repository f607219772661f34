// SPDX-License-Identifier: Apache-2.0
// Vulkan payloads of real programs as graphs, and what is no payload.
#include "core/backend/vulkan/payload_operators.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "core/backend/backend.h"
#include "core/backend/payload_part.h"
#include "core/formats/pte/pte_reader.h"
#include "test_paths.h"

namespace etlens::vulkan_payload_test {
namespace {

const std::string kProgram = ETLENS_TEST_DATA "/delegation/own.gated-vulkan/model.pte";

// What describes the operators of each call of the program.
std::vector<std::vector<uint8_t>> payloads() {
  const Result<EtProgram> program = read_program(real_file_system(), kProgram);
  if (!program) FAIL(program.error().message);
  std::vector<std::vector<uint8_t>> parts;
  for (const ProgramDelegate& delegate : program->methods.front().delegates)
    parts.push_back(read_payload_part(real_file_system(), *program, delegate, built_in_backends()));
  return parts;
}

// Everything that a reader of the graph relies on.
bool is_sound(const PayloadGraph& graph) {
  const auto are_rows = [&](const std::vector<uint32_t>& rows) {
    return std::ranges::all_of(rows, [&](uint32_t row) { return row < graph.values.size(); });
  };
  return are_rows(graph.inputs) && are_rows(graph.outputs) &&
         std::ranges::all_of(graph.operators, [&](const PayloadOperator& op) {
           return !op.op.empty() && are_rows(op.inputs) && are_rows(op.outputs);
         });
}

}  // namespace

TEST_CASE("vulkan payload: the operators of a real program", "[vulkan]") {
  std::vector<std::string> names;
  const std::vector<std::vector<uint8_t>> parts = payloads();
  REQUIRE(parts.size() == 3);
  for (const std::vector<uint8_t>& part : parts) {
    const std::optional<PayloadGraph> graph = graph_of_vulkan(part);
    REQUIRE(graph.has_value());
    CHECK(is_sound(*graph));
    CHECK(!graph->inputs.empty());
    CHECK(!graph->outputs.empty());
    for (const PayloadOperator& op : graph->operators) {
      CHECK(op.op != "et_vk.prepack.default");
      names.push_back(op.op);
      // What it makes has a shape.
      for (const uint32_t row : op.outputs) CHECK(graph->values[row].shape.starts_with('['));
    }
  }
  const auto count = [&](std::string_view part) {
    return std::ranges::count_if(
        names, [&](const std::string& name) { return name.find(part) != std::string::npos; });
  };
  CHECK(count("conv") == 3);
  CHECK(count("linear") == 1);
}

TEST_CASE("vulkan payload: what is damaged is no graph, or a sound one", "[vulkan][hostile]") {
  for (const std::vector<uint8_t>& part : payloads()) {
    for (size_t cut = 0; cut < part.size(); cut += 1 + part.size() / 64)
      CHECK_FALSE(graph_of_vulkan(std::span(part).first(cut)).has_value());
    for (size_t at = 0; at < part.size(); ++at) {
      std::vector<uint8_t> changed = part;
      changed[at] ^= static_cast<uint8_t>(1U << (at % 8));
      const std::optional<PayloadGraph> graph = graph_of_vulkan(changed);
      if (graph && !is_sound(*graph)) FAIL("byte " << at);
    }
  }
  CHECK_FALSE(graph_of_vulkan({}).has_value());
}

TEST_CASE("vulkan payload: only what describes operators is read", "[vulkan]") {
  const std::vector<uint8_t> part = payloads().front();
  CHECK(vulkan_operator_bytes(part, uint64_t{1} << 40) == part.size());
  CHECK(vulkan_operator_bytes(part, 100) == 100);
  const std::vector<uint8_t> other(64, 0);
  CHECK(vulkan_operator_bytes(other, 64) == 0);
}

}  // namespace etlens::vulkan_payload_test
