// SPDX-License-Identifier: Apache-2.0
// Sides are compared on lines inside helpers only where both have them.
#include <filesystem>

#include "core/base/budget.h"
#include "core/compare/side.h"
#include "test_paths.h"
#include "tests/support/corpus.h"
#include "tests/support/memory_file_system.h"
#include "tests/support/sanitized.h"

namespace etlens::recovery_test {

using namespace etlens::test;

namespace {

namespace fs = std::filesystem;

enum class Sources : uint8_t { All, WithoutOneFile, None };

// ropeformer, whose helpers lie in three files.
Side side(Sources sources, bool recovers = true) {
  const std::string folder = ETLENS_TEST_DATA "/helpers/ropeformer";
  MemoryFileSystem files;
  files.put("/a/model.etrecord", read_file(folder + "/model.etrecord"));
  files.put("/a/model.etdp", read_file(folder + "/run10.etdp.gz"));
  for (const auto& entry : fs::recursive_directory_iterator(folder + "/sources")) {
    const bool is_left_out = sources == Sources::None || (sources == Sources::WithoutOneFile &&
                                                          entry.path().filename() == "rope.py");
    if (entry.is_regular_file() && !is_left_out)
      files.put("/w/" + fs::relative(entry.path(), folder + "/sources").string(),
                read_file(entry.path()));
  }
  SideRequest request;
  request.load.etrecord = "/a/model.etrecord";
  request.load.roots = {"/w"};
  request.load.recovers = recovers;
  request.dumps = {"/a/model.etdp"};
  // A sanitizer without optimisation is slower than the budget allows for.
  set_base_budget(Ledger::kBaseBytes, (kSanitized ? 20 : 1) * Ledger::kBaseNs);
  Result<Side> loaded = load_side(files, request);
  set_base_budget(Ledger::kBaseBytes, Ledger::kBaseNs);
  if (!loaded) FAIL(loaded.error().message);
  return std::move(*loaded);
}

}  // namespace

TEST_CASE("a side that lacks lines inside helpers of one module differs in recovery", "[compare]") {
  const Side all = side(Sources::All);
  const Side part = side(Sources::WithoutOneFile);
  CHECK(has_recovered_lines(all));
  CHECK(has_recovered_lines(part));
  CHECK(all.unrecovered.empty());
  REQUIRE(!part.unrecovered.empty());
  CHECK(differ_in_recovery(all, part));
  CHECK(differ_in_recovery(part, all));
  CHECK(differ_in_recovery(all, side(Sources::None)));
  CHECK_FALSE(differ_in_recovery(all, side(Sources::All)));
  CHECK_FALSE(differ_in_recovery(part, side(Sources::WithoutOneFile)));
  CHECK_FALSE(differ_in_recovery(side(Sources::All, false), side(Sources::WithoutOneFile, false)));
}

}  // namespace etlens::recovery_test
