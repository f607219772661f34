// SPDX-License-Identifier: Apache-2.0
// How well recorded lines are found again after an edit: seeded random edits whose truth is known
// by construction, and real histories of git repositories.
//
//   etlens_anchor_bench [--trials N] [--seed N] [--kind KIND] [--verbose] [PATH…]
//       edits the Python files there, or those of the project
//   etlens_anchor_bench --check …
//       the same without git; fails if etlens falls short of its bounds
//   etlens_anchor_bench --history REPOSITORY [--files N] [--strict]
//       real histories of a git repository
//   etlens_anchor_bench --releases FOLDER FOLDER…
//       or of one tree in several releases, old to new
//   etlens_anchor_bench --speed
//       times for a file of 5,000 lines
//   --verbose: also prints each line that was missed, placed wrongly or placed though gone
//   --strict: what the diffs call deleted is gone, wherever it may have gone (truth.h)
//
// Columns: lines = recorded lines that survive the edit, gone = those that it deletes, placed =
// those of them that etlens places nevertheless; precision = right / placed, recall = right /
// lines. etlens, LCS and "same line" know the recorded lines only; "etlens + file" and git know the
// old file as well. "bare": no class names either. LCS is told the qualified names of functions,
// which no record holds.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <string>

#include "bench/anchoring/corpus.h"
#include "bench/anchoring/edits.h"
#include "bench/anchoring/history.h"
#include "bench/anchoring/score.h"
#include "bench/anchoring/speed.h"
#include "core/source/python/python_tokens.h"

namespace {

using namespace etlens;
using namespace etlens::bench;

struct Options {
  size_t trials = 20;  // per file and kind
  uint64_t seed = 1;
  HistoryOptions history;
  bool speed = false;
  bool check = false;
  bool releases = false;
  std::vector<std::string> paths;
  std::vector<std::string> repositories;
  std::string only;
};

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    const auto value = [&] { return std::string(i + 1 < argc ? argv[++i] : ""); };
    if (word == "--trials") options.trials = std::strtoul(value().c_str(), nullptr, 10);
    else if (word == "--seed") options.seed = std::strtoull(value().c_str(), nullptr, 10);
    else if (word == "--files") options.history.files = std::strtoul(value().c_str(), nullptr, 10);
    else if (word == "--history") options.repositories.push_back(value());
    else if (word == "--kind") options.only = value();
    else if (word == "--verbose") options.history.verbose = true;
    else if (word == "--strict") options.history.reading = Reading::Strict;
    else if (word == "--speed") options.speed = true;
    else if (word == "--check") options.check = true;
    else if (word == "--releases") options.releases = true;
    else options.paths.emplace_back(word);
  }
  return options;
}

constexpr double kRecordedShare = 0.6;
constexpr size_t kMinRecorded = 3;

struct Trial {
  std::vector<Recorded> recorded;
  std::string before, after;
  std::map<uint32_t, uint32_t> truth;
};

// Where only one of two copies was recorded, that one may have the other's name now for all that
// the record tells.
void keep_twins(std::vector<Recorded>& recorded) {
  std::map<std::string, size_t> count;
  for (const Recorded& line : recorded) ++count[line.text];
  std::erase_if(recorded, [&](const Recorded& line) { return count[line.text] == 1; });
}

// The kinds that need no preparation come first.
size_t kind_count() {
  return static_cast<size_t>(
      std::count_if(edit_kinds().begin(), edit_kinds().end(),
                    [](const EditKind& kind) { return kind.prepare == nullptr; }));
}

bool make_trial(const SourceFile& source, const EditKind* kind, Random& random, Trial& trial) {
  Program program(source.text);
  const bool is_prepared = kind != nullptr && kind->prepare != nullptr;
  if (is_prepared) {
    if (!kind->prepare(program, random)) return false;
    program = Program(program.text());
  }
  trial.recorded = record_lines(program, random, kRecordedShare);
  if (is_prepared) keep_twins(trial.recorded);
  if (trial.recorded.size() < kMinRecorded) return false;
  trial.before = program.text();
  const size_t edits = kind == nullptr ? 3 + below(random, 3) : 1;
  bool any = false;
  for (size_t e = 0; e < edits; ++e) {
    const EditKind& one = kind == nullptr ? edit_kinds()[below(random, kind_count())] : *kind;
    any |= one.apply(program, random);
    program.refresh();
  }
  trial.after = program.text();
  trial.truth = program.truth();
  return any && trial.after != trial.before;
}

