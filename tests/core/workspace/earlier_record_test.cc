// SPDX-License-Identifier: Apache-2.0
// A dump that replaces another: the record of the load before is taken as it is, until anything
// that it was read from, or that its lines were found with, is another.
#include "core/workspace/earlier_record.h"

#include <filesystem>
#include <functional>

#include "test_paths.h"
#include "tests/support/corpus.h"
#include "tests/support/memory_file_system.h"

namespace etlens::earlier_record_test {

using namespace etlens::test;

namespace {

namespace fs = std::filesystem;

const std::string kCase = ETLENS_TEST_DATA "/helpers/ropeformer";
const std::string kLayers = "/w/net/ropeformer/layers.py";

struct Workspace {
  MemoryFileSystem files;
  LoadRequest request;

  Workspace() {
    files.put("/a/model.etdp", read_file(kCase + "/run10.etdp.gz"));
    files.put("/a/model.etrecord", read_file(kCase + "/model.etrecord"));
    for (const auto& entry : fs::recursive_directory_iterator(kCase + "/sources")) {
      if (!entry.is_regular_file()) continue;
      files.put("/w/net/" + fs::relative(entry.path(), kCase + "/sources").string(),
                read_file(entry.path()));
    }
    request.etdump = "/a/model.etdp";
    request.etrecord = "/a/model.etrecord";
    request.roots = {"/w/net"};
  }

  std::shared_ptr<const Study> load() const {
    const auto study = load_study(files, request);
    if (!study) FAIL(study.error().message);
    return *study;
  }

  std::string text_of(const std::string& path) const {
    return std::string((*files.read(path)).text());
  }

  // Loads, changes something, and loads again with what the first load read.
  bool takes_record_after(const std::function<void(Workspace&)>& change) {
    const std::shared_ptr<const Study> before = load();
    REQUIRE(before->recovery != nullptr);
    CHECK(before->recovery->placed == 156);
    change(*this);
    request.earlier = before;
    const std::shared_ptr<const Study> after = load();
    request.earlier.reset();
    // What is shown does not depend on what was known.
    const std::shared_ptr<const Study> afresh = load();
    const auto placed = [](const Study& study) {
      return study.recovery == nullptr ? 0 : study.recovery->placed;
    };
    CHECK(placed(*after) == placed(*afresh));
    CHECK(after->code().lines.size() == afresh->code().lines.size());
    CHECK(after->report.find(Oddity::RecordLinesRecovered) != nullptr);
    return after->join->record == before->join->record && after->recovery == before->recovery;
  }
};

}  // namespace

TEST_CASE("a replaced dump takes the record of the load before", "[recover]") {
  CHECK(Workspace().takes_record_after(
      [](Workspace& w) { w.files.put("/a/model.etdp", w.text_of("/a/model.etdp")); }));
}

TEST_CASE("a record is read again when anything that it came from is another", "[recover]") {
  CHECK_FALSE(Workspace().takes_record_after(
      [](Workspace& w) { w.files.put("/a/model.etrecord", w.text_of("/a/model.etrecord")); }));
  CHECK_FALSE(Workspace().takes_record_after(
      [](Workspace& w) { w.files.put(kLayers, w.text_of(kLayers)); }));
  CHECK_FALSE(Workspace().takes_record_after([](Workspace& w) {
    w.files.put("/a/other.etrecord", w.text_of("/a/model.etrecord"));
    w.request.etrecord = "/a/other.etrecord";
  }));
}

TEST_CASE("a file that appears where one was looked for is read", "[recover]") {
  Workspace workspace;
  const std::string text = workspace.text_of(kLayers);
  workspace.files.remove(kLayers);
  const std::shared_ptr<const Study> before = workspace.load();
  workspace.files.put(kLayers, text);
  workspace.request.earlier = before;
  const std::shared_ptr<const Study> after = workspace.load();
  CHECK(after->join->record != before->join->record);
  REQUIRE(after->recovery != nullptr);
  CHECK(after->recovery->placed == 156);
}

TEST_CASE("a strict record is taken without looking at sources", "[recover]") {
  Workspace workspace;
  workspace.files.put("/a/model.etrecord", read_file(kCase + "/strict.etrecord"));
  workspace.request.earlier = workspace.load();
  CHECK(workspace.request.earlier->recovery == nullptr);
  workspace.files.put(kLayers, workspace.text_of(kLayers));
  CHECK(workspace.load()->join->record == workspace.request.earlier->join->record);
}

}  // namespace etlens::earlier_record_test
