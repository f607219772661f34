// SPDX-License-Identifier: Apache-2.0
// Files that are made to do harm, failing memory and failing disks, through the whole load: each
// gives a study or one sentence, and takes no more than it may.
#include "tests/support/hostile.h"

#include <time.h>

#include <cstdio>
#include <cstdlib>

#include "core/base/budget.h"
#include "core/workspace/discovery.h"
#include "tests/support/faulty_files.h"
#include "tests/support/studies.h"

using namespace etlens;
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

// A pair that has something of everything: operators, a delegate with a map, frames, modules.
HostilePair sound_pair() {
  DumpBuilder dump;
  for (int i = 0; i < 3; ++i) {
    dump.block("Execute").operator_call("add.out", 0, 10, 20);
    dump.delegate("7", 1, 32, 38).event("DELEGATE_CALL", 1, 30, 40);
    dump.framework("Method::execute", 0, 50);
  }
  RecordBuilder record;
  const std::string trace = stack_trace({{"/w/a.py", 3, "forward", "x = x + 1"}});
  record.node({"a", "aten.add.Tensor", 1, trace, "k,L['self'].layers[0],T", {"x"}}).map(0, {1});
  record.lowered("b", "Sample", {{"mul", "aten.mul.Tensor", 2, trace, "", {"a"}}});
  record.map(1, {2}).delegate(1, "Sample", {{"7", {2}}});
  return {std::string(dump.build().text()), std::string(record.build().text())};
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
    CHECK(seconds < 6 + static_cast<double>(bytes) / 100e6);
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
  REQUIRE(count > 500);
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
