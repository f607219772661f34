// SPDX-License-Identifier: Apache-2.0
// The reader verifies while it reads. FlatBuffers' own verifier has to come to the same verdict, and
// flatc's classes to the same rows, for sound dumps and for changed ones.
#include <cstring>
#include <filesystem>
#include <random>

#include "core/base/file_system.h"
#include "test_paths.h"
#include "tests/support/dump_builder.h"
#include "tests/support/dump_oracle.h"
#include "tests/support/sanitized.h"

namespace etlens::dump_oracle_test {

using namespace etlens::test;

namespace {

// Something of every table and field.
DumpBuilder everything() {
  DumpBuilder dump;
  dump.block("Default").framework("Method::init", 10, 20);
  for (uint64_t r = 0; r < 2; ++r) {
    dump.block("Execute", 3)
        .allocator("planned")
        .allocation(1, 64)
        .operator_call("addmm.out", 0, 110 + r * 100, 130 + r * 100, 2)
        .delegate("Clamp (NC) #1", 1, 140 + r * 100, 145 + r * 100, "metadata")
        .delegate(7, 1, 145 + r * 100, 147 + r * 100)
        .tensor({0, {2, 3}, 6, 16, true})
        .framework("Method::execute", 100 + r * 100, 160 + r * 100);
  }
  return dump;
}

// Executions that repeat each other but for their times and an event with metadata, and one that goes
// on otherwise.
DumpBuilder executions() {
  DumpBuilder dump;
  for (uint64_t r = 0; r < 4; ++r) {
    dump.block("Execute")
        .delegate("Copy (X8) #1", 0, 10 + r * 100, 20 + r * 100)
        .operator_call(r == 3 ? "sub.out" : "add.out", 1, 30 + r * 100, 50 + r * 100)
        .delegate("Clamp (NC) #1", 2, 60 + r * 100, 70 + r * 100, "metadata")
        .delegate(7, 3, 80 + r * 100, 90 + r * 100);
  }
  return dump;
}

std::vector<Bytes> small_dumps() {
  std::vector<Bytes> dumps;
  dumps.push_back(everything().build());
  dumps.push_back(everything().build(false));
  dumps.push_back(everything().build_v01());
  dumps.push_back(DumpBuilder().build());
  dumps.push_back(executions().build());
  return dumps;
}

void check(const std::string& content, size_t& sound) {
  const Bytes file = Bytes::copy_of(content);
  if (oracle_of(file)) ++sound;
  const std::string difference = difference_from_oracle(file);
  if (!difference.empty()) FAIL(difference);
}

// Puts what breaks a careless reader in place of every number of two or four bytes.
template <typename Number>
void change_every(const std::string& whole, size_t& changed, size_t& sound) {
  for (size_t at = 16; at + sizeof(Number) <= whole.size(); at += sizeof(Number)) {
    Number own = 0;
    std::memcpy(&own, whole.data() + at, sizeof(own));
    const auto size = static_cast<Number>(whole.size());
    const auto place = static_cast<Number>(at);
    for (const Number number : {Number(0),
                                Number(1),
                                Number(2),
                                Number(3),
                                Number(-1),
                                Number(-4),
                                Number(Number(1) << (8 * sizeof(Number) - 1)),
                                Number((Number(1) << (8 * sizeof(Number) - 1)) - 1),
                                Number(own + 1),
                                Number(own - 1),
                                Number(own + 4),
                                Number(own - 4),
                                Number(own + 2),
                                size,
                                Number(size - at),
                                Number(size - at - 1),
                                Number(size - at - 4),
                                place,
                                Number(place + 1),
                                Number(place + 4),
                                Number(-place)}) {
      std::string content = whole;
      std::memcpy(content.data() + at, &number, sizeof(number));
      CAPTURE(at, number, sizeof(Number));
      check(content, sound);
      ++changed;
    }
  }
}

}  // namespace

TEST_CASE("dump oracle: sound dumps have the rows that flatc's classes read", "[etdump]") {
  size_t sound = 0;
  for (const Bytes& dump : small_dumps()) check(std::string(dump.text()), sound);
  const std::string prefixed(everything().build().text());
  check(std::string("\0\0\0\0", 4).append(prefixed), sound);  // another size in front is none
  CHECK(sound == 5);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(ETLENS_TEST_DATA)) {
    if (entry.path().extension() != ".etdp") continue;
    const auto file = real_file_system().read(entry.path().string());
    REQUIRE(file);
    if (file->size() < 16 || file->size() > 4'000'000) continue;
    CAPTURE(entry.path());
    check(std::string(file->text()), sound);
  }
  CHECK(sound > 20);
}

TEST_CASE("dump oracle: every number replaced by one that leads astray", "[etdump]") {
  size_t changed = 0;
  size_t sound = 0;
  for (const Bytes& dump : small_dumps()) {
    const std::string whole(dump.text());
    change_every<uint32_t>(whole, changed, sound);
    change_every<uint16_t>(whole, changed, sound);
  }
  CHECK(changed > 10'000);
  CHECK(sound > 1'000);
  CHECK(sound < changed);
}

TEST_CASE("dump oracle: words copied over others", "[etdump]") {
  std::mt19937 random(7);
  size_t sound = 0;
  const size_t rounds = kSanitized ? 500 : 5'000;
  for (const Bytes& dump : small_dumps()) {
    if (dump.size() < 64) continue;
    for (size_t round = 0; round < rounds; ++round) {
      std::string content(dump.text());
      for (size_t i = 0; i < 1 + round % 4; ++i) {
        const size_t bytes = random() % 2 == 0 ? 2 : 4;
        const size_t from = random() % (content.size() / bytes) * bytes;
        const size_t to = (12 / bytes + random() % (content.size() / bytes - 12 / bytes)) * bytes;
        std::memmove(content.data() + to, content.data() + from, bytes);
      }
      check(content, sound);
    }
  }
  CHECK(sound > 100);
}

}  // namespace etlens::dump_oracle_test
