// SPDX-License-Identifier: Apache-2.0
#include "server/load/dump_totals.h"

#include <catch2/catch.hpp>

#include "tests/support/memory_file_system.h"
#include "tests/support/server_workspace.h"

namespace etlens::dump_totals_test {

using namespace etlens::test;

namespace {

// Counts how often something is read; one thread at a time reads.
class CountedFiles final : public FileSystem {
 public:
  MemoryFileSystem files;
  mutable int reads = 0;

  Result<FileStamp> stat(std::string_view path) const override { return files.stat(path); }
  Result<Bytes> read(std::string_view path) const override { return ++reads, files.read(path); }
  Result<Bytes> read_range(std::string_view path, uint64_t offset, uint64_t size) const override {
    return ++reads, files.read_range(path, offset, size);
  }
  Result<std::vector<DirectoryEntry>> list(std::string_view folder) const override {
    return files.list(folder);
  }
};

// Reads of a dump that was asked for so often before the first one was done.
int reads_of(int questions) {
  uv::Loop loop;
  CountedFiles counted;
  counted.files.put("/m/a.etdp", model_dump());
  const std::vector<FoundArtifact> found{
      {"/m/a.etdp", FileKind::EtDump, *counted.stat("/m/a.etdp")}};
  DumpTotals totals(loop, counted, [&] { loop.stop(); });
  for (int i = 0; i < questions; ++i) totals.want(found, "", {});
  loop.run();
  CHECK(totals.find(found.front()));
  CHECK_FALSE(totals.is_busy());
  return counted.reads;
}

}  // namespace

TEST_CASE("totals of dumps: who asks again while a dump is read has it read once", "[server]") {
  const int once = reads_of(1);
  CHECK(once > 0);
  CHECK(reads_of(3) == once);
}

}  // namespace etlens::dump_totals_test
