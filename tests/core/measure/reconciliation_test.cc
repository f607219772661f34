// SPDX-License-Identifier: Apache-2.0
// On every real artifact the parts add up to Method::execute, in integer ticks, per execution and
// in sum; lines, modules and partitions agree with the parts.
#include "core/workspace/load.h"
#include "core/join/attribution.h"
#include "tests/support/corpus.h"

using namespace etlens;
using namespace etlens::test;

namespace {

// Method::execute of one run, straight from the log.
uint64_t execute_ticks(const EventLog& log, const Run& run) {
  const std::vector<EventKey>& events = log.sequences[run.sequence].events;
  uint64_t ticks = 0;
  for (size_t i = 0; i < events.size(); ++i) {
    if (log.text(events[i].name) != "Method::execute") continue;
    ticks += elapsed_ticks(log.start[run.first_row + i], log.end[run.first_row + i]);
  }
  return ticks;
}

void check_profile(const Profile& profile) {
  Reconciliation sum;
  for (size_t r = 0; r < profile.executions.size(); ++r) {
    const Reconciliation& execution = profile.executions[r];
    REQUIRE(execution.sum() == execution.total);
    REQUIRE(execution.total ==
            execute_ticks(*profile.log, profile.log->runs[profile.selected().runs[r]]));
    sum.total += execution.total;
  }
  REQUIRE(sum.total == profile.total.total);
  REQUIRE(profile.total.sum() == profile.total.total);

  uint64_t lines = 0;
  for (const LineRow& line : profile.lines) {
    lines += line.self_ticks;
    REQUIRE(line.inclusive_ticks >= line.self_ticks);
    REQUIRE(line.inclusive_ticks <= profile.total.total);
  }
  REQUIRE(lines == profile.total[TimePart::Line]);

  uint64_t events = 0;
  for (const EventRow& event : profile.events) events += event.self_ticks;
  REQUIRE(events == profile.total.total);

  uint64_t modules = 0;
  for (const ModuleRow& module : profile.modules) {
    modules += module.self_ticks;
    if (module.parent.valid()) {
      REQUIRE(profile.modules[module.parent.value].inclusive_ticks >= module.inclusive_ticks);
    }
  }
  const uint64_t leaves = profile.total[TimePart::Line] + profile.total[TimePart::OpaquePartition] +
                          profile.total[TimePart::Unattributed];
  REQUIRE(modules == leaves);
  REQUIRE(profile.modules.front().inclusive_ticks == leaves);

  for (const PartitionRow& partition : profile.partitions) {
    REQUIRE(partition.explained_ticks + partition.opaque_ticks + partition.overhead_ticks ==
            partition.total_ticks);
  }
}

}  // namespace

TEST_CASE("reconciliation: every block of every real pair", "[reconciliation]") {
  size_t checked = 0;
  for (const std::string& folder : case_folders()) {
    for (const Pair& pair : pairs_of(folder)) {
      CAPTURE(pair.etdump, pair.etrecord);
      LoadRequest load;
      load.etdump = unpacked(pair.etdump);
      load.etrecord = pair.etrecord;
      const auto artifacts = load_artifacts(real_file_system(), load);
      if (!artifacts) FAIL(artifacts.error().message);
      for (size_t b = 0; b < artifacts->blocks.size(); ++b) {
        const Block& block = artifacts->blocks[b];
        if (!block.is_execution) continue;
        const auto fits = fit_methods(*artifacts->log, artifacts->trees, block, *artifacts->record);
        const auto best = std::max_element(
            fits.begin(), fits.end(),
            [](const MethodFit& x, const MethodFit& y) { return x.score < y.score; });
        REQUIRE(best != fits.end());
        CHECK(best->score == 1);  // all these pairs belong together
        AttributionRequest request;
        request.log = artifacts->log;
        request.record = artifacts->record;
        request.trees = artifacts->trees;
        request.blocks = artifacts->blocks;
        request.block = BlockId(b);
        request.method = best->method;
        check_profile(attribute(request));
        ++checked;
      }
    }
  }
  CHECK(checked >= 15);
}
