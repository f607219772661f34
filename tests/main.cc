// SPDX-License-Identifier: Apache-2.0
// Catch itself, compiled once for all tests, and what holds for every run of them: a test without
// an assertion fails, and a test whose tag [needs:…] names what this machine lacks is skipped, and
// said to be. The main that calls it is in a file of its own (catch_main.cc), because fuzz targets
// that use the tests' support have another one.
#define CATCH_CONFIG_RUNNER
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <utility>

namespace {

constexpr int kSkipped = 77;  // for ctest: nothing of what was asked for could run

bool has_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (::access((folder + "/" + name).c_str(), X_OK) == 0) return true;
  }
  return false;
}

// Of a tag [needs:WHAT]: corpus/FOLDER is a folder of the one that ETLENS_CORPUS names, anything
// else a program.
bool has(const std::string& what) {
  const std::string prefix = "corpus/";
  if (what.compare(0, prefix.size(), prefix) != 0) return has_program(what);
  const char* corpus = std::getenv("ETLENS_CORPUS");
  return corpus != nullptr && *corpus != '\0' &&
         std::filesystem::is_directory(std::filesystem::path(corpus) / what.substr(prefix.size()));
}

// The tag of what the test needs and this machine lacks; empty if it can run.
std::string lacking_tag(const Catch::TestCase& test) {
  const std::string prefix = "needs:";
  for (const std::string& tag : test.tags) {
    if (tag.compare(0, prefix.size(), prefix) == 0 && !has(tag.substr(prefix.size()))) return tag;
  }
  return "";
}

// What was asked for, but nothing that has one of these tags. In Catch's words what stands apart is
// asked for together, and a comma begins something else.
std::vector<std::string> without(const std::vector<std::string>& asked,
                                 const std::set<std::string>& tags) {
  std::string left_out;
  for (const std::string& tag : tags) left_out += "~[" + tag + "]";
  std::vector<std::string> spec;
  for (const std::string& words : asked) {
    std::string part;
    for (size_t i = 0; i < words.size(); ++i) {
      if (words[i] != ',' || (i > 0 && words[i - 1] == '\\')) {
        part += words[i];
        continue;
      }
      spec.insert(spec.end(), {std::exchange(part, ""), left_out, ","});
    }
    if (!part.empty()) spec.push_back(part);
  }
  spec.push_back(left_out);
  return spec;
}

}  // namespace

int run_tests(int argc, char** argv) {
  Catch::Session session;
  if (const int status = session.applyCommandLine(argc, argv); status != 0) return status;
  Catch::ConfigData data = session.configData();
  if (data.listTests || data.listTestNamesOnly || data.listTags || data.listReporters ||
      data.showHelp)
    return session.run();
  data.warnings = static_cast<Catch::WarnAbout::What>(Catch::WarnAbout::NoAssertions |
                                                      Catch::WarnAbout::NoTests);
  session.useConfigData(data);

  const Catch::Config& config = session.config();
  std::set<std::string> lacking;
  bool runs_any = false;
  for (const Catch::TestCase& test :
       Catch::filterTests(Catch::getAllTestCasesSorted(config), config.testSpec(), config)) {
    const std::string tag = lacking_tag(test);
    runs_any |= tag.empty();
    if (tag.empty()) continue;
    lacking.insert(tag);
    std::fprintf(stderr, "skipped, [%s] is not here: %s\n", tag.c_str(), test.name.c_str());
  }
  if (lacking.empty()) return session.run();
  if (!runs_any) return kSkipped;
  data.testsOrTags = without(data.testsOrTags, lacking);
  session.useConfigData(data);
  return session.run();
}
