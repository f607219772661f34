// SPDX-License-Identifier: Apache-2.0
// From a wish to a load: what it leaves open is found, and everything that was looked at has a
// stamp, so that what is fresh is asked in one way.
#include "core/workspace/wish.h"

#include <algorithm>

#include "core/workspace/resolve.h"
#include "tests/support/dump_builder.h"
#include "tests/support/memory_file_system.h"
#include "tests/support/program_builder.h"
#include "tests/support/record_builder.h"

namespace etlens::wish_test {

using namespace etlens::test;

namespace {

Bytes dump() {
  DumpBuilder dump;
  dump.block("Execute").operator_call("add.out", 0, 10, 20).framework("Method::execute", 0, 30);
  return dump.build();
}

Bytes record(const std::string& op = "aten.add.Tensor") {
  RecordBuilder record;
  record.node({"a", op, 1, "", "", {}}).map(0, {1});
  return record.build();
}

std::string program() {
  return ProgramBuilder().method("forward", {{'k', "aten::add.out"}}).build();
}

MemoryFileSystem workspace() {
  MemoryFileSystem files;
  files.put("/w/old.etdp", dump());
  files.put("/w/m.etrecord", record());
  files.put("/w/m.pte", program());
  files.put("/w/new.etdp", dump());
  return files;
}

std::vector<FoundArtifact> found_in(const FileSystem& files) {
  return find_artifacts(files, {{"/w"}, {}});
}

LoadRequest resolved(const FileSystem& files, const StudyWish& wish) {
  Result<ResolvedStudy> study = resolve(files, found_in(files), wish);
  if (!study) FAIL(study.error().message);
  return std::move(study->request);
}

// Every option that is no path, with a value that is no default.
StudyWish particular() {
  StudyWish wish;
  wish.selection = {"forward", "Execute"};
  wish.roots = {"/src"};
  wish.path_mappings = {{"/recorded", "/w"}};
  wish.environments = {"/env"};
  wish.library_frames = {"*/lib/*"};
  wish.recovers = false;
  wish.time_scale = TimeScale::Microseconds;
  wish.time = {Statistic::Median, "slow", true};
  return wish;
}

}  // namespace

TEST_CASE("wish: what it leaves open is the newest and what fits", "[wish]") {
  const MemoryFileSystem files = workspace();
  const Result<ResolvedStudy> study = resolve(files, found_in(files), {});
  REQUIRE(study);
  CHECK(study->request.etdump == "/w/new.etdp");
  CHECK(study->request.etrecord == "/w/m.etrecord");
  CHECK(study->request.leaves_out_record);
  CHECK(study->request.pte == "/w/m.pte");
  CHECK_FALSE(study->request.values);
  CHECK(study->dumps == 2);
  CHECK(load_study(files, study->request));

  StudyWish wish;
  wish.etdump = "/w/old.etdp";
  wish.finds_record = false;
  const LoadRequest named = resolved(files, wish);
  CHECK(named.etdump == "/w/old.etdp");
  CHECK(named.etrecord.empty());
}

TEST_CASE("wish: every option reaches the load as it is", "[wish]") {
  const MemoryFileSystem files = workspace();
  StudyWish wish = particular();
  const LoadRequest request = resolved(files, wish);
  wish.etdump = request.etdump;
  wish.etrecord = request.etrecord;
  wish.pte = request.pte;
  CHECK(static_cast<const StudyWish&>(request) == wish);
}

TEST_CASE("wish: values are compared with what is named, or lies next to the dump", "[wish]") {
  MemoryFileSystem files = workspace();
  std::string arrays = "PK" + std::string(24, '\0') + '\5' + std::string(3, '\0') + "a.npy";
  files.put("/w/ref.npz", arrays);
  StudyWish wish;
  wish.values.emplace().most_bytes = 7;
  const LoadRequest open = resolved(files, wish);
  REQUIRE(open.values);
  CHECK(open.values->candidates == std::vector<std::string>{"/w/ref.npz", "/w/m.etrecord"});
  CHECK(open.values->most_bytes == 7);
  wish.values->reference = "/w/other.npz";
  CHECK(resolved(files, wish).values->candidates.empty());
}

TEST_CASE("wish: a profile alone, and nothing at all", "[wish]") {
  MemoryFileSystem files;
  StudyWish wish;
  const Result<ResolvedStudy> none = resolve(files, {}, wish);
  REQUIRE_FALSE(none);
  CHECK(none.error().code == ErrorCode::NotFound);
  wish.profile = "/w/model.prof";
  const LoadRequest alone = resolved(files, wish);
  CHECK(alone.profile == "/w/model.prof");
  CHECK(alone.etdump.empty());
  CHECK(alone.etrecord.empty());
  wish.etrecord = "/w/m.etrecord";  // of an export that has not run
  CHECK(resolved(files, wish).etrecord == "/w/m.etrecord");
  wish.etdump = "/w/gone.etdp";
  CHECK(resolve(files, {}, wish).error().code == ErrorCode::NotFound);
}

TEST_CASE("wish: of a program", "[wish]") {
  const MemoryFileSystem files = workspace();
  const Result<ResolvedProgram> found = resolve_program(files, found_in(files), {});
  REQUIRE(found);
  CHECK(found->request.pte == "/w/m.pte");
  CHECK(found->request.etdump.empty());
  CHECK(found->programs == 1);
  CHECK(resolve_program(files, {}, {}).error().code == ErrorCode::NotFound);
}

TEST_CASE("wish: what it depends on changes when a file does, and with nothing else", "[wish]") {
  const std::vector<void (*)(MemoryFileSystem&)> changes{
      [](MemoryFileSystem& files) { files.put("/w/m.pte", program()); },
      [](MemoryFileSystem& files) { files.remove("/w/m.etrecord"); },
      [](MemoryFileSystem& files) { files.put("/w/z.etdp", dump()); },
      [](MemoryFileSystem& files) { files.put("/w/n.etrecord", record()); }};
  for (const auto change : changes) {
    MemoryFileSystem files = workspace();
    files.put("/w/notes.txt", "nothing");
    const FileStamps before = looked_at(files, found_in(files), {});
    for (const char* path : {"/w/new.etdp", "/w/m.etrecord", "/w/m.pte"})
      CHECK(before.contains(path));
    files.put("/w/notes.txt", "something");
    files.put("/w/model.py", "x = 1");
    CHECK(looked_at(files, found_in(files), {}) == before);
    CHECK(is_current(before, files));
    change(files);
    CHECK(looked_at(files, found_in(files), {}) != before);
  }
}

TEST_CASE("wish: named files are looked at, there or not", "[wish]") {
  const MemoryFileSystem files = workspace();
  StudyWish wish;
  wish.etdump = "/a/dump";
  wish.etrecord = "/a/record";
  wish.pte = "/a/program";
  wish.profile = "/a/profile";
  wish.values = ValuesRequest{"/a/buffer", "/a/reference", "/a/b", "/a/r"};
  const FileStamps stamps = looked_at(files, found_in(files), wish);
  CHECK(stamps.size() == 9);  // and the file about the run
  CHECK(std::ranges::all_of(
      stamps, [](const auto& row) { return row.first.starts_with("/a/") && !row.second; }));
  wish.etdump = "";
  CHECK(looked_at(files, {}, wish).contains("/a/record"));
}

TEST_CASE("wish: what was possible but not chosen makes no other study", "[wish]") {
  MemoryFileSystem files = workspace();
  files.put("/w/far/n.etrecord", record("aten.mul.Tensor"));
  const LoadRequest request = resolved(files, {});
  REQUIRE(request.etrecord == "/w/m.etrecord");
  const FileStamps all = looked_at(files, found_in(files), {});
  CHECK(all.contains("/w/far/n.etrecord"));
  const FileStamps used = used_by(request, all);
  CHECK(used.contains("/w/m.etrecord"));
  CHECK_FALSE(used.contains("/w/far/n.etrecord"));
}

TEST_CASE("wish: every path is resolved, and one that is refused ends it", "[wish]") {
  StudyWish wish;
  wish.etdump = "1";
  wish.etrecord = "2";
  wish.pte = "3";
  wish.profile = "4";
  wish.values = ValuesRequest{"5", "6", "7", "8"};
  wish.environments = {"9"};
  wish.path_mappings = {{"/from", "10"}};
  wish.roots = {"/root"};
  std::vector<std::string> seen;
  const auto resolve_one = [&](const std::string& path) -> Result<std::string> {
    seen.push_back(path);
    return "/here/" + path;
  };
  REQUIRE(make_absolute(wish, resolve_one));
  CHECK(seen.size() == 10);
  CHECK(wish.path_mappings.front().from == "/from");
  CHECK(wish.path_mappings.front().to == "/here/10");
  CHECK(wish.values->reference_etrecord == "/here/8");
  for (const std::string& refused : seen) {
    StudyWish again = wish;
    const Result<void> done =
        make_absolute(again, [&](const std::string& path) -> Result<std::string> {
          if (path == "/here/" + refused) return Error{ErrorCode::NotFound, "no " + refused};
          return path;
        });
    REQUIRE_FALSE(done);
    CHECK(done.error().message == "no " + refused);
  }
  StudyWish empty;
  CHECK(make_absolute(empty, [](const std::string&) -> Result<std::string> {
    return Error{ErrorCode::NotFound, "not asked"};
  }));
}

TEST_CASE("wish: of any dump, and of lines alone", "[wish]") {
  StudyWish wish = particular();
  wish.etdump = "/w/a.etdp";
  wish.etrecord = "/w/m.etrecord";
  wish.pte = "/w/m.pte";
  wish.profile = "/w/m.prof";
  wish.values.emplace();
  CHECK(of_any_dump(wish) == particular());
  wish.time.executions = "1-3";  // of this dump
  CHECK(of_any_dump(wish).time.executions.empty());

  const StudyWish lines = of_lines(wish);
  StudyWish other = wish;
  other.etdump = "/w/b.etdp";
  other.time = {};
  other.time_scale = TimeScale::Cycles;
  other.selection.block = "Execute #2";
  CHECK(of_lines(other) == lines);
  const std::vector<void (*)(StudyWish&)> changes{
      [](StudyWish& w) { w.roots.emplace_back("/more"); },
      [](StudyWish& w) { w.path_mappings.clear(); }, [](StudyWish& w) { w.environments.clear(); },
      [](StudyWish& w) { w.library_frames.clear(); }, [](StudyWish& w) { w.recovers = true; }};
  for (const auto change : changes) {
    other = wish;
    change(other);
    CHECK(of_lines(other) != lines);
  }
}

TEST_CASE("wish: a path mapping in text", "[wish]") {
  const std::optional<PathMapping> mapping = parse_path_mapping("/a=/b=c");
  REQUIRE(mapping);
  CHECK(mapping->from == "/a");
  CHECK(mapping->to == "/b=c");
  for (const char* wrong : {"", "=", "/a", "/a=", "=/b"}) CHECK_FALSE(parse_path_mapping(wrong));
  CHECK_FALSE(read_statistic("mode"));
  CHECK(*read_statistic("min") == Statistic::Minimum);
}

}  // namespace etlens::wish_test
