// SPDX-License-Identifier: Apache-2.0
// Whether the files of a load are those that ran, by the hashes in the file about the run
// (core/formats/run). Without such a file next to the dump nothing is hashed.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/bytes.h"
#include "core/base/file_system.h"
#include "core/base/load_report.h"
#include "core/formats/run/run_file.h"

namespace etlens {

struct FoundArtifact;
struct MethodFit;
struct Study;

// Larger files are compared by their sizes alone, so that a load waits for no hash of gigabytes.
inline constexpr uint64_t kMaxHashedBytes = 256 << 20;

// Unchecked: nothing was written down, or the sizes agree and nothing was hashed.
enum class HashVerdict : uint8_t { Unchecked, Agrees, Differs };
std::string_view name_of(HashVerdict verdict);

// A file as it was when its hash was calculated.
struct FileIdentity {
  FileStamp stamp;
  std::string sha256;  // "" if it was not calculated

  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

struct RunCheck {
  std::string path;  // of the file about the run
  RunFile run;
  FileIdentity record_file;
  FileIdentity program_file;
  HashVerdict record = HashVerdict::Unchecked;
  HashVerdict program = HashVerdict::Unchecked;

  // Dump, record and program are those of the run, and one export wrote the last two.
  bool is_certain() const;
};

// The file about the run of this dump, whose content is `dump`. Null if there is none, or if it
// cannot be used, which is a row of the report.
std::shared_ptr<RunCheck> find_run(const FileSystem& files, const std::string& etdump,
                                   const Bytes& dump, LoadReport& report);

// Compares the size, then the hash. `known`: what an earlier load calculated, which stands while
// the file is what it was. Gives what is known of the file in `identity`.
HashVerdict compare_with_run(const FileSystem& files, const std::string& path,
                             const std::optional<RunArtifact>& ran, const FileIdentity* known,
                             FileIdentity& identity);

// Of the candidates the one that the run of this dump was with, by its size, and by its hash if
// several have that size. "" if none is, or no file says so. The dump's size is compared, its hash
// is not. Only the first kMaxOfRun candidates are looked at.
enum class RunPart : uint8_t { Record, Program };
std::string partner_of_run(const FileSystem& files, const std::string& etdump,
                           const std::vector<const FoundArtifact*>& candidates, RunPart part);
inline constexpr size_t kMaxOfRun = 64;

// How sure it is that dump and record belong together: `certain` by their hashes, else `inferred`
// from their instructions. `run`: null without a file about the run.
std::string_view pair_confidence(const RunCheck* run);

// The sentences for a record or a program that is not the one that ran.
std::string other_record_sentence(const RunCheck& run, const std::string& etdump,
                                  const std::string& etrecord);
std::string other_program_sentence(const RunCheck& run, const std::string& pte);

}  // namespace etlens
