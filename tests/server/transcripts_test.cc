// SPDX-License-Identifier: Apache-2.0
// Plays the sessions of tests/transcripts: sends what the client said and compares what the server
// says. A transcript is a file of `etlens lsp --record` (rpc/recording_transport.h): `> {…}`
// from the client, `< {…}` to it, and lines that the recorder does not write:
//   # EXAMPLE in FOLDER   in front, once or more: the files of examples/EXAMPLE lie there, those
//                         of the last one are the newest
//   # wait N ms           so much time passes
//   # …                   a remark
// ETLENS_UPDATE=1 writes what the server says now. The order is then that of a server which needs
// no time.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/base/text.h"
#include "test_paths.h"
#include "tests/support/corpus.h"
#include "tests/support/language_client.h"
#include "tests/support/memory_file_system.h"
#include "tests/support/txtar.h"

namespace etlens::transcripts_test {

using namespace etlens::test;

namespace fs = std::filesystem;

namespace {

std::vector<std::string> sorted_paths(const fs::path& folder) {
  std::vector<std::string> paths;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.is_regular_file()) paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::vector<std::string> lines_of(const std::string& path) {
  const std::string text = read_file(path);
  std::vector<std::string> lines;
  for (const std::string_view line : split_lines(text)) lines.emplace_back(line);
  return lines;
}

// The files that the lines `# EXAMPLE in FOLDER` name.
MemoryFileSystem workspace_of(const std::vector<std::string>& transcript) {
  MemoryFileSystem files;
  size_t examples = 0;
  for (const std::string& header : transcript) {
    std::istringstream words(header);
    std::string hash, example, in, folder;
    words >> hash >> example >> in >> folder;
    if (hash != "#" || in != "in" || !folder.starts_with("/")) break;
    ++examples;
    for (const std::string& path : sorted_paths(fs::path(ETLENS_EXAMPLES) / example))
      files.put(folder + "/" + fs::path(path).filename().string(), read_file(path));
  }
  REQUIRE(examples > 0);
  return files;
}

// The transcript as it is with the server's messages of today.
std::vector<std::string> play(const std::vector<std::string>& transcript) {
  const MemoryFileSystem files = workspace_of(transcript);
  std::vector<std::string> played;
  LanguageClient client(files);
  client.answers_requests = false;  // the transcript has the answers
  const auto recorder = client.transport().on_message;
  client.transport().on_message = [&](char direction, const std::string& text) {
    if (recorder) recorder(direction, text);
    played.push_back(std::string(1, direction) + " " + text);
  };
  for (const std::string& line : transcript) {
    if (line.starts_with("> ")) client.feed(lsp::frame(line.substr(2)));
    if (!line.starts_with("#")) continue;
    played.push_back(line);
    int milliseconds = 0;
    if (std::sscanf(line.c_str(), "# wait %d ms", &milliseconds) == 1) client.advance(milliseconds);
  }
  client.transport().on_message = nullptr;
  return played;
}

}  // namespace

TEST_CASE("transcripts: the server says what it said", "[server]") {
  const std::vector<std::string> paths = sorted_paths(ETLENS_TRANSCRIPTS);
  CHECK(paths.size() >= 3);
  for (const std::string& path : paths) {
    CAPTURE(path);
    const std::vector<std::string> transcript = lines_of(path);
    const std::vector<std::string> played = play(transcript);
    if (update_golden()) {
      std::ofstream out(path, std::ios::binary);
      for (const std::string& line : played) out << line << '\n';
      continue;
    }
    // The first difference says most.
    const size_t common = std::min(played.size(), transcript.size());
    size_t at = 0;
    while (at < common && played[at] == transcript[at]) ++at;
    CAPTURE(at + 1);
    CHECK((at < played.size() ? played[at] : "") == (at < transcript.size() ? transcript[at] : ""));
  }
}

}  // namespace etlens::transcripts_test
