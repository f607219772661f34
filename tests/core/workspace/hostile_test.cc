// SPDX-License-Identifier: Apache-2.0
// Files that are made to do harm, failing memory and failing disks, through the whole load: each
// gives a study or one sentence, and takes no more than it may.
#include "tests/support/hostile.h"

#include <time.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>

#include "core/base/budget.h"
#include "core/workspace/choose_partners.h"
#include "test_paths.h"
#include "tests/support/corpus.h"
#include "tests/support/dump_builder.h"
#include "tests/support/faulty_files.h"
#include "tests/support/memory_file_system.h"
#include "tests/support/mutation.h"
#include "tests/support/sanitized.h"
#include "tests/support/studies.h"

namespace etlens::hostile_test {

using namespace etlens::test;

namespace {

double processor_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

MemoryFileSystem files_of(const HostilePair& pair) {
  MemoryFileSystem files;
  files.put("/w/a.etdp", pair.etdump);
  if (!pair.etrecord.empty()) files.put("/w/a.etrecord", pair.etrecord);
  return files;
}

LoadRequest request_of(const HostilePair& pair) {
  LoadRequest request;
  request.etdump = "/w/a.etdp";
  if (!pair.etrecord.empty()) request.etrecord = "/w/a.etrecord";
  request.roots = {"/w"};
  return request;
}

// One sentence: of the file, without line breaks.
void check_sentence(const Error& error) {
  INFO(error.message);
  CHECK(error.message.find('\n') == std::string::npos);
  CHECK(error.message.find("/w/a") != std::string::npos);
}

}  // namespace

TEST_CASE("hostile files cost no more than a load may", "[hostile]") {
  const bool prints = std::getenv("ETLENS_FIGURES") != nullptr;
  set_base_budget(Ledger::kBaseBytes, Ledger::kBaseNs);  // also where a sanitizer slows it down
  for (const HostileClass& hostile : hostile_classes()) {
    INFO(hostile.name);
    const HostilePair pair = hostile.make();
    const MemoryFileSystem files = files_of(pair);
    const size_t bytes = pair.etdump.size() + pair.etrecord.size();
    const double begin = processor_seconds();
    const auto study = load_study(files, request_of(pair));
    const double seconds = processor_seconds() - begin;
    if (!study) check_sentence(study.error());
    CHECK(last_peak_bytes() <=
          static_cast<int64_t>(Ledger::kBaseBytes + Ledger::kBytesPerByte * bytes));
    // One second for what is between two looks at the clock, and for taking everything down again.
    CHECK(seconds < kSlowdown * (6 + static_cast<double>(bytes) / 100e6));
    if (prints) {
      std::printf("| %s | %.1f MB | %.0f MB | %.2f s | %s |\n", hostile.name.c_str(),
                  static_cast<double>(bytes) / 1e6, static_cast<double>(last_peak_bytes()) / 1e6,
                  seconds, study ? "a study" : study.error().message.c_str());
    }
  }
}

TEST_CASE("whichever allocation of a load fails, there is a sentence", "[hostile]") {
  const HostilePair pair = sound_pair();
  const MemoryFileSystem files = files_of(pair);
  const LoadRequest request = request_of(pair);
  REQUIRE(load_study(files, request));
  const int64_t count = counted_allocations();
  REQUIRE(count > 300);
  size_t refused = 0;
  for (int64_t n = 1; n <= count; ++n) {
    fail_allocation(n);
    const auto study = load_study(files, request);
    fail_allocation(0);
    if (study) continue;  // a sort that makes do without a buffer, a graph that is passed over
    ++refused;
    if (study.error().message.find('\n') != std::string::npos || study.error().message.empty())
      FAIL("allocation " << n << ": " << study.error().message);
  }
  CHECK(refused > static_cast<size_t>(count) / 2);
  CHECK(load_study(files, request));
}

TEST_CASE("whichever read of a load fails, there is a sentence", "[hostile]") {
  const HostilePair pair = sound_pair();
  const MemoryFileSystem files = files_of(pair);
  const LoadRequest request = request_of(pair);
  FaultyFiles counting(files, Fault::None, 0);
  REQUIRE(load_study(counting, request));
  REQUIRE(counting.calls() > 5);
  for (const Fault fault : {Fault::Error, Fault::Short, Fault::Shrunk, Fault::Empty}) {
    for (size_t n = 1; n <= counting.calls(); ++n) {
      const FaultyFiles faulty(files, fault, n);
      const auto study = load_study(faulty, request);
      if (!study) check_sentence(study.error());
    }
  }
}

TEST_CASE("a record that costs too much does not keep the right one from being found",
          "[hostile]") {
  const HostilePair sound = sound_pair();
  MemoryFileSystem files = files_of(sound);
  for (const HostileClass& hostile : hostile_classes()) {
    if (hostile.name.find("packed") == std::string::npos) continue;
    files.put("/w/bad.etrecord", hostile.make().etrecord);
  }
  DiscoveryOptions options;
  options.roots = {"/w"};
  const auto found = find_artifacts(files, options);
  REQUIRE(found.size() == 3);
  const Result<std::string> record = choose_record(files, found, "/w/a.etdp");
  REQUIRE(record);
  CHECK(*record == "/w/a.etrecord");
}

namespace {

// Bytes that the study of the first of so many blocks takes, the dump itself not counted.
int64_t bytes_of_one_study(int blocks) {
  DumpBuilder dump;
  for (int b = 0; b < blocks; ++b) {
    dump.block("Block " + std::to_string(b)).operator_call("add.out", 0, 10, 20);
    dump.framework("Method::execute", 0, 30);
  }
  MemoryFileSystem files;
  files.put("/w/a.etdp", dump.build().text());
  LoadRequest request;
  request.etdump = "/w/a.etdp";
  const Result<Artifacts> artifacts = load_artifacts(files, request);
  REQUIRE(artifacts);
  CHECK(artifacts->blocks.size() == static_cast<size_t>(blocks));
  request.selection.block = "Block 0";
  CHECK(build_study(files, *artifacts, request));
  return last_peak_bytes();
}

}  // namespace

TEST_CASE("a study of one block keeps nothing of its own for all others", "[hostile]") {
  const int64_t alone = bytes_of_one_study(1);
  constexpr int kBlocks = 4000;
  CHECK(bytes_of_one_study(kBlocks) < 2 * alone + kBlocks * 16);
}

TEST_CASE("an operator whose name has two lines is told in one", "[hostile]") {
  ArtifactParts parts = parts_of(sound_pair());
  const std::string script =
      read_file(ETLENS_SOURCE "/tests/fuzz/corpus/fuzz_pair/name_of_two_lines");
  mutate(parts, {reinterpret_cast<const uint8_t*>(script.data()), script.size()});
  const HostilePair pair = pair_of(parts);
  const auto study = load_study(files_of(pair), request_of(pair));
  REQUIRE(!study);
  CHECK(study.error().message.find("ran O ERATOR_CALL") != std::string::npos);
}

TEST_CASE("ten thousand damaged pairs: a study or one sentence each", "[hostile]") {
  // Small ones, so that there are many.
  constexpr uintmax_t kMaxPairBytes = 300'000;
  constexpr size_t kWanted = kSanitized ? 2'500 : 10'000;  // fuzz_pair does more of them
  constexpr double kMaxSeconds = 60;
  std::vector<ArtifactParts> sound{parts_of(sound_pair())};
  for (const std::string& folder : case_folders()) {
    for (const Pair& pair : pairs_of(folder)) {
      if (pair.etdump.ends_with(".gz") || pair.etrecord.empty()) continue;
      if (std::filesystem::file_size(pair.etdump) + std::filesystem::file_size(pair.etrecord) >
          kMaxPairBytes)
        continue;
      const HostilePair bytes{read_file(pair.etdump), read_file(pair.etrecord)};
      if (load_study(files_of(bytes), request_of(bytes))) sound.push_back(parts_of(bytes));
    }
  }
  REQUIRE(sound.size() > 3);
  std::mt19937 random(7);
  const double begin = processor_seconds();
  size_t done = 0;
  size_t studies = 0;
  for (; done < kWanted && processor_seconds() - begin < kMaxSeconds; ++done) {
    ArtifactParts parts = sound[done % sound.size()];
    std::vector<uint8_t> script(kMutationBytes * (1 + random() % 6));
    for (uint8_t& byte : script) byte = static_cast<uint8_t>(random());
    mutate(parts, script);
    const HostilePair pair = pair_of(parts);
    const auto study = load_study(files_of(pair), request_of(pair));
    if (study) ++studies;
    else if (study.error().message.find('\n') != std::string::npos)
      FAIL("mutation " << done << ": " << study.error().message);
  }
  INFO(done << " pairs, " << studies << " studies");
  CHECK(done >= 500);  // unoptimised, on a machine that does something else as well
  CHECK(studies > done / 20);
  CHECK(studies < done);
}

}  // namespace etlens::hostile_test
