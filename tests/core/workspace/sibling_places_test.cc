// SPDX-License-Identifier: Apache-2.0
// Of several copies of a source the one that lies beside the others as it was recorded to lie.
#include "core/workspace/sibling_places.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/support/memory_file_system.h"

namespace etlens::sibling_places_test {

namespace {

// The place of each of the recorded files below /work; of one that stays open "a or b".
std::vector<std::string> places(const std::vector<std::string>& here,
                                const std::vector<std::string>& recorded) {
  test::MemoryFileSystem files;
  for (const std::string& path : here) files.put(path, "x = 1\n");
  const WorkspaceFiles workspace = WorkspaceFiles::find(files, {"/work"}, {});
  std::vector<PlacedFile> placed;
  for (const std::string& path : recorded)
    placed.push_back({path, map_path(files, path, {}, workspace), ""});
  settle_by_siblings(placed);
  std::vector<std::string> found;
  for (const PlacedFile& file : placed) {
    std::string text = file.place.path;
    std::vector<std::string> candidates = file.place.candidates;
    std::sort(candidates.begin(), candidates.end());
    for (const std::string& candidate : candidates)
      text += (text.empty() ? "" : " or ") + candidate;
    CHECK((file.passed_over.empty() || !file.place.path.empty()));
    found.push_back(text);
  }
  return found;
}

using Paths = std::vector<std::string>;

}  // namespace

TEST_CASE("siblings: a copy in a folder of its own is passed over", "[paths]") {
  CHECK(places({"/work/layers.py", "/work/model.py", "/work/old/layers.py"},
               {"/home/me/net/layers.py", "/home/me/net/model.py"}) ==
        Paths{"/work/layers.py", "/work/model.py"});
  // Files of other folders of the export say it as well.
  CHECK(places({"/work/net/layers.py", "/work/train.py", "/work/a/b/layers.py"},
               {"/x/layers.py", "/x/train.py"}) ==
        Paths{"/work/a/b/layers.py or /work/net/layers.py", "/work/train.py"});
  CHECK(places({"/work/net/layers.py", "/work/train.py", "/work/build/lib/net/layers.py"},
               {"/x/net/layers.py", "/x/train.py"}) ==
        Paths{"/work/net/layers.py", "/work/train.py"});
  // One that shares no more than its name, beside one that shares a folder: as ever.
  CHECK(places({"/work/net/layers.py", "/work/old/layers.py"}, {"/x/net/layers.py"}) ==
        Paths{"/work/net/layers.py"});
}

TEST_CASE("siblings: where they say nothing, or two things, nothing is taken", "[paths]") {
  // All was copied.
  CHECK(places({"/work/a/layers.py", "/work/a/model.py", "/work/b/layers.py", "/work/b/model.py"},
               {"/x/layers.py", "/x/model.py"}) ==
        Paths{"/work/a/layers.py or /work/b/layers.py", "/work/a/model.py or /work/b/model.py"});
  // The others lie in both folders.
  CHECK(places({"/work/a/layers.py", "/work/a/model.py", "/work/b/layers.py", "/work/b/rope.py"},
               {"/x/layers.py", "/x/model.py", "/x/rope.py"}) ==
        Paths{"/work/a/layers.py or /work/b/layers.py", "/work/a/model.py", "/work/b/rope.py"});
  CHECK(places({"/work/a/layers.py", "/work/b/layers.py"}, {"/x/layers.py"}) ==
        Paths{"/work/a/layers.py or /work/b/layers.py"});
}

TEST_CASE("siblings: the one that is passed over is named", "[paths]") {
  std::vector<PlacedFile> files{{"/x/model.py", {"/w/model.py", {}}, ""},
                                {"/x/layers.py", {"", {"/w/layers.py", "/w/old/layers.py"}}, ""},
                                {"/x/rope.py", {"", {"/w/old/rope.py", "/w/rope.py"}}, ""}};
  settle_by_siblings(files);
  CHECK(files[1].place.path == "/w/layers.py");
  CHECK(files[1].place.candidates.empty());
  CHECK(files[1].passed_over == "/w/old/layers.py");
  CHECK(files[2].place.path == "/w/rope.py");
  CHECK(files[2].passed_over == "/w/old/rope.py");
  CHECK(files[0].passed_over.empty());
}

TEST_CASE("siblings: a file that lies to another as it was recorded", "[paths]") {
  CHECK(moved_like("/x/net/a.py", "/x/net/b.py", "/w/b.py") == "/w/a.py");
  CHECK(moved_like("/x/net/in/a.py", "/x/net/b.py", "/w/b.py") == "/w/in/a.py");
  CHECK(moved_like("/x/a.py", "/x/net/b.py", "/w/net/b.py") == "/w/a.py");
  CHECK(moved_like("/y/a.py", "/x/net/b.py", "/w/b.py").empty());
}

}  // namespace etlens::sibling_places_test
