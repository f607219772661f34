// SPDX-License-Identifier: Apache-2.0
// OutputFile: what was there stays until the new file is whole, whatever happens in between.
#include "core/base/output_file.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <new>
#include <set>

#include "core/base/budget.h"

namespace etlens::output_file_test {

namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

class Folder {
 public:
  Folder() : root_(fs::temp_directory_path() / ("etlens-output-" + std::to_string(::getpid()))) {
    fs::remove_all(root_);
    fs::create_directories(root_);
  }
  ~Folder() { fs::remove_all(root_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string path(const std::string& name) const { return (root_ / name).string(); }
  std::string put(const std::string& name, const std::string& text) const {
    std::ofstream(root_ / name, std::ios::binary) << text;
    return path(name);
  }
  std::string text(const std::string& name) const {
    std::ifstream file(root_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void link(const std::string& name, const std::string& to) const {
    fs::create_symlink(to, root_ / name);
  }
  Names names() const {
    Names names;
    for (const auto& entry : fs::directory_iterator(root_))
      names.insert(entry.path().filename().string());
    return names;
  }
  mode_t mode(const std::string& name) const {
    struct stat status {};
    ::stat(path(name).c_str(), &status);
    return status.st_mode & 07777;
  }

 private:
  fs::path root_;
};

Result<void> write_file(const std::string& path, const std::string& text,
                        OutputOptions options = {}) {
  Result<OutputFile> file = OutputFile::create(path, options);
  if (!file) return file.error();
  file->write(text);
  return file->commit();
}

// Runs it in a process of its own: its exit status, or the signal that ended it, negative.
int in_a_process(const std::function<int()>& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    // Not what handles them in tests.
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU})
      std::signal(signal, SIG_DFL);
    ::_exit(work());
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

void leave_no_core() {
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
}

}  // namespace

TEST_CASE("an output file takes its place when it is whole", "[base]") {
  const Folder folder;
  const std::string path = folder.put("a.txt", "old");
  ::chmod(path.c_str(), 0640);
  {
    Result<OutputFile> file = OutputFile::create(path);
    REQUIRE(file);
    CHECK(file->write("new"));
    CHECK(folder.text("a.txt") == "old");
    CHECK(folder.names().size() == 2);
    const Result<void> placed = file->commit();
    CHECK(placed);
  }
  CHECK(folder.text("a.txt") == "new");
  CHECK(folder.mode("a.txt") == 0640);
  CHECK(folder.names() == Names{"a.txt"});
}

TEST_CASE("an output file has the rights that new files have", "[base]") {
  const Folder folder;
  const mode_t before = ::umask(027);
  CHECK(write_file(folder.path("a.txt"), "a"));
  CHECK(write_file(folder.path("a.sh"), "a", {.may_replace = false, .is_program = true}));
  ::umask(before);
  CHECK(folder.mode("a.txt") == 0640);
  CHECK(folder.mode("a.sh") == 0750);
  ::chmod(folder.path("a.sh").c_str(), 06755);
  CHECK(write_file(folder.path("a.sh"), "b"));
  CHECK(folder.mode("a.sh") == 0755);  // what others put there runs as nobody else
}

TEST_CASE("an output file that is given up leaves what was there", "[base]") {
  const Folder folder;
  const std::string path = folder.put("a.txt", "old");
  {
    Result<OutputFile> file = OutputFile::create(path);
    REQUIRE(file);
    CHECK(file->write("new"));
    Result<OutputFile> other = OutputFile::create(path);
    REQUIRE(other);
    *other = std::move(*file);  // gives up what it had
    CHECK(folder.names().size() == 2);
  }
  CHECK(folder.names() == Names{"a.txt"});
  const Result<void> spent = within_budget(CancelToken(), [&]() -> Result<void> {
    Result<OutputFile> file = OutputFile::create(path);
    file->write("new");
    throw std::bad_alloc();
  });
  CHECK_FALSE(spent);
  CHECK(folder.text("a.txt") == "old");
  CHECK(folder.names() == Names{"a.txt"});
}

TEST_CASE("a link under the name of an output file is replaced, not followed", "[base]") {
  const Folder folder;
  folder.put("victim", "precious");
  folder.link("to-file", folder.path("victim"));
  folder.link("relative", "victim");
  folder.link("dangling", folder.path("nothing"));
  folder.link("loop", "loop");
  folder.link("to-null", "/dev/null");
  fs::create_hard_link(folder.path("victim"), folder.path("hard"));
  for (const std::string name : {"to-file", "relative", "dangling", "loop", "to-null", "hard"}) {
    CAPTURE(name);
    CHECK(write_file(folder.path(name), "new"));
    CHECK(fs::is_regular_file(fs::symlink_status(folder.path(name))));
    CHECK(folder.text(name) == "new");
    CHECK(folder.text("victim") == "precious");
  }
  CHECK_FALSE(fs::exists(folder.path("nothing")));
}

TEST_CASE("what is planted under temporary names is left alone", "[base]") {
  const Folder folder;
  const std::string path = folder.put("a.txt", "old");
  folder.put("victim", "precious");
  const auto planted = [&](unsigned attempt) { return fs::path(temporary_name(path, attempt)); };
  fs::create_symlink(folder.path("victim"), planted(0));
  fs::create_symlink(folder.path("nothing"), planted(1));
  fs::create_directory(planted(2));
  REQUIRE(::mkfifo(planted(3).c_str(), 0600) == 0);
  std::ofstream(planted(4)) << "another's";
  CHECK(write_file(path, "new"));
  CHECK(folder.text("a.txt") == "new");
  CHECK(folder.text("victim") == "precious");
  CHECK(folder.names().size() == 7);
  CHECK_FALSE(fs::exists(folder.path("nothing")));
  for (unsigned attempt = 5; attempt < 100; ++attempt)
    fs::create_symlink(folder.path("victim"), planted(attempt));
  const Result<void> refused = write_file(path, "newer");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.find("File exists") != std::string::npos);
  CHECK(folder.text("a.txt") == "new");
  CHECK(folder.text("victim") == "precious");
}

TEST_CASE("an output file that may not replace fails if the name was taken meanwhile", "[base]") {
  const Folder folder;
  for (const bool is_link : {false, true}) {
    const std::string name = is_link ? "link" : "file";
    Result<OutputFile> file = OutputFile::create(folder.path(name), {.may_replace = false});
    REQUIRE(file);
    CHECK(file->write("ours"));
    if (is_link) folder.link(name, "nowhere");
    else folder.put(name, "theirs");
    CHECK_FALSE(file->commit());
  }
  CHECK(folder.text("file") == "theirs");
  CHECK(fs::read_symlink(folder.path("link")) == "nowhere");
  CHECK(folder.names() == Names{"file", "link"});
}

TEST_CASE("a signal ends the process as ever, and removes what is unfinished", "[base]") {
  const Folder folder;
  const std::string path = folder.put("a.txt", "old");
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU}) {
    CAPTURE(signal);
    CHECK(in_a_process([&] {
            leave_no_core();
            Result<OutputFile> file = OutputFile::create(path);
            Result<OutputFile> other = OutputFile::create(folder.path("b.txt"));
            if (!file || !other || !file->write("new")) return 1;
            if (folder.names().size() != 3) return 2;
            ::raise(signal);
            return 3;
          }) == -signal);
    CHECK(folder.names() == Names{"a.txt"});
    CHECK(folder.text("a.txt") == "old");
  }
  // As `nohup` asks for it.
  CHECK(in_a_process([&] {
          std::signal(SIGHUP, SIG_IGN);
          Result<OutputFile> file = OutputFile::create(path);
          if (!file || !file->write("new")) return 1;
          ::raise(SIGHUP);
          return file->commit() ? 0 : 2;
        }) == 0);
  CHECK(folder.text("a.txt") == "new");
}

