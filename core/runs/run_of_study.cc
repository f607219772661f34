// SPDX-License-Identifier: Apache-2.0
#include "core/runs/run_of_study.h"

#include <set>
#include <span>
#include <string_view>

#include "core/base/path.h"
#include "core/base/sha256.h"
#include "core/source/git/git_repository.h"

namespace etlens {
namespace {

constexpr int64_t kNsPerMs = 1'000'000;

// Of the recorded sources' paths, in order.
std::string hash_of_sources(const Code& code) {
  std::set<std::string_view> paths;
  for (const CodeFile& file : code.files) paths.insert(code.text(file.recorded_path));
  if (paths.empty()) return "";
  std::string rows;
  for (const std::string_view path : paths) rows.append(path).append("\n");
  return sha256_of({reinterpret_cast<const uint8_t*>(rows.data()), rows.size()});
}

std::optional<RunTotal> total_of(const Study& study, const Headline& time) {
  if (time.used.empty() || time.clock_stands) return std::nullopt;
  RunTotal total;
  const bool is_cycles = study.clock() == TimeScale::Cycles;
  total.value = is_cycles ? time.total.value
                          : time.total.value * scale_factor(TimeScale::Nanoseconds, study.clock());
  total.unit = is_cycles ? "cycles" : "ns";
  total.statistic = name_of(time.statistic);
  total.executions = time.used.size();
  const ChosenGroup group = chosen_group(study.time());
  if (group.get() != nullptr) total.group = *group.get();
  return total;
}

}  // namespace

RunToStore run_of_study(const FileSystem& files, const Study& study, const Headline& time,
                        const FileStamp& stamp, const std::string& folder) {
  RunToStore wanted;
  wanted.etdump = study.etdump_path;
  wanted.stamp = stamp;
  wanted.etrecord = study.etrecord_path;
  wanted.pte = study.pte_path;
  StoredRun& run = wanted.run;
  run.time_ms = stamp.modified_ns / kNsPerMs;
  run.dump_path = relative_path(folder, study.etdump_path);
  run.method = time.method;
  run.code = hash_of_sources(study.code());
  run.total = total_of(study, time);
  if (const auto repository = find_git_repository(files, study.etdump_path)) {
    run.branch = repository->branch;
    run.commit = repository->head;
  }
  return wanted;
}

}  // namespace etlens
