// SPDX-License-Identifier: Apache-2.0
// What is kept of a run as text.
#include "core/runs/run.h"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include "core/base/sha256.h"
#include "core/base/text.h"
#include "tests/support/memory_file_system.h"

namespace etlens::run_test {

namespace {

StoredRun sample_run() {
  StoredRun run;
  run.time_ms = 1'764'230'000'123;
  run.dump_path = "out/a\\b\nc.etdp";
  run.dump_name = "model.etdp";
  run.dump = {std::string(64, 'a'), 751'288};
  run.record = {std::string(64, 'b'), 12};
  run.left_out = "too large";
  run.method = "forward";
  run.code = std::string(64, 'c');
  run.total = RunTotal{11'300'000.25, "ns", "typical", 50};
  run.branch = "topic/x";
  run.commit = std::string(40, '1');
  return run;
}

}  // namespace

TEST_CASE("stored run: its text gives it back") {
  const StoredRun run = sample_run();
  const Result<StoredRun> read = read_run(text_of(run));
  REQUIRE(read);
  CHECK(*read == run);
  for (const std::optional<int64_t> size : {std::optional<int64_t>(), std::optional<int64_t>(32)}) {
    StoredRun of_group = run;
    of_group.total->group = GroupEvidence{"prefill B", size, 28.25};
    CHECK(*read_run(text_of(of_group)) == of_group);
  }
  StoredRun bare;
  bare.dump = run.dump;
  bare.dump_name = "d";
  CHECK(*read_run(text_of(bare)) == bare);
}

TEST_CASE(
    "stored run: every cut of its text, and every damaged field, is refused or is another run") {
  const std::string text = text_of(sample_run());
  size_t refused = 0;
  for (size_t size = 0; size < text.size(); ++size)
    refused += read_run(text.substr(0, size)) ? 0 : 1;
  CHECK(refused > 100);
  for (const std::string& row : std::vector<std::string>{
           "dump xx 12", "dump " + std::string(64, 'a') + " -1", "total nan ns typical 3",
           "total 1 furlongs typical 3", "total 1 ns typical", "time x", "dump_name ../../x",
           "dump_name .hidden", "dump_name a/b", "dump_name c:x", "group decode", "group 1 decode",
           "group x - decode", "group 1 x decode", "group nan - decode"}) {
    CAPTURE(row);
    std::string other = text + row + "\n";
    CHECK_FALSE(read_run(other));
  }
  CHECK(read_run(text + "a_new_field 12\n"));
}

TEST_CASE("stored run: only runs of one model compare") {
  const StoredRun run = sample_run();
  StoredRun other = run;
  CHECK(is_same_model(run, other));
  other.dump_path = "out/second.etdp";
  CHECK(is_same_model(run, other));  // the same sources, in the same folder
  other.dump_path = "int8/second.etdp";
  CHECK_FALSE(is_same_model(run, other));
  for (StoredRun different : {run, run, run, run}) {
    static int which = 0;
    switch (which++) {
      case 0:
        different.method = "prefill";
        break;
      case 1:
        different.total->unit = "cycles";
        break;
      case 2:
        different.total->statistic = "mean";
        break;
      default:
        different.total.reset();
    }
    CHECK_FALSE(is_same_model(run, different));
  }
}

TEST_CASE("stored run: prefill and decode do not compare") {
  StoredRun decode = sample_run();
  decode.total->group = GroupEvidence{"decode", std::nullopt, 1};
  StoredRun prefill = sample_run();
  prefill.total->group = GroupEvidence{"prefill", std::nullopt, 28};
  CHECK(is_same_model(decode, decode));
  CHECK_FALSE(is_same_model(decode, prefill));
  CHECK_FALSE(is_same_model(decode, sample_run()));
  CHECK_FALSE(is_same_model(sample_run(), decode));
  StoredRun longer = prefill;
  longer.total->group->work = 280;
  CHECK_FALSE(is_same_model(prefill, longer));
}

}  // namespace etlens::run_test