// For looking at a trial by hand.
void dump(const std::string& folder, const Trial& trial) {
  static size_t number = 0;
  const std::string stem = fmt::format("{}/{:05}", folder, number++);
  std::ofstream(stem + ".py") << trial.after;
  std::ofstream(stem + ".before") << trial.before;
  std::ofstream recorded(stem + ".txt");
  for (const Recorded& line : trial.recorded) {
    recorded << line.line << "\t" << line.function << "\t"
             << fmt::format("{}", fmt::join(line.classes, ",")) << "\t" << line.text << "\n";
  }
  fmt::print("dumped {}\n", stem);
}

void show_mistakes(const SourceFile& source, std::string_view kind, const Trial& trial,
                   const Lines& found) {
  const Document after{std::string(trial.after)};
  if (const char* folder = std::getenv("ETLENS_DUMP")) dump(folder, trial);
  for (size_t r = 0; r < trial.recorded.size(); ++r) {
    const auto at = trial.truth.find(trial.recorded[r].line);
    const uint32_t wanted = at == trial.truth.end() ? 0 : at->second;
    if (found[r] == wanted) continue;
    fmt::print("{} {}: {} {}:{} '{}' -> {} '{}' wanted {} '{}'\n",
               found[r] == 0 ? "missed"
               : wanted == 0 ? "GONE"
                             : "WRONG",
               kind, source.path, trial.recorded[r].function, trial.recorded[r].line,
               trial.recorded[r].text, found[r], found[r] == 0 ? "" : after.line(found[r] - 1),
               wanted, wanted == 0 ? "" : after.line(wanted - 1));
  }
}

void run_kind(const std::vector<SourceFile>& sources, const EditKind* kind, const Options& options,
              Table& table) {
  const std::string_view name = kind == nullptr ? "several" : kind->name;
  if (!options.only.empty() && options.only != name) return;
  Scores scores;
  for (size_t f = 0; f < sources.size(); ++f) {
    for (size_t t = 0; t < options.trials; ++t) {
      Random random(options.seed * 1'000'003 + hash_of(name) + f * 7919 + t);
      Trial trial;
      if (!make_trial(sources[f], kind, random, trial)) continue;
      const MethodLines found =
          place_with_all(trial.recorded, trial.before, trial.after, !options.check);
      scores.add(trial.recorded, trial.truth, found);
      if (options.history.verbose) show_mistakes(sources[f], name, trial, found.etlens);
    }
  }
  table.row(name, scores, kind == nullptr ? Bounds{0.985, 0.94, true} : Bounds());
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = parse(argc, argv);
  if (options.speed) {
    print_speed();
    return 0;
  }
  if (options.releases) {
    print_releases(options.paths, options.history);
    return 0;
  }
  if (!options.repositories.empty()) {
    for (const std::string& repository : options.repositories) {
      print_history(repository, options.history);
    }
    return 0;
  }
  std::vector<std::string> paths = options.paths;
  if (paths.empty()) {
    const std::string root = ETLENS_SOURCE_DIR;
    paths = {root + "/examples", root + "/tests/data"};
    if (const char* corpus = std::getenv("ETLENS_CORPUS")) paths.emplace_back(corpus);
  }
  const std::vector<SourceFile> sources = read_sources(paths);
  fmt::print("{} files, {} edits of each kind per file, seed {}\n", sources.size(), options.trials,
             options.seed);
  Table table;
  for (const EditKind& kind : edit_kinds()) run_kind(sources, &kind, options, table);
  run_kind(sources, nullptr, options, table);
  table.print();
  return options.check && !table.check() ? 1 : 0;
}
