// SPDX-License-Identifier: Apache-2.0
#include "bench/anchoring/history.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "bench/anchoring/corpus.h"
#include "bench/anchoring/score.h"
#include "core/base/text.h"

namespace etlens::bench {
namespace {

constexpr size_t kMaxVersions = 40;  // of a file, evenly spread
constexpr int64_t kYear = 365 * 86400;
constexpr double kRecordedShare = 0.6;

struct Version {
  std::string text;
  int64_t time = 0;  // seconds; releases count 0, 1, 2 …
};

struct FileHistory {
  std::string path;
  std::vector<Version> versions;  // ascending
};

void show_mistake(const std::string& path, size_t from, size_t to, const Recorded& line,
                  const Document& after, uint32_t found, uint32_t wanted) {
  const auto text = [&](uint32_t at) {
    return at == 0 ? "" : fmt::format(" {} '{}'", at, trim(after.line(at - 1)));
  };
  const std::string_view what = found == 0 ? "missed" : wanted == kGone ? "GONE" : "WRONG";
  fmt::print("{} {} version {} to {}, {}: {} '{}'; placed:{}; wanted:{}\n", what, path, from + 1,
             to + 1, line.function, line.line, line.text, text(found), text(wanted));
}

void score_pair(const FileHistory& file, size_t from, size_t to, const Fates& fates, Scores& scores,
                bool verbose) {
  Program program(file.versions[from].text);
  Random random(from * 7919 + 1);
  std::vector<Recorded> lines = record_lines(program, random, kRecordedShare);
  const Document after{std::string(file.versions[to].text)};
  std::vector<Recorded> known;
  std::map<uint32_t, uint32_t> truth;
  const MethodLines all = place_with_all(lines, program.text(), file.versions[to].text, true);
  MethodLines found;
  found.has_git = all.has_git;
  const auto keep = [](const Lines& source, Lines& kept, size_t r) { kept.push_back(source[r]); };
  for (size_t r = 0; r < lines.size(); ++r) {
    const uint32_t fate = lines[r].line < fates.size() ? fates[lines[r].line] : kInDoubt;
    if (fate == kInDoubt || (fate == kGone && is_text_there(after, lines[r].text))) continue;
    truth[lines[r].line] = fate;
    keep(all.etlens, found.etlens, r);
    keep(all.bare, found.bare, r);
    keep(all.with_file, found.with_file, r);
    keep(all.same_line, found.same_line, r);
    keep(all.subsequence, found.subsequence, r);
    keep(all.git, found.git, r);
    if (verbose && all.etlens[r] != fate)
      show_mistake(file.path, from, to, lines[r], after, all.etlens[r], fate);
    known.push_back(std::move(lines[r]));
  }
  scores.add(known, truth, found);
}

struct Distance {
  std::string_view name;
  int64_t time = 0;  // at least so much later; 0: the next version
};

void score_files(const std::vector<FileHistory>& files, const std::vector<Distance>& distances,
                 const HistoryOptions& options) {
  const bool is_strict = options.reading == Reading::Strict;
  std::vector<Scores> scores(distances.size());
  for (const FileHistory& file : files) {
    std::vector<Fates> steps;
    for (size_t v = 0; v + 1 < file.versions.size(); ++v) {
      steps.push_back(
          fates_between(file.versions[v].text, file.versions[v + 1].text, options.reading));
    }
    for (size_t from = 0; from + 1 < file.versions.size(); ++from) {
      Fates fates = steps[from];
      size_t next = 0;  // distance to score
      for (size_t to = from + 1; to < file.versions.size() && next < distances.size(); ++to) {
        if (to > from + 1) fates = chain(fates, steps[to - 1]);
        const int64_t later = file.versions[to].time - file.versions[from].time;
        for (; next < distances.size() && later >= distances[next].time; ++next) {
          const bool is_confirmed = to == from + 1 || is_strict;
          score_pair(file, from, to,
                     is_confirmed
                         ? fates
                         : confirmed(fates, file.versions[from].text, file.versions[to].text),
                     scores[next], options.verbose);
        }
      }
    }
  }
  Table table;
  for (size_t d = 0; d < distances.size(); ++d) table.row(distances[d].name, scores[d]);
  table.print();
}

std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

std::vector<std::string> some_of(std::vector<std::string> all, size_t count) {
  Random random(1);
  std::shuffle(all.begin(), all.end(), random);
  if (all.size() > count) all.resize(count);
  return all;
}

FileHistory history_of(const std::string& git, const std::string& path) {
  FileHistory file{path, {}};
  const std::string log =
      output_of(git + "log --reverse --first-parent --format='%H %ct' -- " + quoted(":/" + path));
  std::vector<std::string_view> commits = split_lines(log);
  if (commits.size() > kMaxVersions) commits.erase(commits.begin(), commits.end() - kMaxVersions);
  for (const std::string_view commit : commits) {
    const size_t blank = commit.find(' ');
    if (blank == std::string_view::npos) continue;
    const int64_t time = parse_int(commit.substr(blank + 1)).value_or(0);
    std::string text =
        output_of(git + "show " + std::string(commit.substr(0, blank)) + ":" + quoted(path));
    if (!text.empty()) file.versions.push_back({std::move(text), time});
  }
  return file;
}

}  // namespace

void print_history(const std::string& repository, const HistoryOptions& options) {
  const std::string git = "git -C " + quoted(repository) + " -c core.quotePath=false ";
  std::vector<std::string> paths;
  const std::string listed = output_of(git + "ls-tree -r --full-name --name-only HEAD");
  for (const std::string_view path : split_lines(listed)) {
    if (path.ends_with(".py")) paths.emplace_back(path);
  }
  std::vector<FileHistory> histories;
  for (const std::string& path : some_of(paths, options.files)) {
    FileHistory file = history_of(git, path);
    if (file.versions.size() > 1) histories.push_back(std::move(file));
  }
  fmt::print("{}: {} of {} Python files have a history\n", repository, histories.size(),
             paths.size());
  if (!histories.empty()) score_files(histories, {{"next commit", 0}, {"a year", kYear}}, options);
}

void print_releases(const std::vector<std::string>& folders, const HistoryOptions& options) {
  namespace fs = std::filesystem;
  if (folders.empty()) return;
  std::vector<std::string> paths;
  for (const SourceFile& source : read_sources({folders.back()})) {
    paths.push_back(fs::path(source.path).lexically_relative(folders.back()).string());
  }
  std::vector<FileHistory> histories;
  for (const std::string& path : some_of(paths, options.files)) {
    FileHistory file{path, {}};
    for (size_t f = 0; f < folders.size(); ++f) {
      for (SourceFile& source : read_sources({folders[f] + "/" + path})) {
        file.versions.push_back({std::move(source.text), static_cast<int64_t>(f)});
      }
    }
    if (file.versions.size() > 1) histories.push_back(std::move(file));
  }
  fmt::print("{} files in {} releases\n", histories.size(), folders.size());
  score_files(histories, {{"1 release", 0}, {"2 releases", 2}, {"3 releases", 3}}, options);
}

}  // namespace etlens::bench
