// SPDX-License-Identifier: Apache-2.0
// Golden files in txtar form: sections that start with `-- name --`. A section is input or
// expectation; with ETLENS_UPDATE=1 a test rewrites the expectations.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace etlens::test {

struct Section {
  std::string name;
  std::string text;
};

std::vector<Section> parse_txtar(std::string_view text);
std::string format_txtar(const std::vector<Section>& sections);
// Every *.txtar below the folder of golden files; paths, sorted.
std::vector<std::string> golden_files(const std::string& folder = "");
bool update_golden();

// The sources without what stands from `#>` on.
std::string without_expectations(std::string_view source);

}  // namespace etlens::test
