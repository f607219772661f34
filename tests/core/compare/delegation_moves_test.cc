// SPDX-License-Identifier: Apache-2.0
// Operators that left the delegate, or entered it, between two exports of one model.
#include "core/compare/delegation_moves.h"

#include "core/compare/compare.h"
#include "tests/core/compare/sides.h"
#include "tests/support/golden.h"

namespace etlens::delegation_moves_test {

using namespace etlens::test;
using nlohmann::json;

namespace {

constexpr const char* kSource =
    "class Net:\n  def forward(self, x):\n    a = x * 2\n    b = a + 1\n    c = b - a\n    return self.head(c)\n";

// An operator on a line (1-based) of the source.
struct Made {
  std::string op;
  uint32_t line;
};

json node(const Made& made, uint32_t handle) {
  return {{"name", "n" + std::to_string(handle)},
          {"op", "aten." + made.op},
          {"handle", handle},
          {"at", json::array({json::array({"net.py", made.line, "forward"})})},
          {"modules", "L__self__,,net.Net"}};
}

// One call with these operators inside, and these on the CPU behind it.
std::shared_ptr<const Side> side_with(const std::vector<Made>& inside,
                                      const std::vector<Made>& on_cpu) {
  json nodes = json::array();
  json map = json::object();
  json delegates = json::object();
  json execution = json::array();
  uint32_t handle = 0;
  int instruction = 0;
  if (!inside.empty()) {
    json lowered = json::array();
    json handles = json::array();
    json ids = json::object();
    json events = json::array();
    for (const Made& made : inside) {
      lowered.push_back(node(made, ++handle));
      handles.push_back(handle);
      ids[std::to_string(handle)] = json::array({handle});
      events.push_back(json::array({std::to_string(handle), 100}));
    }
    nodes.push_back({{"name", "call_0"}, {"backend", "XnnpackBackend"}, {"lowered", lowered}});
    map["0"] = handles;
    delegates["0"] = {{"name", "XnnpackBackend"}, {"delegate_map", ids}};
    execution.push_back({"call", 0, 100 * inside.size() + 10, events});
    instruction = 1;
  }
  for (const Made& made : on_cpu) {
    nodes.push_back(node(made, ++handle));
    map[std::to_string(instruction)] = json::array({handle});
    execution.push_back({"op", made.op.substr(0, made.op.find('.')) + ".out", instruction++, 100});
  }
  GoldenProfile golden;
  const json profile{{"nodes", nodes},
                     {"map", map},
                     {"delegates", delegates},
                     {"executions", json::array({execution, execution})}};
  load_golden({{"profile.json", profile.dump()}, {"net.py", kSource}}, golden);
  if (golden.study == nullptr) FAIL(golden.error);
  return std::make_shared<const Side>(side_of(*golden.study));
}

// "left 4 XNNPACK: 1 aten.add.Tensor", a line each.
std::vector<std::string> moves_of(const std::shared_ptr<const Side>& before,
                                  const std::shared_ptr<const Side>& after) {
  const Comparison comparison = compared(before, after);
  CHECK(comparison.delegation.why_not == "");
  std::vector<std::string> rows;
  for (const DelegationMove& move : comparison.delegation.rows) {
    REQUIRE(move.before.valid());
    REQUIRE(move.after.valid());
    CHECK(comparison.before->code->lines[move.before.value].number ==
          comparison.after->code->lines[move.after.value].number);
    std::string row = move.is_left ? "left " : "entered ";
    row += std::to_string(comparison.after->code->lines[move.after.value].number) + " " +
           move.backend + ":";
    for (const MovedOperator& moved : move.operators)
      row += " " + std::to_string(moved.count) + " " + std::string(moved.op);
    rows.push_back(std::move(row));
  }
  return rows;
}

using Rows = std::vector<std::string>;
const std::vector<Made> kAll{
    {"mul.Tensor", 3}, {"add.Tensor", 4}, {"sub.Tensor", 5}, {"linear.default", 6}};

}  // namespace

TEST_CASE("delegation moves: an operator that left, and one that entered", "[compare]") {
  const auto before = side_with({kAll[0], kAll[1], kAll[3]}, {kAll[2]});
  const auto after = side_with({kAll[0], kAll[2], kAll[3]}, {kAll[1]});
  CHECK(moves_of(before, after) ==
        Rows{"left 4 XNNPACK: 1 aten.add.Tensor", "entered 5 XNNPACK: 1 aten.sub.Tensor"});
  CHECK(moves_of(after, before) ==
        Rows{"left 5 XNNPACK: 1 aten.sub.Tensor", "entered 4 XNNPACK: 1 aten.add.Tensor"});
  CHECK(moves_of(before, before).empty());
  const Comparison comparison = compared(before, after);
  CHECK(comparison.delegation.count(true) == 1);
  CHECK(comparison.delegation.count(false) == 1);
}

TEST_CASE("delegation moves: a line whose operators have other names on the CPU moved as a whole",
          "[compare]") {
  const std::vector<Made> rest(kAll.begin(), kAll.begin() + 3);
  std::vector<Made> on_cpu{{"permute_copy.default", 6}, {"addmm.default", 6}};
  const auto before = side_with(kAll, {});
  CHECK(moves_of(before, side_with(rest, on_cpu)) == Rows{"left 6 XNNPACK: 1 aten.linear.default"});
  // Of the reverse, the operators that are delegated now.
  CHECK(moves_of(side_with(rest, on_cpu), before) ==
        Rows{"entered 6 XNNPACK: 1 aten.linear.default"});
  // A part of the line is delegated still: which of the base's operators that is, nothing shows.
  std::vector<Made> inside = rest;
  inside.push_back({"permute_copy.default", 6});
  CHECK(moves_of(before, side_with(inside, {{"addmm.default", 6}})).empty());
}

TEST_CASE("delegation moves: everything left, and operators of a kind are counted", "[compare]") {
  const std::vector<Made> twice{{"mul.Tensor", 3}, {"mul.Tensor", 3}, {"add.Tensor", 3}};
  CHECK(moves_of(side_with(twice, {}), side_with({}, twice)) ==
        Rows{"left 3 XNNPACK: 2 aten.mul.Tensor 1 aten.add.Tensor"});
}

TEST_CASE("delegation moves: without a record nothing is known", "[compare]") {
  const auto before = side_with(kAll, {});
  Side bare = *before;
  auto code = std::make_shared<Code>(*before->code);
  code->record = nullptr;
  bare.code = code;
  const DelegationMoves moves = delegation_moves(*before, bare, {});
  CHECK_FALSE(moves.is_known());
  CHECK(moves.why_not == "of the new side, no ETRecord is used with it");
  CHECK(moves.rows.empty());
  auto empty = std::make_shared<Code>(*before->code);
  empty->partitions.front().nodes.clear();
  bare.code = empty;
  CHECK(delegation_moves(bare, *before, {}).why_not.starts_with("of the base, its ETRecord"));
}

TEST_CASE("delegation moves: a call's operator that a kernel ran is not clear, and moves nowhere",
          "[compare]") {
  const auto before = side_with(kAll, {});
  const auto after = side_with({}, kAll);
  Side shared = *before;
  // As in a record from before lowering whose node shares its debug handle with one on the CPU.
  for (Landing& landing : shared.landings.rows)
    if (landing.node.valid() && landing.line.valid() &&
        before->code->lines[landing.line.value].number == 4)
      landing.partition = {};
  const CodeMatch match = compared(before, after).match;
  const DelegationMoves moves = delegation_moves(shared, *after, match);
  CHECK(moves.count(true) == 3);
  CHECK(delegation_moves(*before, *after, match).count(true) == 4);
}

}  // namespace etlens::delegation_moves_test
