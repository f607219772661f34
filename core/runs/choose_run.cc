// SPDX-License-Identifier: Apache-2.0
#include "core/runs/choose_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <set>

#include "core/base/sha256.h"
#include "core/base/text.h"

namespace etlens {
namespace {

constexpr size_t kLeastCommitDigits = 7;
constexpr size_t kMostNamed = 5;

bool is_date(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  return parse_int(text.substr(0, 4)) && parse_int(text.substr(5, 2)) &&
         parse_int(text.substr(8, 2));
}

// Newest first: the runs that `current` may be compared with.
std::vector<const StoredRun*> candidates(const StoredRuns& stored,
                                         const std::optional<StoredRun>& current) {
  std::vector<const StoredRun*> all, same;
  for (const StoredRun& run : stored.runs) {
    if (current && run.number == current->number) continue;
    all.push_back(&run);
    if (current && is_same_model(run, *current)) same.push_back(&run);
  }
  std::vector<const StoredRun*> chosen = same.empty() ? std::move(all) : std::move(same);
  std::ranges::reverse(chosen);
  return chosen;
}

const StoredRun* least(const std::vector<const StoredRun*>& runs,
                       const std::optional<StoredRun>& current) {
  // Of several models the totals do not compare: those of the newest.
  const StoredRun* like = current && current->total ? &*current
                          : runs.empty()            ? nullptr
                                                    : runs.front();
  const StoredRun* best = nullptr;
  for (const StoredRun* run : runs) {
    const bool compares = run->total && like != nullptr && is_same_model(*run, *like);
    if (compares && (best == nullptr || run->total->value < best->total->value)) best = run;
  }
  return best;
}

const StoredRun* find(const std::vector<const StoredRun*>& runs, const auto& fits) {
  const auto at = std::ranges::find_if(runs, [&](const StoredRun* run) { return fits(*run); });
  return at == runs.end() ? nullptr : *at;
}

std::string named(const std::set<std::string>& names) {
  std::vector<std::string> some;
  for (const std::string& name : names) {
    if (some.size() == kMostNamed) {
      some.emplace_back("…");
      break;
    }
    some.push_back("@" + name);
  }
  return join(some, ", ");
}

Error none_of(std::string_view reference, const StoredRuns& stored,
              const std::vector<const StoredRun*>& runs) {
  if (stored.runs.empty()) {
    return {ErrorCode::NotFound, fmt::format("there is no {}: {} has no runs yet", reference,
                                             runs_folder(stored.folder))};
  }
  std::string there =
      fmt::format("runs {} to {}", stored.runs.front().number, stored.runs.back().number);
  std::set<std::string> branches, days;
  for (const StoredRun* run : runs) {
    if (!run->branch.empty()) branches.insert(run->branch);
    days.insert(day_and_time(run->time_ms).substr(0, 10));
  }
  if (!branches.empty()) there += "; " + named(branches);
  if (!days.empty()) there += "; " + named(days);
  return {ErrorCode::NotFound, fmt::format("there is no {}; there are {}", reference, there)};
}

const StoredRun* choose(const StoredRuns& stored, std::string_view name,
                        const std::vector<const StoredRun*>& runs,
                        const std::optional<StoredRun>& current) {
  if (name == "prev") {
    const auto is_before = [&](const StoredRun& run) {
      return !current || current->number == 0 || run.number < current->number;
    };
    return find(runs, is_before);
  }
  if (name == "best") return least(runs, current);
  if (const auto number = parse_int(name);
      number && *number > 0 && *number <= UINT32_MAX && name.size() < 10) {
    if (const StoredRun* run = stored.find(static_cast<uint32_t>(*number))) return run;
  }
  if (is_date(name))
    return find(runs,
                [&](const StoredRun& run) { return day_and_time(run.time_ms).starts_with(name); });
  if (const StoredRun* run = find(runs, [&](const StoredRun& of) { return of.branch == name; }))
    return run;
  if (name.size() < kLeastCommitDigits) return nullptr;
  return find(runs, [&](const StoredRun& of) { return of.commit.starts_with(name); });
}

}  // namespace

bool is_run_reference(std::string_view text) { return text.size() > 1 && text.front() == '@'; }

Result<StoredRun> choose_run(const StoredRuns& stored, std::string_view reference,
                             const std::optional<StoredRun>& current) {
  const std::vector<const StoredRun*> runs = candidates(stored, current);
  const StoredRun* run = choose(stored, reference.substr(1), runs, current);
  if (run == nullptr) return none_of(reference, stored, runs);
  return *run;
}

std::optional<StoredRun> run_of_dump(const FileSystem& files, const StoredRuns& stored,
                                     const std::string& etdump) {
  const Result<FileStamp> stamp = files.stat(etdump);
  if (!stamp) return std::nullopt;
  const auto may_be = [&](const StoredRun& run) { return run.dump.bytes == stamp->size; };
  if (std::ranges::none_of(stored.runs, may_be)) return std::nullopt;
  const Result<std::string> hash = sha256_of_file(files, etdump, stamp->size);
  if (!hash) return std::nullopt;
  for (auto run = stored.runs.rbegin(); run != stored.runs.rend(); ++run)
    if (run->dump.hash == *hash) return *run;
  return std::nullopt;
}

const StoredRun* run_before(const StoredRuns& stored, const StoredRun& run) {
  const StoredRun* found = nullptr;
  for (const StoredRun& other : stored.runs)
    if (other.number < run.number && is_same_model(other, run)) found = &other;
  return found;
}

std::optional<double> change_since(const StoredRun& earlier, const StoredRun& later) {
  if (!is_same_model(earlier, later) || earlier.total->value <= 0) return std::nullopt;
  return later.total->value / earlier.total->value - 1;
}

std::string day_and_time(int64_t ms) {
  const time_t seconds = static_cast<time_t>(ms / 1000);
  std::tm local{};
  localtime_r(&seconds, &local);
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}", local.tm_year + 1900, local.tm_mon + 1,
                     local.tm_mday, local.tm_hour, local.tm_min);
}

}  // namespace etlens
