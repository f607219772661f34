// SPDX-License-Identifier: Apache-2.0
// How much of a slowdown `etlens diff` finds, and how often it accuses without one, on real dumps
// of one program.
//
//   etlens_power_bench [--trials N] NAME RECORD PROGRAM DUMP...
//
// The dumps are processes of one series. Sides of 3, 5 and 10 dumps are drawn from them: a process,
// with replacement, and of its executions a draw in blocks. So what processes differ by, and what
// lines of one process have in common, is as it was measured; there is no process among the drawn
// ones that was not measured. A line of the new side is then made 3, 5, 10 and 20 % slower: the
// lines are drawn from those of a class of weight.
//
// Prints rows of a table in Markdown, found of 100 (in brackets: found as likely), and how many
// other lines were accused; then the same without a slowdown, for drawn sides and for random splits
// of the dumps as they were measured. scripts/power-table puts several series together.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/compare/compare.h"
#include "core/compare/dump_amounts.h"

namespace {

using namespace etlens;

constexpr std::array<size_t, 3> kDumps{3, 5, 10};
constexpr std::array<double, 4> kSlower{1.03, 1.05, 1.10, 1.20};

struct Weight {
  const char* name;
  double least;
  double below;
};
constexpr std::array<Weight, 3> kWeights{
    {{"1–5%", 0.01, 0.05}, {"5–20%", 0.05, 0.2}, {"≥20%", 0.2, 1.1}}};

template <typename T>
T value_or_exit(Result<T> result) {
  if (!result) {
    fmt::print(stderr, "{}\n", result.error().message);
    std::exit(1);
  }
  return std::move(*result);
}

// A process: what its operations take when its executions are drawn again.
struct Process {
  std::vector<std::vector<float>> draws;  // ticks of one execution, by row of Side::operations
  DumpAmounts measured;
};

struct Runs {
  std::shared_ptr<const Side> side;  // all dumps
  std::vector<Process> processes;
};

constexpr size_t kDrawsOfProcess = 200;

// What each contribution takes when the executions are drawn again: in blocks of neighbours, because
// those are alike. Ticks of one execution, a row per draw.
std::vector<std::vector<float>> draw_in_blocks(const Measure& measure) {
  const size_t samples = measure.sample_count();
  if (samples < 2) return {};
  const auto length = static_cast<size_t>(std::ceil(std::cbrt(static_cast<double>(samples))));
  std::minstd_rand random(1);
  std::vector<std::vector<float>> rows;
  for (size_t d = 0; d < kDrawsOfProcess; ++d) {
    std::vector<uint32_t> drawn;
    while (drawn.size() < samples) {
      const size_t first = random() % (samples - length + 1);
      for (size_t i = 0; i < length && drawn.size() < samples; ++i)
        drawn.push_back(measure.samples.used[first + i]);
    }
    std::vector<float>& row = rows.emplace_back();
    std::vector<int64_t> values;
    for (size_t c = 0; c < measure.series.contributions(); ++c) {
      values.clear();
      for (const uint32_t sample : drawn) {
        const int64_t value = measure.series.at(c, sample);
        if (value != Series::kAbsent) values.push_back(value);
      }
      const Amount amount = summarize(values, measure.statistic, measure.slack[c]);
      row.push_back(static_cast<float>(amount.value) / static_cast<float>(samples));
    }
  }
  return rows;
}

Runs load_series(const LoadRequest& load, const std::vector<std::string>& dumps) {
  const FileSystem& files = real_file_system();
  SideRequest request;
  request.load = load;
  request.dumps = dumps;
  Runs series;
  series.side = std::make_shared<const Side>(value_or_exit(load_side(files, request)));
  std::unordered_map<std::string, size_t> rows;  // in the order in which the side has met them
  for (size_t d = 0; d < dumps.size(); ++d) {
    LoadRequest one = load;
    one.etdump = dumps[d];
    const std::shared_ptr<const Study> study = value_or_exit(load_study(files, one));
    const std::vector<std::string> keys = operation_keys(*study->join);
    std::vector<size_t> row_of;
    for (const std::string& key : keys)
      row_of.push_back(rows.try_emplace(key, rows.size()).first->second);
    Process process;
    process.measured = series.side->dumps[d];
    for (const std::vector<float>& draw : draw_in_blocks(study->time())) {
      std::vector<float>& row = process.draws.emplace_back(series.side->operations.size());
      for (size_t e = 0; e < draw.size(); ++e) row[row_of[e]] += draw[e];
    }
    series.processes.push_back(std::move(process));
  }
  return series;
}

std::shared_ptr<Side> without_dumps(const Side& side) {
  auto copy = std::make_shared<Side>();
  copy->code = side.code;
  copy->sources = side.sources;
  copy->operations = side.operations;
  copy->landings = side.landings;
  copy->clock = side.clock;
  copy->etrecord_path = side.etrecord_path;
  return copy;
}

DumpAmounts draw_dump(const Runs& series, std::mt19937& random) {
  const Process& process = series.processes[random() % series.processes.size()];
  const std::vector<float>& draw = process.draws[random() % process.draws.size()];
  DumpAmounts dump = process.measured;
  dump.total = Amount();
  for (size_t i = 0; i < dump.self.size(); ++i) {
    const double ticks = static_cast<double>(draw[i]) * static_cast<double>(dump.executions);
    dump.self[i] = {Amount(std::llround(ticks)), {}};
    dump.total += dump.self[i].amount;
  }
  return dump;
}

std::shared_ptr<const Side> draw_side(const Runs& series, size_t count, std::mt19937& random) {
  const std::shared_ptr<Side> side = without_dumps(*series.side);
  for (size_t i = 0; i < count; ++i) side->dumps.push_back(draw_dump(series, random));
  return side;
}

// As if the operations of the line took so many times as long.
std::shared_ptr<const Side> slowed(const Side& side, LineId line, double factor) {
  auto slower = std::make_shared<Side>(side);
  for (DumpAmounts& dump : slower->dumps) {
    for (size_t i = 0; i < dump.self.size(); ++i) {
      if (side.landings.rows[i].line != line) continue;
      Amount& amount = dump.self[i].amount;
      const Amount more(std::llround(static_cast<double>(amount.value) * (factor - 1)));
      amount += more;
      dump.total += more;
    }
  }
  return slower;
}

struct Count {
  size_t of = 0;
  size_t certain = 0;
  size_t likely = 0;

