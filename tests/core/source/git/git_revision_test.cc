// SPDX-License-Identifier: Apache-2.0
// Working trees as they were at a revision.
#include "core/source/git/git_revision.h"

#include <catch2/catch.hpp>

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

}  // namespace etlens::git_revision_test
