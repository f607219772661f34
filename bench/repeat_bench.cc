// SPDX-License-Identifier: Apache-2.0
// Do numbers repeat? How much two halves of a dump's executions disagree about where the time went,
// and how much processes of one program do; for the mean of what was logged and for what is
// typical.
//
//   etlens_repeat_bench [FOLDER…]     default: $ETLENS_CORPUS; without it the tests' own data
//
// Halves: every dump of at least 50 executions with a record; executions 1-25 against 26-50.
// Processes: the comparisons "aa-…" of the folders' pairs.json, programs in which nothing changed;
// every pair of calm runs, and those of one run each.
//
// The figures are total variations in percent: the share of the time that would have to move from
// one place to another to make both equal. Places of halves are lines and parts, places of
// processes are lines. Fails where halves of what is typical disagree by more than the bounds
// below.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "bench/corpus_dumps.h"
#include "core/measure/time.h"

namespace {

using namespace etlens;
namespace fs = std::filesystem;
using nlohmann::json;

constexpr size_t kLeastExecutions = 50;
constexpr double kMuch = 5;  // percent

// Of the halves of what is typical, in percent.
struct Bounds {
  double median;
  double worst;
  size_t above;  // dumps above kMuch
};
constexpr Bounds kOfCorpus{1.5, 18, 4};
constexpr Bounds kOfTestData{3, 18, 1};  // a handful of dumps

// By line ("file:12") and part: shares of everything but the disturbance.
using Shares = std::map<std::string, double>;

// A figure by the mean of what was logged, and by what is typical.
struct Figures {
  double mean = 0;
  double typical = 0;
};

double variation(const Shares& a, const Shares& b) {
  double sum = 0;
  for (const auto& [place, share] : a) {
    const auto other = b.find(place);
    sum += std::abs(share - (other == b.end() ? 0 : other->second));
  }
  for (const auto& [place, share] : b) {
    if (!a.contains(place)) sum += share;
  }
  return 100 * sum / 2;
}

void make_shares(Shares& amounts) {
  double sum = 0;
  for (const auto& [place, amount] : amounts) sum += amount;
  for (auto& [place, amount] : amounts) amount /= std::max(sum, 1.0);
}

Shares shares_of(const Measure& measure, bool lines_only) {
  Shares shares;
  const Code& code = *measure.landings->code;
  for (size_t l = 0; l < measure.lines.size(); ++l) {
    const CodeLine& line = code.lines[l];
    shares[fmt::format("{}:{}", code.recorded_path(line.file), line.number)] +=
        static_cast<double>(measure.lines[l].self.amount.value);
  }
  for (size_t p = 0; p < kParts && !lines_only; ++p) {
    const Part part = static_cast<Part>(p);
    if (part != Part::Line)
      shares[std::string(name_of(part))] = static_cast<double>(measure.total[part].value);
  }
  make_shares(shares);
  return shares;
}

Shares measured(const Join& join, const TimeOptions& options, bool lines_only) {
  const Result<TimeMeasure> time = measure_time(join, options);
  if (!time) return {};
  return shares_of(time->measure, lines_only);
}

// The shares by either statistic.
struct BothShares {
  Shares mean;
  Shares typical;
};

BothShares both(const Join& join, const std::string& executions, bool lines_only) {
  return {measured(join, {Statistic::Mean, executions, true}, lines_only),
          measured(join, {Statistic::Typical, executions, false}, lines_only)};
}

Figures apart(const BothShares& a, const BothShares& b) {
  return {variation(a.mean, b.mean), variation(a.typical, b.typical)};
}

double median_of(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const size_t n = values.size();
  return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

struct Summary {
  Figures median;
  Figures worst;
  std::pair<size_t, size_t> above;  // kMuch
};

Summary summary_of(const std::vector<Figures>& rows) {
  std::vector<double> mean;
  std::vector<double> typical;
  Summary summary;
  for (const Figures& row : rows) {
    mean.push_back(row.mean);
    typical.push_back(row.typical);
    summary.worst.mean = std::max(summary.worst.mean, row.mean);
    summary.worst.typical = std::max(summary.worst.typical, row.typical);
    summary.above.first += row.mean > kMuch ? 1 : 0;
    summary.above.second += row.typical > kMuch ? 1 : 0;
  }
  summary.median = {median_of(mean), median_of(typical)};
  return summary;
}

void print_row(const std::string& name, const Figures& figures) {
  fmt::print("{:<58} {:>7.2f} {:>8.2f}\n", name, figures.mean, figures.typical);
}

void print_summary(const Summary& summary) {
  print_row("median", summary.median);
  print_row("worst", summary.worst);
  fmt::print("{:<58} {:>7} {:>8}\n", fmt::format("above {} %", kMuch), summary.above.first,
             summary.above.second);
}

// Every dump of the folder with its first record.
std::vector<Figures> print_halves_of(const fs::path& folder, const fs::path& shown_from) {
  std::vector<Figures> rows;
  for (const DumpFiles& files : dumps_in(folder)) {
    const std::optional<Join> join = join_of(files);
    if (!join || join->selected().runs.size() < kLeastExecutions) continue;
    rows.push_back(apart(both(*join, "1-25", false), both(*join, "26-50", false)));
    print_row(files.dump.lexically_relative(shown_from).string(), rows.back());
  }
  return rows;
}

// The runs of one side of a comparison.
void add_runs(const fs::path& folder, const json& side, std::map<std::string, BothShares>& runs) {
  for (const json& run : side["runs"]) {
    const auto [at, is_new] = runs.try_emplace(run.get<std::string>());
    if (!is_new) continue;
    const std::optional<Join> join =
        join_of({folder / at->first, folder / side["record"].get<std::string>(),
                 folder / side["program"].get<std::string>()});
    if (join) at->second = both(*join, "all", true);
  }
}

void print_processes(const fs::path& pairs) {
  const json comparisons = json::parse(std::ifstream(pairs));
  if (!comparisons.is_array()) return;
  bool is_first = true;
  for (const json& comparison : comparisons) {
    const std::string name = comparison.value("name", "");
    if (!name.starts_with("aa-") || name.ends_with("-busy")) continue;
    if (std::exchange(is_first, false)) fmt::print("\nprocesses of one program, lines\n");
    std::map<std::string, BothShares> runs;
    add_runs(pairs.parent_path(), comparison["a"], runs);
    add_runs(pairs.parent_path(), comparison["b"], runs);
    std::vector<Figures> rows;
    for (auto a = runs.begin(); a != runs.end(); ++a) {
      for (auto b = std::next(a); b != runs.end(); ++b) rows.push_back(apart(a->second, b->second));
    }
    const Summary summary = summary_of(rows);
    if (rows.size() == 1) {
      print_row(name, rows.front());
      continue;
    }
    print_row(fmt::format("{}: median of {} pairs", name, rows.size()), summary.median);
    print_row(name + ": worst", summary.worst);
  }
}

bool is_within(const Summary& summary, const Bounds& bounds) {
  return summary.median.typical <= bounds.median && summary.worst.typical <= bounds.worst &&
         summary.above.second <= bounds.above;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<fs::path> roots(argv + 1, argv + argc);
  const char* corpus = std::getenv("ETLENS_CORPUS");
  if (roots.empty() && corpus != nullptr && *corpus != '\0') roots.emplace_back(corpus);
  const Bounds& bounds = roots.empty() ? kOfTestData : kOfCorpus;
  if (roots.empty()) roots = {ETLENS_SOURCE_DIR "/examples", ETLENS_SOURCE_DIR "/tests/data"};
  fmt::print("{:<58} {:>7} {:>8}\n", "executions 1-25 against 26-50, lines and parts", "mean",
             "typical");
  std::vector<Figures> halves;
  std::vector<fs::path> comparisons;
  for (const fs::path& root : roots) {
    for (const fs::path& folder : folders_below(root)) {
      const std::vector<Figures> rows = print_halves_of(folder, root);
      halves.insert(halves.end(), rows.begin(), rows.end());
      if (fs::exists(folder / "pairs.json")) comparisons.push_back(folder / "pairs.json");
    }
  }
  const Summary summary = summary_of(halves);
  print_summary(summary);
  for (const fs::path& pairs : comparisons) print_processes(pairs);
  if (halves.empty() || !is_within(summary, bounds)) {
    fmt::print(stderr,
               "what is typical repeats worse than median {} %, worst {} %, {} above {} %\n",
               bounds.median, bounds.worst, bounds.above, kMuch);
    return 1;
  }
  return 0;
}
