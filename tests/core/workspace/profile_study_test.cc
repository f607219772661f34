// SPDX-License-Identifier: Apache-2.0
// Studies of a Python profile: alone, beside a dump, and of one that cannot be read.
#include <algorithm>

#include "core/measure/compile_time.h"
#include "core/workspace/discovery.h"
#include "core/workspace/load.h"
#include "test_paths.h"
#include "tests/support/corpus.h"
#include "tests/support/memory_file_system.h"
#include "tests/support/surface_words.h"

namespace etlens::profile_study_test {

using test::MemoryFileSystem;

namespace {

const std::string kProfile =
    test::read_file(ETLENS_TEST_DATA "/pstats/recursive.dynamo-eager.prof");
const std::string kFolder = ETLENS_TEST_DATA "/release-1.5/mlp-portable-fp32";

bool has(const LoadReport& report, Oddity oddity) {
  return std::any_of(report.rows().begin(), report.rows().end(),
                     [&](const ReportRow& row) { return row.oddity == oddity; });
}

LoadRequest request_of(const std::string& profile) {
  LoadRequest request;
  request.profile = profile;
  request.roots = {"/w"};
  return request;
}

MemoryFileSystem with_dump() {
  MemoryFileSystem files;
  files.put("/w/run.etdp", test::read_file(kFolder + "/run10.etdp"));
  files.put("/w/model.etrecord", test::read_file(kFolder + "/model.etrecord"));
  return files;
}

}  // namespace

TEST_CASE("a profile alone: nothing ran, functions are found in the workspace", "[profile]") {
  MemoryFileSystem files;
  files.put("/w/out/model.prof", kProfile);
  files.put("/w/dyn/recursive.py", "x = 1\n");
  files.put("/w/nn/linear.py", "x = 1\n");  // no match for what is installed
  const auto study = load_study(files, request_of("/w/out/model.prof"));
  if (!study) FAIL(study.error().message);
  REQUIRE((*study)->measures.size() == 2);
  CHECK((*study)->time().self.empty());
  CHECK((*study)->first_measure() == 1);
  const Measure& measure = (*study)->measures[1];
  CHECK(measure.quantity.id == kCompileTimeId);
  CHECK(has((*study)->report, Oddity::ProfileOfLastFrame));
  CHECK(!has((*study)->report, Oddity::SourceNotFound));
  const Code& code = *measure.landings->code;
  const std::vector<SourceLocation>& sources = (*study)->sources_of(code);
  REQUIRE(sources.size() == 2);
  for (size_t f = 0; f < sources.size(); ++f) {
    const bool is_own = code.recorded_path(FileId(f)).ends_with("recursive.py");
    CHECK(sources[f].path == (is_own ? "/w/dyn/recursive.py" : ""));
  }
}

TEST_CASE("a profile beside a dump is a further measure", "[profile]") {
  MemoryFileSystem files = with_dump();
  files.put("/w/model.prof", test::read_file(ETLENS_TEST_DATA "/pstats/pure.prof"));
  LoadRequest request = request_of("/w/model.prof");
  request.etdump = "/w/run.etdp";
  request.etrecord = "/w/model.etrecord";
  const auto study = load_study(files, request);
  if (!study) FAIL(study.error().message);
  CHECK((*study)->first_measure() == 0);
  CHECK((*study)->measures.back().quantity.id == kCompileTimeId);
  CHECK(!has((*study)->report, Oddity::ProfileOfLastFrame));  // of Python's own profiler

  files.put("/w/model.prof", "{)\x03z");
  const auto without = load_study(files, request);
  if (!without) FAIL(without.error().message);
  CHECK((*without)->measures.back().quantity.id != kCompileTimeId);
  CHECK(has((*without)->report, Oddity::ProfileUnreadable));
}

TEST_CASE("a profile alone that cannot be read is one sentence with its path", "[profile]") {
  MemoryFileSystem files = with_dump();
  files.put("/w/broken.prof", kProfile.substr(0, 100));
  files.put("/w/empty.prof", "");
  for (const auto& [path, words] :
       {std::pair("/w/broken.prof", "it ends too early"), std::pair("/w/empty.prof", "is empty"),
        std::pair("/w/run.etdp", "is an ETDump, no Python profile"),
        std::pair("/w/none.prof", "/w/none.prof")}) {
    CAPTURE(path);
    const auto study = load_study(files, request_of(path));
    REQUIRE(!study);
    CHECK_THAT(study.error().message, Catch::Contains(words) && Catch::Contains(path));
  }
}

TEST_CASE("a profile given as a dump says where it belongs", "[profile]") {
  MemoryFileSystem files;
  files.put("/w/model.prof", kProfile);
  LoadRequest request;
  request.etdump = "/w/model.prof";
  static constexpr ControlWords kWords = control_words({{Control::Profile, " with --prof"}});
  const SurfaceWords words(kWords);
  const auto study = load_study(files, request);
  REQUIRE(!study);
  CHECK_THAT(study.error().message,
             Catch::Contains("is a Python profile, not an ETDump; give it with --prof instead"));
}

TEST_CASE("profiles are found by their content, the newest counts", "[profile]") {
  MemoryFileSystem files;
  files.put("/w/b", kProfile);
  files.put("/w/a.prof", kProfile);
  files.put("/w/no.prof", "{\"a\": 1}");
  const std::vector<FoundArtifact> found = find_artifacts(files, {{"/w"}, {}});
  REQUIRE(found.size() == 2);
  REQUIRE(newest_of(found, FileKind::PythonProfile) != nullptr);
  CHECK(newest_of(found, FileKind::PythonProfile)->path == "/w/a.prof");
  CHECK(newest_of({}, FileKind::PythonProfile) == nullptr);
}

}  // namespace etlens::profile_study_test
