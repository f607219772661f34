// SPDX-License-Identifier: Apache-2.0
#include "core/formats/run/run_file.h"

#include "core/base/budget.h"

namespace etlens::run_file_test {

namespace {

const std::string kHash(64, 'a');

std::string artifact(const std::string& name, const std::string& hash = kHash) {
  return "{\"file\": \"" + name + "\", \"sha256\": \"" + hash + "\", \"bytes\": 3}";
}

std::string document(const std::string& more = "") {
  return "{\"schema\": \"etlens/run@1\", \"dump\": " + artifact("m.etdp") + more + "}";
}

}  // namespace

TEST_CASE("run file: every field", "[run]") {
  const Result<RunFile> run = read_run_file(
      document(", \"program\": " + artifact("m.pte") + ", \"record\": " + artifact("m.etrecord") +
               R"(, "paired_by": "export", "method": "forward", "started": "2026-11-27",
         "warmup": 3, "executions": 40, "ended": "interval",
         "traced": {"typical": 0.0113, "low": 0.0112, "high": 0.0114},
         "untraced": {"typical": 0.0101, "low": 0.01, "high": 0.0102},
         "pace": {"calculation": "SHA-256 of 1 MiB", "fastest": 0.0007, "slowest": 0.0008, "seconds": [0.0007, 0.0008]},
         "device": {"system": "Linux", "machine": "x86_64", "processor": null},
         "processors": [0, 1], "governors": ["performance"], "load_before": [0.4, 0.2, 1],
         "load_after": null, "commit": null, "versions": {"python": "3.11.2"}, "later": {})"));
  REQUIRE(run);
  CHECK(run->dump == RunArtifact{"m.etdp", kHash, 3});
  CHECK(run->program.value == RunArtifact{"m.pte", kHash, 3});
  CHECK(run->record.value == RunArtifact{"m.etrecord", kHash, 3});
  CHECK(run->paired_by.value == "export");
  CHECK(run->method.value == "forward");
  CHECK(run->started.value == "2026-11-27");
  CHECK(run->warmup.value == 3);
  CHECK(run->executions.value == 40);
  CHECK(run->ended.value == "interval");
  REQUIRE((run->traced.value && run->untraced.value));
  CHECK(run->traced.value->typical == 0.0113);
  CHECK(run->untraced.value->high == 0.0102);
  REQUIRE(run->pace.value);
  CHECK(run->pace.value->seconds == std::vector<double>{0.0007, 0.0008});
  REQUIRE(run->device.value);
  CHECK(run->device.value->machine.value == "x86_64");
  CHECK(run->device.value->processor.value == std::nullopt);
  CHECK(run->processors.value == std::vector<uint64_t>{0, 1});
  CHECK(run->governors.value == std::vector<std::string>{"performance"});
  CHECK(run->load_before.value == std::vector<double>{0.4, 0.2, 1});
  CHECK(run->load_after.value == std::nullopt);
  CHECK(run->commit.value == std::nullopt);
}

TEST_CASE("run file: fields that make no sense are absent", "[run]") {
  const std::string more = GENERATE(
      as<std::string>(), "", R"(, "traced": 3, "pace": [], "processors": [-1], "load_before": {})",
      R"(, "traced": {"typical": -1, "low": 0, "high": 0}, "pace": {"seconds": ["x"]})",
      R"(, "record": {"file": "r", "sha256": "../../etc", "bytes": 3})",
      R"(, "record": {"file": "r", "bytes": 3}, "processors": [1.5], "load_before": ["1"])",
      R"(, "record": {"file": "r", "sha256": 5, "bytes": -3}, "paired_by": 1)");
  const Result<RunFile> run = read_run_file(document(more));
  CAPTURE(more);
  REQUIRE(run);
  CHECK_FALSE(run->record.value);
  CHECK_FALSE(run->traced.value);
  CHECK_FALSE(run->pace.value);
  CHECK_FALSE(run->processors.value);
  CHECK_FALSE(run->load_before.value);
  CHECK_FALSE(run->paired_by.value);
}

TEST_CASE("run file: what is none is refused in a sentence", "[run]") {
  const std::string text = GENERATE_COPY(
      as<std::string>(), "", "[]", "null", "{}", "\xFF\xFE", document().substr(0, 60),
      R"({"schema": "etlens/run@1"})", R"({"schema": "etlens/run@1", "dump": null})",
      R"({"schema": "etlens/run@1", "dump": )" + artifact("d", "short") + "}",
      R"({"schema": "etlens/run@1", "dump": )" + artifact("d", std::string(64, 'G')) + "}",
      R"({"schema": 7, "dump": )" + artifact("d") + "}", std::string(kMaxRunFileBytes + 1, ' '),
      document(", \"deep\": " + std::string(5000, '[') + std::string(5000, ']')));
  const Result<RunFile> run = read_run_file(text);
  REQUIRE_FALSE(run);
  CHECK(run.error().code == ErrorCode::Corrupt);
  CHECK(run.error().message == "is not a file about a run; delete it, or run the program again");
  const Result<RunFile> later =
      read_run_file(R"({"schema": "etlens/run@2", "dump": )" + artifact("d") + "}");
  REQUIRE_FALSE(later);
  CHECK(later.error().code == ErrorCode::Unsupported);
}

// The largest text is read within what any load may take.
TEST_CASE("run file: the largest one is read within a budget", "[run]") {
  std::string numbers = "0.1";
  while (numbers.size() < kMaxRunFileBytes - 1000) numbers += ",0.1";
  const std::string text =
      document(R"(, "pace": {"calculation": "c", "fastest": 0, "slowest": 1, "seconds": [)" +
               numbers + "]}");
  REQUIRE(text.size() <= kMaxRunFileBytes);
  const Result<RunFile> run = within_budget({}, [&] { return read_run_file(text); });
  REQUIRE(run);
  REQUIRE(run->pace.value);
  CHECK(run->pace.value->seconds.size() > 200'000);
}

}  // namespace etlens::run_file_test
