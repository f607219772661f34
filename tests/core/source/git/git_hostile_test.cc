// SPDX-License-Identifier: Apache-2.0
// Repositories whose parts are pipes, or links to what lies elsewhere: neither waited for nor read.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include "core/base/files_below.h"
#include "core/source/git/git_blob.h"
#include "core/source/git/git_repository.h"
#include "core/source/git/git_revision.h"
#include "tests/support/test_repository.h"

namespace etlens::git_hostile_test {

using namespace etlens::test;
namespace fs = std::filesystem;

namespace {

const char* const kText = "def a(x):\n    return x\n";
const std::vector<RecordedLine> kLines{{2, "a", "return x"}};

// A repository in a root, beside which there is a folder outside.
class HostileRepository {
 public:
  HostileRepository() {
    fs::create_directories(outside());
    repository_.commit(kText);
    const auto found = find_git_repository(real_file_system(), source());
    REQUIRE(found);
    head_ = found->head;
  }
  ~HostileRepository() { fs::remove_all(top()); }
  HostileRepository(const HostileRepository&) = delete;
  HostileRepository& operator=(const HostileRepository&) = delete;

  std::string outside() const { return (top() / "outside").string(); }
  std::string root() const { return (top() / "root").string(); }
  std::string source() const { return root() + "/net/model.py"; }
  std::string git(const std::string& name) const { return root() + "/.git/" + name; }
  std::string first_folder() const { return "objects/" + head_.substr(0, 2); }
  std::string first_object() const { return first_folder() + "/" + head_.substr(2); }
  void write(const std::string& name, std::string_view text) const {
    repository_.write(name, text);
  }
  const std::string& head() const { return head_; }

  bool is_found(WayBelow way) const {
    const auto files = files_below(RootNames({root()}, real_path), way);
    const auto version = find_recorded_version(*files, source(), kLines);
    return version != nullptr && version->text() == kText;
  }
  bool has_revision(WayBelow way, const std::string& name) const {
    const auto files = files_below(RootNames({root()}, real_path), way);
    const auto revision = find_git_revision(*files, root(), name);
    const auto opened = revision ? open_git_revision(*files, *revision)
                                 : Result<std::unique_ptr<const FileSystem>>(revision.error());
    return opened && (*opened)->read(source());
  }