  void add(const Judged& judged, bool is_wanted) {
    ++of;
    if (!is_wanted) return;
    ++(judged.is_likely ? likely : certain);
  }
  std::string text() const {
    if (of == 0) return "–";
    const double whole = static_cast<double>(of) / 100;
    const std::string found = fmt::format("{:.0f}", static_cast<double>(certain) / whole);
    if (likely == 0) return found;
    return fmt::format("{} ({:.0f})", found, static_cast<double>(certain + likely) / whole);
  }
};

bool is_accused(const Judged& judged) {
  return judged.verdict == Verdict::Slower || judged.verdict == Verdict::Faster;
}

struct Alarms {
  Count lines;
  Count totals;

  // All lines but `except`.
  void add(const Comparison& comparison, LineId except = {}, bool with_total = true) {
    for (const LineChange& line : comparison.lines) {
      const double share = std::max(line.change.before.share, line.change.after.share);
      if (share < kLeastShare || line.after.front() == except) continue;
      lines.add(line.change.judged, is_accused(line.change.judged));
    }
    if (with_total) totals.add(comparison.total.judged, is_accused(comparison.total.judged));
  }
  std::string text() const {
    return fmt::format("{} of {} lines, {} of {} totals", lines.certain + lines.likely, lines.of,
                       totals.certain + totals.likely, totals.of);
  }
};

std::vector<LineId> lines_of(const Comparison& comparison, const Weight& weight) {
  std::vector<LineId> lines;
  for (const LineChange& line : comparison.lines) {
    const double share = line.change.before.share;
    if (share >= weight.least && share < weight.below) lines.push_back(line.after.front());
  }
  return lines;
}

void print_power(const std::string& name, const Runs& series, size_t trials, size_t dumps,
                 std::mt19937& random, Alarms& calm_alarms) {
  std::array<std::array<Count, kSlower.size()>, kWeights.size()> found{};
  Alarms others;
  for (size_t t = 0; t < trials; ++t) {
    const auto before = draw_side(series, dumps, random);
    const auto after = draw_side(series, dumps, random);
    const Comparison calm = value_or_exit(compare(before, after));
    calm_alarms.add(calm);
    for (size_t w = 0; w < kWeights.size(); ++w) {
      const std::vector<LineId> lines = lines_of(calm, kWeights[w]);
      if (lines.empty()) continue;
      const LineId line = lines[random() % lines.size()];
      for (size_t s = 0; s < kSlower.size(); ++s) {
        const Comparison slower = value_or_exit(compare(before, slowed(*after, line, kSlower[s])));
        const Judged& judged = slower.of_line(line)->change.judged;
        found[w][s].add(judged, judged.verdict == Verdict::Slower);
        others.add(slower, line, false);
      }
    }
  }
  for (size_t w = 0; w < kWeights.size(); ++w) {
    if (found[w].front().of == 0) continue;
    fmt::print("| {} | {} | {} |", name, dumps, kWeights[w].name);
    for (const Count& count : found[w]) fmt::print(" {} |", count.text());
    fmt::print("\n");
  }
  fmt::print("others | {} | {} | {} of {} lines\n", name, dumps,
             others.lines.certain + others.lines.likely, others.lines.of);
  std::fflush(stdout);
}

std::shared_ptr<const Side> part_of(const Side& side, const std::vector<size_t>& order, size_t from,
                                    size_t count) {
  const std::shared_ptr<Side> part = without_dumps(side);
  for (size_t i = from; i < from + count; ++i) part->dumps.push_back(side.dumps[order[i]]);
  return part;
}

// Random splits of the dumps as they were measured, one to half of them a side.
Alarms split_alarms(const Runs& series, size_t splits, std::mt19937& random) {
  Alarms alarms;
  std::vector<size_t> order(series.side->dumps.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  for (size_t s = 0; s < splits; ++s) {
    std::shuffle(order.begin(), order.end(), random);
    const size_t count = 1 + s % (order.size() / 2);
    alarms.add(value_or_exit(compare(part_of(*series.side, order, 0, count),
                                     part_of(*series.side, order, count, count))));
  }
  return alarms;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  size_t trials = 100;
  if (arguments.size() > 1 && arguments[0] == "--trials") {
    trials = static_cast<size_t>(std::strtoul(arguments[1].c_str(), nullptr, 10));
    arguments.erase(arguments.begin(), arguments.begin() + 2);
  }
  if (arguments.size() < 5) {
    fmt::print(stderr, "usage: etlens_power_bench [--trials N] NAME RECORD PROGRAM DUMP...\n");
    return 2;
  }
  LoadRequest load;
  load.etrecord = arguments[1];
  load.pte = arguments[2];
  const Runs series = load_series(load, {arguments.begin() + 3, arguments.end()});
  std::mt19937 random(1);
  for (const size_t dumps : kDumps) {
    Alarms calm;
    print_power(arguments[0], series, trials, dumps, random, calm);
    fmt::print("null | {} | {} drawn | {}\n", arguments[0], dumps, calm.text());
  }
  fmt::print("null | {} | measured, split | {}\n", arguments[0],
             split_alarms(series, 2 * trials, random).text());
  return 0;
}
