// SPDX-License-Identifier: Apache-2.0
#include "tests/support/txtar.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "core/base/text.h"
#include "test_paths.h"

namespace etlens::test {

std::vector<Section> parse_txtar(std::string_view text) {
  std::vector<Section> sections;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n') + 1, text.size());
    const std::string_view line = text.substr(0, end == 0 ? text.size() : end);
    text.remove_prefix(line.size());
    const std::string_view bare = trim(line);
    if (bare.starts_with("-- ") && bare.ends_with(" --")) {
      sections.push_back({std::string(bare.substr(3, bare.size() - 6)), ""});
    } else {
      if (sections.empty()) sections.push_back({"", ""});  // a comment in front
      sections.back().text += line;
    }
  }
  return sections;
}

std::string format_txtar(const std::vector<Section>& sections) {
  std::string text;
  for (const Section& section : sections) {
    if (!section.name.empty()) text += "-- " + section.name + " --\n";
    text += section.text;
  }
  return text;
}

std::vector<std::string> golden_files(const std::string& folder) {
  std::vector<std::string> paths;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(ETLENS_GOLDEN) / folder)) {
    if (entry.path().extension() == ".txtar") paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

bool update_golden() {
  const char* update = std::getenv("ETLENS_UPDATE");
  return update != nullptr && std::string_view(update) == "1";
}

std::string without_expectations(std::string_view source) {
  std::string out;
  while (!source.empty()) {
    const size_t end = std::min(source.find('\n'), source.size());
    std::string_view line = source.substr(0, end);
    source.remove_prefix(std::min(end + 1, source.size()));
    if (const size_t at = line.find("#>"); at != std::string_view::npos) {
      line = line.substr(0, at);
      while (line.ends_with(' ')) line.remove_suffix(1);
    }
    (out += line) += '\n';
  }
  return out;
}

}  // namespace etlens::test
