// SPDX-License-Identifier: Apache-2.0
#include "tests/support/corpus.h"

#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "test_paths.h"

namespace etlens::test {
namespace {

namespace fs = std::filesystem;

bool is_dump(const std::string& name) {
  return name.ends_with(".etdp") || name.ends_with(".etdump") || name.ends_with(".etdp.gz");
}

void collect(const fs::path& folder, std::vector<std::string>& cases) {
  bool has_dump = false;
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.is_directory()) folders.push_back(entry.path());
    else has_dump |= is_dump(entry.path().filename().string());
  }
  if (has_dump) cases.push_back(folder.string());
  std::sort(folders.begin(), folders.end());
  for (const fs::path& inner : folders) collect(inner, cases);
}

}  // namespace

std::string read_file(const std::string& path) {
  std::string content;
  gzFile file = gzopen(path.c_str(), "rb");  // reads plain files as they are
  if (file == nullptr) return content;
  std::vector<char> chunk(1 << 20);
  for (int n = 0; (n = gzread(file, chunk.data(), static_cast<unsigned>(chunk.size()))) > 0;) {
    content.append(chunk.data(), static_cast<size_t>(n));
  }
  gzclose(file);
  return content;
}

std::string unpacked(const std::string& path) {
  if (!path.ends_with(".gz")) return path;
  std::string name = path.substr(1, path.size() - 4);
  std::replace(name.begin(), name.end(), '/', '_');
  const fs::path copy = fs::path(ETLENS_UNPACKED) / name;
  const std::string content = read_file(path);
  if (fs::exists(copy) && fs::file_size(copy) == content.size()) return copy.string();
  // Tests run beside each other: whole, or not there.
  fs::create_directories(copy.parent_path());
  const fs::path part = copy.string() + "." + std::to_string(::getpid());
  std::ofstream(part, std::ios::binary) << content;
  fs::rename(part, copy);
  return copy.string();
}

std::vector<std::string> case_folders() {
  std::vector<std::string> cases;
  collect(ETLENS_TEST_DATA, cases);
  collect(ETLENS_EXAMPLES, cases);
  if (const char* corpus = std::getenv("ETLENS_CORPUS"); corpus != nullptr && *corpus != '\0') {
    collect(corpus, cases);
  }
  return cases;
}

std::vector<Pair> pairs_of(const std::string& folder) {
  std::vector<Pair> pairs;
  std::vector<std::string> records;
  std::vector<std::string> dumps;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".etrecord")) records.push_back(entry.path().string());
    if (is_dump(name)) dumps.push_back(entry.path().string());
  }
  std::sort(records.begin(), records.end());
  std::sort(dumps.begin(), dumps.end());
  for (const std::string& record : records) {
    for (const std::string& dump : dumps) pairs.push_back({dump, record});
  }
  return pairs;
}

}  // namespace etlens::test
