// SPDX-License-Identifier: Apache-2.0
// Working trees as they were at a revision.
#include "core/source/git/git_revision.h"

#include <catch2/catch.hpp>

#include "core/base/budget.h"
#include "tests/support/counted_files.h"
#include "tests/support/test_repository.h"

namespace etlens::git_revision_test {

using namespace etlens::test;
using Catch::Matchers::Contains;

namespace {

Result<std::string> text_at(const TestRepository& repository, const std::string& revision,
                            const std::string& path = "net/model.py") {
  const FileSystem& disk = real_file_system();
  const Result<GitRevision> found = find_git_revision(disk, repository.path(""), revision);
  if (!found) return found.error();
  const auto files = open_git_revision(disk, *found);
  if (!files) return files.error();
  const Result<Bytes> bytes = (*files)->read(repository.path(path));
  if (!bytes) return bytes.error();
  return std::string(bytes->text());
}

std::string text_of(const TestRepository& repository, const std::string& revision) {
  const Result<std::string> text = text_at(repository, revision);
  return text ? *text : text.error().message;
}

}  // namespace

TEST_CASE("git revision: branches, tags, commits and steps back", "[git]") {
  TestRepository repository;
  repository.commit("first");
  repository.commit("second");
  repository.commit("third");
  const Result<GitRevision> head =
      find_git_revision(real_file_system(), repository.path("net"), "HEAD");
  REQUIRE(head);
  CHECK(repository.path("").starts_with(head->root));
  repository.write(".git/refs/tags/v1",
                   find_git_revision(real_file_system(), repository.path(""), "HEAD~2")->commit);
  for (const std::string& revision :
       {std::string("HEAD"), std::string("@"), head->commit, head->commit.substr(0, 10)})
    CHECK(text_of(repository, revision) == "third");
  for (const char* revision : {"HEAD^", "HEAD~1", "HEAD~"})
    CHECK(text_of(repository, revision) == "second");
  for (const char* revision : {"HEAD~2", "HEAD^^", "HEAD^~", "v1", "refs/tags/v1"})
    CHECK(text_of(repository, revision) == "first");
}

TEST_CASE("git revision: an annotated tag is its commit", "[git]") {
  TestRepository repository;
  repository.commit("first");
  git_object* head = nullptr;
  REQUIRE(git_revparse_single(&head, repository.repository(), "HEAD") == 0);
  git_signature* who = nullptr;
  git_signature_new(&who, "A", "a@example.org", 1, 0);
  git_oid id;
  REQUIRE(git_tag_create(&id, repository.repository(), "release", head, who, "text", 0) == 0);
  git_signature_free(who);
  git_object_free(head);
  repository.commit("second");
  CHECK(text_of(repository, "release") == "first");
}

TEST_CASE("git revision: what there is not, is said", "[git]") {
  TestRepository repository;
  repository.commit("first");
  for (const char* revision : {"nothing", "HEAD~1", "HEAD^2", "HEAD~99999999999", "", "^", "~",
                               "../HEAD", "refs/../../HEAD", "deadbeef", "HEAD:net"})
    CHECK_THAT(text_of(repository, revision), Contains("git knows no revision"));
  const Result<GitRevision> outside = find_git_revision(real_file_system(), "/", "HEAD");
  REQUIRE_FALSE(outside);
  CHECK(outside.error().message == "/ is in no git repository; give a folder of a working tree");
  const Result<std::string> missing = text_at(repository, "HEAD", "net/other.py");
  REQUIRE_FALSE(missing);
  CHECK(missing.error().code == ErrorCode::NotFound);
  CHECK_THAT(missing.error().message, Contains(":net/other.py does not exist in git"));
}

TEST_CASE("git revision: a file system like any other", "[git]") {
  TestRepository repository;
  repository.commit("first");
  repository.write("net/model.py", "changed");
  repository.write("net/new.py", "new");
  const FileSystem& disk = real_file_system();
  const auto revision = find_git_revision(disk, repository.path(""), "HEAD");
  REQUIRE(revision);
  const auto files = open_git_revision(disk, *revision);
  REQUIRE(files);
  const Result<FileStamp> stamp = (*files)->stat(repository.path("net/model.py"));
  REQUIRE(stamp);
  CHECK(stamp->size == 5);
  CHECK(stamp->modified_ns == 1'700'000'001'000'000'000);
  CHECK((*files)->stat(repository.path("net"))->is_directory);
  CHECK_FALSE((*files)->stat(repository.path("net/new.py")));
  const Result<std::vector<DirectoryEntry>> entries = (*files)->list(repository.path("net"));
  REQUIRE(entries);
  REQUIRE(entries->size() == 1);
  CHECK(entries->front().name == "model.py");
  CHECK((*files)->read_range(repository.path("net/model.py"), 1, 3)->text() == "irs");
  CHECK((*files)->read_range(repository.path("net/model.py"), 9, 3)->text().empty());
  CHECK_FALSE((*files)->read(repository.path("net")));
  CHECK_FALSE((*files)->list(repository.path("net/model.py")));
  // What is outside of the working tree is as on disk, and so is the repository itself.
  CHECK((*files)->stat("/")->is_directory);
  CHECK((*files)->read(repository.path(".git/HEAD")));
}

TEST_CASE("git revision: what is asked of git grows as the folder does", "[git]") {
  TestRepository repository;
  repository.commit("first");
  const auto objects_read = [&](int count) {
    git_treebuilder* builder = nullptr;
    REQUIRE(git_treebuilder_new(&builder, repository.repository(), nullptr) == 0);
    git_oid blob;
    for (int n = 0; n < count; ++n) {
      const std::string text = std::to_string(n % 100);
      git_blob_create_from_buffer(&blob, repository.repository(), text.data(), text.size());
      git_treebuilder_insert(nullptr, builder, ("file" + std::to_string(n)).c_str(), &blob,
                             GIT_FILEMODE_BLOB);
    }
    repository.commit_folder("many", builder);
    const CountedFiles disk(real_file_system());
    const auto revision = find_git_revision(disk, repository.path(""), "HEAD");
    REQUIRE(revision);
    const auto files = open_git_revision(disk, *revision);
    REQUIRE(files);
    const Result<std::vector<DirectoryEntry>> entries = (*files)->list(repository.path("many"));
    REQUIRE(entries);
    CHECK(entries->size() == static_cast<size_t>(count));
    int good = 0;
    for (const DirectoryEntry& entry : *entries) {
      const std::string path = repository.path("many/" + entry.name);
      const Result<FileStamp> stamp = (*files)->stat(path);
      const Result<Bytes> bytes = (*files)->read_range(path, 0, 4096);
      const Result<Bytes> rest = (*files)->read_range(path, 1, 4096);
      good +=
          stamp && bytes && rest && bytes->size() == stamp->size && rest->size() + 1 == stamp->size
              ? 1
              : 0;
    }
    CHECK(good == count);
    return disk.reads + disk.stats + disk.lists;
  };
  const size_t few = objects_read(250);
  const size_t many = objects_read(1000);
  CHECK(many < 5 * few);
  CHECK(many < 2 * 1000);
}

TEST_CASE("git revision: a folder of 20,000 files is found within the budget", "[git]") {
  TestRepository repository;
  repository.commit("first");
  git_treebuilder* builder = nullptr;
  REQUIRE(git_treebuilder_new(&builder, repository.repository(), nullptr) == 0);
  git_oid blob;
  git_blob_create_from_buffer(&blob, repository.repository(), "x", 1);
  for (int n = 0; n < 20'000; ++n)
    git_treebuilder_insert(nullptr, builder, ("f" + std::to_string(n)).c_str(), &blob,
                           GIT_FILEMODE_BLOB);
  repository.commit_folder("many", builder);
  const auto revision = find_git_revision(real_file_system(), repository.path(""), "HEAD");
  REQUIRE(revision);
  const Result<size_t> found = within_budget({}, [&]() -> Result<size_t> {
    const auto files = open_git_revision(real_file_system(), *revision);
    if (!files) return files.error();
    size_t count = 0;
    const Result<std::vector<DirectoryEntry>> entries = (*files)->list(repository.path("many"));
    for (const DirectoryEntry& entry : *entries)
      count += (*files)->read(repository.path("many/" + entry.name)) ? 1 : 0;
    return count;
  });
  REQUIRE(found);
  CHECK(*found == 20'000);
}

}  // namespace etlens::git_revision_test
