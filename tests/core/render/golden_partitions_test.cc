// SPDX-License-Identifier: Apache-2.0
// The tables of `etlens partitions`: each tests/golden/partitions/*.txtar is input and expectation.
#include "core/render/tables.h"
#include "tests/support/golden.h"

#include <fstream>
#include <sstream>

namespace etlens::golden_partitions_test {

using namespace etlens::test;

TEST_CASE("golden: partitions", "[golden]") {
  const std::vector<std::string> paths = golden_files("partitions");
  REQUIRE_FALSE(paths.empty());
  for (const std::string& path : paths) {
    CAPTURE(path);
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    std::vector<Section> sections = parse_txtar(text.str());
    GoldenProfile golden;
    load_golden(sections, golden);
    CAPTURE(golden.error);
    REQUIRE(golden.study != nullptr);
    const Facts facts(golden.study);
    const TableOptions people{TableStyle::Human};
    const TableOptions data{TableStyle::Data};
    for (Section& section : sections) {
      if (section.name == "partitions") section.text = to_text(partitions_table(facts, people));
      if (section.name == "partitions.csv") section.text = to_csv(partitions_table(facts, data));
      if (section.name == "fallbacks") section.text = to_text(fallbacks_table(facts, people));
      if (section.name == "modules") section.text = to_text(modules_table(facts, "", people));
    }
    const std::string rendered = format_txtar(sections);
    if (update_golden()) std::ofstream(path, std::ios::binary) << rendered;
    else CHECK(rendered == text.str());
  }
}

}  // namespace etlens::golden_partitions_test