TEST_CASE("a signal to a process that was forked leaves its parent's file", "[base]") {
  const Folder folder;
  CHECK(in_a_process([&] {
          Result<OutputFile> file = OutputFile::create(folder.path("a.txt"));
          if (!file) return 1;
          if (in_a_process([] { return ::raise(SIGTERM); }) != -SIGTERM) return 2;
          file->write("whole");
          return file->commit() ? 0 : 3;
        }) == 0);
  CHECK(folder.text("a.txt") == "whole");
}

TEST_CASE("a limit on the size of files leaves what was there", "[base]") {
  const Folder folder;
  const std::string path = folder.put("a.txt", "old");
  CHECK(in_a_process([&] {
          std::signal(SIGXFSZ, SIG_IGN);
          const rlimit limit{1000, 1000};
          ::setrlimit(RLIMIT_FSIZE, &limit);
          const Result<void> written = write_file(path, std::string(1001, 'x'));
          if (written) return 1;
          return written.error().message.find(
                     "File too large; check the path and the space left") != std::string::npos
                     ? 0
                     : 2;
        }) == 0);
  CHECK(folder.text("a.txt") == "old");
  CHECK(folder.names() == Names{"a.txt"});
}

TEST_CASE("pipes and devices that are named are written directly", "[base]") {
  const Folder folder;
  REQUIRE(::mkfifo(folder.path("pipe").c_str(), 0600) == 0);
  const int reader = ::open(folder.path("pipe").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  CHECK(write_file(folder.path("pipe"), "through"));
  char bytes[16];
  CHECK(::read(reader, bytes, sizeof bytes) == 7);
  ::close(reader);
  CHECK(fs::is_fifo(folder.path("pipe")));
  CHECK(write_file("/dev/null", "gone"));
  CHECK(fs::is_character_file("/dev/null"));
  const Result<void> full = write_file("/dev/full", "too much");
  REQUIRE_FALSE(full);
  CHECK(full.error().message.find("cannot write /dev/full: No space left on device") == 0);
}

TEST_CASE("descriptors that are named are written where they are", "[base]") {
  const Folder folder;
  const std::string path = folder.put("log", "before ");
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  for (const std::string prefix : {"/dev/fd/", "/proc/self/fd/", "/dev/../dev//fd/"}) {
    CAPTURE(prefix);
    CHECK(write_file(prefix + std::to_string(descriptor), "x"));
  }
  ::close(descriptor);
  CHECK(folder.text("log") == "before xxx");
  CHECK_FALSE(write_file("/dev/fd/" + std::to_string(descriptor), "x"));
}

TEST_CASE("a reader that leaves early is no error", "[base]") {
  const Folder folder;
  REQUIRE(::mkfifo(folder.path("pipe").c_str(), 0600) == 0);
  CHECK(in_a_process([&] {
          std::signal(SIGPIPE, SIG_IGN);
          const int reader = ::open(folder.path("pipe").c_str(), O_RDONLY | O_NONBLOCK);
          Result<OutputFile> file = OutputFile::create(folder.path("pipe"));
          ::close(reader);
          if (!file || file->write("nobody reads this")) return 1;
          return file->commit() ? 0 : 2;
        }) == 0);
}

TEST_CASE("a growing file is in its place from its first line on", "[base]") {
  const Folder folder;
  const std::string path = folder.put("a.jsonl", "old");
  Result<OutputFile> file = OutputFile::create(path);
  REQUIRE(file);
  CHECK(folder.text("a.jsonl") == "old");
  CHECK(file->write("1\n"));
  const Result<void> published = file->publish();
  REQUIRE(published);
  CHECK(folder.text("a.jsonl") == "1\n");
  CHECK(file->write("2\n"));
  CHECK(folder.text("a.jsonl") == "1\n2\n");
  CHECK(folder.names() == Names{"a.jsonl"});
}

TEST_CASE("where no output file can be, a sentence says why", "[base]") {
  const Folder folder;
  fs::create_directory(folder.path("folder"));
  folder.link("link", "folder");
  folder.put("file", "old");
  const std::pair<std::string, std::string> cases[]{
      {"folder", "Is a directory"},      {"link", "Is a directory"},
      {"new/", "Is a directory"},        {"missing/a.txt", "No such file or directory"},
      {"file/a.txt", "Not a directory"}, {std::string(300, 'x'), "File name too long"},
  };
  for (const auto& [name, why] : cases) {
    CAPTURE(name);
    const Result<void> refused = write_file(folder.path(name), "new");
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message ==
          "cannot write " + folder.path(name) + ": " + why + "; check the path and the space left");
  }
  CHECK(folder.names() == Names{"file", "folder", "link"});
  CHECK(write_file(folder.path(std::string(250, 'x')), "a long name"));
}

}  // namespace etlens::output_file_test
