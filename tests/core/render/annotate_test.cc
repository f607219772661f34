// SPDX-License-Identifier: Apache-2.0
#include "core/render/annotate.h"

#include <optional>

#include "core/base/text.h"
#include "core/facts/facts.h"
#include "core/workspace/load.h"
#include "tests/support/dump_builder.h"
#include "tests/support/memory_file_system.h"
#include "tests/support/record_builder.h"
#include "tests/support/surface_words.h"

namespace etlens::annotate_test {

using namespace etlens::test;

namespace {

constexpr uint32_t kHotLine = 80;
const std::string kHotText = "y = self.big(x)";

// A file of 120 lines with one hot line inside a method.
std::string long_source() {
  std::string source;
  for (uint32_t n = 1; n <= 120; ++n) {
    if (n == 70) source += "class Model(nn.Module):\n";
    else if (n == 75) source += "    def forward(self, x):\n";
    else if (n == kHotLine) source += "        " + kHotText + "\n";
    else source += n > 75 && n < 90 ? "        pass  # " + std::to_string(n) + "\n" : "\n";
  }
  return source;
}

struct Loaded {
  MemoryFileSystem files;
  std::optional<Facts> facts;
  std::vector<AnchoredSource> sources;
};

void load(Loaded& loaded, const std::string& source) {
  RecordBuilder record;
  record.node({"a",
               "aten.mm.default",
               1,
               stack_trace({{"/rec/model.py", kHotLine, "forward", kHotText}}, true),
               "",
               {}});
  record.map(0, {1});
  DumpBuilder dump;
  dump.block("Execute").operator_call("mm.out", 0, 0, 5000).framework("Method::execute", 0, 6000);
  loaded.files.put("/w/m.etrecord", record.build());
  loaded.files.put("/w/m.etdp", dump.build());
  if (!source.empty()) loaded.files.put("/w/src/model.py", source);
  LoadRequest request;
  request.etdump = "/w/m.etdp";
  request.etrecord = "/w/m.etrecord";
  request.roots = {"/w"};
  const auto study = load_study(loaded.files, request);
  REQUIRE(study);
  loaded.facts.emplace(*study);
  loaded.sources = read_and_anchor(loaded.files, (*study)->code(), (*study)->sources);
}

}  // namespace

TEST_CASE("annotate: long files fold, the hot line keeps its surroundings", "[annotate]") {
  Loaded loaded;
  load(loaded, long_source());
  const std::string text = annotate_source(*loaded.facts, loaded.sources[0], {});
  CHECK(text.find(" 80 │         y = self.big(x)   5.00 µs 83%\n") != std::string::npos);
  CHECK(text.find(" 70 │ class Model(nn.Module):\n") != std::string::npos);
  CHECK(text.find(" 75 │     def forward(self, x):\n") != std::string::npos);
  CHECK(text.find("⋮ 69 lines") != std::string::npos);
  AnnotateOptions full;
  full.fold = false;
  CHECK(split_lines(annotate_source(*loaded.facts, loaded.sources[0], full)).size() == 121);
}

TEST_CASE("annotate: a file that is not here shows its recorded lines", "[annotate]") {
  Loaded loaded;
  load(loaded, "");
  static constexpr ControlWords kWords =
      control_words({{Control::FindFile, " Give its folder with --root."}});
  const SurfaceWords words(kWords);
  const std::string text = annotate_source(*loaded.facts, loaded.sources[0], {});
  CHECK(text.find("/rec/model.py") == 0);
  CHECK(text.find("Not found here. Give its folder with --root.") != std::string::npos);
  CHECK(text.find("80 │ y = self.big(x)   5.00 µs 83%") != std::string::npos);
}

TEST_CASE("annotate: time of a line that is gone is still listed", "[annotate]") {
  Loaded loaded;
  load(loaded, "class Model:\n    pass\n");
  const std::string text = annotate_source(*loaded.facts, loaded.sources[0], {});
  CHECK(text.find("recorded lines that are no longer found") != std::string::npos);
  CHECK(text.find("y = self.big(x)   5.00 µs 83%") != std::string::npos);
}

TEST_CASE("annotate: control characters of a source never reach the terminal", "[annotate]") {
  Loaded loaded;
  std::string source = long_source();
  source += "evil = '\x1b[2J\x07'\n";
  load(loaded, source);
  AnnotateOptions options;
  options.fold = false;
  const std::string text = annotate_source(*loaded.facts, loaded.sources[0], options);
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK(text.find('\x07') == std::string::npos);
  CHECK(text.find("evil = '") != std::string::npos);
}

TEST_CASE("annotate: times in the unit that was asked for", "[annotate]") {
  Loaded loaded;
  load(loaded, long_source());
  AnnotateOptions options;
  options.unit = TimeScale::Milliseconds;
  const std::string text = annotate_source(*loaded.facts, loaded.sources[0], options);
  CHECK(text.find("y = self.big(x)   0.00500 ms 83%\n") != std::string::npos);
}

}  // namespace etlens::annotate_test
