// SPDX-License-Identifier: Apache-2.0
// What docs/comparing.md promises, held against the processes in tests/data: without a change
// hardly anybody is accused, a slowdown is found, other lowerings are compared module by module.
#include "test_paths.h"
#include "tests/core/compare/sides.h"

namespace etlens::promises_test {

using namespace etlens::test;

namespace {

struct Split {
  std::vector<size_t> before;
  std::vector<size_t> after;
};

// The ten ways to make two sides of six dumps.
std::vector<Split> splits() {
  std::vector<Split> all;
  for (size_t a = 1; a < 6; ++a) {
    for (size_t b = a + 1; b < 6; ++b) {
      Split split{{0, a, b}, {}};
      for (size_t d = 1; d < 6; ++d)
        if (d != a && d != b) split.after.push_back(d);
      all.push_back(split);
    }
  }
  return all;
}

std::shared_ptr<const Side> side_of(const std::string& folder) {
  SideRequest request;
  request.load.etrecord = folder + "/model.etrecord";
  request.load.pte = folder + "/model.pte";
  request.dumps = {folder + "/run10.etdp"};
  Result<Side> side = load_side(real_file_system(), request);
  if (!side) FAIL(side.error().message);
  return std::make_shared<const Side>(std::move(*side));
}

}  // namespace

TEST_CASE("Any two halves of six processes of one program: nobody is accused") {
  Alarms lines;
  Alarms totals;
  for (const char* name : {"base", "renamed", "wider"}) {
    const auto side = side_of_data(name);
    for (const Split& split : splits()) {
      const Comparison comparison =
          compared(part_of(*side, split.before), part_of(*side, split.after));
      CHECK(reconciles(comparison));
      for (const LineChange& line : comparison.lines) lines.add(line.change);
      totals.add(comparison.total);
    }
  }
  CHECK(totals.tested == 30);
  CHECK(lines.tested > 60);
  CHECK(lines.share() <= 0.01);
  CHECK(totals.share() <= 0.02);
}

TEST_CASE("A line that was made twice as slow is found in any two halves, and no other") {
  const auto side = side_of_data("base");
  size_t injected = 0;
  size_t found = 0;
  Alarms others;
  for (const Split& split : splits()) {
    const auto before = part_of(*side, split.before);
    const auto after = part_of(*side, split.after);
    for (const LineChange& line : compared(before, after).lines) {
      if (line.change.before.share < 0.05) continue;
      const LineId id = line.after.front();
      ++injected;
      for (const LineChange& row : compared(before, scaled(*after, id, 2)).lines) {
        if (row.after.front() != id) others.add(row.change);
        else if (row.change.judged.verdict == Verdict::Slower) ++found;
      }
    }
  }
  CHECK(injected > 20);
  CHECK(others.tested > 20);
  CHECK(static_cast<double>(found) >= 0.85 * static_cast<double>(injected));
  CHECK(others.share() <= 0.05);
}

TEST_CASE("Portable kernels and XNNPACK's of one source are compared module by module") {
  const std::string models = ETLENS_TEST_DATA "/release-1.5/";
  const Comparison comparison =
      compared(side_of(models + "mlp-portable-fp32"), side_of(models + "mlp-xnnpack-int8"));
  CHECK(reconciles(comparison));
  CHECK(comparison.modules.size() > 3);
  for (const ModuleChange& module : comparison.modules) {
    CAPTURE(module.before.value, module.after.value);
    CHECK(module.before.valid());
    CHECK(module.after.valid());
  }
}

}  // namespace etlens::promises_test
