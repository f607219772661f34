// SPDX-License-Identifier: Apache-2.0
#include "core/workspace/run_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/budget.h"
#include "core/base/path.h"
#include "core/base/sha256.h"
#include "core/workspace/discovery.h"

namespace etlens {
namespace {

constexpr std::string_view kPairedByExport = "export";

// "" if the file cannot be read to its end, or is too large.
std::string hash_of_file(const FileSystem& files, const std::string& path, uint64_t size) {
  if (size > kMaxHashedBytes) return "";
  return sha256_of_file(files, path, size).value_or("");
}

// As it is written; nullopt if there is none.
std::optional<Result<RunFile>> read_run(const FileSystem& files, const std::string& path) {
  const Result<FileStamp> stamp = files.stat(path);
  if (!stamp || stamp->is_directory) return std::nullopt;
  const Result<Bytes> bytes =
      files.read_range(path, 0, std::min<uint64_t>(stamp->size, kMaxRunFileBytes + 1));
  if (!bytes) return Result<RunFile>(bytes.error());
  return read_run_file(bytes->text());
}

const std::optional<RunArtifact>& part_of(const RunFile& run, RunPart part) {
  return part == RunPart::Record ? run.record.value : run.program.value;
}

}  // namespace

std::string_view name_of(HashVerdict verdict) {
  switch (verdict) {
    case HashVerdict::Agrees:
      return "agrees";
    case HashVerdict::Differs:
      return "differs";
    case HashVerdict::Unchecked:
      return "unchecked";
  }
  return "unchecked";
}

bool RunCheck::is_certain() const {
  return record == HashVerdict::Agrees && program != HashVerdict::Differs &&
         run.paired_by.value == kPairedByExport;
}

std::shared_ptr<RunCheck> find_run(const FileSystem& files, const std::string& etdump,
                                   const Bytes& dump, LoadReport& report) {
  auto check = std::make_shared<RunCheck>();
  check->path = run_file_path(etdump);
  std::optional<Result<RunFile>> run = read_run(files, check->path);
  if (!run) return nullptr;
  if (!*run) {
    report.add(Oddity::RunUnreadable, std::move(*run).error().about(check->path).message);
    return nullptr;
  }
  check->run = **std::move(run);
  const RunArtifact& ran = check->run.dump;
  go_on(1 + dump.size() / 64);
  if (ran.bytes != dump.size() || ran.sha256 != sha256_of(dump.span())) {
    report.add(Oddity::RunOfAnotherDump, check->path);
    return nullptr;
  }
  return check;
}

HashVerdict compare_with_run(const FileSystem& files, const std::string& path,
                             const std::optional<RunArtifact>& ran, const FileIdentity* known,
                             FileIdentity& identity) {
  const Result<FileStamp> stamp = files.stat(path);
  if (!stamp) return HashVerdict::Unchecked;
  identity = {*stamp, ""};
  if (!ran) return HashVerdict::Unchecked;
  if (ran->bytes != stamp->size) return HashVerdict::Differs;
  const bool is_known = known != nullptr && known->stamp == *stamp && !known->sha256.empty();
  identity.sha256 = is_known ? known->sha256 : hash_of_file(files, path, stamp->size);
  if (identity.sha256.empty()) return HashVerdict::Unchecked;
  return identity.sha256 == ran->sha256 ? HashVerdict::Agrees : HashVerdict::Differs;
}

std::string partner_of_run(const FileSystem& files, const std::string& etdump,
                           const std::vector<const FoundArtifact*>& candidates, RunPart part) {
  const std::optional<Result<RunFile>> run = read_run(files, run_file_path(etdump));
  if (!run || !*run) return "";
  const Result<FileStamp> dump = files.stat(etdump);
  const std::optional<RunArtifact>& ran = part_of(**run, part);
  if (!dump || dump->size != (*run)->dump.bytes || !ran) return "";
  std::vector<const FoundArtifact*> fitting;
  for (size_t i = 0; i < std::min(candidates.size(), kMaxOfRun); ++i)
    if (candidates[i]->stamp.size == ran->bytes) fitting.push_back(candidates[i]);
  if (fitting.size() == 1) return fitting.front()->path;
  for (size_t i = 0; i < std::min(fitting.size(), kMaxScored); ++i) {
    FileIdentity identity;
    if (compare_with_run(files, fitting[i]->path, ran, nullptr, identity) == HashVerdict::Agrees)
      return fitting[i]->path;
  }
  return "";
}

std::string_view pair_confidence(const RunCheck* run) {
  return run != nullptr && run->is_certain() ? "certain" : "inferred";
}

std::string other_record_sentence(const RunCheck& run, const std::string& etdump,
                                  const std::string& etrecord) {
  const std::string name = run.run.record.value ? run.run.record.value->file : "";
  return fmt::format(
      "{} is not the record of the run that wrote {}: its {} is not the one of {} in {}; give that "
      "record, run the program of this record again, or delete {} to compare instructions alone",
      etrecord, etdump, run.record_file.sha256.empty() ? "size" : "SHA-256", name,
      base_name(run.path), base_name(run.path));
}

std::string other_program_sentence(const RunCheck& run, const std::string& pte) {
  return fmt::format("{} is not the program that ran: its {} is not the one in {}", pte,
                     run.program_file.sha256.empty() ? "size" : "SHA-256", base_name(run.path));
}

}  // namespace etlens
