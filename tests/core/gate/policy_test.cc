// SPDX-License-Identifier: Apache-2.0
// Policies: what can be written, and what a person is told who wrote something else.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/gate/amounts.h"
#include "core/gate/policy.h"
#include "test_paths.h"
#include "tests/support/memory_file_system.h"

namespace etlens::policy_test {

using test::MemoryFileSystem;

namespace {

const std::filesystem::path kPolicies = ETLENS_TEST_DATA "/gate";

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

Result<Policy> parse(std::string_view text) {
  return parse_policy(MemoryFileSystem(), "/w/etlens.toml", text);
}

double limit_of(const Policy& policy, Budget budget) {
  const BudgetRow* row = policy.find(budget);
  REQUIRE(row != nullptr);
  return row->limit;
}

std::string problem_of(std::string_view text) {
  const Result<Policy> policy = parse(text);
  return policy ? "" : policy.error().message;
}

}  // namespace

TEST_CASE("policy: every key", "[gate]") {
  const Result<Policy> policy = parse(text_of(kPolicies / "full.toml"));
  REQUIRE(policy);
  const PolicyArtifacts& artifacts = policy->artifacts;
  CHECK(artifacts.folder == "/w/out");
  CHECK(artifacts.etrecord == "/w/out/model.etrecord");
  CHECK(artifacts.pte == "/model.pte");
  CHECK(artifacts.method == "decode");
  CHECK(artifacts.etdump == std::vector<std::string>{"/w/run-1.etdp", "/runs/run-2.etdp"});
  CHECK(artifacts.base == std::vector<std::string>{"/w/baseline"});
  CHECK(artifacts.tick_unit == "us");
  REQUIRE(policy->budgets.size() == kBudgets);
  for (size_t i = 0; i < kBudgets; ++i) CHECK(policy->budgets[i].budget == static_cast<Budget>(i));
  CHECK(policy->find(Budget::CpuOperators)->names ==
        std::vector<std::string>{"aten.topk.default", "aten.mean.*"});
  CHECK(limit_of(*policy, Budget::CpuNodes) == 8);
  CHECK(limit_of(*policy, Budget::Delegated) == Approx(0.529));
  CHECK(limit_of(*policy, Budget::DelegateCalls) == 3);
  CHECK(limit_of(*policy, Budget::ColdStart) == 50e6);
  CHECK(limit_of(*policy, Budget::PeakMemory) == 1000);
  CHECK(limit_of(*policy, Budget::FileSize) == 1.5 * 1024 * 1024);
  CHECK(limit_of(*policy, Budget::SlowerTotal) == 0.03);
  CHECK(limit_of(*policy, Budget::SlowerLines) == 1.5);
  CHECK(policy->find(Budget::FileSize)->line == 12);
  CHECK(policy->find(Budget::CpuOperators)->line == 13);
  CHECK(policy->find(Budget::CpuNodes)->line == 17);
  CHECK(policy->find(Budget::Delegated)->is_required);
  CHECK(policy->find(Budget::FileSize)->is_required);
  CHECK_FALSE(policy->find(Budget::CpuNodes)->is_required);
}

TEST_CASE("policy: all budgets can be required", "[gate]") {
  const Result<Policy> policy = parse("[budget]\nrequired = true\ncpu_nodes = 1\n");
  REQUIRE(policy);
  CHECK(policy->find(Budget::CpuNodes)->is_required);
  CHECK(policy->find(Budget::Delegated) == nullptr);
}

TEST_CASE("policy: a base that is no path here may be of a revision", "[gate]") {
  MemoryFileSystem files;
  files.put("/w/a:b/run.etdp", "x");
  const Result<Policy> policy =
      parse_policy(files, "/w/etlens.toml",
                   "[artifacts]\nbase = [\"main:runs\", \"a:b\"]\n[budget]\ncpu_nodes = 1\n");
  REQUIRE(policy);
  CHECK(policy->artifacts.base == std::vector<std::string>{"main:runs", "/w/a:b"});
}

// The first line of each file is `# LINE: part of the message`.
TEST_CASE("policy: each fault is named with its line and what to write", "[gate]") {
  size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kPolicies / "bad")) {
    const std::string text = text_of(entry.path());
    INFO(entry.path().filename());
    const std::string expected = text.substr(2, text.find('\n') - 2);
    const size_t colon = expected.find(": ");
    REQUIRE(colon != std::string::npos);
    const std::string line = expected.substr(0, colon);
    const std::string problem = problem_of(text);
    INFO(problem);
    CHECK(problem.starts_with(line == "-" ? "/w/etlens.toml " : "/w/etlens.toml:" + line + ": "));
    CHECK(problem.find(expected.substr(colon + 2)) != std::string::npos);
    CHECK(problem.find('\n') == std::string::npos);
    ++files;
  }
  CHECK(files >= 29);
}

