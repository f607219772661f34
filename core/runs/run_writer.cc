// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "core/base/budget.h"
#include "core/base/folder_lock.h"
#include "core/base/output_file.h"
#include "core/base/output_folder.h"
#include "core/base/path.h"
#include "core/base/sha256.h"
#include "core/runs/run_names.h"
#include "core/runs/run_store.h"

namespace etlens {
namespace {

constexpr int kWaitMs = 10'000;
// A program that needs more of the limit than this part of it is left out: the record has all that lines need.
constexpr uint64_t kProgramPart = 4;

Result<void> write_file(const std::string& path, std::string_view text) {
  Result<OutputFile> file = OutputFile::create(path);
  if (!file) return file.error();
  file->write(text);
  return file->commit();
}

Result<void> copy_into(const std::string& from, const std::string& to) {
  Result<OutputFile> file = OutputFile::create(to);
  if (!file) return file.error();
  if (Result<void> copied = file->copy(from); !copied) return copied;
  return file->commit();
}

// Sidecars that are not there are not copied.
Result<void> copy_if_there(const std::string& from, const std::string& to) {
  const Result<FileStamp> stamp = real_file_system().stat(from);
  return stamp && !stamp->is_directory ? copy_into(from, to) : Result<void>();
}

std::string sources_of(const std::string& record) {
  return join_path(parent_path(record),
                   std::string(stem(base_name(record))) + std::string(kSourcesEnding));
}

// A file as it was when its hash was computed.
struct HashedFile {
  std::string path;  // "" for none
  FileStamp stamp;
  StoredFile file;
};

Result<HashedFile> hashed(const std::string& path) {
  HashedFile found;
  if (path.empty()) return found;
  const FileSystem& files = real_file_system();
  const Result<FileStamp> stamp = files.stat(path);
  if (!stamp) return stamp.error();
  Result<std::string> hash = sha256_of_file(files, path, stamp->size);
  if (!hash) return std::move(hash).error();
  return HashedFile{path, *stamp, {std::move(*hash), stamp->size}};
}

Result<void> check_unchanged(const HashedFile& file) {
  const Result<FileStamp> now = real_file_system().stat(file.path);
  if (now && *now == file.stamp) return {};
  return Error{ErrorCode::Incomplete,
               file.path + " changed while its run was stored; the run is not stored"};
}

// Writes below one folder of runs, which is locked while this exists.
class RunWriter {
 public:
  // Makes what is missing of the folders.
  static Result<RunWriter> open(const std::string& folder) {
    const std::string runs = runs_folder(folder);
    for (const std::string& path : {std::string(parent_path(runs)), runs, join_path(runs, kKept)})
      if (Result<void> made = make_private_folder(path); !made) return std::move(made).error();
    Result<FolderLock> lock = FolderLock::take(join_path(runs, "lock"), kWaitMs);
    if (!lock) return std::move(lock).error();
    remove_leftovers(runs);
    remove_leftovers(join_path(runs, kKept));
    const std::string ignore = join_path(runs, ".gitignore");
    if (!real_file_system().stat(ignore))
      if (Result<void> written = write_file(ignore, "*\n"); !written)
        return std::move(written).error();
    Result<StoredRuns> stored = list_runs(real_file_system(), folder);
    if (!stored) return std::move(stored).error();
    return RunWriter(std::move(*lock), std::move(*stored));
  }

  const StoredRuns& stored() const { return stored_; }
  const std::string& runs() const { return runs_; }

  std::string folder_of(uint32_t number) const { return join_path(runs_, std::to_string(number)); }

  // Removes the oldest runs until `more` bytes have room. What was pinned, and the newest, stays.
  Result<size_t> trim(const RunLimits& limits, uint64_t more, size_t more_runs) {
    size_t removed = 0;
    const auto is_over = [&] {
      return stored_.bytes + more > limits.bytes || stored_.runs.size() + more_runs > limits.runs;
    };
    for (size_t at = 0; is_over() && at + 1 < stored_.runs.size();) {
      go_on();
      if (stored_.runs[at].is_pinned) {
        ++at;
        continue;
      }
      if (Result<void> gone = remove(stored_.runs[at].number); !gone)
        return std::move(gone).error();
      ++removed;
    }
    return removed;
  }

