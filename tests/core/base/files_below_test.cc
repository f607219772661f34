// SPDX-License-Identifier: Apache-2.0
// Files below folders, and none that lies elsewhere, in both ways of getting there.
#include "core/base/files_below.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

namespace etlens::files_below_test {

namespace fs = std::filesystem;

namespace {

// Two roots with something in them, and a secret beside them.
class Folders {
 public:
  Folders() : top_(fs::temp_directory_path() / ("etlens_below_" + std::to_string(::getpid()))) {
    fs::remove_all(top_);
    for (const char* folder : {"root/sub/deep", "other", "outside/folder"})
      fs::create_directories(top_ / folder);
    write("root/a", "a");
    write("root/sub/b", "b");
    write("other/c", "c");
    write("outside/secret", "secret");
    write("outside/folder/secret", "secret");
  }
  ~Folders() { fs::remove_all(top_); }

  std::string operator/(const std::string& name) const { return (top_ / name).string(); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(top_ / name, std::ios::binary) << text;
  }
  // A link in the root.
  void link(const std::string& target, const std::string& name) const {
    REQUIRE(::symlink(target.c_str(), (*this / ("root/" + name)).c_str()) == 0);
  }
  std::unique_ptr<const FileSystem> open(WayBelow way, std::function<void()> between = {}) const {
    return files_below(RootNames({*this / "root", *this / "other"}, real_path), way,
                       std::move(between));
  }

