// SPDX-License-Identifier: Apache-2.0
// A thousand files on disk under a running server: sound, damaged, cut short, gone, growing. It
// answers all the time, shows the last sound one, and keeps nothing of the others.
#include <catch2/catch.hpp>
#include <fstream>
#include <random>
#include <set>

#include "tests/cli/sandbox.h"
#include "tests/cli/server_process.h"
#include "tests/support/dump_builder.h"
#include "tests/support/mutation.h"
#include "tests/support/sanitized.h"

namespace etlens::replacements_test {

using namespace etlens::test;

namespace {

constexpr int kRounds = 10;
constexpr int kReplacements = kSanitized ? 20 : 100;  // in each round
constexpr int kInstructions = 2'000;    // some hundreds of kilobytes: a study that stays is seen
constexpr int64_t kMostGrowth = 4'000;  // kB

std::string block_of(int number) { return "Run " + std::to_string(number); }

std::string dump_of(int number) {
  DumpBuilder dump;
  dump.block(block_of(number));
  uint64_t time = 0;
  for (int i = 0; i < kInstructions; ++i, time += 20) dump.operator_call("a", i, time, time + 9, 1);
  dump.framework("Method::execute", 0, time);
  return std::string(dump.build().text());
}

// The server and the folder that it watches.
struct Watched {
  Sandbox sandbox;
  ServerProcess server;

  Watched() {
    put(dump_of(0));
    server.initialize(sandbox.path());
    REQUIRE(server.wait_for("\"id\":0"));
  }
  void tell() const {
    server.send(R"({"jsonrpc":"2.0","method":"workspace/didChangeWatchedFiles","params":)"
                R"({"changes":[{"type":2,"uri":"file://)" +
                sandbox.path("a.etdp") + "\"}]}}");
  }
  void put(const std::string& dump) {
    sandbox.put("a.etdp", dump);
    tell();
  }
  void remove() {
    std::filesystem::remove(sandbox.path("a.etdp"));
    tell();
  }
  // As a writer that flushes now and then.
  void grow(const std::string& dump) {
    put("");
    for (size_t at = 0; at < dump.size(); at += dump.size() / 4 + 1) {
      std::ofstream(sandbox.path("a.etdp"), std::ios::binary | std::ios::app)
          << dump.substr(at, dump.size() / 4 + 1);
      tell();
    }
  }
  size_t open_files() const {
    return static_cast<size_t>(
        std::distance(std::filesystem::directory_iterator(server.proc("fd")), {}));
  }
  int64_t kilobytes() const {
    std::ifstream status(server.proc("status"));
    for (std::string word; status >> word;) {
      int64_t kilobytes = 0;
      if (word == "VmRSS:" && status >> kilobytes) return kilobytes;
    }
    return 0;
  }
};

// Another file in place of the dump, whatever happens with it.
void replace(Watched& watched, int n, const std::string& sound) {
  ArtifactParts parts{sound, {}};
  std::mt19937 random(static_cast<uint32_t>(n));
  switch (n % 5) {
    case 0:
      return watched.put(sound);
    case 1: {
      std::vector<uint8_t> script(kMutationBytes * 4);
      for (uint8_t& byte : script) byte = static_cast<uint8_t>(random());
      mutate(parts, script);
      return watched.put(parts.etdump);
    }
    case 2:
      return watched.put(sound.substr(0, sound.size() * static_cast<size_t>(n % 97) / 97));
    case 3:
      return watched.remove();
    default:
      return watched.grow(sound);
  }
}

std::vector<std::string> messages(const std::string& said, const std::string& method) {
  std::vector<std::string> found;
  for (size_t at = said.find(method); at != std::string::npos; at = said.find(method, at + 1))
    found.push_back(said.substr(at, said.find("Content-Length", at) - at));
  return found;
}

}  // namespace

TEST_CASE("a thousand files replaced under a running server leave nothing behind",
          "[cli][process]") {
  Watched watched;
  size_t files = 0;
  int64_t kilobytes = 0;
  for (int round = 1; round <= kRounds; ++round) {
    CAPTURE(round);
    const std::string sound = dump_of(round);
    for (int n = 1; n < kReplacements; ++n) {
      replace(watched, n, sound);
      REQUIRE(watched.server.reaches("\"state\""));
    }
    watched.put(sound);
    REQUIRE(watched.server.reaches("\"block\":\"" + block_of(round) + "\""));
    // What is there now cannot be read: the last that could be stays.
    if (round % 2 == 0) watched.remove();
    else watched.put(sound.substr(0, sound.size() / 2));
    REQUIRE(watched.server.reaches(round % 2 == 0 ? "is gone" : "\"state\":\"failed\""));
    CHECK(watched.server.reaches("\"block\":\"" + block_of(round) + "\""));
    if (round == kRounds / 2) {
      files = watched.open_files();
      kilobytes = watched.kilobytes();
    }
  }
  CHECK(watched.open_files() == files);
  INFO("kB: " << kilobytes << " then " << watched.kilobytes());
  if (!kSanitized)
    CHECK(watched.kilobytes() < kilobytes + kMostGrowth);  // which keeps what was freed
  const std::vector<std::string> shown = messages(watched.server.said(), "window/showMessage");
  CHECK(std::set<std::string>(shown.begin(), shown.end()).size() == shown.size());
  int status = -1;
  CHECK(watched.server.leave(status));
  CHECK(status == 0);
}

}  // namespace etlens::replacements_test