TEST_CASE("policy: hostile files cost little and are one short sentence", "[gate]") {
  const auto repeated = [](std::string_view text, size_t times) {
    std::string all;
    for (size_t i = 0; i < times; ++i) all += text;
    return all;
  };
  const std::string huge = "[budget]\ncpu_nodes = 1\n" + repeated("# comment\n", 7000);
  CHECK(problem_of(huge).find("is larger than 65536 bytes") != std::string::npos);
  CHECK(problem_of("[budget]\nx = " + repeated("[", 30'000)).find("this is not valid TOML") !=
        std::string::npos);
  CHECK(problem_of("[budget]\nx = " + repeated("{a=", 20'000)).find("this is not valid TOML") !=
        std::string::npos);
  CHECK(problem_of("a" + repeated(".a", 30'000) + " = 1\n").find("more than 2000 dots") !=
        std::string::npos);
  CHECK(problem_of("[a" + repeated(".a", 1900) + "]\n").find("a is not a key of a policy") !=
        std::string::npos);
  const std::string key = problem_of("[budget]\n" + std::string(60'000, 'k') + " = 1\n");
  CHECK(key.find("kkk… is not a key of [budget]") != std::string::npos);
  CHECK(key.size() < 400);
  CHECK(problem_of("[budget]\ncpu_nodes = \"" + std::string(60'000, '\\') + "\"\n").size() < 400);
  CHECK(problem_of(std::string("\0\0\0\0", 4)).find(":1: this is not valid TOML") !=
        std::string::npos);
  CHECK(problem_of("").find("has no budget") != std::string::npos);
  CHECK(problem_of("[budget]\ncpu_nodes = 99999999999999999999999\n").find(":2: ") !=
        std::string::npos);
  CHECK(problem_of("[artifacts]\npte = \"a\\u0000b\"\n[budget]\ncpu_nodes = 1\n")
            .find(":2: pte has to be a text") != std::string::npos);
}

TEST_CASE("policy: a file that cannot be read is one sentence", "[gate]") {
  MemoryFileSystem files;
  files.put("/w/folder/file", "x");
  files.put("/w/etlens.toml", "[budget]\ncpu_nodes = 1\n");
  CHECK(read_policy(files, "/w/etlens.toml"));
  CHECK(read_policy(files, "/w/folder").error().message.find("is a folder") != std::string::npos);
  CHECK(read_policy(files, "/w/missing.toml").error().code == ErrorCode::NotFound);
}

TEST_CASE("policy: the nearest one up to the root of the repository", "[gate]") {
  MemoryFileSystem files;
  files.put("/r/.git/HEAD", "x");
  files.put("/r/etlens.toml", "x");
  files.put("/r/a/b/c/x", "x");
  files.put("/etlens.toml", "x");
  CHECK(find_policy(files, "/r/a/b/c") == "/r/etlens.toml");
  CHECK(find_policy(files, "/r") == "/r/etlens.toml");
  files.put("/r/a/etlens.toml", "x");
  CHECK(find_policy(files, "/r/a/b/c") == "/r/a/etlens.toml");
  files.put("/r/a/b/etlens.toml/file", "a folder of that name is none");
  CHECK(find_policy(files, "/r/a/b/c") == "/r/a/etlens.toml");
  // Nothing above the repository, and outside of one the folder alone.
  files.put("/q/.git", "gitdir: elsewhere");
  files.put("/q/a/x", "x");
  CHECK(find_policy(files, "/q/a") == "");
  files.put("/n/a/x", "x");
  files.put("/n/etlens.toml", "x");
  CHECK(find_policy(files, "/n/a") == "");
  CHECK(find_policy(files, "/n") == "/n/etlens.toml");
}

TEST_CASE("policy: amounts", "[gate]") {
  CHECK(parse_bytes("16 MB") == 16e6);
  CHECK(parse_bytes("16MB") == 16e6);
  CHECK(parse_bytes("1.5 GiB") == 1.5 * (1 << 30));
  CHECK(parse_bytes("7 B") == 7);
  CHECK(parse_bytes("2 KB") == 2000);
  CHECK(parse_duration("50 ms") == 50e6);
  CHECK(parse_duration("3 s") == 3e9);
  CHECK(parse_duration("3 \xC2\xB5s") == 3e3);
  CHECK(parse_duration("3 us") == 3e3);
  CHECK(parse_percent("29%") == 0.29);
  CHECK(parse_percent("100%") == 1.0);
  for (const std::string_view text : {"", "MB", "x MB", "1e999 MB", "1e30 MB", "1e30 s", "1e30%",
                                      "nan MB", "-1 B", "1 TB", "%"}) {
    INFO(text);
    CHECK_FALSE(parse_bytes(text));
    CHECK_FALSE(parse_duration(text));
    CHECK_FALSE(parse_percent(text));
  }
}

}  // namespace etlens::policy_test