  Result<void> remove(uint32_t number) {
    if (Result<void> gone = remove_tree(folder_of(number)); !gone) return gone;
    std::erase_if(stored_.runs, [&](const StoredRun& run) { return run.number == number; });
    return count_kept();
  }

  // Removes records and programs that no run has, and counts the bytes of the others.
  Result<void> count_kept() {
    std::set<std::string, std::less<>> used;
    stored_.bytes = 0;
    for (const StoredRun& run : stored_.runs) {
      stored_.bytes += run.dump.bytes;
      for (const StoredFile* file : {&run.record, &run.program})
        if (*file && used.insert(file->hash).second) stored_.bytes += file->bytes;
    }
    const std::string kept = join_path(runs_, kKept);
    const Result<std::vector<DirectoryEntry>> entries = real_file_system().list(kept);
    if (!entries) return entries.error();
    for (const DirectoryEntry& entry : *entries) {
      const std::string_view hash = std::string_view(entry.name).substr(0, entry.name.find('.'));
      if (used.contains(hash)) continue;
      if (Result<void> gone = remove_tree(join_path(kept, entry.name)); !gone) return gone;
    }
    return {};
  }

  bool keeps(const HashedFile& file, std::string_view ending) const {
    if (file.path.empty()) return true;
    const Result<FileStamp> stamp = real_file_system().stat(kept_path(runs_, file.file, ending));
    return stamp && !stamp->is_directory && stamp->size == file.file.bytes;
  }

  Result<void> keep(const HashedFile& file, std::string_view ending) const {
    if (keeps(file, ending)) return {};
    if (Result<void> copied = copy_into(file.path, kept_path(runs_, file.file, ending)); !copied)
      return copied;
    return check_unchanged(file);
  }

 private:
  RunWriter(FolderLock lock, StoredRuns stored)
      : lock_(std::move(lock)), runs_(runs_folder(stored.folder)), stored_(std::move(stored)) {}

