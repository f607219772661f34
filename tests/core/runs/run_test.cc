// SPDX-License-Identifier: Apache-2.0
// What is kept of a run as text, and the hash by which files are known.
#include "core/runs/run.h"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include "core/base/text.h"
#include "core/runs/content_hash.h"
#include "tests/support/memory_file_system.h"

namespace etlens::run_test {

namespace {

std::string hash_in_pieces(const std::string& text, size_t piece) {
  ContentHash hash;
  for (size_t at = 0; at < text.size(); at += piece) {
    const std::string part = text.substr(at, piece);
    hash.add({reinterpret_cast<const uint8_t*>(part.data()), part.size()});
  }
  return hash.hex();
}

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

// FIPS 180-4 and NIST's examples.
TEST_CASE("content hash: the examples of the standard, in pieces of any size") {
  const std::string two_blocks = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
  CHECK(ContentHash().hex() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(hash_in_pieces("abc", 1) ==
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  const std::string million(1'000'000, 'a');
  for (const size_t piece : {1, 7, 55, 56, 63, 64, 65, 1000}) {
    CAPTURE(piece);
    CHECK(hash_in_pieces(two_blocks, piece) ==
          "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    CHECK(hash_in_pieces(million, piece) ==
          "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  }
}

TEST_CASE("stored run: its text gives it back") {
  const StoredRun run = sample_run();
  const Result<StoredRun> read = read_run(text_of(run));
  REQUIRE(read);
  CHECK(*read == run);
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
           "dump_name .hidden", "dump_name a/b", "dump_name c:x"}) {
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

}  // namespace etlens::run_test
