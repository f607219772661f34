// SPDX-License-Identifier: Apache-2.0
// What is delegated, and why the rest is not: against what ExecuTorch counted and logged when it
// exported the same model.
#include <fmt/format.h>
#include <cstdlib>

#include <array>
#include <filesystem>
#include <map>
#include <set>

#include "core/code/project_frames.h"
#include "core/delegation/delegation.h"
#include "core/formats/etrecord/etrecord_reader.h"
#include "core/formats/pte/pte_reader.h"
#include "test_paths.h"
#include "tests/support/corpus.h"

using namespace etlens;
namespace fs = std::filesystem;
using nlohmann::json;

namespace {

struct Found {
  NodeArguments arguments;
  Delegation delegation;
};

std::shared_ptr<const EtRecord> record_at(const std::string& path) {
  Result<EtRecord> record =
      read_etrecord(real_file_system(), path, {}, {}, EdgeGraphs::AsPartitioned);
  if (!record) return nullptr;
  return std::make_shared<const EtRecord>(std::move(*record));
}

Found find(const std::string& path, const std::shared_ptr<const EtRecord>& record,
           const RecordMethod& method, const ProgramMethod* program = nullptr) {
  Found found;
  Result<NodeArguments> arguments =
      read_node_arguments(real_file_system(), path, record->text(method.name));
  REQUIRE(arguments);
  found.arguments = std::move(*arguments);
  found.delegation = find_delegation({record, method, found.arguments, program});
  return found;
}

std::vector<fs::path> roots() {
  std::vector<fs::path> folders{fs::path(ETLENS_TEST_DATA), fs::path(ETLENS_EXAMPLES)};
  if (const char* corpus = std::getenv("ETLENS_CORPUS")) {
    folders.emplace_back(corpus);
    const fs::path cases = fs::path(corpus) / ".." / "cases";
    if (fs::exists(cases)) folders.push_back(cases);
  }
  return folders;
}

// Every file with that name, or that ends so.
std::vector<std::string> files_named(std::string_view name) {
  std::vector<std::string> found;
  for (const fs::path& root : roots()) {
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
      if (entry.is_regular_file() && entry.path().filename().string().ends_with(name))
        found.push_back(entry.path().string());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

using Counts = std::map<std::string, std::pair<size_t, size_t>>;  // delegated, CPU

bool is_copied(const std::string& op) { return op.find("quantize_per") != std::string::npos; }

Counts counts_of(const Delegation& delegation) {
  Counts counts;
  for (const NodeDelegation& row : delegation.nodes) {
    const std::string op =
        counted_operator(*delegation.record, delegation.record->nodes[row.node.value]);
    if (is_copied(op)) continue;
    auto& count = counts[op];
    ++(row.is_delegated() ? count.first : count.second);
  }
  return counts;
}

Counts counts_in(const json& truth) {
  Counts counts;
  for (const json& row : truth["operators"]) {
    const std::string op = row["op_type"];
    if (op == "getitem" || op == "Total" || is_copied(op)) continue;
    counts[op] = {row["occurrences_in_delegated_graphs"],
                  row["occurrences_in_non_delegated_graphs"]};
  }
  return counts;
}

std::string text_of(const Counts& counts) {
  std::string text;
  for (const auto& [op, count] : counts)
    text += fmt::format("{} {} {}\n", op, count.first, count.second);
  return text;
}

// The id of ours for a reason that XNNPACK's partitioner logs.
std::set<std::string_view> ids_for(const std::string& logged) {
  const auto has = [&](std::string_view part) { return logged.find(part) != std::string::npos; };
  if (has("invalid dtype")) return {"dtype", "mixed_dtypes", "runtime_size", "empty_tensor"};
  if (has("concatenation")) return {"cat_inputs"};
  if (has("must be the last dim")) return {"softmax_dim"};
  if (has("of rank")) return {"mean_rank"};
  if (has("innermost")) return {"mean_dims"};
  if (has("keepdim")) return {"mean_keepdim"};
  if (has("trailing dimension")) return {"unsqueeze_dim"};
  if (has("static param")) return {"computed_weight", "computed_bias"};
  return {};
}

}  // namespace

TEST_CASE("delegated operators are counted as ExecuTorch counts them", "[delegation]") {
  size_t cases = 0;
  for (const std::string& path : files_named("delegation.json")) {
    const fs::path folder = fs::path(path).parent_path();
    const std::string etrecord = (folder / "model.etrecord").string();
    const std::shared_ptr<const EtRecord> record = record_at(etrecord);
    INFO(path);
    REQUIRE(record);
    const json truth = json::parse(test::read_file(path));
    ++cases;
    std::vector<EtProgram> programs;
    if (fs::exists(folder / "model.pte")) {
      Result<EtProgram> program = read_program(real_file_system(), (folder / "model.pte").string());
      REQUIRE(program);
      programs.push_back(std::move(*program));
    }
    for (size_t i = 0; i <= programs.size(); ++i) {
      const Delegation found =
          find(etrecord, record, record->methods[0],
               i == 0 ? nullptr : programs[0].find(record->text(record->methods[0].name)))
              .delegation;
      CHECK(found.calls.size() == truth["subgraphs"].get<size_t>());
      CHECK(text_of(counts_of(found)) == text_of(counts_in(truth)));
      std::set<std::string> outside;
      std::set<std::string> ours;
      for (const json& row : truth["outside"])
        if (!is_copied(row["node"])) outside.insert(row["node"].get<std::string>());
      for (const NodeDelegation& row : found.nodes) {
        const std::string name(record->text(record->nodes[row.node.value].name));
        if (!row.is_delegated() && !is_copied(name)) ours.insert(name);
        CHECK(row.reason.id.empty() == row.is_delegated());
      }
      CHECK(ours == outside);
    }
  }
  CHECK(cases >= 8);
}

// What an export delegates is in its graph after lowering, where nothing has to be derived.
TEST_CASE("a record from before lowering has the calls of the one from after it", "[delegation]") {
  size_t pairs = 0;
  size_t nodes = 0;
  size_t different = 0;
  for (const std::string& path : files_named("early.etrecord")) {
    const std::string lowered = (fs::path(path).parent_path() / "lowered.etrecord").string();
    if (!fs::exists(lowered)) continue;
    INFO(path);
    const auto calls_of = [](const std::string& file) {
      const std::shared_ptr<const EtRecord> record = record_at(file);
      REQUIRE(record);
      std::map<std::string, uint32_t> calls;
      for (const NodeDelegation& row : find(file, record, record->methods[0]).delegation.nodes)
        calls[std::string(record->text(record->nodes[row.node.value].name))] = row.call;
      return calls;
    };
    const std::map<std::string, uint32_t> before = calls_of(path);
    const std::map<std::string, uint32_t> after = calls_of(lowered);
    CHECK(before.size() == after.size());
    for (const auto& [node, call] : before) {
      const auto at = after.find(node);
      if (at == after.end() || at->second == call) continue;
      // Which of two calls a node is in can stay open; whether it is in one does not.
      CHECK((at->second == kNone) == (call == kNone));
      ++different;
    }
    ++pairs;
    nodes += before.size();
  }
  CHECK(pairs >= 6);
  CHECK(nodes >= 200);
  CHECK(different * 100 <= nodes);
}

TEST_CASE("reasons are those that the partitioner logged", "[delegation]") {
  size_t all = 0;
  size_t equal = 0;
  for (const std::string& path : files_named("reasons.json")) {
    const std::string etrecord = (fs::path(path).parent_path() / "model.etrecord").string();
    const std::shared_ptr<const EtRecord> record = record_at(etrecord);
    INFO(path);
    REQUIRE(record);
    std::map<std::string, std::string_view> ours;
    const Delegation found = find(etrecord, record, record->methods[0]).delegation;
    for (const NodeDelegation& row : found.nodes)
      ours[std::string(record->text(record->nodes[row.node.value].name))] = row.reason.id;
    const json truth = json::parse(test::read_file(path));
    for (const auto& [node, reasons] : truth["reasons"].items()) {
      ++all;
      const bool is_equal = ids_for(reasons[0]).contains(ours[node]);
      equal += is_equal ? 1 : 0;
      if (!is_equal) UNSCOPED_INFO(node << ": " << reasons[0] << " / " << ours[node]);
    }
  }
  CAPTURE(equal, all);
  REQUIRE(all > 0);
  CHECK(equal * 10 >= all * 9);
  if (std::getenv("ETLENS_SHOW") != nullptr) fmt::print("reasons equal: {} of {}\n", equal, all);
}

// Of a record made after lowering the types inside of the calls are not known.
TEST_CASE("the rules refuse no node that was delegated", "[delegation]") {
  std::map<std::string, size_t> refused;
  std::map<std::string_view, std::array<size_t, 4>> answers;
  std::map<std::string, size_t> left_out;
  for (std::string_view ending : {".etrecord", "etrecord.bin"}) {
    for (const std::string& path : files_named(ending)) {
      const std::shared_ptr<const EtRecord> record = record_at(path);
      if (!record) continue;
      for (const RecordMethod& method : record->methods) {
        if (!method.edge.valid()) continue;
        const Found found = find(path, record, method);
        const RuleGraph graph(*record, method.edge, found.arguments);
        const BackendRules* rules = find_rules(record->text(found.delegation.backend));
        for (const NodeDelegation& row : found.delegation.nodes) {
          if (!row.is_delegated()) {
            const std::string backend(record->text(found.delegation.backend));
            ++left_out[fmt::format("{} {}", backend, row.reason.id)];
            continue;
          }
          if (rules == nullptr || record->nodes[row.node.value].graph != method.edge) continue;
          const RuleNode node(graph, row.node);
          const RuleVerdict verdict = judge_at_best(*rules, node, {releases_of(*record), {}});
          ++answers[rules->label][static_cast<size_t>(verdict.answer)];
          if (verdict.answer != RuleAnswer::Refused) continue;
          ++refused[fmt::format("{} {} {}: {}", path,
                                record->text(record->nodes[row.node.value].name), node.op(),
                                verdict.reason.text)];
        }
      }
    }
  }
  std::string list;
  for (const auto& [text, count] : refused) list += text + "\n";
  if (std::getenv("ETLENS_SHOW") != nullptr) {
    for (const auto& [label, row] : answers)
      fmt::print("{}: taken {}, refused {}, together {}, unknown {}\n", label, row[0], row[1],
                 row[2], row[3]);
    for (const auto& [text, count] : left_out) fmt::print("{}: {}\n", text, count);
  }
  CHECK(list == "");
}

// Passes leave frames of their own behind those of the model, or nothing else.
TEST_CASE("nodes that passes made are on the model's lines", "[delegation]") {
  const auto [name, expected_rest] = GENERATE(table<const char*, size_t>({
      {"own.gated-ethosu-arm", 4},  // quantize nodes of inputs and outputs
      {"mix-xnnpack-passes", 0},
      {"mix-xnnpack-onlypass", 0},
      {"mix-xnnpack-bare", 3},  // made without a trace and without an origin
  }));
  CAPTURE(name);
  const std::string path =
      std::string(ETLENS_TEST_DATA) + "/delegation/" + name + "/model.etrecord";
  const std::shared_ptr<const EtRecord> record = record_at(path);
  REQUIRE(record);
  const ProjectFrames frames(*record, {});
  size_t without_line = 0;
  size_t elsewhere = 0;
  for (const NodeId id : record->graphs[record->methods[0].edge.value].nodes) {
    const FrameId line = frames.self_of(record->nodes[id.value].stack);
    if (!line.valid()) {
      ++without_line;
      continue;
    }
    const Frame& frame = record->frames[line.value];
    if (record->text(frame.function) != "forward") ++elsewhere;
  }
  CHECK(without_line == expected_rest);
  CHECK(elsewhere == 0);
}
