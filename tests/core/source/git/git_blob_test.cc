// SPDX-License-Identifier: Apache-2.0
// Versions of a source in git's history.
#include "core/source/git/git_blob.h"

#include <sys/stat.h>
#include <catch2/catch.hpp>

#include "core/source/git/git_repository.h"
#include "tests/support/test_repository.h"

namespace etlens::git_blob_test {

using namespace etlens::test;
namespace fs = std::filesystem;

namespace {

const char* const kFirst =
    "class A:\n    def forward(self, x):\n        y = self.conv(x)\n        return y * 2\n";
const char* const kSecond =
    "import torch\n\nclass A:\n    def forward(self, x):\n        y = self.conv(x)\n        return "
    "y * 2\n";

const std::vector<RecordedLine> kLines{{3, "forward", "y = self.conv(x)"},
                                       {4, "forward", "return y * 2"}};

std::shared_ptr<const Document> find(const TestRepository& repository,
                                     const std::vector<RecordedLine>& lines) {
  return find_recorded_version(real_file_system(), repository.path("net/model.py"), lines);
}

}  // namespace

TEST_CASE("git blob: the newest version that fits every recorded line", "[git]") {
  TestRepository repository;
  CHECK(find(repository, kLines) == nullptr);  // no commit yet
  repository.commit(kFirst);
  repository.commit(std::string(kFirst) + "# later\n");
  repository.commit(kSecond);
  const auto found = find(repository, kLines);
  REQUIRE(found != nullptr);
  CHECK(found->text() == std::string(kFirst) + "# later\n");
  CHECK(find(repository, {{5, "forward", "y = self.conv(x)"}})->text() == kSecond);
  // One line that fits nowhere, and no version is the recorded one.
  CHECK(find(repository, {{3, "forward", "y = self.conv(x)"}, {4, "forward", "return y * 3"}}) ==
        nullptr);
  CHECK(find(repository, {}) == nullptr);
  CHECK(find_recorded_version(real_file_system(), repository.path("other.py"), kLines) == nullptr);
}

TEST_CASE("git blob: lines are carried from the version that was recorded", "[git]") {
  TestRepository repository;
  const std::string twice =
      "def a(x):\n    y = f(x)\n    return y\n\ndef b(x):\n    y = f(x)\n    return y\n";
  repository.commit(twice);
  const std::vector<RecordedLine> lines{{6, "b", "y = f(x)"}};
  const auto now = std::make_shared<Document>(
      "# one\n# two\n\ndef c(x):\n    y = f(x)\n    return y\n\ndef d(x):\n    y = f(x)\n    "
      "return y\n");
  CHECK(anchor_lines(now, lines)[0].line ==
        0);  // a function that is gone, and two that are like it
  AnchorEvidence evidence;
  evidence.recorded = find(repository, lines);
  const std::vector<Anchor> anchors = anchor_lines(now, lines, evidence);
  CHECK(anchors[0].line == 9);
  CHECK(anchors[0].rung == AnchorRung::GitBlob);
}

TEST_CASE("git blob: nothing of a hostile repository is obeyed", "[git]") {
  TestRepository repository;
  repository.commit(kFirst);
  const std::string trap = repository.path("trap");
  const std::string run = "touch '" + trap + "'";
  repository.write(".git/config",
                   "[core]\n\trepositoryformatversion = 99\n\tbare = true\n\tworktree = "
                   "/nowhere\n\tfsmonitor = " +
                       run + "\n\tsshCommand = " + run +
                       "\n[extensions]\n\tobjectFormat = sha999\n\tpartialClone = origin\n"
                       "[include]\n\tpath = /dev/zero\n[filter \"x\"]\n\tsmudge = " +
                       run + "\n\tclean = " + run + "\n");
  repository.write(".gitattributes", "* filter=x\n");
  repository.write(".git/info/attributes", "* filter=x\n");
  repository.write(".git/objects/info/alternates", "/dev/zero\n");
  for (const char* hook : {"post-checkout", "reference-transaction", "post-index-change"}) {
    repository.write(std::string(".git/hooks/") + hook, "#!/bin/sh\n" + run + "\n");
    fs::permissions(repository.path(std::string(".git/hooks/") + hook), fs::perms::owner_all);
  }
  const auto found = find(repository, kLines);
  REQUIRE(found != nullptr);
  CHECK(found->text() == kFirst);
  CHECK_FALSE(fs::exists(trap));
}

TEST_CASE("git blob: a pipe in the place of an object or an index is not waited for", "[git]") {
  TestRepository repository;
  repository.commit(kFirst);
  const auto head = find_git_repository(real_file_system(), repository.path("net/model.py"));
  REQUIRE(head);
  const std::string object =
      repository.path(".git/objects/" + head->head.substr(0, 2) + "/" + head->head.substr(2));
  const fs::path aside = repository.path("aside");
  const auto make_pipe = [](const std::string& path) {
    fs::create_directories(fs::path(path).parent_path());
    REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  };
  fs::rename(object, aside);
  make_pipe(object);
  CHECK(find(repository, kLines) == nullptr);
  fs::remove(object);
  // Behind a link, too.
  make_pipe(repository.path("pipe"));
  fs::create_symlink(repository.path("pipe"), object);
  CHECK(find(repository, kLines) == nullptr);
  fs::remove(object);
  fs::rename(aside, object);
  REQUIRE(find(repository, kLines) != nullptr);

  const std::string pack = repository.path(".git/objects/pack/pack-" + std::string(40, 'a'));
  for (const char* name : {".idx", ".pack"}) {
    make_pipe(pack + name);
    std::ofstream(pack + (name == std::string(".idx") ? ".pack" : ".idx")) << "PACK";
    CHECK(find(repository, kLines) != nullptr);  // loose objects are still there
    CHECK(find(repository, {{1, "x", "is in no version"}}) == nullptr);
    fs::remove(pack + ".idx");
    fs::remove(pack + ".pack");
  }
}

TEST_CASE("git blob: broken repositories give nothing", "[git]") {
  TestRepository repository;
  repository.commit(kFirst);
  const auto head = find_git_repository(real_file_system(), repository.path("net/model.py"));
  REQUIRE(head);
  CHECK(head->path == "net/model.py");
  CHECK(head->head.size() == 40);
  // A reference that climbs out, a loop of references, a commit that is not there, no text at all.
  for (const char* text :
       {"ref: refs/../../outside", "ref: /etc/passwd", "ref: HEAD", "ref: refs/heads/none",
        "0123456789012345678901234567890123456789", "", "ref: ", "\xff\xfe"}) {
    repository.write(".git/HEAD", text);
    CHECK(find(repository, kLines) == nullptr);
  }
  repository.write(".git/HEAD", head->head);  // detached
  CHECK(find(repository, kLines) != nullptr);
  const std::string object =
      repository.path(".git/objects/" + head->head.substr(0, 2) + "/" + head->head.substr(2));
  fs::permissions(object, fs::perms::owner_all);
  std::ofstream(object, std::ios::binary) << "not zlib";
  CHECK(find(repository, kLines) == nullptr);
}

TEST_CASE("git blob: a working tree elsewhere, and references in one file", "[git]") {
  TestRepository repository;
  repository.commit(kFirst);
  const auto head = find_git_repository(real_file_system(), repository.path("net/model.py"));
  REQUIRE(head);
  repository.write("linked/.git", "gitdir: ../.git/worktrees/linked\n");
  repository.write(".git/worktrees/linked/commondir", "../..\n");
  repository.write(".git/worktrees/linked/HEAD", "ref: refs/heads/packed\n");
  repository.write(".git/packed-refs",
                   "# pack-refs with: peeled\n" + head->head + " refs/heads/packed\n");
  const auto linked =
      find_recorded_version(real_file_system(), repository.path("linked/net/model.py"), kLines);
  REQUIRE(linked != nullptr);
  CHECK(linked->text() == kFirst);
}

}  // namespace etlens::git_blob_test
