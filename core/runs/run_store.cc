// SPDX-License-Identifier: Apache-2.0
#include "core/runs/run_store.h"

#include <algorithm>
#include <unordered_map>

#include "core/base/path.h"
#include "core/base/text.h"
#include "core/runs/run_names.h"
#include "core/source/git/git_repository.h"

namespace etlens {
namespace {

constexpr uint64_t kMostText = 64 << 10;
constexpr size_t kMostListed = 10'000;

// The number that a folder of a run has; 0 for other names.
uint32_t run_number(std::string_view name) {
  if (name.empty() || name.size() > 9 || name.front() == '0') return 0;
  const auto number = parse_int(name);
  return number && *number > 0 ? static_cast<uint32_t>(*number) : 0;
}

bool has_bytes(const FileSystem& files, const std::string& path, const StoredFile& file) {
  const Result<FileStamp> stamp = files.stat(path);
  return stamp && !stamp->is_directory && stamp->size == file.bytes;
}

// Nothing for a run of which something is missing: a machine may have lost power while it was stored.
std::optional<StoredRun> read_stored(const FileSystem& files, const std::string& runs,
                                     uint32_t number) {
  const std::string folder = join_path(runs, std::to_string(number));
  const Result<Bytes> text = files.read_range(join_path(folder, kRunText), 0, kMostText);
  if (!text) return std::nullopt;
  Result<StoredRun> run = read_run(text->text());
  if (!run) return std::nullopt;
  run->number = number;
  run->is_pinned = files.stat(join_path(folder, kPinned)).has_value();
  if (!has_bytes(files, join_path(folder, run->dump_name), run->dump)) return std::nullopt;
  if (run->record && !has_bytes(files, kept_path(runs, run->record, kRecordEnding), run->record))
    return std::nullopt;
  if (run->program &&
      !has_bytes(files, kept_path(runs, run->program, kProgramEnding), run->program))
    return std::nullopt;
  return std::move(*run);
}

bool has_runs(const FileSystem& files, const std::string& folder) {
  const Result<FileStamp> stamp = files.stat(runs_folder(folder));
  return stamp && stamp->is_directory;
}

}  // namespace

const StoredRun* StoredRuns::find(uint32_t number) const {
  const auto at = std::ranges::find(runs, number, &StoredRun::number);
  return at == runs.end() ? nullptr : &*at;
}

std::string runs_folder(std::string_view folder) {
  return join_path(join_path(folder, ".etlens"), "runs");
}

bool is_stored_file(std::string_view path) {
  const std::vector<std::string_view> parts = path_components(path);
  for (size_t i = 1; i < parts.size(); ++i)
    if (parts[i - 1] == ".etlens" && parts[i] == "runs") return true;
  return false;
}

std::string folder_of_runs(const FileSystem& files, const std::string& folder) {
  if (has_runs(files, folder)) return folder;
  const std::optional<GitRepository> repository =
      find_git_repository(files, join_path(folder, "x"));
  if (!repository) return folder;
  std::string above = folder;
  while (above != repository->root && is_below(repository->root, above)) {
    above = std::string(parent_path(above));
    if (has_runs(files, above)) return above;
  }
  return folder;
}

Result<StoredRuns> list_runs(const FileSystem& files, const std::string& folder) {
  StoredRuns stored;
  stored.folder = folder;
  const std::string runs = runs_folder(folder);
  if (!has_runs(files, folder)) return stored;
  const Result<std::vector<DirectoryEntry>> entries = files.list(runs);
  if (!entries) return entries.error();
  std::vector<uint32_t> numbers;
  for (const DirectoryEntry& entry : *entries) {
    const uint32_t number = entry.is_directory ? run_number(entry.name) : 0;
    if (number != 0 && numbers.size() < kMostListed) numbers.push_back(number);
  }
  std::ranges::sort(numbers);
  std::unordered_map<std::string, uint64_t> kept;
  for (const uint32_t number : numbers) {
    std::optional<StoredRun> run = read_stored(files, runs, number);
    if (!run) {
      ++stored.damaged;
      continue;
    }
    stored.bytes += run->dump.bytes;
    for (const StoredFile* file : {&run->record, &run->program})
      if (*file && kept.emplace(file->hash, file->bytes).second) stored.bytes += file->bytes;
    stored.runs.push_back(std::move(*run));
  }
  return stored;
}

RunFiles files_of(const StoredRuns& stored, const StoredRun& run) {
  const std::string runs = runs_folder(stored.folder);
  RunFiles found;
  found.etdump = join_path(join_path(runs, std::to_string(run.number)), run.dump_name);
  if (run.record) found.etrecord = kept_path(runs, run.record, kRecordEnding);
  if (run.program) found.pte = kept_path(runs, run.program, kProgramEnding);
  return found;
}

}  // namespace etlens
