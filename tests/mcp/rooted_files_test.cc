// SPDX-License-Identifier: Apache-2.0
// What an agent may name, on a real disk.
#include "mcp/rooted_files.h"

#include <unistd.h>
#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>

namespace etlens::rooted_files_test {

namespace fs = std::filesystem;

namespace {

class Roots {
 public:
  Roots() {
    fs::remove_all(top_);
    for (const char* folder : {"one/runs", "two", "outside"}) fs::create_directories(top_ / folder);
    for (const char* file : {"one/a", "one/runs/r.etdp", "two/b", "outside/secret"})
      std::ofstream(top_ / file) << file;
    fs::create_symlink(top_ / "outside", top_ / "one/out");
    fs::create_symlink(top_ / "one", top_ / "alias");
    fs::create_symlink(top_ / "two/b", top_ / "one/b");
  }
  ~Roots() { fs::remove_all(top_); }
  Roots(const Roots&) = delete;
  Roots& operator=(const Roots&) = delete;
  std::string operator/(const std::string& name) const { return (top_ / name).string(); }
  mcp::RootedFiles files() const {
    return {real_file_system(), {*this / "alias", *this / "two"}, mcp::RootAccess()};
  }

 private:
  const fs::path top_ = fs::temp_directory_path() / ("etlens_roots_" + std::to_string(::getpid()));
};

}  // namespace

TEST_CASE("mcp roots: files are named from a root, in full, or through links", "[mcp]") {
  const Roots roots;
  const mcp::RootedFiles files = roots.files();
  CHECK(files.roots() == std::vector<std::string>{roots / "one", roots / "two"});
  for (const auto& [name, path] : std::initializer_list<std::pair<std::string, std::string>>{
           {"a", "one/a"},
           {"b", "one/b"},
           {"./runs/../a", "one/a"},
           {roots / "two/b", "two/b"},
           {roots / "alias/a", "alias/a"},
           {"runs/*.etdp", "one/runs/*.etdp"},
           {"", "one"}}) {
    CAPTURE(name);
    const Result<std::string> found = files.resolve(name);
    REQUIRE(found);
    CHECK(*found == roots / path);
  }
  CHECK(files.read(roots / "one/b")->text() == "two/b");
  CHECK(files.read(roots / "alias/a")->text() == "one/a");
}

TEST_CASE("mcp roots: links outside that lead in are for what an agent names", "[mcp]") {
  const Roots roots;
  fs::create_symlink(roots / "one", roots / "outside/in");
  const mcp::RootedFiles files = roots.files();
  CHECK(*files.resolve(roots / "outside/in/a") == roots / "one/a");
  CHECK(*files.resolve(roots / "outside/in/runs/*.etdp") == roots / "one/runs/*.etdp");
  CHECK_FALSE(files.read(roots / "outside/in/a"));
}

TEST_CASE("mcp roots: what lies elsewhere is refused in one sentence", "[mcp]") {
  const Roots roots;
  const mcp::RootedFiles files = roots.files();
  for (const std::string& name :
       {std::string("out/secret"), std::string("../outside/secret"), roots / "outside/secret",
        roots / "one/out/secret", std::string("/etc/passwd"), std::string("out/*"),
        std::string("../outside/*"), std::string("a\0b", 3), std::string("//host/share/a")}) {
    CAPTURE(name);
    const Result<std::string> found = files.resolve(name);
    REQUIRE_FALSE(found);
    CHECK(found.error().code == ErrorCode::NotFound);
    CHECK(found.error().message.find(" is not in the workspace; give a path below " +
                                     (roots / "one") + " or " + (roots / "two")) !=
          std::string::npos);
  }
  const Result<std::string> missing = files.resolve("runs/other.etdp");
  REQUIRE_FALSE(missing);
  CHECK(missing.error().message == "cannot read " + (roots / "one/runs/other.etdp") +
                                       ": No such file or directory; check the path");
}

}  // namespace etlens::rooted_files_test