 private:
  static fs::path top() {
    return fs::temp_directory_path() / ("etlens_hostile_" + std::to_string(::getpid()));
  }
  TestRepository repository_{top() / "root"};
  std::string head_;
};

const auto kWays = {WayBelow::Best, WayBelow::StepByStep};

}  // namespace

TEST_CASE("git hostile: a part that is a pipe is not waited for", "[git]") {
  const HostileRepository repository;
  for (const std::string& part :
       {std::string(""), std::string("HEAD"), std::string("refs"), std::string("refs/heads"),
        std::string("refs/heads/master"), std::string("objects"), repository.first_folder(),
        repository.first_object()}) {
    const std::string path = repository.git(part);
    const std::string plain = path.ends_with('/') ? path.substr(0, path.size() - 1) : path;
    for (const WayBelow way : kWays) {
      CAPTURE(part, static_cast<int>(way));
      REQUIRE(repository.is_found(way));
      fs::rename(plain, repository.outside() + "/aside");
      REQUIRE(::mkfifo(plain.c_str(), 0600) == 0);
      CHECK_FALSE(repository.is_found(way));
      CHECK_FALSE(repository.has_revision(way, "HEAD"));
      fs::remove(plain);
      fs::rename(repository.outside() + "/aside", plain);
    }
  }
}

TEST_CASE("git hostile: a pipe where nothing need be hides nothing", "[git]") {
  const HostileRepository repository;
  const std::string pack = "objects/pack/pack-" + std::string(40, 'a');
  for (const std::string& part :
       {std::string("packed-refs"), std::string("refs/tags/v1"), pack + ".idx", pack + ".pack",
        std::string("objects/info/alternates"), std::string("config")}) {
    const std::string path = repository.git(part);
    fs::remove(path);
    fs::create_directories(fs::path(path).parent_path());
    REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
    for (const WayBelow way : kWays) {
      CAPTURE(part, static_cast<int>(way));
      CHECK(repository.is_found(way));
      CHECK(repository.has_revision(way, repository.head().substr(0, 8)));
      CHECK_FALSE(repository.has_revision(way, "v1"));
    }
    fs::remove(path);
  }
}

TEST_CASE("git hostile: a part that is a link to a place elsewhere is not read", "[git]") {
  const HostileRepository repository;
  const std::string aside = repository.outside() + "/aside";
  for (const std::string& part :
       {std::string(""), std::string("HEAD"), std::string("refs"), std::string("refs/heads/master"),
        std::string("objects"), repository.first_folder(), repository.first_object()}) {
    const std::string path = repository.git(part);
    const std::string plain = path.ends_with('/') ? path.substr(0, path.size() - 1) : path;
    fs::rename(plain, aside);
    for (const std::string& target :
         {aside, fs::relative(aside, fs::path(plain).parent_path()).string()}) {
      fs::create_symlink(target, plain);
      // Who may read everything finds it there.
      CHECK(find_recorded_version(real_file_system(), repository.source(), kLines) != nullptr);
      for (const WayBelow way : kWays) {
        CAPTURE(part, target, static_cast<int>(way));
        CHECK_FALSE(repository.is_found(way));
        CHECK_FALSE(repository.has_revision(way, "HEAD"));
      }
      fs::remove(plain);
    }
    fs::rename(aside, plain);
  }
}

TEST_CASE("git hostile: a pipe behind a link to a place elsewhere is not waited for", "[git]") {
  const HostileRepository repository;
  fs::rename(repository.git("objects"), repository.outside() + "/objects");
  const std::string object = repository.outside() + "/" + repository.first_object();
  fs::remove(object);
  REQUIRE(::mkfifo(object.c_str(), 0600) == 0);
  fs::create_symlink(repository.outside() + "/objects", repository.git("objects"));
  for (const WayBelow way : kWays) {
    CHECK_FALSE(repository.is_found(way));
    CHECK_FALSE(repository.has_revision(way, repository.head().substr(0, 8)));
  }
  // Who would wait at its other end sees nobody.
  CHECK(::open(object.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC) < 0);
}

TEST_CASE("git hostile: what names a place elsewhere is not followed", "[git]") {
  const HostileRepository repository;
  const std::string aside = repository.outside() + "/aside";
  fs::rename(repository.git("objects"), aside);
  fs::create_directories(repository.git("objects/info"));
  repository.write(".git/objects/info/alternates", aside + "\n");
  for (const WayBelow way : kWays) CHECK_FALSE(repository.is_found(way));
  fs::remove_all(repository.git("objects"));
  fs::rename(aside, repository.git("objects"));
  for (const WayBelow way : kWays) CHECK(repository.is_found(way));

  fs::rename(repository.root() + "/.git", aside);
  repository.write(".git", "gitdir: " + aside + "\n");
  CHECK(find_recorded_version(real_file_system(), repository.source(), kLines) != nullptr);
  for (const WayBelow way : kWays) CHECK_FALSE(repository.is_found(way));
  fs::remove(repository.root() + "/.git");
  fs::create_directories(repository.root() + "/.git");
  fs::copy(aside + "/HEAD", repository.git("HEAD"));
  repository.write(".git/commondir", aside + "\n");
  CHECK(find_recorded_version(real_file_system(), repository.source(), kLines) != nullptr);
  for (const WayBelow way : kWays) CHECK_FALSE(repository.is_found(way));
}

TEST_CASE("git hostile: folders that are links inside the root work", "[git]") {
  const HostileRepository repository;
  fs::rename(repository.git("objects"), repository.root() + "/objects");
  for (const std::string& target : {std::string("../objects"), repository.root() + "/objects"}) {
    fs::create_symlink(target, repository.git("objects"));
    for (const WayBelow way : kWays) {
      CHECK(repository.is_found(way));
      CHECK(repository.has_revision(way, "HEAD"));
    }
    fs::remove(repository.git("objects"));
  }
}

}  // namespace etlens::git_hostile_test
