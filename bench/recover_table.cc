// SPDX-License-Identifier: Apache-2.0
// Prints what is found again of the lines inside helpers, and what it costs: a row per folder
// (model.etrecord, truth.tsv, sources/: tests/data/helpers has them and makes more), of all in
// tests/data/helpers if none is named. With --mutations the sources are changed one place at a
// time: that costs lines, but hardly any may be wrong. With --notes it says which are missing and
// why.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "test_paths.h"
#include "tests/support/helper_truth.h"

namespace {

using namespace etlens::test;

void add(HelperScore& sum, const HelperScore& score) {
  sum.lost += score.lost;
  sum.placed += score.placed;
  sum.right += score.right;
  sum.harmed += score.harmed;
  sum.chains += score.chains;
  sum.right_chains += score.right_chains;
  sum.runs += score.runs;
  sum.steps += score.steps;
  sum.seconds += score.seconds;
  sum.reading_seconds += score.reading_seconds;
}

void print(std::string_view name, const HelperScore& score, bool says_why) {
  fmt::print("{:<24}{:>7}{:>8}{:>8}{:>7}{:>8}{:>8}{:>7}{:>9}{:>8.1f}{:>8.1f}\n", name, score.lost,
             score.placed, score.right, score.wrong(), score.chains, score.right_chains, score.runs,
             score.steps, score.seconds * 1000, score.reading_seconds * 1000);
  if (!says_why) return;
  for (const std::string& note : score.notes) fmt::print("    {}\n", note);
}

void print_mutations(const std::string& folder, bool says_why, HelperScore& sum) {
  std::map<std::string, HelperScore> kinds;
  std::map<std::string, double> slowest;
  for (const HelperMutation& mutation : helper_mutations(folder)) {
    const HelperScore score = score_helpers(folder, &mutation);
    add(kinds[mutation.what], score);
    add(sum, score);
    slowest[mutation.what] = std::max(slowest[mutation.what], score.seconds);
    if (!says_why || (score.wrong() == 0 && score.chains == score.right_chains)) continue;
    for (const std::string& note : score.notes) {
      if (note.starts_with("wrong") || note.starts_with("stack"))
        fmt::print("    {} {}: {}\n", mutation.what, mutation.path, note);
    }
  }
  for (const auto& [kind, score] : kinds) {
    print("  " + kind, score, false);
    fmt::print("{:<24} slowest {:.0f} ms\n", "", slowest[kind] * 1000);
  }
}

}  // namespace

int main(int argc, char** argv) {
  bool mutates = false;
  bool says_why = false;
  std::vector<std::string> folders;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word(argv[i]);
    if (word == "--mutations") {
      mutates = true;
    } else if (word == "--notes") {
      says_why = true;
    } else {
      folders.emplace_back(word);
    }
  }
  if (folders.empty()) {
    for (const std::string& name : helper_cases())
      folders.push_back(ETLENS_TEST_DATA "/helpers/" + name);
  }
  fmt::print("{:<24}{:>7}{:>8}{:>8}{:>7}{:>8}{:>8}{:>7}{:>9}{:>8}{:>8}\n", "model", "lost",
             "placed", "right", "wrong", "stacks", "right", "runs", "steps", "ms", "read ms");
  HelperScore sum;
  for (const std::string& folder : folders) {
    const std::string name = folder.substr(folder.rfind('/') + 1);
    if (mutates) {
      fmt::print("{}\n", name);
      print_mutations(folder, says_why, sum);
    } else {
      const HelperScore score = score_helpers(folder);
      print(name, score, says_why);
      add(sum, score);
    }
  }
  print("all", sum, false);
  return 0;
}