 private:
  fs::path top_;
};

const auto kWays = {WayBelow::Best, WayBelow::StepByStep};

std::string text_of(const Result<Bytes>& bytes) {
  return bytes ? std::string(bytes->text()) : "error: " + bytes.error().message;
}

}  // namespace

TEST_CASE("files below: what links inside lead to is read, whatever they look like", "[below]") {
  const Folders folders;
  folders.link("a", "to-file");
  folders.link("sub", "to-folder");
  folders.link("../a", "sub/up");
  folders.link("to-folder/../to-folder/up", "long-way");
  folders.link(folders / "root/a", "absolute");
  folders.link("../root/a", "out-and-in");
  folders.link("../other/c", "to-other-root");
  folders.link(folders / "other", "to-other-folder");
  folders.link("absolute", "link-to-link");
  REQUIRE(::link((folders / "root/a").c_str(), (folders / "root/hard").c_str()) == 0);
  for (const WayBelow way : kWays) {
    const auto files = folders.open(way);
    for (const auto& [name, text] :
         std::initializer_list<std::pair<std::string, std::string>>{{"a", "a"},
                                                                    {"sub/b", "b"},
                                                                    {"sub/../a", "a"},
                                                                    {"./sub//b", "b"},
                                                                    {"to-file", "a"},
                                                                    {"to-folder/b", "b"},
                                                                    {"sub/up", "a"},
                                                                    {"long-way", "a"},
                                                                    {"absolute", "a"},
                                                                    {"out-and-in", "a"},
                                                                    {"to-other-root", "c"},
                                                                    {"to-other-folder/c", "c"},
                                                                    {"link-to-link", "a"},
                                                                    {"to-folder/deep/../up", "a"},
                                                                    {"hard", "a"}}) {
      CAPTURE(name, static_cast<int>(way));
      CHECK(text_of(files->read(folders / ("root/" + name))) == text);
      const Result<FileStamp> stamp = files->stat(folders / ("root/" + name));
      REQUIRE(stamp);
      CHECK(stamp->size == 1);
    }
    CHECK(text_of(files->read(folders / "other/c")) == "c");
    CHECK(files->list(folders / "root/to-other-folder")->front().name == "c");
    CHECK(files->stat(folders / "root")->is_directory);
    CHECK(files->list(folders / "other")->size() == 1);
    CHECK(files->read_range(folders / "root/a", 0, 0)->empty());
  }
}

TEST_CASE("files below: what lies elsewhere is not there, however it is named", "[below]") {
  const Folders folders;
  const int deleted =
      ::open((folders / "outside/gone").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
  REQUIRE(deleted >= 0);
  REQUIRE(::write(deleted, "secret", 6) == 6);
  fs::remove(folders / "outside/gone");
  const int folder = ::open((folders / "outside").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const std::string proc = "/proc/" + std::to_string(::getpid());
  folders.link(proc + "/fd/" + std::to_string(deleted), "deleted");
  folders.link(proc + "/fd/" + std::to_string(folder), "by-descriptor");
  folders.link(proc + "/root", "top");
  folders.link(proc + "/cwd", "here");
  folders.link(folders / "outside", "out");
  folders.link("../outside/secret", "relative");
  folders.link("out", "link-to-link");
  folders.link("sub/../../outside/secret", "through-a-folder");
  folders.link(folders / "root/../outside/secret", "absolute-and-up");
  folders.link(folders / "root-and-more", "like-the-root");
  folders.write("root-and-more", "secret");
  folders.link("/", "slash");
  for (const WayBelow way : kWays) {
    const auto files = folders.open(way);
    for (const std::string& path : {folders / "root/deleted",
                                    folders / "root/by-descriptor/secret",
                                    folders / ("root/top" + (folders / "outside/secret")),
                                    folders / "root/here/.",
                                    folders / "root/out/secret",
                                    folders / "root/out/folder/secret",
                                    folders / "root/relative",
                                    folders / "root/link-to-link/secret",
                                    folders / "root/through-a-folder",
                                    folders / "root/absolute-and-up",
                                    folders / "root/like-the-root",
                                    folders / "root/../outside/secret",
                                    folders / "root/sub/../../outside/secret",
                                    folders / "root/slash/etc/passwd",
                                    folders / "outside/secret",
                                    folders / "root-and-more",
                                    std::string("/etc/passwd"),
                                    std::string("a"),
                                    std::string(),
                                    std::string("/"),
                                    std::string("//host/share/x"),
                                    (folders / "root/a") + std::string("\0x", 2)}) {
      CAPTURE(path, static_cast<int>(way));
      const Result<Bytes> read = files->read(path);
      REQUIRE_FALSE(read);
      CHECK(read.error().code == ErrorCode::NotFound);
      CHECK(read.error().message.starts_with(path));
      CHECK_FALSE(files->read_range(path, 0, 1));
      CHECK_FALSE(files->stat(path));
      CHECK_FALSE(files->list(path));
    }
  }
  ::close(deleted);
  ::close(folder);
}

TEST_CASE("files below: the sentence says where to look", "[below]") {
  const Folders folders;
  const Result<Bytes> read = folders.open(WayBelow::Best)->read("/etc/passwd");
  REQUIRE_FALSE(read);
  CHECK(read.error().message == "/etc/passwd is not in the workspace; give a path below " +
                                    (folders / "root") + " or " + (folders / "other"));
}

TEST_CASE("files below: loops, and links that are too many, end", "[below]") {
  const Folders folders;
  folders.link("loop", "loop");
  folders.link(folders / "root/pong", "ping");
  folders.link("ping", "pong");
  folders.link("sub/../grows/x", "grows");
  std::string up;
  for (int n = 0; n < 500; ++n) up += "sub/../";
  folders.link(up + "steps", "steps");
  folders.link("a", "chain0");
  for (int n = 1; n < 60; ++n)
    folders.link(folders / ("root/chain" + std::to_string(n - 1)), "chain" + std::to_string(n));
  for (const WayBelow way : kWays) {
    const auto files = folders.open(way);
    for (const char* name : {"loop", "ping", "grows", "steps", "chain59", "loop/x"}) {
      CAPTURE(name);
      CHECK_FALSE(files->read(folders / ("root/" + std::string(name))));
    }
    CHECK(text_of(files->read(folders / "root/chain30")) == "a");
  }
}

TEST_CASE("files below: what is no file is neither waited for nor opened", "[below]") {
  const Folders folders;
  const std::string pipe = folders / "root/pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  REQUIRE(::mkfifo((folders / "outside/pipe").c_str(), 0600) == 0);
  folders.link("pipe", "to-pipe");
  folders.link(folders / "outside/pipe", "to-outside-pipe");
  fs::create_directories(folders / "root/model.etdp");
  // Where the tests may not make one, the name is that of nothing, which is not read either.
  const bool has_device =
      ::mknod((folders / "root/device").c_str(), S_IFCHR | 0600, makedev(1, 5)) == 0;
  CAPTURE(has_device);
  for (const WayBelow way : kWays) {
    const auto files = folders.open(way);
    for (const char* name : {"pipe", "to-pipe", "to-outside-pipe", "model.etdp", "device", "sub",
                             "pipe/x", "a/x", "a/..", "a/../a"}) {
      CAPTURE(name, static_cast<int>(way));
      CHECK_FALSE(files->read(folders / ("root/" + std::string(name))));
      CHECK_FALSE(files->read_range(folders / ("root/" + std::string(name)), 0, 16));
    }
    CHECK_FALSE(files->list(pipe));
    CHECK_FALSE(files->list(folders / "root/a"));
    CHECK(files->read(pipe).error().message ==
          "cannot read " + pipe + ": not a regular file; give a file");
    // Who would wait at the other end sees nobody.
    CHECK(::open(pipe.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC) < 0);
  }
}

TEST_CASE("files below: what is not there or may not be read, is said as elsewhere", "[below]") {
  const Folders folders;
  folders.write("root/closed", "x");
  fs::permissions(folders / "root/closed", fs::perms::none);
  folders.link("nowhere", "broken");
  for (const WayBelow way : kWays) {
    const auto files = folders.open(way);
    for (const char* name : {"missing", "missing/deep", "broken"}) {
      const Result<Bytes> read = files->read(folders / ("root/" + std::string(name)));
      REQUIRE_FALSE(read);
      CHECK(read.error().message == "cannot read " + (folders / "root/") + name +
                                        ": No such file or directory; check the path");
    }
    const Result<Bytes> closed = files->read(folders / "root/closed");
    CHECK((::geteuid() == 0 || closed.error().code == ErrorCode::Io));
    CHECK(files->read(folders / ("root/" + std::string(300, 'x'))).error().code == ErrorCode::Io);
    CHECK(files->read(folders / ("root/" + std::string(5000, '/') + "a")).error().code ==
          ErrorCode::Io);
  }
}

TEST_CASE("files below: a file deeper than any path that may be named", "[below]") {
  const Folders folders;
  // root/deep is a link into folders of folders, each named through the link before.
  const std::string name(200, 'd');
  std::string link = "start";
  folders.link("sub", link);
  for (int n = 0; n < 30; ++n) {
    fs::create_directory(folders / ("root/" + link + "/" + name));
    folders.link(link + "/" + name, "link" + std::to_string(n));
    link = "link" + std::to_string(n);
  }
  folders.write("root/" + link + "/here", "here");
  fs::create_symlink(folders / "outside", folders / ("root/" + link + "/out"));
  REQUIRE(real_path(folders / ("root/" + link + "/here")).empty());
  for (const WayBelow way : kWays) {
    const auto files = folders.open(way);
    CHECK(text_of(files->read(folders / ("root/" + link + "/here"))) == "here");
    CHECK(files->list(folders / ("root/" + link))->size() == 2);
    CHECK_FALSE(files->read(folders / ("root/" + link + "/out/secret")));
  }
}

TEST_CASE("files below: what is exchanged between two looks leads nowhere else", "[below]") {
  const Folders folders;
  const std::string secret = folders / "outside/secret";
  const std::string name = folders / "root/x";
  const auto make_link = [&] { fs::create_symlink(secret, name); };
  const auto make_pipe = [&] { REQUIRE(::mkfifo(name.c_str(), 0600) == 0); };
  const auto make_file = [&] { folders.write("root/x", "mine"); };
  const auto make_folder = [&] { fs::create_directory(name); };
  const auto make_link_inside = [&] { fs::create_symlink("a", name); };
  const std::vector<std::function<void()>> makers{make_link, make_pipe, make_file, make_folder,
                                                  make_link_inside};
  for (const WayBelow way : kWays) {
    for (size_t before = 0; before < makers.size(); ++before) {
      for (size_t after = 0; after < makers.size(); ++after) {
        for (int when = 0; when < 24; ++when) {
          fs::remove(name);
          makers[before]();
          int looks = 0;
          const auto files = folders.open(way, [&] {
            if (looks++ != when) return;
            fs::remove(name);
            makers[after]();
          });
          CAPTURE(static_cast<int>(way), before, after, when);
          const std::string text = text_of(files->read(name));
          CHECK((text == "mine" || text == "a" || text.starts_with("error: ")));
          CHECK_FALSE(text == "secret");
          if (looks <= when) break;
        }
      }
    }
    fs::remove(name);
  }
}

TEST_CASE("files below: a folder on the way that is exchanged leads nowhere else", "[below]") {
  const Folders folders;
  folders.write("root/sub/secret", "mine");
  for (const WayBelow way : kWays) {
    for (int when = 0; when < 24; ++when) {
      int looks = 0;
      const auto files = folders.open(way, [&] {
        if (looks++ != when) return;
        fs::rename(folders / "root/sub", folders / "root/aside");
        fs::create_symlink(folders / "outside", folders / "root/sub");
      });
      CAPTURE(static_cast<int>(way), when);
      CHECK(text_of(files->read(folders / "root/sub/secret")) != "secret");
      if (looks <= when) break;
      fs::remove(folders / "root/sub");
      fs::rename(folders / "root/aside", folders / "root/sub");
      // The listing is of the folder that was there or refused.
      looks = 0;
      const auto list = files->list(folders / "root/sub");
      CHECK((!list || list->size() == 3));
      if (looks > when) {
        fs::remove(folders / "root/sub");
        fs::rename(folders / "root/aside", folders / "root/sub");
      }
    }
  }
}

TEST_CASE("files below: a link that another thread exchanges all the time", "[below]") {
  const Folders folders;
  const std::string name = folders / "root/x";
  fs::create_symlink("a", name);
  fs::create_symlink("a", folders / "root/inside");
  fs::create_symlink(folders / "outside/secret", folders / "root/outside");
  std::atomic<bool> is_done = false;
  std::thread other([&] {
    const std::string inside = folders / "root/inside";
    const std::string outside = folders / "root/outside";
    while (!is_done) {
      ::rename(inside.c_str(), name.c_str());
      ::rename(outside.c_str(), name.c_str());
      ::symlink("a", inside.c_str());
      ::symlink((folders / "outside/secret").c_str(), outside.c_str());
    }
  });
  size_t secrets = 0;
  for (const WayBelow way : kWays) {
    const auto files = folders.open(way);
    for (int n = 0; n < 1000; ++n) secrets += text_of(files->read(name)) == "secret" ? 1 : 0;
  }
  is_done = true;
  other.join();
  CHECK(secrets == 0);
}

TEST_CASE("files below: a root that a link leads to, comes later, or becomes a link", "[below]") {
  const Folders folders;
  fs::create_symlink(folders / "root", folders / "alias");
  const auto by_alias = files_below(RootNames({folders / "alias"}, real_path));
  CHECK(text_of(by_alias->read(folders / "alias/a")) == "a");
  CHECK(text_of(by_alias->read(folders / "root/a")) == "a");

  for (const WayBelow way : kWays) {
    const auto later = files_below(RootNames({folders / "alias/later"}, real_path), way);
    CHECK_FALSE(later->stat(folders / "alias/later"));
    fs::create_directory(folders / "root/later");
    folders.write("root/later/x", "x");
    CHECK(text_of(later->read(folders / "alias/later/x")) == "x");
    CHECK(text_of(later->read(folders / "root/later/x")) == "x");
    fs::remove_all(folders / "root/later");
    folders.link("../outside", "later");
    CHECK_FALSE(later->read(folders / "root/later/secret"));
    fs::remove(folders / "root/later");
  }
}

TEST_CASE("files below: the root of everything", "[below]") {
  const Folders folders;
  folders.link(folders / "outside/secret", "absolute");
  for (const WayBelow way : kWays) {
    const auto files = files_below(RootNames({"/"}, real_path), way);
    CHECK(text_of(files->read(folders / "root/a")) == "a");
    CHECK(text_of(files->read(folders / "root/absolute")) == "secret");
    CHECK(files->stat("/")->is_directory);
    CHECK(files->stat("/proc")->is_directory);  // another disk
    CHECK_FALSE(files->read("/dev/null"));
  }
}

}  // namespace etlens::files_below_test