  FolderLock lock_;
  std::string runs_;
  StoredRuns stored_;
};

// The files of a run that is about to be stored.
struct RunFilesToStore {
  HashedFile dump;
  HashedFile record;
  HashedFile program;
};

Result<RunFilesToStore> hash_files(RunToStore& wanted, const RunLimits& limits) {
  RunFilesToStore files;
  Result<HashedFile> dump = hashed(wanted.etdump);
  if (!dump) return std::move(dump).error();
  if (dump->stamp != wanted.stamp)
    return Error{ErrorCode::Incomplete,
                 wanted.etdump + " changed after it was read; the run is not stored"};
  Result<HashedFile> record = hashed(wanted.etrecord);
  if (!record) return std::move(record).error();
  files = {std::move(*dump), std::move(*record), {}};
  const Result<FileStamp> program = real_file_system().stat(wanted.pte);
  if (!wanted.pte.empty() && program && program->size > limits.bytes / kProgramPart) {
    wanted.run.left_out = fmt::format(
        "the program has {} bytes, more than a quarter of what all runs may have", program->size);
  } else if (!wanted.pte.empty()) {
    Result<HashedFile> small = hashed(wanted.pte);
    if (!small) return std::move(small).error();
    files.program = std::move(*small);
  }
  wanted.run.dump = files.dump.file;
  wanted.run.record = files.record.file;
  wanted.run.program = files.program.file;
  return files;
}

const StoredRun* find_equal(const StoredRuns& stored, const StoredRun& run) {
  const auto at = std::ranges::find_if(stored.runs, [&](const StoredRun& other) {
    return other.dump == run.dump && other.record == run.record && other.dump_path == run.dump_path;
  });
  return at == stored.runs.end() ? nullptr : &*at;
}

Result<void> write_run(const RunWriter& writer, const RunToStore& wanted,
                       const RunFilesToStore& files) {
  if (Result<void> kept = writer.keep(files.record, kRecordEnding); !kept) return kept;
  if (files.record.file) {
    const std::string to = kept_path(writer.runs(), files.record.file, kSourcesEnding);
    if (Result<void> copied = copy_if_there(sources_of(wanted.etrecord), to); !copied)
      return copied;
  }
  if (Result<void> kept = writer.keep(files.program, kProgramEnding); !kept) return kept;
  Result<OutputFolder> folder = OutputFolder::create(writer.folder_of(wanted.run.number));
  if (!folder) return folder.error();
  const std::string dump = join_path(folder->unfinished(), wanted.run.dump_name);
  if (Result<void> copied = copy_into(wanted.etdump, dump); !copied) return copied;
  if (Result<void> same = check_unchanged(files.dump); !same) return same;
  const std::string ending(kSidecarEnding);
  if (Result<void> copied = copy_if_there(wanted.etdump + ending, dump + ending); !copied)
    return copied;
  if (Result<void> written =
          write_file(join_path(folder->unfinished(), kRunText), text_of(wanted.run));
      !written)
    return written;
  return folder->commit();
}

// Names that would not be read again, as they are hidden, get another.
std::string name_to_store(std::string_view path) {
  std::string name(base_name(path));
  const bool is_hidden = name.starts_with('.') || name.find_first_of("\\:") != name.npos;
  return name.empty() || is_hidden || name == kRunText || name == kPinned ? "model.etdp" : name;
}

Error too_large(const RunToStore& wanted, uint64_t bytes, const RunLimits& limits) {
  return {
      ErrorCode::Unsupported,
      fmt::format("the run of {} has {} bytes, more than all runs may have ({}); it is not stored",
                  wanted.etdump, bytes, limits.bytes)};
}

Error no_such_run(const std::string& folder, uint32_t number) {
  return {ErrorCode::NotFound,
          fmt::format("there is no run {} in {}", number, runs_folder(folder))};
}

}  // namespace

Result<StoreOutcome> store_run(const std::string& folder, RunToStore wanted,
                               const RunLimits& limits) {
  if (is_stored_file(wanted.etdump))
    return Error{ErrorCode::InvalidParams,
                 wanted.etdump + " is of a stored run; it is not stored again"};
  Result<RunFilesToStore> files = hash_files(wanted, limits);
  if (!files) return std::move(files).error();
  if (files->dump.file.bytes > limits.bytes)
    return too_large(wanted, files->dump.file.bytes, limits);
  Result<RunWriter> writer = RunWriter::open(folder);
  if (!writer) return std::move(writer).error();
  if (const StoredRun* equal = find_equal(writer->stored(), wanted.run))
    return StoreOutcome{*equal, false, 0};
  uint64_t more = files->dump.file.bytes;
  if (!writer->keeps(files->record, kRecordEnding)) more += files->record.file.bytes;
  if (!writer->keeps(files->program, kProgramEnding)) more += files->program.file.bytes;
  if (more > limits.bytes) return too_large(wanted, more, limits);
  const Result<size_t> removed = writer->trim(limits, more, 1);
  if (!removed) return removed.error();
  wanted.run.number = writer->stored().runs.empty() ? 1 : writer->stored().runs.back().number + 1;
  // Folders of damaged runs have their numbers still.
  while (real_file_system().stat(writer->folder_of(wanted.run.number))) ++wanted.run.number;
  wanted.run.dump_name = name_to_store(wanted.etdump);
  if (Result<void> written = write_run(*writer, wanted, *files); !written) {
    (void)writer->count_kept();
    return std::move(written).error();
  }
  return StoreOutcome{wanted.run, true, *removed};
}

Result<void> pin_run(const std::string& folder, uint32_t number, bool is_pinned) {
  Result<StoredRuns> stored = list_runs(real_file_system(), folder);
  if (!stored) return std::move(stored).error();
  if (stored->find(number) == nullptr) return no_such_run(folder, number);
  Result<RunWriter> writer = RunWriter::open(folder);
  if (!writer) return std::move(writer).error();
  if (writer->stored().find(number) == nullptr) return no_such_run(folder, number);
  const std::string path = join_path(writer->folder_of(number), kPinned);
  return is_pinned ? write_file(path, "") : remove_tree(path);
}

Result<void> remove_run(const std::string& folder, uint32_t number) {
  Result<StoredRuns> stored = list_runs(real_file_system(), folder);
  if (!stored) return std::move(stored).error();
  if (stored->find(number) == nullptr) return no_such_run(folder, number);
  Result<RunWriter> writer = RunWriter::open(folder);
  if (!writer) return std::move(writer).error();
  return writer->remove(number);
}

Result<size_t> trim_runs(const std::string& folder, const RunLimits& limits) {
  Result<RunWriter> writer = RunWriter::open(folder);
  if (!writer) return std::move(writer).error();
  return writer->trim(limits, 0, 0);
}

}  // namespace etlens
