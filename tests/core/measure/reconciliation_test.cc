// SPDX-License-Identifier: Apache-2.0
// On every real artifact, for every statistic, the parts and the disturbance add up to
// Method::execute in integer ticks, per execution and in sum; lines, modules and partitions agree
// with the parts; and the mean of what was logged is what it always was.
#include <algorithm>
#include <filesystem>
#include <map>

#include "core/base/text.h"
#include "test_paths.h"
#include "tests/support/corpus.h"
#include "tests/support/times.h"

namespace etlens::reconciliation_test {

using namespace etlens::test;

namespace {

constexpr Statistic kStatistics[]{Statistic::Typical, Statistic::Mean, Statistic::Median,
                                  Statistic::Minimum, Statistic::Maximum};

// Method::execute of one run, straight from the log.
Amount execute_ticks(const EventLog& log, const Run& run) {
  const std::vector<EventKey>& events = log.sequence(run.sequence).events;
  Amount ticks;
  for (size_t i = 0; i < events.size(); ++i) {
    if (log.text(events[i].name) != "Method::execute") continue;
    const uint64_t at = run.first_row + i;
    ticks += Amount(elapsed_ticks(log.start[at], log.end[at]));
  }
  return ticks;
}

void check_samples(const Join& join, const Measure& measure) {
  const std::vector<RunId>& runs = join.selected().runs;
  REQUIRE(measure.samples.totals.size() == runs.size());
  for (size_t s = 0; s < runs.size(); ++s)
    REQUIRE(measure.samples.totals[s] == execute_ticks(*join.log, join.log->run(runs[s])));
  Amount sum;
  for (const uint32_t s : measure.samples.used) sum += measure.samples.totals[s];
  REQUIRE(sum == measure.total.total);
}

void check_contributions(const Measure& measure) {
  Total sum;
  for (const Total& self : measure.self) {
    sum += self;
    REQUIRE(self.amount >= Amount());
    if (measure.statistic == Statistic::Typical) REQUIRE(self.disturbance >= Amount());
    if (measure.statistic == Statistic::Mean) REQUIRE(self.disturbance == Amount());
  }
  REQUIRE(sum.amount == measure.total.typical());
  REQUIRE(sum.amount + sum.disturbance == measure.total.total);
}

void check_lines(const Measure& measure) {
  Amount lines;
  for (const LineTotal& line : measure.lines) {
    lines += line.self.amount;
    REQUIRE(line.inclusive.amount >= line.self.amount);
    REQUIRE(line.inclusive.amount <= measure.total.typical());
  }
  REQUIRE(lines == measure.total[Part::Line]);
}

void check_modules(const Code& code, const Measure& measure) {
  Amount modules;
  for (size_t m = 0; m < measure.modules.size(); ++m) {
    modules += measure.modules[m].self.amount;
    const ModuleId parent = code.modules[m].parent;
    if (!parent.valid()) continue;
    REQUIRE(measure.modules[parent.value].inclusive.amount >= measure.modules[m].inclusive.amount);
  }
  const Amount leaves = measure.total[Part::Line] + measure.total[Part::OpaquePartition] +
                        measure.total[Part::Unattributed];
  REQUIRE(modules == leaves);
  REQUIRE(measure.modules.front().inclusive.amount == leaves);
}

void check_partitions(const Measure& measure) {
  for (const PartitionTotal& partition : measure.partitions) {
    REQUIRE(partition.explained + partition.opaque + partition.overhead == partition.total.amount);
  }
}

// "<recorded path>:<line>", and its self and inclusive ticks.
using LineTicks = std::map<std::string, std::pair<int64_t, int64_t>>;

// One block of one pair, as tests/data/mean-raw.tsv has it.
struct Golden {
  std::string etdump;  // from the root of the project
  std::string etrecord;
  std::string pte;  // "" for none
  std::string block;
  std::vector<int64_t> totals;  // of everything, then of each part
  LineTicks lines;
};

int64_t number(std::string_view text) {
  const std::optional<int64_t> value = parse_int(text);
  REQUIRE(value);
  return *value;
}

std::vector<Golden> read_golden() {
  std::vector<Golden> rows;
  const std::string text = read_file(ETLENS_TEST_DATA "/mean-raw.tsv");
  for (const std::string_view line : split_lines(text)) {
    const std::vector<std::string_view> cells = split(line, '\t');
    if (cells[0] != "pair") {
      rows.back().lines[std::string(cells[0])] = {number(cells[1]), number(cells[2])};
      continue;
    }
    Golden& row = rows.emplace_back();
    row.etdump = cells[1];
    row.etrecord = cells[2];
    if (cells[3] != "-") row.pte = cells[3];
    row.block = cells[4];
    for (size_t i = 5; i < cells.size(); ++i) row.totals.push_back(number(cells[i]));
  }
  return rows;
}

LineTicks lines_of(const Join& join, const Measure& measure) {
  LineTicks lines;
  const Code& code = join.code();
  for (size_t l = 0; l < code.lines.size(); ++l) {
    const LineTotal& total = measure.lines[l];
    const std::string name(code.recorded_path(code.lines[l].file));
    lines[name + ":" + std::to_string(code.lines[l].number)] = {total.self.amount.value,
                                                                total.inclusive.amount.value};
  }
  return lines;
}

}  // namespace

TEST_CASE("reconciliation: every block of every real pair, by every statistic",
          "[reconciliation]") {
  size_t checked = 0;
  for (const std::string& folder : case_folders()) {
    // The program places what is inside of branches and loops.
    const bool has_control = folder.find("/control/") != std::string::npos;
    for (const Pair& pair : pairs_of(folder)) {
      CAPTURE(pair.etdump, pair.etrecord);
      for (const JoinedFiles& joined : joins_of(unpacked(pair.etdump), pair.etrecord,
                                                has_control ? folder + "/model.pte" : "")) {
        CHECK(joined.fit.score == 1);  // all these pairs belong together
        for (const Statistic statistic : kStatistics) {
          for (const bool is_raw : {false, true}) {
            CAPTURE(name_of(statistic), is_raw);
            const Result<TimeMeasure> time = measure_time(joined.join, {statistic, "", is_raw});
            REQUIRE(time);
            check_samples(joined.join, time->measure);
            check_contributions(time->measure);
            check_lines(time->measure);
            check_modules(joined.join.code(), time->measure);
            check_partitions(time->measure);
            ++checked;
          }
        }
      }
    }
  }
  CHECK(checked >= 200);
}

TEST_CASE("reconciliation: the mean of what was logged is what it always was", "[reconciliation]") {
  const std::string root = ETLENS_SOURCE "/";
  const std::vector<Golden> golden = read_golden();
  CHECK(golden.size() >= 70);
  for (const Golden& row : golden) {
    CAPTURE(row.etdump, row.etrecord, row.pte, row.block);
    const std::string pte = row.pte.empty() ? "" : root + row.pte;
    for (JoinedFiles& joined : joins_of(root + row.etdump, root + row.etrecord, pte)) {
      if (joined.join.selected().name != row.block) continue;
      const Timed timed = time_of(std::move(joined.join), mean_raw());
      std::vector<int64_t> totals{timed.total()};
      for (size_t p = 0; p < kParts; ++p) {
        const int64_t ticks = timed.part(static_cast<Part>(p));
        // Newer than the table; none of its pairs has a dynamic shape.
        if (static_cast<Part>(p) == Part::Sizes) CHECK(ticks == 0);
        else totals.push_back(ticks);
      }
      CHECK(totals == row.totals);
      LineTicks lines = lines_of(timed.join, timed.measure());
      // A code has lines that no event of this dump came to.
      std::erase_if(lines, [&](const auto& line) {
        return !row.lines.contains(line.first) && line.second.second == 0;
      });
      CHECK(lines == row.lines);
    }
  }
}

}  // namespace etlens::reconciliation_test
