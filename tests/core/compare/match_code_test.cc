// SPDX-License-Identifier: Apache-2.0
// What corresponds to what when source was edited between two exports, with the texts at hand and
// from the records alone.
#include "core/compare/match_code.h"

#include <algorithm>

#include "tests/core/compare/sides.h"
#include "tests/support/dump_builder.h"
#include "tests/support/memory_file_system.h"
#include "tests/support/record_builder.h"

namespace etlens::match_code_test {

using namespace etlens::test;

namespace {

// A node on a line of a function, in a module.
struct Made {
  std::string op;
  uint32_t line;
  std::string function;
  std::string text;
  std::string module;  // path
  std::string file = "/src/net.py";
};

std::shared_ptr<const Code> code_of(const std::vector<Made>& nodes) {
  RecordBuilder record;
  DumpBuilder dump;
  dump.block("Execute");
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    const Made& made = nodes[i];
    RecordNode node;
    node.name = "n" + std::to_string(i);
    node.target = "aten." + made.op + ".default";
    node.debug_handle = i + 1;
    node.stack_trace = stack_trace({{made.file, made.line, made.function, made.text}});
    node.module_stack =
        "L__self__,,net.Net;L__self___" + made.module + "," + made.module + ",net.Block";
    record.node(node).map(static_cast<int32_t>(i), {i + 1});
    dump.operator_call(made.op + ".out", static_cast<int32_t>(i), 10 * i, 10 * i + 9);
  }
  dump.framework("Method::execute", 0, 10 * nodes.size());
  MemoryFileSystem files;
  files.put("/d.etdp", dump.build());
  files.put("/r.etrecord", record.build());
  SideRequest request;
  request.dumps = {"/d.etdp"};
  request.load.etrecord = "/r.etrecord";
  const Result<Side> side = load_side(files, request);
  if (!side) FAIL(side.error().message);
  return side->code;
}

SourceTexts none_for(const Code& code) { return SourceTexts(code.files.size()); }

using Numbers = std::pair<std::vector<uint32_t>, std::vector<uint32_t>>;  // before, after

std::vector<Numbers> groups_of(const std::vector<Made>& before, const std::vector<Made>& after) {
  const auto a = code_of(before);
  const auto b = code_of(after);
  std::vector<Numbers> groups;
  for (const LineGroup& group : match_code(*a, none_for(*a), *b, none_for(*b)).lines) {
    Numbers numbers;
    for (const LineId line : group.before) numbers.first.push_back(a->lines[line.value].number);
    for (const LineId line : group.after) numbers.second.push_back(b->lines[line.value].number);
    groups.push_back(std::move(numbers));
  }
  return groups;
}

const std::vector<Made> kBase{{"mm", 10, "forward", "x = self.up(x)", "up"},
                              {"relu", 11, "forward", "x = x.relu()", "act"},
                              {"mul", 12, "forward", "return self.down(x) * 2", "down"}};

}  // namespace

TEST_CASE("Exports of the same source are the same") {
  const auto a = code_of(kBase);
  const auto b = code_of(kBase);
  const CodeMatch match = match_code(*a, none_for(*a), *b, none_for(*b));
  CHECK(match.is_identical);
  CHECK(match.lines.size() == 3);
  CHECK(match.nodes.size() == 3);
}

TEST_CASE("Lines that moved down are found by their text") {
  std::vector<Made> moved = kBase;
  for (Made& node : moved) node.line += 7;
  CHECK(groups_of(kBase, moved) == std::vector<Numbers>{{{10}, {17}}, {{11}, {18}}, {{12}, {19}}});
}

TEST_CASE("A statement that was split corresponds to all its parts") {
  std::vector<Made> split = kBase;
  split[2] = {"mul", 14, "forward", "return y * 2", "down"};
  std::vector<Made> base = kBase;
  base.push_back({"add", 12, "forward", "return self.down(x) * 2", "down"});
  split.push_back({"add", 13, "forward", "y = self.down(x)", "down"});
  CHECK(groups_of(base, split) ==
        std::vector<Numbers>{{{10}, {10}}, {{11}, {11}}, {{12}, {13, 14}}});
}

TEST_CASE("A class that moved to another file is found by its modules and its text") {
  std::vector<Made> moved = kBase;
  moved[1].file = "/src/parts.py";
  moved[1].line = 3;
  moved[1].text = "y = F.relu(x)";
  CHECK(groups_of(kBase, moved) == std::vector<Numbers>{{{10}, {10}}, {{11}, {3}}, {{12}, {12}}});
}

TEST_CASE("A renamed module is found by what it runs") {
  std::vector<Made> renamed = kBase;
  renamed[0].module = "expand";
  const auto a = code_of(kBase);
  const auto b = code_of(renamed);
  const CodeMatch match = match_code(*a, none_for(*a), *b, none_for(*b));
  CHECK_FALSE(match.is_identical);
  const ModuleId up = a->find_module("up");
  const auto pair = std::find_if(match.modules.begin(), match.modules.end(),
                                 [&](const ModulePair& row) { return row.before == up; });
  REQUIRE(pair != match.modules.end());
  CHECK(pair->after == b->find_module("expand"));
}

TEST_CASE("A function that was rewritten altogether is one group, a deleted one is gone") {
  std::vector<Made> before = kBase;
  before.push_back({"bmm", 20, "attend", "s = q @ k", "attn"});
  before.push_back({"softmax", 21, "attend", "return softmax(s) @ v", "attn"});
  before.push_back({"expand", 30, "repeat", "return x.repeat(2)", "attn"});
  std::vector<Made> after = kBase;
  after.push_back({"sdpa", 25, "attend", "return fused(q, k, v)", "attn"});
  CHECK(groups_of(before, after) ==
        std::vector<Numbers>{{{10}, {10}}, {{11}, {11}}, {{12}, {12}}, {{20, 21}, {25}}});
}

TEST_CASE("A line that stands twice now: one of them is new") {
  std::vector<Made> twice = kBase;
  twice.insert(twice.begin() + 2, {"relu", 12, "forward", "x = x.relu()", "act"});
  twice[3].line = 13;
  const std::vector<Numbers> groups = groups_of(kBase, twice);
  REQUIRE(groups.size() == 3);
  CHECK(groups[1].first == std::vector<uint32_t>{11});
  CHECK(groups[1].second.size() == 1);
  CHECK(groups[2] == Numbers{{12}, {13}});
}

TEST_CASE("Codes without lines correspond in nothing") {
  Code none;
  none.modules.push_back({"", {}, {}, 0, 1});
  const auto a = code_of(kBase);
  const CodeMatch match = match_code(none, {}, *a, none_for(*a));
  CHECK(match.lines.empty());
  CHECK(match.nodes.empty());
  CHECK(match.modules.size() == 1);
}

}  // namespace etlens::match_code_test
